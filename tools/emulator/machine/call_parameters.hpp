// SPDX-License-Identifier: Apache-2.0
//
// call_parameters: what a call by device code of a function that the machine has passes: the addresses of the
// parameters, and behind them that of the result.
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
