// SPDX-License-Identifier: Apache-2.0
//
// operation: an instruction once it is decoded, and how it runs.
// A thread is a program counter and registers. An operation is a handler and the slots of its operands; whatever an
// operand is written as, it is a slot when it runs: constants, addresses of symbols and special registers that do not
// change stand in slots of the frame, after the registers, filled in when the frame is made. So a handler has no cases.
// It ends by calling the next one (musttail: no dispatch loop, no stack).
//
// Slots are 64 bits wide; what is narrower is zero-extended, .pred is 0 or 1, .b128 takes two in a row.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace emulator {

struct thread;
struct operation;

using slot = std::uint32_t;
using handler = void (*)(thread&, operation const*, std::uint64_t* registers);

struct operation {
  handler run = nullptr;
  slot d = 0, a = 0, b = 0, c = 0; ///< destination and sources
  slot e = 0;                      ///< one more, where four are not enough
  std::uint32_t extra = 0;         ///< a small constant of the instruction
  union {
    std::int64_t offset = 0; ///< of an address
    void const* pointer;     ///< side table: what does not fit, owned by the program
  };
};

template <class T>
T get(std::uint64_t const* registers, slot s) {
  T value;
  std::memcpy(&value, registers + s, sizeof(T));
  return value;
}

template <class T>
void put(std::uint64_t* registers, slot s, T value) {
  if constexpr (sizeof(T) < 8) registers[s] = 0;
  std::memcpy(registers + s, &value, sizeof(T));
}

// The shapes of a handler. An instruction's file writes one of the functions on the left.

/// void f(registers, operation): computes.
template <void (*F)(std::uint64_t*, operation const&)>
void computes(thread& t, operation const* o, std::uint64_t* registers) {
  F(registers, *o);
  [[clang::musttail]] return o[1].run(t, o + 1, registers);
}

/// void f(thread, registers, operation): also needs the thread: accesses memory, reads what the thread knows.
/// (thread.hpp)
template <void (*F)(thread&, std::uint64_t*, operation const&)>
void accesses(thread& t, operation const* o, std::uint64_t* registers);

/// operation const* f(thread, operation, registers): says what runs next; null where the thread stops for now, after
/// setting thread::pc to the operation with which it continues, and thread::state to the reason.  (thread.hpp)
template <operation const* (*F)(thread&, operation const*, std::uint64_t*)>
void returns_next(thread& t, operation const* o, std::uint64_t* registers);

} // namespace emulator
