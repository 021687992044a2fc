// SPDX-License-Identifier: Apache-2.0
//
// The interface of work stealing.
import cudax.sync;

using namespace cudax;

// Like CUDA's.
struct dim3_like {
  unsigned x, y, z;
  constexpr dim3_like(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct uint3_like {
  unsigned x, y, z;
};
struct two {
  unsigned x, y;
};

constexpr block_index third{1, 2, 3};
static_assert(third == block_index{1, 2, 3} && third != block_index{1, 2, 4});
static_assert(dim3_like(third).z == 3 && uint3_like(third).y == 2);
static_assert(__is_convertible_to(block_index, dim3_like) && __is_convertible_to(block_index, uint3_like));
static_assert(!__is_convertible_to(block_index, two) && !__is_convertible_to(block_index, unsigned) &&
              !__is_convertible_to(block_index, bool));
static_assert(sizeof(block_index) == 12 && __is_trivial(block_index));

using counter = unsigned long long;
static_assert(work_queue<>::rank == 3 && work_queue<2>::rank == 2);
static_assert(__is_trivially_copyable(work_queue<1>) && sizeof(work_queue<1>) <= 24);
static_assert(__is_same(decltype(work_queue((counter*)nullptr, 5)), work_queue<1>));
static_assert(__is_same(decltype(work_queue((counter*)nullptr, 5, 6)), work_queue<2>));
static_assert(__is_same(decltype(work_queue((counter*)nullptr, 5, 6, 7)), work_queue<3>));
static_assert(__is_same(decltype(work_queue((counter*)nullptr, dim3_like(5))), work_queue<3>));
static_assert(work_queue<2>(nullptr, dim3_like(5, 6)).extent() == block_index{5, 6, 1});
static_assert(work_queue<2>(nullptr, dim3_like(5, 6)).size() == 30);
static_assert(!__is_constructible(work_queue<1>) && !__is_constructible(work_queue<1>, counter*));
static_assert(noexcept(work_queue<1>(nullptr, 5)) && noexcept(work_queue<1>(nullptr, 5).size()) &&
              noexcept(work_queue<1>(nullptr, 5).reset()));

template <class Index>
struct body {
  void operator()(Index) {}
};
struct move_only {
  move_only() = default;
  move_only(move_only&&) = default;
  int operator()(block_index) { return 1; } // the result of f is ignored
};

// Named and called in host and in device code.
inline void uses(counter* taken) {
  device::for_each_canceled_block(body<block_index>());
  device::for_each_canceled_block<1>(body<dim3_like>());
  device::for_each_canceled_block<2>(move_only());
  for_each(work_queue(taken, 5), body<uint3_like>());
  for_each(work_queue<3>(taken, dim3_like(5)), move_only());
}
