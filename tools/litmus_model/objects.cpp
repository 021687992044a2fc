// SPDX-License-Identifier: Apache-2.0
#include "objects.hpp"

namespace litmus {

std::vector<signature> const& members_of(object_kind kind) {
  using m = member;
  static std::vector<signature> const latch{{m::count_down}, {m::wait}, {m::arrive_and_wait}, {m::try_wait, 0, true}};
  static std::vector<signature> const barrier{{m::arrive}, {m::wait}, {m::arrive_and_wait}};
  static std::vector<signature> const semaphore{{m::release}, {m::acquire}, {m::try_acquire, 0, true}};
  static std::vector<signature> const mutex{{m::lock}, {m::unlock}, {m::try_lock, 0, true}};
  static std::vector<signature> const shared_mutex{
      {m::lock}, {m::unlock}, {m::try_lock, 0, true}, {m::lock_shared}, {m::unlock_shared}};
  static std::vector<signature> const once{{m::enter, 0, true}, {m::leave}};
  static std::vector<signature> const stop{{m::request_stop, 0, true}, {m::stop_requested, 0, true}};
  static std::vector<signature> const pipeline{
      {m::producer_acquire}, {m::producer_commit}, {m::consumer_wait}, {m::consumer_release}};
  static std::vector<signature> const map{{m::insert, 2, true, true}, {m::find, 1, true, true}};
  static std::vector<signature> const queue{{m::take, 0, true}};
  switch (kind) {
  case object_kind::latch: return latch;
  case object_kind::barrier: return barrier;
  case object_kind::semaphore:
  case object_kind::fair_semaphore: return semaphore;
  case object_kind::mutex:
  case object_kind::ticket_mutex:
  case object_kind::cohort_mutex: return mutex;
  case object_kind::shared_mutex: return shared_mutex;
  case object_kind::once_flag: return once;
  case object_kind::stop_state: return stop;
  case object_kind::pipeline: return pipeline;
  case object_kind::map: return map;
  case object_kind::work_queue: break;
  }
  return queue;
}

bool has_count(object_kind kind) {
  switch (kind) {
  case object_kind::latch:
  case object_kind::barrier:
  case object_kind::semaphore:
  case object_kind::fair_semaphore:
  case object_kind::pipeline:
  case object_kind::work_queue: return true;
  default: return false;
  }
}

} // namespace litmus
