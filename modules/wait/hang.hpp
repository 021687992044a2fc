// SPDX-License-Identifier: Apache-2.0
//
// hang: reports of waits that last long, in checked builds.
// A predicate of a wait carries a description (CUDAX_AWAITS), which is evaluated only for a report. On a device a
// polling thread asks a `hang_watch` after each poll that is followed by a sleep. The watch reads the clock, changes
// nothing in memory, and reports at most once. On the host, runtime::park asks.
// Only waits without a time limit are reported: a thread that waits with a time limit does not hang.
// The unit `wait` includes this text in checked builds only: a unit of its own would cost every build 18 KB of BMIs.
#pragma once

namespace cudax::machine {

/// A predicate that can describe what the thread waits for.
template <class Changed, class Describe>
struct awaiting {
  Changed changed;
  Describe describe;

  bool operator()() const noexcept { return changed(); }
};

template <class Changed, class Describe>
awaiting<Changed, Describe> awaits(Changed changed, Describe describe) noexcept {
  return {changed, describe};
}

template <class... Value>
runtime::wait_description description_of(char const* text, Value... values) noexcept {
  return {text, {u64(values)...}};
}

/// Returns the predicate without its description.
template <class Changed>
Changed const& condition_of(Changed const& changed) noexcept {
  return changed;
}
template <class Changed, class Describe>
Changed const& condition_of(awaiting<Changed, Describe> const& changed) noexcept {
  return changed.changed;
}

/// Describes what the thread waits for.
template <class Changed>
runtime::wait_description describe(Changed const& changed) noexcept {
  if constexpr (requires { changed.describe(); }) return changed.describe();
  else return {};
}

/// Gives a parked wait the description of its predicate, which must outlive the wait.
template <class Changed>
void describe(runtime::parked_wait& wait, Changed const& changed) noexcept {
  wait.describe = [](void const* described) { return describe(*(Changed const*)described); };
  wait.described = &changed;
}

/// Watches one wait of one device thread.
class hang_watch {
public:
  /// Reports the wait if it has lasted long; call it after each poll.
  template <class Changed>
  void check(void const volatile* object, Changed const& changed) noexcept {
    if (!gpu::hang_is_due(began_)) return;
    runtime::wait_description const found = describe(changed);
    gpu::report_hang(object, found.text, found.values[0], found.values[1]);
  }

private:
  u64 began_ = 0;
};

} // namespace cudax::machine
