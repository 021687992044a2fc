// SPDX-License-Identifier: Apache-2.0
//
// names: every exported name of both modules can be used after the imports. Members are in
// std/atomic/synopsis.compile.cpp.
#include <memory_resource>
#include <string>
#include <system_error>
#include <vector>
import cudax.sync;
import cudax.sync.host;

namespace reached {
#define NAME(name) using cudax::name;
#include "names.inc"
#include "names_host.inc"
#undef NAME
} // namespace reached

// The clocks meet the requirements of a clock; the other names denote what they are documented to denote.
template <class C>
concept is_clock = requires {
  typename C::rep;
  typename C::period;
  typename C::duration;
  typename C::time_point;
  { C::is_steady } -> std::convertible_to<bool>;
  { C::now() } noexcept -> std::same_as<typename C::time_point>;
};
static_assert(is_clock<reached::steady_clock> && reached::steady_clock::is_steady);
static_assert(is_clock<reached::system_clock> && is_clock<reached::high_resolution_clock>);
static_assert(noexcept(reached::sm_clock::now()) &&
              __is_same(decltype(reached::sm_clock::now()), reached::sm_clock::rep));
static_assert(__is_same(reached::steady_clock::duration, reached::nanoseconds));
static_assert(__is_same(reached::steady_clock::time_point, reached::time_point<reached::steady_clock>));
static_assert(noexcept(reached::this_thread::yield()) &&
              noexcept(reached::this_thread::sleep_for(reached::nanoseconds(1))));
static_assert(reached::thread_group<decltype(reached::this_block)>);
static_assert(std::is_base_of_v<std::system_error, reached::cuda_error>);
static_assert(__is_same(decltype(reached::devices()), std::vector<reached::device_info>));
static_assert(__is_same(decltype(reached::no_device_reason()), std::string));
static_assert(__is_same(decltype(reached::make_mapped<int>(5)), reached::mapped_ptr<int>));
static_assert(__is_same(decltype(reached::make_managed<int[]>(5)), reached::managed_ptr<int[]>));
int object = 0;
static_assert(__is_same(decltype(reached::registered(object)), reached::registered<int>));
static_assert(std::is_base_of_v<std::pmr::memory_resource, reached::system_resource>);
static_assert(std::is_base_of_v<std::bad_alloc, reached::cuda_bad_alloc>);
