// SPDX-License-Identifier: Apache-2.0
//
// atomicity: the conditions of the memory model under which an operation is atomic at the scope that it names.
//
// The rules (atomicity_rules.cpp) are a function of facts alone, so that tests can apply them to machines that are not
// available. atomicity.cpp collects the facts of this machine. The model has two wordings. The first, which is also
// HIP's, covers managed memory, CPU memory, mapped memory and GPU memory. The current one adds system-allocated memory,
// accesses of 16 bytes, and the capabilities of the links between GPUs. Source: the memory model of the CUDA C++ core
// libraries, "Atomicity"; libhipcxx's for the first wording.
#pragma once

#include "../cuda/cuda_calls.hpp"
#include "../interface/host_boundary.hpp"
#include "../memory/shared_ranges.hpp"
#include "process_map.hpp"

#include <cstdint>
#include <span>

namespace cudax::runtime {

enum class wording { first, current };

struct access_facts {
  atomic_operation operation;
  size_t size;
  bool aligned;               // to its size
  bool narrower;              // its scope is narrower than thread_scope_system
  bool by_word = false;       // devices implement it on the aligned word of 4 bytes around the object (arch/README.md)
  std::uintptr_t address = 0; // of the object; 0: none
};

struct memory_facts {
  memory_type type;
  int device = -1;                                   // on which device memory resides
  backing pages = backing::process;                  // of system-allocated memory
  word_neighbours beside = word_neighbours::unknown; // the contents of the rest of the object's word
};

struct device_facts {
  int ordinal;
  device_description attributes;
};

/// The link over which device `source` accesses the memory of `destination`.
struct link_facts {
  int source;
  int destination;
  peer_description attributes;
};

/// Decides for the threads of the host and of `devices`. For device memory, `links` holds one link from each other
/// device to the device on which the memory resides.
void decide(access_facts const& access, memory_facts const& memory, std::span<device_facts const> devices,
            std::span<link_facts const> links, wording by, atomicity_description& description) noexcept;

/// Returns what the rest of the word around an object of 1 or 2 bytes holds, according to the range that contains the
/// object: nothing (unaffected), bytes of the same object, or bytes of other objects.
word_neighbours beside(std::uintptr_t address, size_t size, shared_range const& range) noexcept;

/// Resets the state of check_atomicity(), as if no access had been checked. For tests.
void forget_atomicity_answers() noexcept;

} // namespace cudax::runtime
