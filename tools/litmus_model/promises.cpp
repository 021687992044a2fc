// SPDX-License-Identifier: Apache-2.0
#include "promises.hpp"

#include <algorithm>

#include "words.hpp"

namespace litmus {

namespace {

bool meet_each_other(execution const& e, event const& a, event const& b) {
  if (a.level != b.level || a.round != b.round) return false;
  auto const& at = e.placement->threads;
  auto const &p = at[std::size_t(a.thread)], &q = at[std::size_t(b.thread)];
  switch (level(a.level)) {
  case level::warp: return p.warp == q.warp;
  case level::block: return p.block == q.block;
  case level::cluster: return p.cluster == q.cluster;
  case level::grid: break;
  }
  return p.device == q.device;
}

/// The calls of one object, in the order in which they happen; those that have happened are in `history_`.
class object_search {
  execution& e_;
  object const& object_;
  int index_;
  std::vector<std::vector<int>> waiting_; ///< of each thread: its calls, in program order
  std::vector<std::size_t> next_;
  std::vector<int> history_;
  std::vector<int> permits_; ///< of a semaphore: the releases that have permits left; -1 is the initial count
  std::size_t count_ = 0;
  std::function<void()> const& f_;

  [[nodiscard]] event const& at(int call) const { return e_.events[std::size_t(call)]; }

  template <class F>
  [[nodiscard]] std::vector<int> past(F matches) const {
    std::vector<int> result;
    for (int const c : history_)
      if (matches(at(c))) result.push_back(c);
    return result;
  }
  [[nodiscard]] std::vector<int> past(member m) const {
    return past([&](event const& c) { return c.member == m; });
  }

  /// The threads that use a pipeline in this way.
  [[nodiscard]] std::vector<int> threads_that(member a, member b) const {
    std::vector<int> result;
    for (std::size_t t = 0; t < e_.program->threads.size(); ++t) {
      auto const& all = e_.program->threads[t].instructions;
      if (std::any_of(all.begin(), all.end(), [&](instruction const& i) {
            return i.operation == operation::call && i.object == index_ && (i.member == a || i.member == b);
          }))
        result.push_back(int(t));
    }
    return result;
  }

  /// Whether a stage has been filled or emptied: each thread has called `m` at least `round` times. Appends those
  /// calls.
  bool all_called(std::vector<int> const& threads, member m, int round, std::vector<int>& from) const {
    for (int const t : threads) {
      auto const calls = past([&](event const& c) { return c.thread == t && c.member == m; });
      if (int(calls.size()) < round) return false;
      from.insert(from.end(), calls.begin(), calls.begin() + round);
    }
    return true;
  }

  /// Whether a call can happen now and return what it returns. `from` becomes the calls that synchronize with it.
  bool can_happen(event const& c, std::vector<int>& from) const {
    switch (object_.kind) {
    case object_kind::latch: return latch(c, from);
    case object_kind::barrier: return barrier(c, from);
    case object_kind::mutex:
    case object_kind::ticket_mutex:
    case object_kind::cohort_mutex:
    case object_kind::shared_mutex: return mutex(c, from);
    case object_kind::once_flag: return once(c, from);
    case object_kind::stop_state: return stop(c, from);
    case object_kind::pipeline: return pipeline(c, from);
    case object_kind::map: return map(c, from);
    case object_kind::work_queue: {
      auto const taken = history_.size();
      return c.result == (taken < std::size_t(object_.count) ? value(taken + 1) : 0);
    }
    default: return false; // semaphores: step() chooses the permit
    }
  }

  bool latch(event const& c, std::vector<int>& from) const {
    if (c.member == member::count_down || (c.member == member::try_wait && c.result == 0)) return true;
    from = past(member::count_down);
    return int(from.size()) >= object_.count;
  }

  bool barrier(event const& c, std::vector<int>& from) const {
    if (c.member == member::arrive) return true;
    from = past(member::arrive);
    int own = -1;
    for (std::size_t i = 0; i < from.size(); ++i)
      if (at(from[i]).thread == c.thread) own = int(i);
    if (own < 0) return false;
    std::size_t const needed = std::size_t(own / object_.count + 1) * std::size_t(object_.count);
    if (from.size() < needed) return false;
    from.resize(needed);
    return true;
  }

  bool mutex(event const& c, std::vector<int>& from) const {
    int holder = -1, readers = 0;
    for (int const h : history_) {
      auto const& past = at(h);
      if (past.member == member::lock || (past.member == member::try_lock && past.result != 0)) holder = past.thread;
      if (past.member == member::unlock) holder = -1;
      if (past.member == member::lock_shared) ++readers;
      if (past.member == member::unlock_shared) --readers;
    }
    switch (c.member) {
    case member::unlock: return holder == c.thread;
    case member::unlock_shared: return readers > 0;
    case member::lock_shared: from = past(member::unlock); return holder < 0;
    case member::try_lock:
      if (c.result == 0) return true; // it may fail spuriously [thread.mutex.requirements.mutex]
      [[fallthrough]];
    default: break;
    }
    from = past([](event const& p) { return p.member == member::unlock || p.member == member::unlock_shared; });
    return holder < 0 && readers == 0;
  }

  bool once(event const& c, std::vector<int>& from) const {
    if (c.member == member::leave) return true;
    if (c.result != 0) return past(member::enter).empty();
    from = past(member::leave);
    return !from.empty();
  }

  bool stop(event const& c, std::vector<int>& from) const {
    from = past(member::request_stop);
    from.resize(std::min<std::size_t>(from.size(), 1)); // the first request
    bool const requested = !from.empty();
    if (c.member == member::request_stop) return (c.result != 0) != requested;
    return (c.result != 0) == requested;
  }

  bool pipeline(event const& c, std::vector<int>& from) const {
    auto const calls = past([&](event const& p) { return p.thread == c.thread && p.member == c.member; });
    int const round = int(calls.size()); // that this thread has begun before
    if (c.member == member::producer_acquire)
      return all_called(threads_that(member::consumer_wait, member::consumer_release), member::consumer_release,
                        std::max(0, round + 1 - object_.count), from);
    if (c.member == member::consumer_wait)
      return all_called(threads_that(member::producer_acquire, member::producer_commit), member::producer_commit,
                        round + 1, from);
    return true;
  }

  bool map(event const& c, std::vector<int>& from) const {
    auto const inserted = past([&](event const& p) {
      return p.member == member::insert && p.result != 0 && p.arguments[0] == c.arguments[0];
    });
    if (c.member == member::insert) return (c.result != 0) == inserted.empty();
    if (inserted.empty()) return c.result == 0;
    if (at(inserted[0]).arguments[1] != c.result) return false;
    if (c.acquires && at(inserted[0]).releases) from = inserted;
    return true;
  }

  void happen(int call, std::vector<int> const& from) {
    for (int const source : from)
      if (at(source).thread != at(call).thread) e_.promised.add(source, call);
    auto const thread = std::size_t(at(call).thread);
    history_.push_back(call);
    ++next_[thread];
    step();
    --next_[thread];
    history_.pop_back();
  }

  /// A semaphore: an acquire takes any of the permits, and its release synchronizes with it.
  void semaphore(int call) {
    auto const saved = permits_;
    event const& c = at(call);
    if (c.member == member::release) {
      permits_.push_back(call);
      happen(call, {});
    } else if (c.member == member::try_acquire && c.result == 0) happen(call, {}); // it may fail spuriously
    else
      for (std::size_t i = 0; i < saved.size(); ++i) {
        if (std::find(saved.begin(), saved.begin() + std::ptrdiff_t(i), saved[i]) != saved.begin() + std::ptrdiff_t(i))
          continue;
        permits_.erase(permits_.begin() + std::ptrdiff_t(i));
        relation const promised = e_.promised;
        happen(call, saved[i] < 0 ? std::vector<int>{} : std::vector<int>{saved[i]});
        e_.promised = promised;
        permits_ = saved;
      }
    permits_ = saved;
  }

  void step() {
    if (history_.size() == count_) {
      e_.calls.push_back(history_);
      f_();
      e_.calls.pop_back();
      return;
    }
    relation const promised = e_.promised;
    for (std::size_t t = 0; t < waiting_.size(); ++t) {
      if (next_[t] == waiting_[t].size()) continue;
      int const call = waiting_[t][next_[t]];
      if (object_.kind == object_kind::semaphore || object_.kind == object_kind::fair_semaphore) semaphore(call);
      else if (std::vector<int> from; can_happen(at(call), from)) happen(call, from);
      e_.promised = promised;
    }
  }

public:
  object_search(execution& e, int object, std::function<void()> const& f)
    : e_(e), object_(e.program->objects[std::size_t(object)]), index_(object), f_(f) {
    waiting_.resize(e.program->threads.size());
    next_.resize(waiting_.size());
    for (int i = 0; i < e.size(); ++i)
      if (at(i).kind == event_kind::call && at(i).object == object) {
        waiting_[std::size_t(at(i).thread)].push_back(i);
        ++count_;
      }
    bool const semaphore = object_.kind == object_kind::semaphore || object_.kind == object_kind::fair_semaphore;
    if (semaphore) permits_.assign(std::size_t(object_.count), -1);
  }

  void run() { step(); }
};

void search_from(execution& e, std::size_t object, std::function<void()> const& f) {
  if (object == e.program->objects.size()) return f();
  std::function<void()> const next = [&] { search_from(e, object + 1, f); };
  object_search(e, int(object), next).run();
}

} // namespace

void add_barriers(execution& e) {
  for (int a = 0; a < e.size(); ++a)
    for (int b = 0; b < e.size(); ++b) {
      auto const &x = e.events[std::size_t(a)], &y = e.events[std::size_t(b)];
      if (x.kind == event_kind::arrive && y.kind == event_kind::meet && x.thread != y.thread &&
          meet_each_other(e, x, y))
        e.promised.add(a, b);
    }
}

void for_each_promise(execution& e, std::function<void()> const& f) {
  e.calls.clear();
  search_from(e, 0, f);
}

std::optional<std::string> void_promise(program const& p, placement const& where) {
  for (std::size_t o = 0; o < p.objects.size(); ++o) {
    std::vector<std::size_t> users;
    for (std::size_t t = 0; t < p.threads.size(); ++t)
      for (auto const& i : p.threads[t].instructions)
        if (i.operation == operation::call && i.object == int(o) && (users.empty() || users.back() != t))
          users.push_back(t);
    auto const& one = p.objects[o];
    scope const s = one.scope == scope::narrowest ? where.scope : one.scope;
    for (std::size_t const a : users)
      for (std::size_t const b : users)
        if (a != b && !includes(s, where.threads[a], where.threads[b]))
          return "the scope of " + one.name + " is the " + std::string(words::name(words::scopes, s)) +
                 ", which does not include both " + p.threads[a].name + " and " + p.threads[b].name;
  }
  return std::nullopt;
}

} // namespace litmus
