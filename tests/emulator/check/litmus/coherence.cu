// SPDX-License-Identifier: Apache-2.0
//
// One variable: threads agree on the order of its values, and read-modify-writes lose no update. Then release
// sequences: writes that follow a released value in modification order.
#include "litmus.hpp"

namespace litmus {

namespace {

struct co_rr {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) return on::write(v.x, 1);
    r[0] = on::read(v.x);
    r[1] = on::read(v.x);
  }
};

/// A thread's own write, then a read: it returns that write or a later one.
struct co_wr {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    on::write(v.x, thread + 1);
    r[thread] = on::read(v.x);
  }
};

/// A read, then a write, which must follow the value read in modification order.
struct co_rw {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) return on::write(v.x, 1);
    r[0] = on::read(v.x);
    on::write(v.x, 2);
  }
};

struct co_ww {
  static constexpr int threads = 1;
  template <class on>
  static __device__ void run(int, variables& v, int*) {
    on::write(v.x, 1);
    on::write(v.x, 2);
  }
};

struct two_rmw {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int, variables& v, int*) {
    on::add(v.x);
  }
};

struct rmw_and_write {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int*) {
    if (thread == 0) on::add(v.x);
    else on::write(v.x, 2);
  }
};

struct sequence_rmw {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      on::write(v.x, 1);
      on::write(v.y, 1, rel);
    } else if (thread == 1) {
      r[0] = on::add(v.y);
    } else {
      r[1] = on::read(v.y, acq);
      r[2] = on::read(v.x);
    }
  }
};

struct sequence_own {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      on::write(v.x, 1);
      on::write(v.y, 1, rel);
      on::write(v.y, 2);
    } else {
      r[0] = on::read(v.y, acq);
      r[1] = on::read(v.x);
    }
  }
};

/// The third thread's read shows that 2 follows 1.
struct sequence_broken {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int thread, variables& v, int* r) {
    if (thread == 0) {
      on::write(v.x, 1);
      on::write(v.y, 1, rel);
    } else if (thread == 1) {
      r[2] = on::read(v.y);
      on::write(v.y, 2);
    } else {
      r[0] = on::read(v.y, acq);
      r[1] = on::read(v.x);
    }
  }
};

} // namespace

std::vector<row> coherence() {
  using enum verdict;
  return {
      row_of<co_rr>("CoRR", forbidden, [](variables const& v) { return v.r[0] == 1 && v.r[1] == 0; }),
      row_of<co_wr>("CoWR", forbidden,
                    [](variables const& v) {
                      return v.r[0] == 0 || v.r[1] == 0 || (v.r[0] == 2 && v.x == 1) || (v.r[1] == 1 && v.x == 2);
                    }),
      row_of<co_rw>("CoRW", forbidden, [](variables const& v) { return v.r[0] == 1 && v.x == 1; }),
      row_of<co_ww>("CoWW", forbidden, [](variables const& v) { return v.x != 2; }),
      row_of<two_rmw>("RMW lost update", forbidden, [](variables const& v) { return v.x != 2; }),
      row_of<rmw_and_write>("RMW against a store", forbidden, [](variables const& v) { return v.x == 1; }),
      row_of<sequence_rmw>("release sequence, rmw", forbidden,
                           [](variables const& v) { return v.r[0] == 1 && v.r[1] == 2 && v.r[2] == 0; }),
      row_of<sequence_own>("release sequence, own store", forbidden,
                           [](variables const& v) { return v.r[0] == 2 && v.r[1] == 0; }),
      row_of<sequence_broken>("release sequence, another's store", allowed,
                              [](variables const& v) { return v.r[2] == 1 && v.r[0] == 2 && v.r[1] == 0; }),
  };
}

} // namespace litmus
