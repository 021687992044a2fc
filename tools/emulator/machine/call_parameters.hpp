// SPDX-License-Identifier: Apache-2.0
//
// call_parameters: what device code passes when it calls a function of the machine: the addresses of the parameters,
// then the address of the result.
#pragma once

#include <cstdint>
#include <cstring>

namespace emulator {

template <class T>
T parameter(std::uint64_t const* addresses, int index) {
  T value;
  std::memcpy(&value, reinterpret_cast<void const*>(addresses[index]), sizeof(T));
  return value;
}

template <class T>
void result(std::uint64_t const* addresses, int index, T value) {
  std::memcpy(reinterpret_cast<void*>(addresses[index]), &value, sizeof(T));
}

} // namespace emulator
