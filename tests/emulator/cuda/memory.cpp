// SPDX-License-Identifier: Apache-2.0
//
// What the runtime reports and does about memory, copies and fills.
#include "runtime.hpp"

#include <array>
#include <cstring>
#include <vector>

#include <sys/mman.h>

using namespace cudax_test;

BOOST_AUTO_TEST_SUITE(memory)

namespace {

cudaPointerAttributes attributes_of(void const* pointer) {
  cudaPointerAttributes attributes;
  SUCCEEDS(cudaPointerGetAttributes(&attributes, pointer));
  return attributes;
}

struct device_memory {
  char* at = nullptr;
  explicit device_memory(std::size_t size) { SUCCEEDS(cudaMalloc(reinterpret_cast<void**>(&at), size)); }
  ~device_memory() { cudaFree(at); }
};

} // namespace

BOOST_AUTO_TEST_CASE(pointer_attributes_name_the_kind_of_memory) {
  device_memory device(1000);
  BOOST_CHECK(attributes_of(device.at + 999).type == cudaMemoryTypeDevice);
  BOOST_CHECK(attributes_of(device.at + 999).devicePointer == device.at + 999);
  BOOST_CHECK(attributes_of(device.at).hostPointer == nullptr);
  BOOST_CHECK(attributes_of(device.at + 1000).type == cudaMemoryTypeUnregistered);

  void* managed = nullptr;
  SUCCEEDS(cudaMallocManaged(&managed, 8, cudaMemAttachGlobal));
  BOOST_CHECK(attributes_of(managed).type == cudaMemoryTypeManaged);
  BOOST_CHECK(attributes_of(managed).hostPointer == managed);
  SUCCEEDS(cudaFree(managed));

  mapped_word mapped;
  BOOST_CHECK(attributes_of(mapped.at).type == cudaMemoryTypeHost);
  void* on_device = nullptr;
  SUCCEEDS(cudaHostGetDevicePointer(&on_device, mapped.at, 0));
  BOOST_CHECK(on_device == mapped.at);

  int local = 0;
  BOOST_CHECK(attributes_of(&local).type == cudaMemoryTypeUnregistered);
  BOOST_CHECK_EQUAL(attributes_of(&local).device, cudaInvalidDeviceId);

  void* variable = nullptr;
  SUCCEEDS(cudaGetSymbolAddress(&variable, kernels::variable));
  BOOST_CHECK(attributes_of(variable).type == cudaMemoryTypeDevice);
  RETURNS(cudaErrorInvalidValue, cudaFree(variable));
}

/// The host uses it before any call; after a reset there is a new one, when something of its program is used.
BOOST_AUTO_TEST_CASE(managed_variables_are_managed_memory) {
  BOOST_REQUIRE_EQUAL(*kernels::managed, 5u);
  for (int round = 0; round < 2; ++round) {
    void* address = nullptr;
    SUCCEEDS(cudaGetSymbolAddress(&address, &kernels::managed));
    BOOST_CHECK(address == kernels::managed);
    BOOST_REQUIRE_EQUAL(*kernels::managed, 5u);
    *kernels::managed = 6;
    BOOST_CHECK(attributes_of(address).type == cudaMemoryTypeManaged);
    SUCCEEDS(cudaMemAdvise(address, 4, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}));
    SUCCEEDS(cudaMemPrefetchAsync(address, 4, {cudaMemLocationTypeDevice, 0}, 0, nullptr));
    RETURNS(cudaErrorInvalidValue, cudaFree(address));
    SUCCEEDS(cudaDeviceReset());
  }
}

BOOST_AUTO_TEST_CASE(registered_memory_keeps_its_address_and_is_registered_once) {
  std::vector<char> own(100);
  RETURNS(cudaErrorInvalidValue, cudaHostGetDevicePointer(reinterpret_cast<void**>(own.data()), own.data(), 0));
  SUCCEEDS(cudaHostRegister(own.data(), own.size(), cudaHostRegisterMapped));
  BOOST_CHECK(attributes_of(own.data() + 50).type == cudaMemoryTypeHost);
  BOOST_CHECK(attributes_of(own.data() + 50).devicePointer == own.data() + 50);
  RETURNS(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(own.data() + 50, 10, cudaHostRegisterMapped));
  RETURNS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own.data() + 50));
  SUCCEEDS(cudaHostUnregister(own.data()));
  BOOST_CHECK(attributes_of(own.data()).type == cudaMemoryTypeUnregistered);
  RETURNS(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(own.data()));
}

BOOST_AUTO_TEST_CASE(memory_that_does_not_exist_is_not_registered) {
  constexpr std::size_t page = 4096;
  auto* const pages =
      static_cast<char*>(mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  BOOST_REQUIRE(munmap(pages + page, page) == 0);
  RETURNS(cudaErrorInvalidValue, cudaHostRegister(pages + page, page, cudaHostRegisterMapped));
  RETURNS(cudaErrorInvalidValue, cudaHostRegister(pages, 3 * page, cudaHostRegisterMapped));
  RETURNS(cudaErrorInvalidValue, cudaHostRegister(pages + page - 4, 8, cudaHostRegisterMapped));
  SUCCEEDS(cudaHostRegister(pages + page - 4, 4, cudaHostRegisterMapped));
  SUCCEEDS(cudaHostUnregister(pages + page - 4));
  munmap(pages, 3 * page);
}

BOOST_AUTO_TEST_CASE(memory_is_freed_once_by_the_matching_function) {
  void *device = nullptr, *host = nullptr;
  SUCCEEDS(cudaMalloc(&device, 1));
  SUCCEEDS(cudaMallocHost(&host, 1));
  RETURNS(cudaErrorInvalidValue, cudaFreeHost(device));
  RETURNS(cudaErrorInvalidValue, cudaFree(host));
  RETURNS(cudaErrorInvalidValue, cudaFree(static_cast<char*>(device) + 1));
  SUCCEEDS(cudaFree(device));
  RETURNS(cudaErrorInvalidValue, cudaFree(device));
  SUCCEEDS(cudaFreeHost(host));
  SUCCEEDS(cudaFree(nullptr));
  SUCCEEDS(cudaMalloc(&device, 0));
  BOOST_CHECK(device == nullptr);
}

BOOST_AUTO_TEST_CASE(an_allocation_beyond_the_device_s_memory_fails) {
  void* pointer = nullptr;
  std::size_t free_before = 0, free_then = 0, total = 0;
  SUCCEEDS(cudaMemGetInfo(&free_before, &total));
  RETURNS(cudaErrorMemoryAllocation, cudaMalloc(&pointer, total + 1));
  RETURNS(cudaErrorMemoryAllocation, cudaMalloc(&pointer, ~std::size_t(0)));
  SUCCEEDS(cudaMalloc(&pointer, 1 << 20));
  SUCCEEDS(cudaMemGetInfo(&free_then, &total));
  BOOST_CHECK_EQUAL(free_then, free_before - (1 << 20));
  SUCCEEDS(cudaFree(pointer));
  SUCCEEDS(cudaMemGetInfo(&free_then, &total));
  BOOST_CHECK_EQUAL(free_then, free_before);
}

BOOST_AUTO_TEST_CASE(copies_follow_their_kind_and_reject_other_directions) {
  device_memory device(16);
  std::array<char, 16> const from = {"fifteen letters"};
  std::array<char, 16> to{};
  SUCCEEDS(cudaMemcpy(device.at, from.data(), 16, cudaMemcpyHostToDevice));
  SUCCEEDS(cudaMemcpy(to.data(), device.at, 16, cudaMemcpyDeviceToHost));
  BOOST_CHECK(from == to);
  RETURNS(cudaErrorInvalidValue, cudaMemcpy(device.at, from.data(), 16, cudaMemcpyDeviceToHost));
  RETURNS(cudaErrorInvalidValue, cudaMemcpy(to.data(), device.at, 16, cudaMemcpyHostToDevice));
  RETURNS(cudaErrorInvalidValue, cudaMemcpy(to.data(), device.at, 17, cudaMemcpyDeviceToHost));
  RETURNS(cudaErrorInvalidValue, cudaMemcpy(to.data(), device.at + 8, 9, cudaMemcpyDefault));
  RETURNS(cudaErrorInvalidValue, cudaMemcpy(nullptr, device.at, 1, cudaMemcpyDefault));
  RETURNS(cudaErrorInvalidMemcpyDirection, cudaMemcpy(to.data(), device.at, 1, static_cast<cudaMemcpyKind>(7)));
  SUCCEEDS(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyDefault));
}

BOOST_AUTO_TEST_CASE(copies_and_fills_of_rows_skip_the_padding) {
  device_memory device(3 * 8);
  SUCCEEDS(cudaMemset(device.at, 0, 24));
  SUCCEEDS(cudaMemset2D(device.at, 8, 1, 5, 3));
  char const rows[] = "abcdef";
  SUCCEEDS(cudaMemcpy2D(device.at + 1, 8, rows, 2, 2, 3, cudaMemcpyHostToDevice));
  char found[24];
  SUCCEEDS(cudaMemcpy(found, device.at, 24, cudaMemcpyDeviceToHost));
  char const expected[] = "\1ab\1\1\0\0\0\1cd\1\1\0\0\0\1ef\1\1\0\0\0";
  BOOST_CHECK(std::memcmp(found, expected, 24) == 0);
  RETURNS(cudaErrorInvalidPitchValue, cudaMemcpy2D(device.at, 1, rows, 2, 2, 3, cudaMemcpyHostToDevice));
}

BOOST_AUTO_TEST_CASE(variables_of_the_program_are_copied_by_their_symbols) {
  unsigned found[4]{};
  SUCCEEDS(cudaMemcpyFromSymbol(found, kernels::variable, sizeof found, 0, cudaMemcpyDeviceToHost));
  BOOST_CHECK_EQUAL(found[3], 4u);
  unsigned const value = 70;
  SUCCEEDS(cudaMemcpyToSymbol(kernels::variable, &value, sizeof value, 4, cudaMemcpyHostToDevice));
  SUCCEEDS(cudaMemcpyFromSymbol(found, kernels::variable, 8, 0, cudaMemcpyDeviceToHost));
  BOOST_CHECK_EQUAL(found[0], 1u);
  BOOST_CHECK_EQUAL(found[1], 70u);
  std::size_t size = 0;
  SUCCEEDS(cudaGetSymbolSize(&size, kernels::variable));
  BOOST_CHECK_EQUAL(size, 16u);
  RETURNS(cudaErrorInvalidValue, cudaMemcpyToSymbol(kernels::variable, &value, 4, 13, cudaMemcpyHostToDevice));
  RETURNS(cudaErrorInvalidSymbol, cudaGetSymbolSize(&size, found));
}

BOOST_AUTO_TEST_CASE(an_asynchronous_copy_from_pageable_memory_reads_it_before_returning) {
  stream side;
  mapped_word gate;
  device_memory device(4);
  SUCCEEDS(launch(kernels::wait_for, 1, 1, side.handle, gate.at, 1u));
  unsigned source = 5;
  SUCCEEDS(cudaMemcpyAsync(device.at, &source, 4, cudaMemcpyHostToDevice, side.handle));
  source = 6;
  gate.store(1);
  unsigned found = 0;
  SUCCEEDS(cudaMemcpyAsync(&found, device.at, 4, cudaMemcpyDeviceToHost, side.handle));
  BOOST_CHECK_EQUAL(found, 5u);
}

BOOST_AUTO_TEST_CASE(memory_of_a_pool_is_freed_in_stream_order) {
  stream side;
  mapped_word gate;
  void* pointer = nullptr;
  SUCCEEDS(cudaMallocAsync(&pointer, 64, side.handle));
  SUCCEEDS(launch(kernels::wait_for, 1, 1, side.handle, gate.at, 1u));
  SUCCEEDS(cudaFreeAsync(pointer, side.handle));
  BOOST_CHECK(attributes_of(pointer).type == cudaMemoryTypeDevice);
  gate.store(1);
  SUCCEEDS(cudaStreamSynchronize(side.handle));
  BOOST_CHECK(attributes_of(pointer).type == cudaMemoryTypeUnregistered);
}

BOOST_AUTO_TEST_SUITE_END()
