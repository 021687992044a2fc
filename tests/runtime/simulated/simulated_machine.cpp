// SPDX-License-Identifier: Apache-2.0
//
// simulated_machine: its memory and its calls.
#include "simulated_machine.hpp"
#include "failing_heap.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <new>
#include <type_traits>
#include <unistd.h>

namespace cudax_test {
namespace {

namespace cuda = cudax::runtime::cuda;
using address = simulated_machine::address;

simulated_machine* machine = nullptr;

address number(void const* at) { return reinterpret_cast<address>(at); }

} // namespace

simulated_machine& simulated_machine::current() { return *machine; }

/// What every simulated call does first.
struct simulated_machine::entry {
  std::lock_guard<std::mutex> lock;
  failing_heap::pause heap;
  explicit entry(simulated_machine& m) : lock(m.mutex_) {}
};

// Blocks come from the host's heap, aligned exactly as CUDA aligns.
constexpr std::size_t alignment = 256;

int simulated_machine::injected() {
  errno = EAGAIN; // a driver's calls may leave anything there
  ++calls_;
  return failure_.next();
}

int simulated_machine::overlap(address begin, address end) const {
  auto at = ranges_.lower_bound(begin);
  if (at != ranges_.begin() && std::prev(at)->second.end > begin) --at;
  int code = cuda::success;
  for (; at != ranges_.end() && at->first < end; ++at) {
    if (at->second.by == maker::cuda) return cuda::invalid_value;
    code = cuda::already_registered;
  }
  return code;
}

simulated_machine::bytes const* simulated_machine::containing(address at, address* begin) const {
  auto const after = ranges_.upper_bound(at);
  if (after == ranges_.begin()) return nullptr;
  auto const found = std::prev(after);
  if (found->second.end <= at) return nullptr;
  if (begin) *begin = found->first;
  return &found->second;
}

int simulated_machine::do_register(address begin, std::size_t size, maker by, bool mapped) {
  if (begin == 0 || size == 0 || begin + size < begin) return cuda::invalid_value;
  if (int const code = overlap(begin, begin + size)) return code;
  // Offsets in a page are kept, as in a page table.
  address const device = own_addresses ? next_device_ + begin % 65536 : begin;
  if (own_addresses) next_device_ += (size / 65536 + 3) * 65536;
  ranges_[begin] = {begin + size, device, by, mapped, context_};
  return cuda::success;
}

unsigned long long simulated_machine::context_of(void const* at) const {
  if (auto const found = allocations_.find(const_cast<void*>(at)); found != allocations_.end())
    return found->second.context;
  bytes const* const range = containing(number(at));
  return range ? range->context : 0;
}

int simulated_machine::allocate(void** at, std::size_t size, bool managed) {
  entry const inside(*this);
  if (int const code = injected()) return code;
  if (devices == 0) return cuda::no_device;
  // A block that is aligned to 256 bytes and no more: it begins halfway between two multiples of the next larger
  // alignment.
  if (auto const again = past_.find(size); again != past_.end()) {
    *at = again->second;
    past_.erase(again);
  } else {
    void* const block = ::operator new(size + alignment, std::align_val_t(2 * alignment), std::nothrow);
    if (!block) return cuda::memory_allocation;
    *at = static_cast<char*>(block) + alignment;
  }
  allocations_[*at] = {size, managed, context_};
  if (managed) {
    owners_[number(*at)] = {size, cudax::runtime::memory_owner::managed, 0};
    return cuda::success;
  }
  return do_register(number(*at), size, maker::cuda);
}

int simulated_machine::deallocate(void* at, bool managed) {
  entry const inside(*this);
  int const code = injected();
  auto const found = allocations_.find(at);
  if (found == allocations_.end() || found->second.managed != managed) {
    std::fprintf(stderr, "simulated_machine: %p is freed, but was not allocated so\n", at);
    std::abort();
  }
  // A free that is made to fail still frees: memory that CUDA failed to free here is CUDA's.
  allocations_.erase(found);
  if (managed) owners_.erase(number(at));
  else ranges_.erase(number(at));
  ::operator delete(static_cast<char*>(at) - alignment, std::align_val_t(2 * alignment));
  return code;
}

/// What a call does that no part below replaces: it succeeds and writes nothing.
template <class Result> Result simulated_machine::succeed() {
  if constexpr (std::is_same_v<Result, int>) {
    auto& m = current();
    entry const inside(m);
    return m.injected();
  } else {
    return Result{};
  }
}

cudax::runtime::cuda_calls simulated_machine::make_table() {
  cudax::runtime::cuda_calls t{};
#define CUDAX_MEMORY_CALL(result, name, parameters) t.name = [](auto...) { return succeed<result>(); };
#include "../../../runtime/cuda/calls.def"
  answer_for_memory(t);
  answer_for_devices(t);
  return t;
}

void simulated_machine::answer_for_memory(cudax::runtime::cuda_calls& t) {
  t.register_memory = [](void* at, std::size_t size) {
    auto& m = current();
    entry const inside(m);
    if (int const code = m.injected()) return code;
    if (m.devices == 0) return cuda::no_device;
    return m.do_register(number(at), size, maker::us);
  };
  t.unregister_memory = [](void* at) {
    auto& m = current();
    entry const inside(m);
    if (int const code = m.injected()) {
      ++m.unregister_failures_;
      return code;
    }
    auto const found = m.ranges_.find(number(at));
    if (found == m.ranges_.end()) return cuda::not_registered;
    if (found->second.by != maker::us) {
      std::fprintf(stderr, "simulated_machine: %p is unregistered, but others registered it\n", at);
      std::abort();
    }
    m.ranges_.erase(found);
    return cuda::success;
  };
  t.device_address = [](void** device, void* host) {
    auto& m = current();
    entry const inside(m);
    if (int const code = m.injected()) return code;
    address begin = 0;
    bytes const* const found = m.containing(number(host), &begin);
    if (!found || !found->mapped) return cuda::invalid_value;
    *device = reinterpret_cast<void*>(found->device + (number(host) - begin));
    return cuda::success;
  };
  t.owner = [](cudax::runtime::memory_owner* owner, int* device, void const* at) {
    auto& m = current();
    entry const inside(m);
    if (int const code = m.injected()) return code;
    *owner = m.containing(number(at)) ? cudax::runtime::memory_owner::host : cudax::runtime::memory_owner::unregistered;
    *device = -2; // CUDA's cudaInvalidDeviceId
    auto const after = m.owners_.upper_bound(number(at));
    if (after != m.owners_.begin()) {
      auto const& [begin, what] = *std::prev(after);
      if (number(at) - begin < what.size) {
        *owner = what.owner;
        *device = what.device;
      }
    }
    return cuda::success;
  };
  t.allocate_mapped = [](void** at, std::size_t size) { return current().allocate(at, size, false); };
  t.free_mapped = [](void* at) { return current().deallocate(at, false); };
  t.allocate_managed = [](void** at, std::size_t size) { return current().allocate(at, size, true); };
  t.free_managed = [](void* at) { return current().deallocate(at, true); };
  t.context_of = [](void const* at) {
    auto& m = current();
    entry const inside(m);
    return m.context_of(at);
  };
  t.is_alive = [](void const* at, unsigned long long context) {
    auto& m = current();
    entry const inside(m);
    return m.context_of(at) != 0 && m.context_of(at) == context;
  };
}

void simulated_machine::answer_for_devices(cudax::runtime::cuda_calls& t) {
  t.count_devices = [](int* count) {
    auto& m = current();
    entry const inside(m);
    if (int const code = m.injected()) return code;
    if (m.count_error) return m.count_error;
    *count = m.devices;
    return m.devices ? cuda::success : cuda::no_device;
  };
  t.describe_device = [](cudax::runtime::device_description* d, int ordinal) {
    auto& m = current();
    entry const inside(m);
    if (int const code = m.injected()) return code;
    if (ordinal < 0 || ordinal >= m.devices) return cuda::invalid_device;
    if (auto const other = m.described.find(ordinal); other != m.described.end()) {
      *d = other->second;
      return cuda::success;
    }
    *d = {};
    std::snprintf(d->name, sizeof(d->name), "simulated device %d", ordinal);
    // Every attribute differs from its neighbours for at least one of the first two devices.
    int* const attributes[] = {&d->unified_addressing,
                               &d->can_map_host_memory,
                               &d->can_use_host_pointer_for_registered_mem,
                               &d->concurrent_managed_access,
                               &d->host_native_atomic_supported,
                               &d->pageable_memory_access,
                               &d->pageable_memory_access_uses_host_page_tables,
                               &d->cooperative_launch,
                               &d->cluster_launch,
                               &d->only_partial_host_native_atomic_supported};
    for (int i = 0; i < int(std::size(attributes)); ++i) *attributes[i] = (i >> ordinal) & 1;
    d->compute_capability_major = 9;
    d->compute_capability_minor = ordinal;
    d->multiprocessors = 100 + ordinal;
    return cuda::success;
  };
  t.describe_peer = [](cudax::runtime::peer_description* d, int source, int destination) {
    auto& m = current();
    entry const inside(m);
    if (int const code = m.injected()) return code;
    if (source == destination || source < 0 || destination < 0 || source >= m.devices || destination >= m.devices)
      return cuda::invalid_device;
    auto const link = m.peer_links.find({source, destination});
    *d = link == m.peer_links.end() ? cudax::runtime::peer_description{} : link->second;
    return cuda::success;
  };
  t.versions = [](int* driver, int* runtime) {
    *driver = current().driver_version;
    *runtime = 13000;
    return cuda::success;
  };
  t.error_name = [](int code) { return cudax::runtime::calls_without_cuda.error_name(code); };
  t.error_text = [](int code) { return cudax::runtime::calls_without_cuda.error_text(code); };
}

simulated_machine::simulated_machine() : before_(cudax::runtime::exchange_calls(table)) { machine = this; }

simulated_machine::~simulated_machine() {
  cudax::runtime::exchange_calls(before_);
  machine = nullptr;
  for (auto const& [size, at] : past_)
    ::operator delete(static_cast<char*>(at) - alignment, std::align_val_t(2 * alignment));
}

void* simulated_machine::host_address(void const* device) const {
  std::lock_guard const lock(mutex_);
  for (auto const& [begin, range] : ranges_)
    if (number(device) >= range.device && number(device) - range.device < range.end - begin)
      return reinterpret_cast<void*>(begin + (number(device) - range.device));
  return nullptr;
}

void simulated_machine::fail_call(int k, int code) {
  std::lock_guard const lock(mutex_);
  failure_.plan(k, code);
}

bool simulated_machine::failed() const {
  std::lock_guard const lock(mutex_);
  return failure_.failed();
}

void simulated_machine::reset() {
  std::lock_guard const lock(mutex_);
  for (auto const& [at, what] : allocations_) past_.emplace(what.size, at);
  allocations_.clear();
  owners_.clear();
  ranges_.clear();
  ++context_;
}

int simulated_machine::fork_between_calls() {
  std::lock_guard const lock(mutex_);
  return fork();
}

int simulated_machine::calls() const {
  std::lock_guard const lock(mutex_);
  return calls_;
}

std::size_t simulated_machine::registered_ranges() const {
  std::lock_guard const lock(mutex_);
  std::size_t count = 0;
  for (auto const& [begin, range] : ranges_) count += range.by == maker::us;
  return count;
}

std::size_t simulated_machine::registered_bytes() const {
  std::lock_guard const lock(mutex_);
  std::size_t count = 0;
  for (auto const& [begin, range] : ranges_)
    if (range.by == maker::us) count += range.end - begin;
  return count;
}

bool simulated_machine::is_registered(address begin, std::size_t size) const {
  std::lock_guard const lock(mutex_);
  for (address at = begin; at < begin + size;) {
    bytes const* const found = containing(at);
    if (!found) return false;
    at = found->end;
  }
  return true;
}

std::size_t simulated_machine::allocations() const {
  std::lock_guard const lock(mutex_);
  return allocations_.size();
}

int simulated_machine::unregister_failures() const {
  std::lock_guard const lock(mutex_);
  return unregister_failures_;
}

void simulated_machine::others_register(address begin, std::size_t size, reach from) {
  std::lock_guard const lock(mutex_);
  if (do_register(begin, size, maker::others, from == reach::from_devices) != cuda::success) std::abort();
}

void simulated_machine::others_allocate(address begin, std::size_t size) {
  std::lock_guard const lock(mutex_);
  if (do_register(begin, size, maker::cuda) != cuda::success) std::abort();
}

void simulated_machine::others_unregister(address begin) {
  std::lock_guard const lock(mutex_);
  if (ranges_.erase(begin) != 1) std::abort();
}

void simulated_machine::others_own(address begin, std::size_t size, cudax::runtime::memory_owner owner, int device) {
  std::lock_guard const lock(mutex_);
  owners_[begin] = {size, owner, device};
}

} // namespace cudax_test
