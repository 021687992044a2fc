// SPDX-License-Identifier: Apache-2.0
//
// Two threads and two variables: message passing, store buffering, load buffering, S, R, 2+2W.
#include "litmus.hpp"

namespace litmus {

namespace {

/// Message passing: orders of the flag's write and read, and fences before the write and after the read.
template <memory_order write, memory_order read, memory_order before = rlx, memory_order after = rlx>
struct mp {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      on::write(v.x, 1);
      on::fence(before);
      on::write(v.y, 1, write);
    } else {
      r[0] = on::read(v.y, read);
      on::fence(after);
      r[1] = on::read(v.x);
    }
  }
};

/// Reads only after the condition is known to hold. LLVM would otherwise read first and select later, which is a race.
__device__ int read_if(int condition, int& where) {
  if (!condition) return -1;
  asm volatile("" ::: "memory");
  return where;
}

/// The same with plain data, which is read only if the flag is set: otherwise the read would be a race.
template <memory_order write, memory_order read, memory_order before, memory_order after, bool polls>
struct mp_weak {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      v.weak = 1;
      on::fence(before);
      on::write(v.y, 1, write);
    } else {
      do r[0] = on::read(v.y, read);
      while (polls && !r[0]);
      on::fence(after);
      r[1] = read_if(r[0], v.weak);
    }
  }
};

/// Read-modify-writes raise and read the flag.
struct mp_rmw {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      v.weak = 1;
      on::add(v.y, rel);
    } else {
      r[0] = on::add(v.y, acq);
      r[1] = read_if(r[0], v.weak);
    }
  }
};

/// Message passing, or S: the second thread reads and writes x by one operation. If that reads 0, the first thread's
/// value of x is the last.
template <int value, memory_order write, memory_order read>
struct modified {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      on::write(v.x, value);
      on::write(v.y, 1, write);
    } else {
      r[0] = on::read(v.y, read);
      r[1] = on::add(v.x);
    }
  }
};

/// Store buffering.
template <memory_order write, memory_order read, memory_order between = rlx>
struct sb {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    on::write(thread ? v.y : v.x, 1, write);
    on::fence(between);
    r[thread] = on::read(thread ? v.x : v.y, read);
  }
};

struct sb_rmw {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    on::add(thread ? v.y : v.x, acq_rel);
    r[thread] = on::add(thread ? v.x : v.y, acq_rel);
  }
};

/// Load buffering: each thread reads, then writes; with `data`, it writes the value that it read.
template <memory_order read_0, memory_order read_1, memory_order write, bool data = false>
struct lb {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    int const read = thread ? on::read(v.y, read_1) : on::read(v.x, read_0);
    r[thread] = read;
    on::write(thread ? v.x : v.y, data ? read : 1, write);
  }
};

template <memory_order write, memory_order read>
struct s {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      on::write(v.x, 2);
      on::write(v.y, 1, write);
    } else {
      r[0] = on::read(v.y, read);
      on::write(v.x, 1);
    }
  }
};

template <memory_order write, memory_order read, memory_order between = rlx>
struct r {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      on::write(v.x, 1);
      on::fence(between);
      on::write(v.y, 1, write);
    } else {
      on::write(v.y, 2);
      on::fence(between);
      r[0] = on::read(v.x, read);
    }
  }
};

template <memory_order write, memory_order between = rlx>
struct two_plus_two {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int*) {
    on::write(thread ? v.y : v.x, 2);
    on::fence(between);
    on::write(thread ? v.x : v.y, 1, write);
  }
};

bool passed_stale(variables const& v) { return v.r[0] == 1 && v.r[1] == 0; }
bool both_zero(variables const& v) { return v.r[0] == 0 && v.r[1] == 0; }
bool both_one(variables const& v) { return v.r[0] == 1 && v.r[1] == 1; }
bool s_outcome(variables const& v) { return v.r[0] == 1 && v.x == 2; }
bool r_outcome(variables const& v) { return v.y == 2 && v.r[0] == 0; }
bool two_plus_two_outcome(variables const& v) { return v.x == 2 && v.y == 2; }

} // namespace

std::vector<row> two_threads() {
  using enum verdict;
  // In 2+2W, x = y = 2 means that the first write of each thread follows the second write of the other thread in
  // modification order.
  return {
      row_of<mp<rlx, rlx>>("MP rlx", allowed, passed_stale),
      row_of<mp<rel, acq>>("MP rel/acq", forbidden, passed_stale),
      row_of<mp<rel, rlx>>("MP rel/rlx", allowed, passed_stale),
      row_of<mp<rlx, acq>>("MP rlx/acq", allowed, passed_stale),
      row_of<mp<rlx, rlx, rel>>("MP F.rel only", allowed, passed_stale),
      row_of<mp<rlx, rlx, rlx, acq>>("MP F.acq only", allowed, passed_stale),
      row_of<mp<rlx, rlx, rel, acq>>("MP F.rel F.acq", forbidden, passed_stale),
      row_of<mp<rlx, rlx, acq_rel, acq_rel>>("MP F.acq_rel", forbidden, passed_stale),
      row_of<mp<rel, rlx, rlx, acq>>("MP rel/F.acq", forbidden, passed_stale),
      row_of<mp<rlx, acq, rel>>("MP F.rel/acq", forbidden, passed_stale),
      row_of<mp<sc, sc>>("MP sc", forbidden, passed_stale),
      row_of<mp_weak<rel, acq, rlx, rlx, false>>("MP weak data", forbidden, passed_stale),
      row_of<mp_weak<rlx, rlx, rel, acq, false>>("MP weak data, fences", forbidden, passed_stale),
      row_of<mp_weak<rel, rlx, rlx, acq, true>>("MP weak data, relaxed poll, F.acq", forbidden, passed_stale),
      row_of<mp_rmw>("MP rmw", forbidden, passed_stale),
      row_of<modified<1, rlx, rlx>>("MP rlx, read by RMW", allowed, passed_stale),
      row_of<modified<1, rel, acq>>("MP rel/acq, read by RMW", forbidden, passed_stale),
      row_of<sb<rlx, rlx>>("SB rlx", allowed, both_zero),
      row_of<sb<rel, acq>>("SB rel/acq", allowed, both_zero),
      row_of<sb<rlx, rlx, acq_rel>>("SB F.acq_rel", allowed, both_zero),
      row_of<sb<rlx, rlx, sc>>("SB F.sc", forbidden, both_zero),
      row_of<sb<sc, sc>>("SB sc", forbidden, both_zero),
      row_of<sb_rmw>("SB rmw acq_rel", forbidden, both_zero),
      row_of<lb<rlx, rlx, rlx>>("LB rlx", not_modelled, both_one),
      row_of<lb<acq, rlx, rlx>>("LB acq on one side", not_modelled, both_one),
      row_of<lb<acq, acq, rel>>("LB acq/rel", forbidden, both_one),
      row_of<lb<rlx, rlx, rlx, true>>("LB data", forbidden, both_one),
      row_of<s<rlx, rlx>>("S rlx", allowed, s_outcome),
      row_of<s<rel, acq>>("S rel/acq", forbidden, s_outcome),
      row_of<modified<2, rlx, rlx>>("S rlx, RMW", allowed, s_outcome),
      row_of<modified<2, rel, acq>>("S rel/acq, RMW", forbidden, s_outcome),
      row_of<r<rlx, rlx>>("R rlx", allowed, r_outcome),
      row_of<r<rel, acq>>("R rel/acq", allowed, r_outcome),
      row_of<r<rlx, rlx, sc>>("R F.sc", forbidden, r_outcome),
      row_of<two_plus_two<rlx>>("2+2W rlx", allowed, two_plus_two_outcome),
      row_of<two_plus_two<rel>>("2+2W rel", allowed, two_plus_two_outcome),
      row_of<two_plus_two<rlx, sc>>("2+2W F.sc", forbidden, two_plus_two_outcome),
  };
}

} // namespace litmus
