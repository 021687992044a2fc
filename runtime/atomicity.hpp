// SPDX-License-Identifier: Apache-2.0
//
// atomicity: the conditions of the memory model under which an operation is atomic at the scope that it names.
//
// The rules (atomicity_rules.cpp) are a function of facts alone, so that tests can go through them with machines that
// nobody has; atomicity.cpp gathers the facts of this one. The model has two wordings. The first knows managed memory,
// CPU memory, mapped memory and GPU memory; it is that of HIP, too. The current one knows system-allocated memory,
// accesses of 16 bytes and what the links between GPUs can do.
// Source: the memory model of the CUDA C++ core libraries, "Atomicity"; of libhipcxx for the first wording.
#pragma once

#include "cuda_calls.hpp"
#include "host_boundary.hpp"
#include "process_map.hpp"
#include "shared_ranges.hpp"

#include <cstdint>
#include <span>

namespace cudax::runtime {

enum class wording { first, current };

struct asked_access {
  atomic_operation operation;
  size_t size;
  bool aligned;               // naturally: to its size
  bool narrower;              // its scope is not the system's
  bool by_word = false;       // devices carry it out on the aligned word of 4 bytes around the object (arch/README.md)
  std::uintptr_t address = 0; // of the object, where there is one
};

struct asked_memory {
  memory_type type;
  int device = -1;                                   // where device memory lies
  backing pages = backing::process;                  // of system-allocated memory
  word_neighbours beside = word_neighbours::unknown; // what the rest of the object's word holds
};

struct asked_device {
  int ordinal;
  device_description attributes;
};

/// The link by which device `source` reaches the memory of `destination`.
struct asked_link {
  int source;
  int destination;
  peer_description attributes;
};

/// Answers for the threads of the host and of `devices`. `links` holds one from each device to the one where the memory
/// lies, for device memory.
void decide(asked_access const& access, asked_memory const& memory, std::span<asked_device const> devices,
            std::span<asked_link const> links, wording by, atomicity_description& description) noexcept;

/// What the rest of the word around an object of 1 or 2 bytes holds, as far as the range tells in which it lies: bytes that
/// are nobody's (unaffected), those of the same object, those of others.
word_neighbours beside(std::uintptr_t address, size_t size, shared_range const& range) noexcept;

/// As if no checked access had asked yet (ask_atomicity). For tests.
void forget_atomicity_answers() noexcept;

} // namespace cudax::runtime
