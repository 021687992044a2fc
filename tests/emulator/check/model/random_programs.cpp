// SPDX-License-Identifier: Apache-2.0
//
// random_programs: see the header.
#include "random_programs.hpp"

namespace emulator_test {

namespace {

event random_event(emulator::check::random& r, int locations) {
  constexpr semantics rlx = semantics::relaxed, acq = semantics::acquire, rel = semantics::release,
                      both = semantics::acq_rel;
  static constexpr semantics of_updates[] = {rlx, rlx, acq, rel, both};
  int const where = int(r.below(std::uint32_t(locations))), value = 1 + int(r.below(3));
  bool const ordered = r.below(3) == 0;
  switch (r.below(10)) {
  default: return {event::store, where, value, 0, ordered ? rel : rlx};
  case 4:
  case 5: return {event::load, where, 0, 0, ordered ? acq : rlx};
  case 6: return {event::exchange, where, value, 0, of_updates[r.below(5)]};
  case 7: return {event::add, where, value, 0, of_updates[r.below(5)]};
  case 8: {
    int const expected = int(r.below(3));
    return {event::compare_and_swap, where, value, expected, of_updates[r.below(5)]};
  }
  case 9: {
    scope const c = r.below(4) ? scope::gpu : scope::cta;
    if (r.below(2)) return {event::fence, 0, 0, 0, both, c, true};
    return {event::fence, 0, 0, 0, r.below(2) ? rel : r.below(2) ? acq : both, c};
  }
  }
}

} // namespace

small_program random_program(emulator::check::random& r, int threads, int events, int locations) {
  small_program p(static_cast<std::size_t>(threads));
  for (auto& thread : p)
    for (int i = 0; i < events; ++i) thread.push_back(random_event(r, locations));
  return p;
}

} // namespace emulator_test
