// SPDX-License-Identifier: Apache-2.0
//
// atomicity: whether an operation of host and devices on an object is atomic. Whoever breaks the conditions of the memory
// model loses updates silently; here they can be asked. runtime/atomicity_rules.cpp has them.
module;
#include "../../runtime/host_boundary.hpp"
export module cudax.sync.host:atomicity;
import cudax.sync;
import :error;

export namespace cudax {

// So that programs that import this module alone can ask.
using cudax::thread_scope;
using cudax::thread_scope_block;
using cudax::thread_scope_cluster;
using cudax::thread_scope_device;
using cudax::thread_scope_system;
using cudax::thread_scope_thread;

/// Kinds of memory: null, system_allocated (of the host, which devices with pageable_memory_access reach), unregistered (of
/// the host, which no device reaches), registered (by registered<T>), mapped (page-locked by CUDA, also registered by
/// others), managed, device, shared (between the threads of a block).
using cudax::memory_type;

/// load_store: loads and stores. read_modify_write: everything else, compare_exchange included; every operation that the
/// library has.
using cudax::atomic_operation;

/// Among which threads the operation is atomic: none; those of the host alone, since some device does not reach the memory;
/// those of any one of the devices, and in the host's memory those of the host, each among themselves; those of all the
/// devices, but not of the host; all that the scope includes. It is about the object: about its neighbours see
/// word_neighbours.
using cudax::atomicity_answer;

/// What a device's read-modify-write of an object of 1 or 2 bytes does to the rest of the aligned word of 4 bytes around it,
/// at any scope but a thread's: it is one of the whole word (arch/README.md, "Sub-word objects"). Where host and device are
/// not atomic to each other, what the host stores to the rest meanwhile may be lost, be it another object, atomic or not.
/// The answer says what lies there: unaffected where nothing can be lost, since the two are atomic to each other, the
/// operation is a load, a store or one of 4 bytes or more, or the rest of the word is nobody's; bytes of the same registered
/// object or allocation, which are harmless where they are padding; other objects, or elements of the same array; unknown in
/// memory that this library has neither allocated nor registered, and where a kind of memory was asked about. What is right
/// everywhere: an object of 4 bytes, or one in a struct that is alignas(4).
using cudax::word_neighbours;

/// What atomicity() answers.
struct atomicity_result {
  atomicity_answer answer;
  memory_type memory; ///< what was found at the pointer
  string reason;      ///< a sentence, with the attribute values that decided, in the names of device_info
  word_neighbours neighbours = word_neighbours::unaffected;

  explicit operator bool() const noexcept { return answer == atomicity_answer::yes; }
};

/// Returns whether `operation` on the `size` bytes at `pointer` is atomic at `scope` between the host and `devices`: ordinals;
/// none stand for all that there are. The operation is taken to be done by all of them at once: where fewer take part, ask
/// about these, or take the lesser answers.
/// Source:   the memory model of the CUDA C++ core libraries, "Atomicity", in its current wording; the reason says where
///           the first one, HIP's, differs
/// Units:    `size`: bytes
/// Errors:   cuda_error where a device does not exist or cannot be asked; the twins store the code and answer no
inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope, vector<int> const& devices, error_code& error);
inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope, error_code& error);
inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope = thread_scope_system, vector<int> const& devices = {});

/// The same for an aligned object in memory of a kind, before there is one. Device memory lies on the first device. Whether
/// memory of the host is system_allocated or unregistered the devices decide: both ask the same.
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

/// `Where` is an address or a memory_type.
template <class Where>
atomicity_result ask_runtime(Where where, size_t size, atomic_operation operation, thread_scope scope,
                             vector<int> const& devices, runtime::failure& why) {
  runtime::atomicity_question const question{size, operation, int(scope), devices.data(), devices.size()};
  runtime::atomicity_description found;
  runtime::find_atomicity(where, question, found, why);
  if (why.code != 0) return {atomicity_answer::no, memory_type::null, why.sentence, word_neighbours::unknown};
  return {found.answer, found.memory, found.reason, found.neighbours};
}

template <class Where>
atomicity_result ask_and_store(Where where, size_t size, atomic_operation operation, thread_scope scope,
                               vector<int> const& devices, error_code& error) {
  runtime::failure why;
  atomicity_result result = ask_runtime(where, size, operation, scope, devices, why);
  store(why, error);
  return result;
}

template <class Where>
atomicity_result ask_and_raise(Where where, size_t size, atomic_operation operation, thread_scope scope,
                               vector<int> const& devices) {
  runtime::failure why;
  atomicity_result result = ask_runtime(where, size, operation, scope, devices, why);
  runtime::raise(why);
  return result;
}

inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope, vector<int> const& devices, error_code& error) {
  return ask_and_store(pointer, size, operation, scope, devices, error);
}
inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope, error_code& error) {
  return ask_and_store(pointer, size, operation, scope, {}, error);
}
inline atomicity_result atomicity(void const volatile* pointer, size_t size, atomic_operation operation,
                                  thread_scope scope, vector<int> const& devices) {
  return ask_and_raise(pointer, size, operation, scope, devices);
}

inline atomicity_result atomicity(memory_type memory, size_t size, atomic_operation operation, thread_scope scope,
                                  vector<int> const& devices, error_code& error) {
  return ask_and_store(memory, size, operation, scope, devices, error);
}
inline atomicity_result atomicity(memory_type memory, size_t size, atomic_operation operation, thread_scope scope,
                                  error_code& error) {
  return ask_and_store(memory, size, operation, scope, {}, error);
}
inline atomicity_result atomicity(memory_type memory, size_t size, atomic_operation operation, thread_scope scope,
                                  vector<int> const& devices) {
  return ask_and_raise(memory, size, operation, scope, devices);
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
