// SPDX-License-Identifier: Apache-2.0
//
// mbarrier: the operations of a barrier in shared memory.
#include "mbarrier.hpp"

namespace emulator {

namespace {

[[noreturn, gnu::cold]] void broken(thread const& t, std::string const& what) {
  fail(t, error_launch_failure, "mbarrier: " + what);
}

mbarrier existing(thread const& t, u64 word) {
  mbarrier const b = mbarrier::unpacked(word);
  if (!b.exists) [[unlikely]]
    broken(t,
           "no mbarrier object is at this address; use mbarrier.init first, and order it before other threads' uses");
  return b;
}

/// Changes the barrier by f, which may reject the change, and begins the next phase if nothing is pending afterwards.
template <class F>
u64 change(thread const& t, std::byte* where, F f) {
  return update<u64>(where, [&](u64 word) {
    mbarrier b = existing(t, word);
    f(b);
    if (b.is_complete()) {
      ++b.phase;
      b.pending = b.expected;
    }
    return b.packed();
  });
}

void add_bytes(thread const& t, mbarrier& b, s64 bytes) {
  s64 const sum = b.bytes + bytes;
  if (sum > s64(mbarrier::most) || sum < -s64(mbarrier::most))
    broken(t, "the pending bytes would be " + std::to_string(sum) + ", and must stay within " +
                  std::to_string(mbarrier::most) + " of 0");
  b.bytes = s32(sum);
}

} // namespace

void init_mbarrier(thread const& t, std::byte* where, u32 count) {
  if (count == 0 || count > mbarrier::most)
    broken(t,
           "init with a count of " + std::to_string(count) + ", which must be 1 to " + std::to_string(mbarrier::most));
  write<__ATOMIC_RELEASE>(where, mbarrier{true, 0, 0, count, count}.packed());
}

void invalidate_mbarrier(thread const& t, std::byte* where) {
  existing(t, read<__ATOMIC_RELAXED, u64>(where));
  write<__ATOMIC_RELEASE>(where, u64(0));
}

u64 arrive(thread const& t, std::byte* where, arrival a) {
  return change(t, where, [&](mbarrier& b) {
    if (a.count == 0 || a.count > b.pending)
      broken(t, "arrives with a count of " + std::to_string(a.count) + " where " + std::to_string(b.pending) +
                    " arrivals are pending; more threads arrive in this phase than init counted");
    if (a.bytes) add_bytes(t, b, a.bytes);
    b.pending -= a.count;
    if (a.drops) b.expected -= a.count;
    if (!a.completes && b.is_complete()) broken(t, ".noComplete ends the phase, which it promised not to do");
  });
}

void expect_bytes(thread const& t, std::byte* where, u32 bytes) {
  change(t, where, [&](mbarrier& b) { add_bytes(t, b, bytes); });
}

void complete_bytes(thread const& t, std::byte* where, u32 bytes) {
  change(t, where, [&](mbarrier& b) { add_bytes(t, b, -s64(bytes)); });
}

void add_pending(thread const& t, std::byte* where) {
  change(t, where, [&](mbarrier& b) {
    if (b.pending == mbarrier::most) broken(t, "too many pending arrivals");
    ++b.pending;
  });
}

bool is_over(thread const& t, std::byte const* where, u64 state) {
  mbarrier const b = existing(t, read<__ATOMIC_ACQUIRE, u64>(where));
  return b.phase != mbarrier::unpacked(state).phase;
}

bool is_parity_over(thread const& t, std::byte const* where, u32 parity) {
  mbarrier const b = existing(t, read<__ATOMIC_ACQUIRE, u64>(where));
  return (b.phase & 1) != (parity & 1);
}

} // namespace emulator
