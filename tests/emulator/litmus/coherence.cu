// SPDX-License-Identifier: Apache-2.0
//
// One variable: threads agree on the order of its values, and read-modify-writes lose nothing. Then release sequences:
// what is written over a released value.
#include "litmus.hpp"

namespace litmus {

namespace {

struct co_rr {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) return on::W(v.x, 1);
    r[0] = on::R(v.x);
    r[1] = on::R(v.x);
  }
};

/// A thread's own write, then a read: of it, or of a later one.
struct co_wr {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    on::W(v.x, who + 1);
    r[who] = on::R(v.x);
  }
};

/// A read, then a write that is over what was read.
struct co_rw {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) return on::W(v.x, 1);
    r[0] = on::R(v.x);
    on::W(v.x, 2);
  }
};

struct co_ww {
  static constexpr int threads = 1;
  template <class on>
  static __device__ void run(int, variables& v, int*) {
    on::W(v.x, 1);
    on::W(v.x, 2);
  }
};

struct two_rmw {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int, variables& v, int*) {
    on::A(v.x);
  }
};

struct rmw_and_write {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int*) {
    if (who == 0) on::A(v.x);
    else on::W(v.x, 2);
  }
};

struct sequence_rmw {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) {
      on::W(v.x, 1);
      on::W(v.y, 1, rel);
    } else if (who == 1) {
      r[0] = on::A(v.y);
    } else {
      r[1] = on::R(v.y, acq);
      r[2] = on::R(v.x);
    }
  }
};

struct sequence_own {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) {
      on::W(v.x, 1);
      on::W(v.y, 1, rel);
      on::W(v.y, 2);
    } else {
      r[0] = on::R(v.y, acq);
      r[1] = on::R(v.x);
    }
  }
};

/// The third thread tells that 2 came over 1.
struct sequence_broken {
  static constexpr int threads = 3;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) {
      on::W(v.x, 1);
      on::W(v.y, 1, rel);
    } else if (who == 1) {
      r[2] = on::R(v.y);
      on::W(v.y, 2);
    } else {
      r[0] = on::R(v.y, acq);
      r[1] = on::R(v.x);
    }
  }
};

} // namespace

std::vector<row> coherence() {
  using enum verdict;
  return {
      of<co_rr>("CoRR", forbidden, [](variables const& v) { return v.r[0] == 1 && v.r[1] == 0; }),
      of<co_wr>("CoWR", forbidden,
                [](variables const& v) {
                  return v.r[0] == 0 || v.r[1] == 0 || (v.r[0] == 2 && v.x == 1) || (v.r[1] == 1 && v.x == 2);
                }),
      of<co_rw>("CoRW", forbidden, [](variables const& v) { return v.r[0] == 1 && v.x == 1; }),
      of<co_ww>("CoWW", forbidden, [](variables const& v) { return v.x != 2; }),
      of<two_rmw>("RMW lost update", forbidden, [](variables const& v) { return v.x != 2; }),
      of<rmw_and_write>("RMW against a store", forbidden, [](variables const& v) { return v.x == 1; }),
      of<sequence_rmw>("release sequence, rmw", forbidden,
                       [](variables const& v) { return v.r[0] == 1 && v.r[1] == 2 && v.r[2] == 0; }),
      of<sequence_own>("release sequence, own store", forbidden,
                       [](variables const& v) { return v.r[0] == 2 && v.r[1] == 0; }),
      of<sequence_broken>("release sequence, another's store", allowed,
                          [](variables const& v) { return v.r[2] == 1 && v.r[0] == 2 && v.r[1] == 0; }),
  };
}

} // namespace litmus
