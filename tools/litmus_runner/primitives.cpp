// SPDX-License-Identifier: Apache-2.0
#include "primitives.hpp"

#include "forms.hpp"
#include "outcome.hpp"

namespace litmus_runner {

namespace {

using litmus::member;
using litmus::object_kind;

std::string object(primitive const& p) { return "object<" + type_of(p) + ">(" + p.address + ")"; }

/// The order of a call of a map, as its last argument.
std::string last_argument(litmus::order o) { return o == litmus::order::weak ? "" : ", " + library_order(o); }

std::string returned(std::string const& result, std::string const& value) {
  return (result.empty() ? "(void)" : result + " = ") + value + ";";
}

/// A call without arguments and with the name of the standard.
std::string member_call(primitive const& p, char const* name, std::string const& result, bool returns) {
  std::string const value = object(p) + "." + name + "()";
  return returns ? returned(result, value) : value + ";";
}

} // namespace

std::string type_of(primitive const& p) {
  std::string const scope = "<" + library_scope(p.scope) + ">";
  switch (p.kind) {
  case object_kind::latch: return "cudax::latch" + scope;
  case object_kind::barrier: return "cudax::barrier" + scope;
  case object_kind::semaphore: return "cudax::counting_semaphore" + scope;
  case object_kind::fair_semaphore: return "cudax::fair_semaphore" + scope;
  case object_kind::mutex: return "cudax::mutex" + scope;
  case object_kind::ticket_mutex: return "cudax::ticket_mutex" + scope;
  case object_kind::cohort_mutex: return "cohort_with_outer" + scope;
  case object_kind::shared_mutex: return "cudax::shared_mutex" + scope;
  case object_kind::once_flag: return "cudax::basic_once_flag" + scope;
  case object_kind::stop_state: return "cudax::stop_state" + scope;
  case object_kind::map: return "slots_of_map" + scope;
  case object_kind::pipeline:
  case object_kind::work_queue: break;
  }
  throw not_runnable("the runner does not run pipelines and work queues yet");
}

std::string make(primitive const& p) {
  std::string const assertion =
      "static_assert(sizeof(" + type_of(p) + ") <= " + std::to_string(bytes_of_primitive) + "); ";
  switch (p.kind) {
  case object_kind::latch:
  case object_kind::barrier:
  case object_kind::semaphore:
  case object_kind::fair_semaphore: return assertion + "init(&" + object(p) + ", " + std::to_string(p.count) + ");";
  case object_kind::cohort_mutex:
    return assertion + "init(&" + object(p) + ".outer); init(&" + object(p) + ".part, " + object(p) + ".outer, 3);";
  case object_kind::map: return assertion + object(p) + " = {};";
  default: return assertion + "init(&" + object(p) + ");";
  }
}

std::string end(primitive const& p) { return p.kind == object_kind::barrier ? "destroy(&" + object(p) + ");" : ""; }

std::string call(primitive const& p, member m, std::string const& result, litmus::order order,
                 std::vector<std::string> const& values, std::size_t number, std::size_t last_arrival) {
  bool const cohort = p.kind == object_kind::cohort_mutex, barrier = p.kind == object_kind::barrier;
  std::string const map = "cudax::insert_only_map<u32, u32, " + library_scope(p.scope) + ">(" + object(p) + ".all, 4)";
  switch (m) {
  case member::count_down: return member_call(p, "count_down", "", false);
  case member::wait:
    if (barrier) return object(p) + ".wait(std_move(" + p.name + "_arrival_" + std::to_string(last_arrival) + "));";
    return member_call(p, "wait", "", false);
  case member::arrive_and_wait: return member_call(p, "arrive_and_wait", "", false);
  case member::try_wait: return member_call(p, "try_wait", result, true);
  case member::arrive:
    return "auto " + p.name + "_arrival_" + std::to_string(number) + " = " + object(p) + ".arrive();";
  case member::release: return member_call(p, "release", "", false);
  case member::acquire: return member_call(p, "acquire", "", false);
  case member::try_acquire: return member_call(p, "try_acquire", result, true);
  case member::lock: return member_call(p, cohort ? "part.lock" : "lock", "", false);
  case member::unlock: return member_call(p, cohort ? "part.unlock" : "unlock", "", false);
  case member::try_lock: return member_call(p, cohort ? "part.try_lock" : "try_lock", result, true);
  case member::lock_shared: return member_call(p, "lock_shared", "", false);
  case member::unlock_shared: return member_call(p, "unlock_shared", "", false);
  case member::enter: // the function is executed within the call
    return (result.empty() ? "" : result + " = 0; ") + "cudax::call_once(" + object(p) + ", [&] {" +
           (result.empty() ? "" : " " + result + " = 1;");
  case member::leave: return "});";
  case member::request_stop: return returned(result, "cudax::stop_source(" + object(p) + ").request_stop()");
  case member::stop_requested: return returned(result, "cudax::stop_source(" + object(p) + ").stop_requested()");
  case member::insert:
    return returned(result, map + ".insert(" + values[0] + ", " + values[1] + last_argument(order) +
                                ") == cudax::map_insertion::inserted");
  case member::find:
    return "{ u32 found = 0; (void)" + map + ".find(" + values[0] + ", found" + last_argument(order) + "); " +
           returned(result, "found") + " }";
  default: break;
  }
  throw not_runnable("the runner does not run pipelines and work queues yet");
}

bool blocks(member m) {
  switch (m) {
  case member::wait:
  case member::arrive_and_wait:
  case member::acquire:
  case member::lock:
  case member::lock_shared:
  case member::enter:
  case member::request_stop: return true; // it waits for another thread that changes the list of callbacks
  default: return false;
  }
}

std::string bounded_call(primitive const& p, member m, std::size_t number, std::size_t last_arrival) {
  std::string const part = p.kind == object_kind::cohort_mutex ? ".part." : ".";
  auto const repeated = [&](std::string const& attempt) {
    return "while (!" + object(p) + part + attempt + " && awaits.polls_again()) {}";
  };
  auto const arrival = [&](std::size_t n) { return p.name + "_arrival_" + std::to_string(n); };
  bool const barrier = p.kind == object_kind::barrier;
  switch (m) {
  case member::wait: return repeated(barrier ? "try_wait(" + arrival(last_arrival) + ")" : "try_wait()");
  case member::arrive_and_wait:
    if (!barrier) return object(p) + ".count_down(); " + repeated("try_wait()");
    return "{ auto const " + arrival(number) + " = " + object(p) + ".arrive(); " +
           repeated("try_wait(" + arrival(number) + ")") + " }";
  case member::acquire: return repeated("try_acquire()");
  case member::lock: return repeated("try_lock()");
  case member::lock_shared: return repeated("try_lock_shared()");
  default: break;
  }
  throw not_runnable("call_once and request_stop at a scope that leaves out one of the threads may not end, and the "
                     "library has no form of them that gives up");
}

} // namespace litmus_runner
