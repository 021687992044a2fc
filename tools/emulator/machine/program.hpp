// SPDX-License-Identifier: Apache-2.0
//
// program: a PTX module that is loaded: its variables have memory, its functions can be decoded and run.
#pragma once

#include "../ptx/syntax.hpp"
#include "operation.hpp"
#include "thread.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace emulator {

/// A value that a frame's slot gets when the frame is made and that is not the same for all threads.
struct prologue_entry {
  enum class kind : std::uint8_t {
    shared,    ///< shared address of shared variable `value` (an index into function::shared_offsets of the kernel) +
               ///< extra
    local,     ///< address of the frame's local memory + value
    parameter, ///< of a kernel: address of parameter `value` (an index) + extra
    special,   ///< special register `value` (machine/special)
  };
  slot where;
  kind what;
  std::uint64_t value;
  std::int64_t extra = 0;
};

struct parameter_layout {
  std::uint32_t offset, size, alignment; ///< in a kernel's parameter buffer
};

/// A function that is decoded. Its address on the device is that of this object.
struct function {
  function const* self = this; ///< an address that does not lead to its own address is no function's
  std::string_view name;
  class program* program;
  ptx::function const* source;
  std::vector<operation> operations;
  std::vector<ptx::instruction const*> sources; ///< of each operation, for reports
  std::vector<std::uint64_t> image;             ///< a new frame's slots, constants filled in
  std::vector<prologue_entry> prologue;
  std::vector<parameter_layout> parameters;
  std::vector<slot> parameter_slots; ///< where a called function's pointers to parameters, then returns, go
  std::uint32_t parameter_bytes = 0; ///< of a kernel
  std::uint32_t local_bytes = 0;
  std::uint32_t local_alignment = 16;
  std::uint32_t shared_bytes = 0;            ///< static, of a kernel and all that it may call
  std::vector<std::uint32_t> shared_offsets; ///< of a kernel: where each of the program's shared variables lies
  std::uint32_t registers = 0;               ///< slots of a frame
  void (*host)(thread&, std::uint64_t const*) = nullptr; ///< a function that the emulator provides (machine/externs)
  std::uint32_t max_threads = 1024;                      ///< .maxntid, .reqntid
  /// Of a kernel: with how many hardware registers its threads begin, if setmaxnreg can change that; else 0.
  std::uint32_t hardware_registers = 0;
  bool reads_reserved_shared = false; ///< %reserved_smem_offset_*; of a kernel: it or what it may call

  /// Whether the operation is one of this function. Any pointer may be asked for.
  bool holds(operation const* o) const {
    std::less_equal<> const not_after;
    return !operations.empty() && not_after(operations.data(), o) && not_after(o, &operations.back());
  }
};

class program {
public:
  /// Loads the module: allocates and initialises its global and constant variables.
  /// Errors: ptx::rejected
  explicit program(std::unique_ptr<ptx::module>);
  ~program();

  /// The kernel, decoded with all that it calls; null where there is none of this name.
  /// Errors: ptx::rejected, which names file, line and kernel, for instructions that the emulator does not have
  function const* kernel(std::string_view name);

  /// Where a global or constant variable lies; null where there is none.
  void* variable(std::string_view name, std::size_t& size);

  /// The shared variable of a kernel at this offset: "tile", "tile + 16", or "byte 16 of shared memory".
  std::string shared_name(function const& kernel, std::uint32_t offset) const;

  ptx::module& module() { return *module_; }

  struct storage; // loaded.hpp

private:
  std::unique_ptr<ptx::module> module_;
  std::unique_ptr<storage> storage_;
};

} // namespace emulator
