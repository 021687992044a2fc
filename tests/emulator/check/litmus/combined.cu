// SPDX-License-Identifier: Apache-2.0
//
// Two blocks of two lanes each. The lanes of a block combine their operations on one object: one lane performs the
// operation for both. Every outcome is that of four threads which perform their own operations.
#include "litmus.hpp"

namespace litmus {

namespace {

using object = cudax::contended_ref<int, cudax::thread_scope_device>;
using word = cudax::atomic_ref<int, cudax::thread_scope_device>;

/// Each lane of the first block writes, and counts itself. If a lane of the other block sees both counted, it reads
/// what both wrote.
template <memory_order release, memory_order acquire>
struct combined_mp {
  template <class>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread < 2) {
      word(thread ? v.y : v.x).store(1, rlx);
      object(v.z).fetch_add(1, release);
    } else {
      r[3 * thread - 6] = object(v.z).fetch_add(0, acquire);
      r[3 * thread - 5] = word(v.x).load(rlx);
      r[3 * thread - 4] = word(v.y).load(rlx);
    }
  }
};
bool mp_outcome(variables const& v) {
  return (v.r[0] == 2 && (v.r[1] == 0 || v.r[2] == 0)) || (v.r[3] == 2 && (v.r[4] == 0 || v.r[5] == 0));
}

/// Each block counts in its own variable, and then each lane reads the other's.
template <memory_order order, bool has_result, bool reads_combined>
struct combined_sb {
  template <class>
  static __device__ void run(int thread, variables& v, int* r) {
    int& mine = thread < 2 ? v.x : v.y;
    int& other = thread < 2 ? v.y : v.x;
    if constexpr (has_result) object(mine).fetch_add(1, order);
    else object(mine).store_add(1, order == sc ? sc : rel);
    if constexpr (reads_combined) r[thread] = object(other).fetch_add(0, order);
    else r[thread] = word(other).load(order == sc ? sc : acq);
  }
};
bool sb_outcome(variables const& v) { return (v.r[0] == 0 || v.r[1] == 0) && (v.r[2] == 0 || v.r[3] == 0); }

/// Each lane of the first block writes its own variable, and then reads one by an operation that both combine. The
/// fence of that operation has to be each lane's own: the operations after it are the other block's.
template <memory_order order>
struct combined_fence {
  template <class>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread < 2) {
      word(thread ? v.z : v.x).store(1, order == sc ? sc : rel);
      r[thread] = object(v.y).fetch_add(0, order);
    } else if (thread == 2) {
      word(v.y).store(1, order == sc ? sc : rel);
      r[2] = word(v.x).load(sc);
      r[3] = word(v.z).load(sc);
    }
  }
};
bool fence_outcome(variables const& v) { return (v.r[0] == 0 && v.r[2] == 0) || (v.r[1] == 0 && v.r[3] == 0); }

/// A lane reads the object before and after its operation, which may be performed by the other lane.
struct combined_coherence {
  template <class>
  static __device__ void run(int thread, variables& v, int* r) {
    int const before = word(v.x).load(rlx);
    int const result = object(v.x).fetch_add(1, rlx);
    int const after = word(v.x).load(rlx);
    r[thread] = before <= result && result < after;
  }
};

} // namespace

std::vector<row> combined() {
  using enum verdict;
  return {
      row_of_two_blocks<combined_mp<rlx, rlx>>("combined MP rlx", allowed, mp_outcome),
      row_of_two_blocks<combined_mp<rel, rlx>>("combined MP rel/rlx", allowed, mp_outcome),
      row_of_two_blocks<combined_mp<rlx, acq>>("combined MP rlx/acq", allowed, mp_outcome),
      row_of_two_blocks<combined_mp<rel, acq>>("combined MP rel/acq", forbidden, mp_outcome),
      row_of_two_blocks<combined_mp<sc, sc>>("combined MP sc", forbidden, mp_outcome),
      row_of_two_blocks<combined_sb<acq_rel, true, false>>("combined SB acq_rel", allowed, sb_outcome),
      row_of_two_blocks<combined_sb<sc, true, false>>("combined SB sc", forbidden, sb_outcome),
      row_of_two_blocks<combined_sb<sc, true, true>>("combined SB sc, both combined", forbidden, sb_outcome),
      row_of_two_blocks<combined_sb<sc, false, false>>("combined SB sc, store_add", forbidden, sb_outcome),
      row_of_two_blocks<combined_fence<acq_rel>>("combined SB acq_rel, read by RMW", allowed, fence_outcome),
      row_of_two_blocks<combined_fence<sc>>("combined SB sc, read by RMW", forbidden, fence_outcome),
      row_of_two_blocks<combined_coherence>("combined CoRWR rlx", forbidden,
                                            [](variables const& v) { return v.r[0] + v.r[1] + v.r[2] + v.r[3] != 4; }),
  };
}

} // namespace litmus
