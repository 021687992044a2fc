// SPDX-License-Identifier: Apache-2.0
//
// Three and four threads: what one thread passes on to another, and whether all threads agree.
#include "litmus.hpp"

namespace litmus {

namespace {

/// Independent reads of independent writes.
template <memory_order read, memory_order between = rlx>
struct iriw {
  static constexpr int threads = 4;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread < 2) return on::write(thread ? v.y : v.x, 1);
    int const at = 2 * (thread - 2);
    r[at] = on::read(thread == 2 ? v.x : v.y, read);
    on::fence(between);
    r[at + 1] = on::read(thread == 2 ? v.y : v.x, read);
  }
};

template <memory_order write, memory_order read>
struct wrc {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) return on::write(v.x, 1);
    if (thread == 1) {
      r[0] = on::read(v.x, read);
      on::write(v.y, 1, write);
    } else {
      r[1] = on::read(v.y, read);
      r[2] = on::read(v.x);
    }
  }
};

struct isa2 {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      on::write(v.x, 1);
      on::write(v.y, 1, rel);
    } else if (thread == 1) {
      r[0] = on::read(v.y, acq);
      on::write(v.z, 1, rel);
    } else {
      r[1] = on::read(v.z, acq);
      r[2] = on::read(v.x);
    }
  }
};

struct wwc {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) return on::write(v.x, 2, rel);
    if (thread == 1) {
      r[0] = on::read(v.x, acq);
      on::write(v.y, 1, rel);
    } else {
      r[1] = on::read(v.y, acq);
      on::write(v.x, 1);
    }
  }
};

template <memory_order write, memory_order read, memory_order between = rlx>
struct rwc {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) return on::write(v.x, 1, write);
    if (thread == 1) {
      r[0] = on::read(v.x, read);
      on::fence(between);
      r[1] = on::read(v.y, read);
    } else {
      on::write(v.y, 1, write);
      on::fence(between);
      r[2] = on::read(v.x, read);
    }
  }
};

struct z6_1 {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      on::write(v.x, 2);
      on::write(v.y, 1, rel);
    } else if (thread == 1) {
      on::write(v.y, 2);
      on::write(v.z, 1, rel);
    } else {
      r[0] = on::read(v.z, acq);
      on::write(v.x, 1);
    }
  }
};

template <memory_order write, memory_order read, memory_order between = rlx>
struct z6_3 {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      on::write(v.x, 1);
      on::fence(between);
      on::write(v.y, 1, write);
    } else if (thread == 1) {
      on::write(v.y, 2);
      on::fence(between);
      on::write(v.z, 1, write);
    } else {
      r[0] = on::read(v.z, read);
      on::fence(between);
      r[1] = on::read(v.x);
    }
  }
};

struct three_two_w {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int thread, variables& v, int*) {
    int* const all[] = {&v.x, &v.y, &v.z};
    on::write(*all[thread], 2);
    on::write(*all[(thread + 1) % 3], 1, rel);
  }
};

/// Three threads arrive at a counter, wait for all arrivals, and read each other's plain data.
struct counter_barrier {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    int* const all[] = {&v.x, &v.y, &v.z};
    *all[thread] = 1;
    on::add(v.count[0], rel);
    while (on::read(v.count[0], acq) != 3) {}
    r[thread] = *all[(thread + 1) % 3];
  }
};

/// In each of two blocks a thread reports to its leader at block scope; the leaders synchronize at device scope. Then
/// the other block's leader knows what the first block's member wrote.
struct hierarchical_barrier {
  template <class>
  static __device__ void run(int thread, variables& v, int* r) {
    using in_block = on<cudax::thread_scope_block>;
    using leaders = on<cudax::thread_scope_device>;
    int& group = v.count[thread / 2];
    if (thread % 2 == 1) {
      if (thread == 1) v.weak = 1;
      in_block::add(group, rel);
      return;
    }
    while (in_block::read(group, acq) != 1) {}
    leaders::add(v.count[2], rel);
    while (leaders::read(v.count[2], acq) != 2) {}
    if (thread == 2) r[0] = v.weak;
  }
};

bool iriw_outcome(variables const& v) { return v.r[0] == 1 && v.r[1] == 0 && v.r[2] == 1 && v.r[3] == 0; }
bool two_saw_then_stale(variables const& v) { return v.r[0] == 1 && v.r[1] == 1 && v.r[2] == 0; }
bool rwc_outcome(variables const& v) { return v.r[0] == 1 && v.r[1] == 0 && v.r[2] == 0; }
bool z6_3_outcome(variables const& v) { return v.y == 2 && v.r[0] == 1 && v.r[1] == 0; }

} // namespace

std::vector<row> more_threads() {
  using enum verdict;
  return {
      row_of<iriw<rlx>>("IRIW rlx", allowed, iriw_outcome),
      row_of<iriw<acq>>("IRIW acq", allowed, iriw_outcome),
      row_of<iriw<rlx, sc>>("IRIW F.sc", forbidden, iriw_outcome),
      row_of<wrc<rlx, rlx>>("WRC rlx", allowed, two_saw_then_stale),
      row_of<wrc<rel, acq>>("WRC rel/acq", forbidden, two_saw_then_stale),
      row_of<isa2>("ISA2 rel/acq", forbidden, two_saw_then_stale),
      row_of<wwc>("WWC rel/acq", forbidden, [](variables const& v) { return v.r[0] == 2 && v.r[1] == 1 && v.x == 2; }),
      row_of<rwc<rel, acq>>("RWC rel/acq", allowed, rwc_outcome),
      row_of<rwc<rlx, rlx, sc>>("RWC F.sc", forbidden, rwc_outcome),
      row_of<z6_1>("Z6.1 rel/acq", allowed, [](variables const& v) { return v.x == 2 && v.y == 2 && v.r[0] == 1; }),
      row_of<z6_3<rel, acq>>("Z6.3 rel/acq", allowed, z6_3_outcome),
      row_of<z6_3<rlx, rlx, sc>>("Z6.3 F.sc", forbidden, z6_3_outcome),
      row_of<three_two_w>("3.2W rel", allowed, [](variables const& v) { return v.x == 2 && v.y == 2 && v.z == 2; }),
      row_of<counter_barrier>("counter barrier", forbidden,
                              [](variables const& v) { return v.r[0] + v.r[1] + v.r[2] != 3; }),
      row_of_two_blocks<hierarchical_barrier>("hierarchical barrier", forbidden,
                                              [](variables const& v) { return v.r[0] != 1; }),
  };
}

} // namespace litmus
