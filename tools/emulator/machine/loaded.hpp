// SPDX-License-Identifier: Apache-2.0
//
// loaded: what a program holds: variables with memory, functions with what they call, shared variables by number.
// A function is decoded once, whichever kernels reach it. Where a shared variable lies depends on the kernel, since a
// block holds only those that its kernel may use; so code names a shared variable by its number, and a frame's prologue
// takes the offset from the kernel.
#pragma once

#include "../ptx/parse.hpp"
#include "program.hpp"

#include <deque>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace emulator {

/// Bytes and alignment of a variable as it is declared; an array [] has no bytes of its own.
std::uint64_t bytes_of(ptx::variable const&);
std::uint32_t alignment_of(ptx::variable const&);

/// `offset` or the next multiple of `alignment`.
template <class T>
constexpr T aligned(T offset, std::uint64_t alignment) {
  return T((offset + alignment - 1) / alignment * alignment);
}

struct shared_variable {
  std::string_view name;
  std::uint64_t size;
  std::uint32_t alignment;
  bool dynamic; ///< extern: where the launch's dynamic shared memory begins
};

struct global_variable {
  ptx::variable const* declaration;
  std::unique_ptr<std::byte, void (*)(void*)> memory;
  std::uint64_t size;
};

struct loaded_function {
  function code;
  std::vector<loaded_function*> calls; ///< whose address it takes, too
  std::vector<std::uint32_t> shared;   ///< numbers of shared variables
  bool calls_by_address = false;
  bool decoded = false;
  bool finished = false;                  ///< a kernel whose shared memory is laid out
  std::optional<ptx::rejected> rejection; ///< why it cannot run
};

struct program::storage {
  std::mutex mutex; ///< of all below; what runs reads only functions that are decoded
  std::unordered_map<std::string_view, global_variable> variables;
  std::unordered_map<std::string_view, std::uint32_t> shared_names;
  std::vector<shared_variable> shared;
  std::unordered_map<std::string_view, std::unique_ptr<loaded_function>> functions;
  std::vector<loaded_function*> in_initializers; ///< functions whose addresses are in variables
  std::deque<std::shared_ptr<void>> kept;        ///< decoder::keep

  /// The function of this name, not yet decoded perhaps; null where the module has none.
  loaded_function* find(program&, std::string_view name);
};

/// Fills the memory of a variable from the text of its initializer.
void initialize(program&, program::storage&, global_variable&);

} // namespace emulator
