// SPDX-License-Identifier: Apache-2.0
//
// Three and four threads: what one thread passes on to another one, and whether all agree.
#include "litmus.hpp"

namespace litmus {

namespace {

/// Independent reads of independent writes.
template <memory_order read, memory_order between = rlx>
struct iriw {
  static constexpr int threads = 4;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who < 2) return on::W(who ? v.y : v.x, 1);
    int const at = 2 * (who - 2);
    r[at] = on::R(who == 2 ? v.x : v.y, read);
    on::F(between);
    r[at + 1] = on::R(who == 2 ? v.y : v.x, read);
  }
};

template <memory_order write, memory_order read>
struct wrc {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) return on::W(v.x, 1);
    if (who == 1) {
      r[0] = on::R(v.x, read);
      on::W(v.y, 1, write);
    } else {
      r[1] = on::R(v.y, read);
      r[2] = on::R(v.x);
    }
  }
};

struct isa2 {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) {
      on::W(v.x, 1);
      on::W(v.y, 1, rel);
    } else if (who == 1) {
      r[0] = on::R(v.y, acq);
      on::W(v.z, 1, rel);
    } else {
      r[1] = on::R(v.z, acq);
      r[2] = on::R(v.x);
    }
  }
};

struct wwc {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) return on::W(v.x, 2, rel);
    if (who == 1) {
      r[0] = on::R(v.x, acq);
      on::W(v.y, 1, rel);
    } else {
      r[1] = on::R(v.y, acq);
      on::W(v.x, 1);
    }
  }
};

template <memory_order write, memory_order read, memory_order between = rlx>
struct rwc {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) return on::W(v.x, 1, write);
    if (who == 1) {
      r[0] = on::R(v.x, read);
      on::F(between);
      r[1] = on::R(v.y, read);
    } else {
      on::W(v.y, 1, write);
      on::F(between);
      r[2] = on::R(v.x, read);
    }
  }
};

struct z6_1 {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) {
      on::W(v.x, 2);
      on::W(v.y, 1, rel);
    } else if (who == 1) {
      on::W(v.y, 2);
      on::W(v.z, 1, rel);
    } else {
      r[0] = on::R(v.z, acq);
      on::W(v.x, 1);
    }
  }
};

template <memory_order write, memory_order read, memory_order between = rlx>
struct z6_3 {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) {
      on::W(v.x, 1);
      on::F(between);
      on::W(v.y, 1, write);
    } else if (who == 1) {
      on::W(v.y, 2);
      on::F(between);
      on::W(v.z, 1, write);
    } else {
      r[0] = on::R(v.z, read);
      on::F(between);
      r[1] = on::R(v.x);
    }
  }
};

struct three_two_w {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int who, variables& v, int*) {
    int* const all[] = {&v.x, &v.y, &v.z};
    on::W(*all[who], 2);
    on::W(*all[(who + 1) % 3], 1, rel);
  }
};

/// Three threads arrive at a counter, wait for all, and read each other's plain data.
struct counter_barrier {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    int* const all[] = {&v.x, &v.y, &v.z};
    *all[who] = 1;
    on::A(v.count[0], rel);
    while (on::R(v.count[0], acq) != 3) {}
    r[who] = *all[(who + 1) % 3];
  }
};

/// In each of two blocks a thread reports to its leader, within the block; the leaders meet each other at the device. What the
/// one block's member wrote is then known to the other block's leader.
struct hierarchical_barrier {
  template <class>
  static __device__ void run(int who, variables& v, int* r) {
    using in_block = on<cudax::thread_scope_block>;
    using leaders = on<cudax::thread_scope_device>;
    int& group = v.count[who / 2];
    if (who % 2 == 1) {
      if (who == 1) v.weak = 1;
      in_block::A(group, rel);
      return;
    }
    while (in_block::R(group, acq) != 1) {}
    leaders::A(v.count[2], rel);
    while (leaders::R(v.count[2], acq) != 2) {}
    if (who == 2) r[0] = v.weak;
  }
};

bool iriw_asked(variables const& v) { return v.r[0] == 1 && v.r[1] == 0 && v.r[2] == 1 && v.r[3] == 0; }
bool two_saw_then_stale(variables const& v) { return v.r[0] == 1 && v.r[1] == 1 && v.r[2] == 0; }
bool rwc_asked(variables const& v) { return v.r[0] == 1 && v.r[1] == 0 && v.r[2] == 0; }
bool z6_3_asked(variables const& v) { return v.y == 2 && v.r[0] == 1 && v.r[1] == 0; }

} // namespace

std::vector<row> more_threads() {
  using enum verdict;
  return {
      of<iriw<rlx>>("IRIW rlx", allowed, iriw_asked),
      of<iriw<acq>>("IRIW acq", allowed, iriw_asked),
      of<iriw<rlx, sc>>("IRIW F.sc", forbidden, iriw_asked),
      of<wrc<rlx, rlx>>("WRC rlx", allowed, two_saw_then_stale),
      of<wrc<rel, acq>>("WRC rel/acq", forbidden, two_saw_then_stale),
      of<isa2>("ISA2 rel/acq", forbidden, two_saw_then_stale),
      of<wwc>("WWC rel/acq", forbidden, [](variables const& v) { return v.r[0] == 2 && v.r[1] == 1 && v.x == 2; }),
      of<rwc<rel, acq>>("RWC rel/acq", allowed, rwc_asked),
      of<rwc<rlx, rlx, sc>>("RWC F.sc", forbidden, rwc_asked),
      of<z6_1>("Z6.1 rel/acq", not_modelled, [](variables const& v) { return v.x == 2 && v.y == 2 && v.r[0] == 1; }),
      of<z6_3<rel, acq>>("Z6.3 rel/acq", allowed, z6_3_asked),
      of<z6_3<rlx, rlx, sc>>("Z6.3 F.sc", forbidden, z6_3_asked),
      of<three_two_w>("3.2W rel", not_modelled, [](variables const& v) { return v.x == 2 && v.y == 2 && v.z == 2; }),
      of<counter_barrier>("counter barrier", forbidden,
                          [](variables const& v) { return v.r[0] + v.r[1] + v.r[2] != 3; }),
      of_two_blocks<hierarchical_barrier>("hierarchical barrier", forbidden,
                                          [](variables const& v) { return v.r[0] != 1; }),
  };
}

} // namespace litmus
