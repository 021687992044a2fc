// SPDX-License-Identifier: Apache-2.0
//
// host_boundary: what the units of the module cudax.sync.host call in the archive, as boundary.hpp is for
// cudax.sync: plain functions and plain types. Each that can fail says why in a `failure`; only raise()
// throws.
#pragma once

namespace cudax {

// cudax.sync.host exports and explains them (:atomicity).
enum class memory_type { null, system_allocated, unregistered, registered, mapped, managed, device, shared };
enum class atomic_operation { load_store, read_modify_write };
enum class atomicity_answer { no, host_only, one_device_only, devices_only, yes };
enum class word_neighbours { unaffected, same_object, other_objects, unknown };

} // namespace cudax

namespace cudax::runtime {

using size_t = decltype(sizeof(0));

/// What went wrong, if anything did.
struct failure {
  int code = 0;                   // a value of cudaError_t, or -1: built without CUDA
  void const* category = nullptr; // the std::error_category of another code; null: cuda_category()
  char sentence[480] = "";        // where: what, with the values; what to do
};

/// Throws cuda_error where there was a failure.
void raise(failure const& why);

// --- devices -------------------------------------------------------------------------------------------------------

struct device_description {
  char name[256];
  int compute_capability_major;
  int compute_capability_minor;
  int multiprocessors;
  // The attributes of the same names, as 0 or 1.
  int unified_addressing;
  int can_map_host_memory;
  int can_use_host_pointer_for_registered_mem;
  int concurrent_managed_access;
  int host_native_atomic_supported;
  int only_partial_host_native_atomic_supported; // 0 before CUDA 13
  int pageable_memory_access;
  int pageable_memory_access_uses_host_page_tables;
  int cooperative_launch;
  int cluster_launch;
};

/// How many devices there are; 0 without a failure where there is no driver, no device, or no CUDA here.
int count_devices(failure& why) noexcept;
void describe_device(int ordinal, device_description& description, failure& why) noexcept;
/// Why there is no device, as a sentence of at most size - 1 characters; empty where there is one.
void explain_no_device(char* sentence, size_t size) noexcept;

// --- atomicity -----------------------------------------------------------------------------------------------------

struct atomicity_description {
  atomicity_answer answer = atomicity_answer::no;
  memory_type memory = memory_type::null;
  word_neighbours neighbours = word_neighbours::unaffected;
  char about_neighbours[400] = ""; // a sentence, where they are affected
  char reason[1000] = "";          // with that sentence at its end
};

/// `scope` is a thread_scope; no devices stand for all.
struct atomicity_question {
  size_t size;
  atomic_operation operation;
  int scope;
  int const* devices;
  size_t device_count;
};

/// Whether what is asked about is atomic at `address`; in memory of a type, at a natural alignment.
void find_atomicity(void const volatile* address, atomicity_question const& question,
                    atomicity_description& description, failure& why) noexcept;
void find_atomicity(memory_type type, atomicity_question const& question, atomicity_description& description,
                    failure& why) noexcept;

// --- registered memory ---------------------------------------------------------------------------------------------

/// Maps `count` objects of `object_size` bytes that begin at `address` into the address space of the devices,
/// and returns their address there. `ticket` is what to give back to unregister_objects; it is never 0 after
/// success.
void* register_objects(void const volatile* address, size_t count, size_t object_size, unsigned long long& ticket,
                       failure& why) noexcept;
void unregister_objects(unsigned long long ticket, failure& why) noexcept;

/// Warns, once, where a registered object of 1 or 2 bytes shares its word with others, and a device's read-modify-writes of it
/// may undo the host's stores to them. For checked builds.
void ask_registered(void const volatile* object, size_t size) noexcept;

// --- memory for both sides -----------------------------------------------------------------------------------------

enum class memory_kind { mapped, managed };

struct memory_block {
  void* host = nullptr;
  void* device = nullptr;
  void* base = nullptr;           // what CUDA returned: `host` is the first aligned address in it
  unsigned long long context = 0; // that it goes with; 0: CUDA does not tell
};

memory_block allocate(memory_kind kind, size_t count, size_t object_size, size_t alignment, failure& why) noexcept;
/// Does nothing to what went with its context: CUDA may have given the address to others.
void deallocate(memory_kind kind, memory_block const& block, failure& why) noexcept;

} // namespace cudax::runtime
