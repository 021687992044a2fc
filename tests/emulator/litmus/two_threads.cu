// SPDX-License-Identifier: Apache-2.0
//
// Two threads and two variables: message passing, store buffering, load buffering, S, R, 2+2W.
#include "litmus.hpp"

namespace litmus {

namespace {

/// Message passing: orders of the flag's write and read, and fences before and behind.
template <memory_order write, memory_order read, memory_order before = rlx, memory_order behind = rlx>
struct mp {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) {
      on::W(v.x, 1);
      on::F(before);
      on::W(v.y, 1, write);
    } else {
      r[0] = on::R(v.y, read);
      on::F(behind);
      r[1] = on::R(v.x);
    }
  }
};

/// Reads where the condition holds, and not before that is known: LLVM would read first and choose later, which is a race.
__device__ int read_if(int condition, int& where) {
  if (!condition) return -1;
  asm volatile("" ::: "memory");
  return where;
}

/// The same with plain data, which is read only where the flag says so: else it would be a race.
template <memory_order write, memory_order read, memory_order before, memory_order behind, bool polls>
struct mp_weak {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) {
      v.weak = 1;
      on::F(before);
      on::W(v.y, 1, write);
    } else {
      do r[0] = on::R(v.y, read);
      while (polls && !r[0]);
      on::F(behind);
      r[1] = read_if(r[0], v.weak);
    }
  }
};

/// The flag is raised and looked at by read-modify-writes.
struct mp_rmw {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) {
      v.weak = 1;
      on::A(v.y, rel);
    } else {
      r[0] = on::A(v.y, acq);
      r[1] = read_if(r[0], v.weak);
    }
  }
};

/// Store buffering.
template <memory_order write, memory_order read, memory_order between = rlx>
struct sb {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    on::W(who ? v.y : v.x, 1, write);
    on::F(between);
    r[who] = on::R(who ? v.x : v.y, read);
  }
};

struct sb_rmw {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    on::A(who ? v.y : v.x, acq_rel);
    r[who] = on::A(who ? v.x : v.y, acq_rel);
  }
};

/// Load buffering: each thread reads, then writes; with data, what it read.
template <memory_order read_0, memory_order read_1, memory_order write, bool data = false>
struct lb {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    int const read = who ? on::R(v.y, read_1) : on::R(v.x, read_0);
    r[who] = read;
    on::W(who ? v.x : v.y, data ? read : 1, write);
  }
};

template <memory_order write, memory_order read>
struct s {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) {
      on::W(v.x, 2);
      on::W(v.y, 1, write);
    } else {
      r[0] = on::R(v.y, read);
      on::W(v.x, 1);
    }
  }
};

template <memory_order write, memory_order read, memory_order between = rlx>
struct r {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int* r) {
    if (who == 0) {
      on::W(v.x, 1);
      on::F(between);
      on::W(v.y, 1, write);
    } else {
      on::W(v.y, 2);
      on::F(between);
      r[0] = on::R(v.x, read);
    }
  }
};

template <memory_order write, memory_order between = rlx>
struct two_plus_two {
  static constexpr int threads = 2;
  template <class on>
  static __device__ void run(int who, variables& v, int*) {
    on::W(who ? v.y : v.x, 2);
    on::F(between);
    on::W(who ? v.x : v.y, 1, write);
  }
};

bool passed_stale(variables const& v) { return v.r[0] == 1 && v.r[1] == 0; }
bool both_zero(variables const& v) { return v.r[0] == 0 && v.r[1] == 0; }
bool both_one(variables const& v) { return v.r[0] == 1 && v.r[1] == 1; }
bool s_asked(variables const& v) { return v.r[0] == 1 && v.x == 2; }
bool r_asked(variables const& v) { return v.y == 2 && v.r[0] == 0; }
bool two_plus_two_asked(variables const& v) { return v.x == 2 && v.y == 2; }

} // namespace

std::vector<row> two_threads() {
  using enum verdict;
  // In 2+2W, x = y = 2 says that the first write of each thread came over the second one of the other thread.
  return {
      of<mp<rlx, rlx>>("MP rlx", allowed, passed_stale),
      of<mp<rel, acq>>("MP rel/acq", forbidden, passed_stale),
      of<mp<rel, rlx>>("MP rel/rlx", allowed, passed_stale),
      of<mp<rlx, acq>>("MP rlx/acq", allowed, passed_stale),
      of<mp<rlx, rlx, rel>>("MP F.rel only", allowed, passed_stale),
      of<mp<rlx, rlx, rlx, acq>>("MP F.acq only", allowed, passed_stale),
      of<mp<rlx, rlx, rel, acq>>("MP F.rel F.acq", forbidden, passed_stale),
      of<mp<rlx, rlx, acq_rel, acq_rel>>("MP F.acq_rel", forbidden, passed_stale),
      of<mp<rel, rlx, rlx, acq>>("MP rel/F.acq", forbidden, passed_stale),
      of<mp<rlx, acq, rel>>("MP F.rel/acq", forbidden, passed_stale),
      of<mp<sc, sc>>("MP sc", forbidden, passed_stale),
      of<mp_weak<rel, acq, rlx, rlx, false>>("MP weak data", forbidden, passed_stale),
      of<mp_weak<rlx, rlx, rel, acq, false>>("MP weak data, fences", forbidden, passed_stale),
      of<mp_weak<rel, rlx, rlx, acq, true>>("MP weak data, relaxed poll, F.acq", forbidden, passed_stale),
      of<mp_rmw>("MP rmw", forbidden, passed_stale),
      of<sb<rlx, rlx>>("SB rlx", allowed, both_zero),
      of<sb<rel, acq>>("SB rel/acq", allowed, both_zero),
      of<sb<rlx, rlx, acq_rel>>("SB F.acq_rel", allowed, both_zero),
      of<sb<rlx, rlx, sc>>("SB F.sc", forbidden, both_zero),
      of<sb<sc, sc>>("SB sc", forbidden, both_zero),
      of<sb_rmw>("SB rmw acq_rel", forbidden, both_zero),
      of<lb<rlx, rlx, rlx>>("LB rlx", not_modelled, both_one),
      of<lb<acq, rlx, rlx>>("LB acq on one side", not_modelled, both_one),
      of<lb<acq, acq, rel>>("LB acq/rel", forbidden, both_one),
      of<lb<rlx, rlx, rlx, true>>("LB data", forbidden, both_one),
      of<s<rlx, rlx>>("S rlx", not_modelled, s_asked),
      of<s<rel, acq>>("S rel/acq", forbidden, s_asked),
      of<r<rlx, rlx>>("R rlx", allowed, r_asked),
      of<r<rel, acq>>("R rel/acq", allowed, r_asked),
      of<r<rlx, rlx, sc>>("R F.sc", forbidden, r_asked),
      of<two_plus_two<rlx>>("2+2W rlx", not_modelled, two_plus_two_asked),
      of<two_plus_two<rel>>("2+2W rel", not_modelled, two_plus_two_asked),
      of<two_plus_two<rlx, sc>>("2+2W F.sc", forbidden, two_plus_two_asked),
  };
}

} // namespace litmus
