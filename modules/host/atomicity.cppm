// SPDX-License-Identifier: Apache-2.0
//
// atomicity: reports whether an operation of host and devices on an object is atomic. A program that breaks the
// conditions of the memory model loses updates without a diagnostic. These functions check the conditions, which are in
// runtime/atomicity/atomicity_rules.cpp.
module;
#include "../../runtime/interface/host_boundary.hpp"
export module cudax.sync.host:atomicity;
import cudax.sync;
import :error;

export namespace cudax {

// For programs that import this module alone.
using cudax::thread_scope;
using cudax::thread_scope_block;
using cudax::thread_scope_cluster;
using cudax::thread_scope_device;
using cudax::thread_scope_system;
using cudax::thread_scope_thread;

/// Names a kind of memory:
///   null              none: a null pointer
///   system_allocated  the host's memory, which devices with pageable_memory_access can access
///   unregistered      the host's memory, which no device can access
///   registered        memory registered by registered<T>
///   mapped            memory page-locked by CUDA, including memory that other code has registered
///   managed           CUDA's managed memory
///   device            a device's memory
///   shared            memory shared by the threads of a block
using cudax::memory_type;

/// Names a group of operations:
///   load_store         loads and stores
///   read_modify_write  all other operations of the library, compare_exchange included; the result holds for each of
///                      them
using cudax::atomic_operation;

/// Says among which threads the operation is atomic:
///   no               among none
///   host_only        among the host's threads only, because some device cannot access the memory
///   one_device_only  among the threads of any single device and, in the host's memory, among the host's threads; not
///                    between these groups
///   devices_only     among the threads of all the devices, but not with the host's threads
///   yes              among all threads that the scope includes
/// This is a statement about the object. For its neighbours see word_neighbours.
using cudax::atomicity_answer;

/// Says what a device's read-modify-write of an object of 1 or 2 bytes may affect in the rest of the aligned 4-byte
/// word that contains the object. At any scope other than thread_scope_thread, the operation is a read-modify-write of
/// the whole word (arch/README.md, "Sub-word objects"). If host and device are not atomic to each other, a concurrent
/// store of the host to the rest of the word may be lost, whether it is to an atomic object or to another one. The rest
/// of the word holds:
///   unaffected     nothing that can be lost: host and device are atomic to each other; or the operation is a load, a
///                  store, or an operation on 4 bytes or more; or the rest of the word belongs to no object
///   same_object    bytes of the same registered object or allocation, which are harmless if they are padding
///   other_objects  other objects, or elements of the same array
///   unknown        anything: this library has neither allocated nor registered the memory, or the query was for a kind
///                  of memory
/// Two kinds of objects are safe everywhere: an object of 4 bytes, and an object in a struct that is alignas(4).
using cudax::word_neighbours;

/// The result of atomicity().
struct atomicity_result {
  atomicity_answer answer;
  memory_type memory; ///< the kind of memory at the pointer
  string reason;      ///< a sentence with the attributes that decided, named as in device_info, and their values
  word_neighbours neighbours = word_neighbours::unaffected;

  explicit operator bool() const noexcept { return answer == atomicity_answer::yes; }
};

/// Returns whether `operation` on the `size` bytes at `pointer` is atomic at `scope` between the host and `devices`.
/// The devices are given by ordinals; an empty list means all devices. The query assumes that the host and all these
/// devices perform the operation concurrently. If fewer take part, query for these devices only, or accept the weaker
/// results.
/// Source:   the memory model of the CUDA C++ core libraries, "Atomicity", in its current wording; `reason` says if the
///           first wording, which is also HIP's, gives a different result
/// Units:    `size`: bytes
/// Errors:   cuda_error if a device does not exist or its query fails; the twins with an error_code store the code and
///           return `no`
/// Example:
///     auto const count = cudax::make_mapped<unsigned>(0u);
///     auto const modify = cudax::atomic_operation::read_modify_write;
///     cudax::atomicity_result const result = cudax::atomicity(count.get(), sizeof(unsigned), modify);
///     if (!result) std::puts(result.reason.c_str());
inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope, vector<int> const& devices, error_code& error);
inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope, error_code& error);
inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope = thread_scope_system, vector<int> const& devices = {});

/// Returns the same for an aligned object in memory of a given kind, before the object exists. Device memory is assumed
/// to be memory of the first device. The devices decide whether the host's memory is system_allocated or unregistered,
/// so queries for the two kinds are the same query.
inline atomicity_result atomicity(memory_type memory, size_t size, atomic_operation operation, thread_scope scope,
                                  vector<int> const& devices, error_code& error);
inline atomicity_result atomicity(memory_type memory, size_t size, atomic_operation operation, thread_scope scope,
                                  error_code& error);
inline atomicity_result atomicity(memory_type memory, size_t size, atomic_operation operation,
                                  thread_scope scope = thread_scope_system, vector<int> const& devices = {});

/// Returns the enumerator's name.
inline string to_string(memory_type memory);
inline string to_string(atomic_operation operation);
inline string to_string(atomicity_answer answer);
inline string to_string(word_neighbours neighbours);

} // namespace cudax

namespace cudax {

/// Queries the runtime. `Where` is an address or a memory_type.
template <class Where>
atomicity_result query_runtime(Where where, size_t size, atomic_operation operation, thread_scope scope,
                               vector<int> const& devices, runtime::failure& why) {
  runtime::atomicity_query const question{size, operation, int(scope), devices.data(), devices.size()};
  runtime::atomicity_description found;
  runtime::find_atomicity(where, question, found, why);
  if (why.code != 0) return {atomicity_answer::no, memory_type::null, why.sentence, word_neighbours::unknown};
  return {found.answer, found.memory, found.reason, found.neighbours};
}

template <class Where>
atomicity_result query_and_store(Where where, size_t size, atomic_operation operation, thread_scope scope,
                                 vector<int> const& devices, error_code& error) {
  runtime::failure why;
  atomicity_result result = query_runtime(where, size, operation, scope, devices, why);
  store(why, error);
  return result;
}

template <class Where>
atomicity_result query_and_raise(Where where, size_t size, atomic_operation operation, thread_scope scope,
                                 vector<int> const& devices) {
  runtime::failure why;
  atomicity_result result = query_runtime(where, size, operation, scope, devices, why);
  runtime::raise(why);
  return result;
}

inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope, vector<int> const& devices, error_code& error) {
  return query_and_store(pointer, size, operation, scope, devices, error);
}
inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope, error_code& error) {
  return query_and_store(pointer, size, operation, scope, {}, error);
}
inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope, vector<int> const& devices) {
  return query_and_raise(pointer, size, operation, scope, devices);
}

inline atomicity_result atomicity(memory_type memory, size_t size, atomic_operation operation, thread_scope scope,
                                  vector<int> const& devices, error_code& error) {
  return query_and_store(memory, size, operation, scope, devices, error);
}
inline atomicity_result atomicity(memory_type memory, size_t size, atomic_operation operation, thread_scope scope,
                                  error_code& error) {
  return query_and_store(memory, size, operation, scope, {}, error);
}
inline atomicity_result atomicity(memory_type memory, size_t size, atomic_operation operation, thread_scope scope,
                                  vector<int> const& devices) {
  return query_and_raise(memory, size, operation, scope, devices);
}

inline string to_string(memory_type memory) {
  switch (memory) {
  case memory_type::null: return "null";
  case memory_type::system_allocated: return "system_allocated";
  case memory_type::unregistered: return "unregistered";
  case memory_type::registered: return "registered";
  case memory_type::mapped: return "mapped";
  case memory_type::managed: return "managed";
  case memory_type::device: return "device";
  case memory_type::shared: return "shared";
  }
  return "a memory_type that does not exist";
}
inline string to_string(atomic_operation operation) {
  return operation == atomic_operation::load_store ? "load_store" : "read_modify_write";
}
inline string to_string(atomicity_answer answer) {
  switch (answer) {
  case atomicity_answer::no: return "no";
  case atomicity_answer::host_only: return "host_only";
  case atomicity_answer::one_device_only: return "one_device_only";
  case atomicity_answer::devices_only: return "devices_only";
  case atomicity_answer::yes: return "yes";
  }
  return "an atomicity_answer that does not exist";
}

inline string to_string(word_neighbours neighbours) {
  switch (neighbours) {
  case word_neighbours::unaffected: return "unaffected";
  case word_neighbours::same_object: return "same_object";
  case word_neighbours::other_objects: return "other_objects";
  case word_neighbours::unknown: return "unknown";
  }
  return "a word_neighbours that does not exist";
}

} // namespace cudax
