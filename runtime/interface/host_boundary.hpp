// SPDX-License-Identifier: Apache-2.0
//
// host_boundary: the functions of the archive that the units of the module cudax.sync.host call, as boundary.hpp has
// those of cudax.sync: plain functions and plain types. A function that can fail describes the failure in a `failure`.
// Only raise() throws.
#pragma once

namespace cudax {

// cudax.sync.host exports and documents these (:atomicity).
enum class memory_type { null, system_allocated, unregistered, registered, mapped, managed, device, shared };
enum class atomic_operation { load_store, read_modify_write };
enum class atomicity_answer { no, host_only, one_device_only, devices_only, yes };
enum class word_neighbours { unaffected, same_object, other_objects, unknown };

} // namespace cudax

namespace cudax::runtime {

using size_t = decltype(sizeof(0));

/// The description of a failure; `code` is 0 if there was none.
struct failure {
  int code = 0;                   // a value of cudaError_t, or -1: built without CUDA
  void const* category = nullptr; // the std::error_category of `code`; null: cuda_category()
  char sentence[480] = "";        // where: what, with the values; what to do
};

/// Throws cuda_error if `why` describes a failure.
void raise(failure const& why);

// --- devices ---------------------------------------------------------------------------------------------------------

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

/// Returns the number of devices: 0, without a failure, if there is no driver, no device, or no CUDA in this build.
int count_devices(failure& why) noexcept;
void describe_device(int ordinal, device_description& description, failure& why) noexcept;
/// Writes why there is no device, as a sentence of at most size - 1 characters; an empty string if there is one.
void explain_no_device(char* sentence, size_t size) noexcept;

// --- atomicity -------------------------------------------------------------------------------------------------------

struct atomicity_description {
  atomicity_answer answer = atomicity_answer::no;
  memory_type memory = memory_type::null;
  word_neighbours neighbours = word_neighbours::unaffected;
  char about_neighbours[400] = ""; // a sentence, if the neighbours are affected
  char reason[1000] = "";          // ends with the sentence about the neighbours
};

/// `scope` is a thread_scope; `device_count` 0 means all devices.
struct atomicity_query {
  size_t size;
  atomic_operation operation;
  int scope;
  int const* devices;
  size_t device_count;
};

/// Decides whether the operation of the query is atomic: at `address`, or for any naturally aligned object in memory of
/// `type`.
void find_atomicity(void const volatile* address, atomicity_query const& question, atomicity_description& description,
                    failure& why) noexcept;
void find_atomicity(memory_type type, atomicity_query const& question, atomicity_description& description,
                    failure& why) noexcept;

// --- registered memory -----------------------------------------------------------------------------------------------

/// Maps `count` objects of `object_size` bytes that begin at `address` into the address space of the devices, and
/// returns their address there. `ticket` identifies the registration for unregister_objects; it is never 0 after
/// success.
void* register_objects(void const volatile* address, size_t count, size_t object_size, unsigned long long& ticket,
                       failure& why) noexcept;
void unregister_objects(unsigned long long ticket, failure& why) noexcept;

/// Warns once if a registered object of 1 or 2 bytes shares its word with other objects, so that a device's
/// read-modify-write of the object may undo the host's stores to them. For checked builds.
void check_registered(void const volatile* object, size_t size) noexcept;

// --- memory for both sides -------------------------------------------------------------------------------------------

enum class memory_kind { mapped, managed };

struct memory_block {
  void* host = nullptr;
  void* device = nullptr;
  void* base = nullptr;           // the address that CUDA returned; `host` is the first aligned address from there
  unsigned long long context = 0; // whose destruction frees the block; 0: unknown
};

memory_block allocate(memory_kind kind, size_t count, size_t object_size, size_t alignment, failure& why) noexcept;
/// Frees a block. If the block's context was destroyed, calls nothing: CUDA may have assigned the address to other
/// memory.
void deallocate(memory_kind kind, memory_block const& block, failure& why) noexcept;

} // namespace cudax::runtime
