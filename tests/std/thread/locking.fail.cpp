// SPDX-License-Identifier: Apache-2.0
//
// [thread.sema], [thread.mutex], [thread.once], [thread.stoptoken] Misuse that can be detected at compile time is
// rejected.
#include <chrono>
import cudax.sync;

using namespace cudax;

constexpr auto no_scope = thread_scope(7);

// The error is in the class that is instantiated; the note names the line of the program.
// expected-error@*:* {{cudax.sync: counting_semaphore<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
counting_semaphore<no_scope>* s1 = new counting_semaphore<no_scope>;
// expected-error@*:* {{cudax.sync: counting_semaphore<Scope, LeastMax>: the largest count is negative [thread.sema.cnt]}}
counting_semaphore<thread_scope_block, -1>* s2 = new counting_semaphore<thread_scope_block, -1>;
// expected-error@*:* {{cudax.sync: fair_semaphore<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
fair_semaphore<no_scope>* s3 = new fair_semaphore<no_scope>;
// expected-error@*:* {{cudax.sync: mutex<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
mutex<no_scope>* m1 = new mutex<no_scope>;
// expected-error@*:* {{cudax.sync: ticket_mutex<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
ticket_mutex<no_scope>* m2 = new ticket_mutex<no_scope>;
// expected-error@*:* {{cudax.sync: cohort_mutex<Mutex, Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
cohort_mutex<mutex<>, no_scope>* m3 = new cohort_mutex<mutex<>, no_scope>;
// expected-error@*:* {{cudax.sync: shared_mutex<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
shared_mutex<no_scope>* m4 = new shared_mutex<no_scope>;
// expected-error@*:* {{cudax.sync: condition_variable_any<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
condition_variable_any<no_scope>* c1 = new condition_variable_any<no_scope>;
// expected-error@*:* {{cudax.sync: basic_once_flag<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
basic_once_flag<no_scope>* o1 = new basic_once_flag<no_scope>;
// expected-error@*:* {{cudax.sync: stop_state<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
stop_state<no_scope>* t1 = new stop_state<no_scope>;

void counts(counting_semaphore<>& c, binary_semaphore<>& b, fair_semaphore<>& f) {
  counting_semaphore<> negative(-1); // expected-error {{cudax.sync: counting_semaphore: the count is negative or above max() [thread.sema.cnt]}}
  binary_semaphore<> two(2);         // expected-error {{cudax.sync: counting_semaphore: the count is negative or above max() [thread.sema.cnt]}}
  fair_semaphore<> minus_one(-1);    // expected-error {{cudax.sync: fair_semaphore: the count is negative or above max() [thread.sema.cnt]}}
  fair_semaphore<> large(0x8000'0000); // expected-error {{cudax.sync: fair_semaphore: the count is negative or above max() [thread.sema.cnt]}}
  init(&c, -1);  // expected-error {{cudax.sync: init(counting_semaphore): the count is negative or above max() [thread.sema.cnt]}}
  init(&b, 2);   // expected-error {{cudax.sync: init(counting_semaphore): the count is negative or above max() [thread.sema.cnt]}}
  init(&f, -1);  // expected-error {{cudax.sync: init(fair_semaphore): the count is negative or above max() [thread.sema.cnt]}}
  c.release(-1); // expected-error {{cudax.sync: counting_semaphore::release: the update is negative or above max() [thread.sema.cnt]}}
  b.release(2);  // expected-error {{cudax.sync: counting_semaphore::release: the update is negative or above max() [thread.sema.cnt]}}
  f.release(-1); // expected-error {{cudax.sync: fair_semaphore::release: the update is negative or above max() [thread.sema.cnt]}}
  counting_semaphore<thread_scope_block, 0x1'0000'0000> fine(0x8000'0000);
  b.release(0);
}

using cohort = cohort_mutex<ticket_mutex<>>;

void limits(ticket_mutex<>& t, cohort& c) {
  cohort above(t, 0x8000'0000); // expected-error {{cudax.sync: cohort_mutex: the limit is above max_limit}}
  init(&c, t, 0xffff'ffff);     // expected-error {{cudax.sync: init(cohort_mutex): the limit is above max_limit}}
  init(&c, t, 0x7fff'ffff);
  init(&c, t, 0);
  cohort none;
  init(&none);                  // expected-error {{no matching function for call to 'init'}}
}

void copies(counting_semaphore<>& c, fair_semaphore<>& f, mutex<>& m, ticket_mutex<>& t, once_flag& o, stop_state<>& s,
            cohort& h) {
  counting_semaphore<> c2 = c; // expected-error {{call to deleted constructor of 'counting_semaphore<>'}}
  c = c;                       // expected-error {{overload resolution selected deleted operator '='}}
  fair_semaphore<> f2 = f;     // expected-error {{call to deleted constructor of 'fair_semaphore<>'}}
  f = f;                       // expected-error {{overload resolution selected deleted operator '='}}
  mutex<> m2 = m;              // expected-error {{call to deleted constructor of 'mutex<>'}}
  m = m;                       // expected-error {{overload resolution selected deleted operator '='}}
  ticket_mutex<> t2 = t;       // expected-error {{call to deleted constructor of 'ticket_mutex<>'}}
  t = t;                       // expected-error {{overload resolution selected deleted operator '='}}
  cohort h2 = h;               // expected-error {{call to deleted constructor of 'cohort'}}
  h = h;                       // expected-error {{overload resolution selected deleted operator '='}}
  cohort h3 = t;               // expected-error {{no viable conversion from 'ticket_mutex<>' to 'cohort'}}
  once_flag o2 = o;            // expected-error {{call to deleted constructor of 'once_flag'}}
  o = o;                       // expected-error {{overload resolution selected deleted operator '='}}
  stop_state<> s2 = s;         // expected-error {{call to deleted constructor of 'stop_state<>'}}
  s = s;                       // expected-error {{overload resolution selected deleted operator '='}}
  counting_semaphore<> converted = 5; // expected-error {{no viable conversion from 'int' to 'counting_semaphore<>'}}
}

void guards(mutex<>& m, ticket_mutex<>& t) {
  lock_guard a(m);
  lock_guard b = a;              // expected-error {{call to deleted constructor of 'lock_guard<}}
  lock_guard<mutex<>> c = m;     // expected-error {{no viable conversion from 'mutex<>' to 'lock_guard<mutex<>>'}}
  scoped_lock d(m, t);
  scoped_lock e = d;             // expected-error {{call to deleted constructor of 'scoped_lock<}}
}

void ignored(counting_semaphore<>& c, fair_semaphore<>& f, mutex<>& m, ticket_mutex<>& t, cohort& h, stop_token<> s) {
  c.try_acquire();                       // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  f.try_acquire();                       // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  m.try_lock();                          // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  t.try_lock_for(std::chrono::hours(1)); // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  h.try_lock();                          // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  h.try_lock_for(std::chrono::hours(1)); // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  s.stop_requested();                    // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
}

void times(counting_semaphore<>& c, fair_semaphore<>& f, mutex<>& m, ticket_mutex<>& t, cohort& h) {
  bool r = c.try_acquire_for(5);                  // expected-error {{no matching member function for call to 'try_acquire_for'}}
  r = c.try_acquire_until(nanoseconds(5));        // expected-error {{no matching member function for call to 'try_acquire_until'}}
  r = f.try_acquire_for(steady_clock::now());     // expected-error {{no matching member function for call to 'try_acquire_for'}}
  r = m.try_lock_until(sm_clock::now());          // expected-error {{no matching member function for call to 'try_lock_until'}}
  r = h.try_lock_until(sm_clock::now());          // expected-error {{no matching member function for call to 'try_lock_until'}}
  r = t.try_lock_for(5);                          // expected-error {{no matching member function for call to 'try_lock_for'}}
}

void tokens(stop_state<>& s, stop_state<thread_scope_block>& b, stop_token<> t) {
  stop_source<> none;                             // expected-error {{no matching constructor for initialization of 'stop_source<>'}}
  stop_source<> other(b);                         // expected-error {{no matching constructor for initialization of 'stop_source<>'}}
  stop_source<> converted = s;                    // expected-error {{no viable conversion from 'stop_state<>' to 'stop_source<>'}}
  stop_callback c(t, [] {});
  auto copy = c;                                  // expected-error {{call to deleted constructor of}}
}
