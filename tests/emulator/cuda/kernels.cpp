// SPDX-License-Identifier: Apache-2.0
//
// runtime_kernels: PTX in fat binaries that are assembled here, byte by byte, and registered like those of a compiler.
#include "runtime.hpp"

#include <cstring>
#include <vector>

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, char const* host, char* device, char const* name, int, void*, void*, void*,
                            void*, int*);
void __cudaRegisterManagedVar(void** handle, void** host, char* device, char const* name, int, std::size_t, int, int);
void __cudaRegisterVar(void** handle, char const* host, char* device, char const* name, int, std::size_t, int, int);
}

namespace cudax_test {
namespace {

constexpr char managed_text[] = R"(
.version 7.0
.target sm_75
.address_size 64
.global .attribute(.managed) .align 4 .u32 managed = 5;
)";

constexpr char text[] = R"(
.version 7.0
.target sm_75
.address_size 64
.global .align 4 .u32 variable[4] = {1, 2, 3, 4};

.visible .entry set(.param .u64 where, .param .u32 value) {
  .reg .b32 %v; .reg .b64 %a;
  ld.param.u64 %a, [where]; ld.param.u32 %v, [value];
  st.global.u32 [%a], %v;
  ret;
}
.visible .entry add(.param .u64 where, .param .u32 value) {
  .reg .b32 %v; .reg .b32 %old; .reg .b64 %a;
  ld.param.u64 %a, [where]; ld.param.u32 %v, [value];
  atom.relaxed.sys.global.add.u32 %old, [%a], %v;
  ret;
}
.visible .entry wait_for(.param .u64 flag, .param .u32 value) {
  .reg .b32 %v; .reg .b32 %seen; .reg .b64 %a; .reg .pred %p;
  ld.param.u64 %a, [flag]; ld.param.u32 %v, [value];
again:
  ld.acquire.sys.global.u32 %seen, [%a];
  setp.ne.u32 %p, %seen, %v;
  @%p bra again;
  ret;
}
.visible .entry count_until(.param .u64 flag, .param .u32 value) {
  .reg .b32 %v; .reg .b32 %seen; .reg .b32 %polls; .reg .b64 %a; .reg .pred %p;
  ld.param.u64 %a, [flag]; ld.param.u32 %v, [value]; mov.u32 %polls, 0;
again:
  add.u32 %polls, %polls, 1;
  ld.acquire.sys.global.u32 %seen, [%a];
  setp.ne.u32 %p, %seen, %v;
  @%p bra again;
  ret;
}
.visible .entry stop() {
  trap;
}
.visible .entry set_later(.param .u64 where, .param .u32 value) {
  .reg .b32 %v; .reg .b64 %a; .reg .b64 %now; .reg .b64 %end; .reg .pred %p;
  ld.param.u64 %a, [where]; ld.param.u32 %v, [value];
  mov.u64 %end, %globaltimer; add.u64 %end, %end, 500000000;
again:
  nanosleep.u32 100000;
  mov.u64 %now, %globaltimer;
  setp.lt.u64 %p, %now, %end;
  @%p bra again;
  st.global.u32 [%a], %v;
  ret;
}
)";

constexpr char lock_text[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry lock(.param .u64 where) {
  .reg .b32 %old; .reg .b64 %a;
  ld.param.u64 %a, [where];
  fence.sc.sys;
  .loc 1 3 4
  atom.acquire.sys.global.cas.b32 %old, [%a], 0, 1;
  ret;
}
)";

constexpr char own_lock_text[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry own_lock(.param .u64 where) {
  .reg .b32 %old; .reg .b64 %a;
  ld.param.u64 %a, [where];
  // begin inline asm
  fence.sc.sys;
  // end inline asm
  // begin inline asm
  atom.acquire.sys.global.cas.b32 %old, [%a], 0, 1;
  // end inline asm
  ret;
}
)";

constexpr char unknown_text[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry not_decoded() {
  frobnicate.u32;
  ret;
}
)";

constexpr char newer_text[] = R"(
.version 8.7
.target sm_120
.address_size 64
.visible .entry newer() {
  ret;
}
)";

template <class T>
void put(std::vector<char>& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

struct wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  void const* container;
  void* unused = nullptr;
};

enum image : std::uint16_t { ptx_image = 1, cubin_image = 2 };

/// A container with one uncompressed image.
void** register_ptx(std::string const& ptx, std::uint32_t sm, image kind = ptx_image, std::uint32_t version = 1) {
  auto& bytes = *new std::vector<char>(16 + 64 + ptx.size());
  put<std::uint32_t>(bytes, 0, 0xBA55ED50);
  put<std::uint16_t>(bytes, 4, 1);
  put<std::uint16_t>(bytes, 6, 16);
  put<std::uint64_t>(bytes, 8, 64 + ptx.size());
  put<std::uint16_t>(bytes, 16, kind);
  put<std::uint32_t>(bytes, 16 + 4, 64);
  put<std::uint64_t>(bytes, 16 + 8, ptx.size());
  put<std::uint32_t>(bytes, 16 + 28, sm);
  std::memcpy(bytes.data() + 80, ptx.data(), ptx.size());
  return __cudaRegisterFatBinary(new wrapper{.version = version, .container = bytes.data()});
}

void const* add_kernel(void** binary, char const* name) {
  char* const host = new char;
  __cudaRegisterFunction(binary, host, host, name, -1, nullptr, nullptr, nullptr, nullptr, nullptr);
  return host;
}

void const* add_variable(void** binary, char const* name, std::size_t size) {
  char* const host = new char;
  __cudaRegisterVar(binary, host, host, name, 0, size, 0, 0);
  return host;
}

void** add_managed(void** binary, char const* name, unsigned*& host) {
  __cudaRegisterManagedVar(binary, reinterpret_cast<void**>(&host), nullptr, name, 0, sizeof host, 0, 0);
  return binary;
}

void** end(void** binary) {
  __cudaRegisterFatBinaryEnd(binary);
  return binary;
}

void** const binary = end(register_ptx(text, 75));
void** const unknown_binary = end(register_ptx(unknown_text, 75));
void** const newer_binary = end(register_ptx(newer_text, 120));

void** const managed_binary = end(add_managed(register_ptx(managed_text, 75), "managed", kernels::managed));
void** const lock_binary = end(register_ptx(lock_text, 75));
void** const own_lock_binary = end(register_ptx(own_lock_text, 75));
void** const linked_binary = end(register_ptx("no ELF", 90, cubin_image, 2));

} // namespace

constinit unsigned* kernels::managed = nullptr;
void const* kernels::set_later = add_kernel(binary, "set_later");
void const* kernels::lock = add_kernel(lock_binary, "lock");
void const* kernels::own_lock = add_kernel(own_lock_binary, "own_lock");
void const* kernels::linked = add_kernel(linked_binary, "linked");
void const* kernels::set = add_kernel(binary, "set");
void const* kernels::add = add_kernel(binary, "add");
void const* kernels::wait_for = add_kernel(binary, "wait_for");
void const* kernels::count_until = add_kernel(binary, "count_until");
void const* kernels::trap = add_kernel(binary, "stop");
void const* kernels::only_in_host = add_kernel(binary, "only_in_host");
void const* kernels::not_decoded = add_kernel(unknown_binary, "not_decoded");
void const* kernels::newer = add_kernel(newer_binary, "newer");
void const* kernels::variable = add_variable(binary, "variable", 16);

} // namespace cudax_test
