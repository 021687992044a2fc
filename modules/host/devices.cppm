// SPDX-License-Identifier: Apache-2.0
//
// devices: the devices of the machine, and what they support for synchronization.
module;
#include "../../runtime/interface/host_boundary.hpp"
export module cudax.sync.host:devices;
import :error;

export namespace cudax {

/// Describes one device. The members have the names of CUDA's attributes in this library's spelling:
/// cudaDevAttrClusterLaunch is cluster_launch.
struct device_info {
  int ordinal; ///< its number for cudaSetDevice
  string name;
  int compute_capability_major;
  int compute_capability_minor;
  int multiprocessors;

  // clang-format off
  bool unified_addressing;                      ///< host and device use one address space
  bool can_map_host_memory;                     ///< registered<T> and make_mapped work
  bool can_use_host_pointer_for_registered_mem; ///< registered<T>::device_pointer() is the host's pointer
  bool concurrent_managed_access;               ///< host and device may use make_managed objects at the same time
  bool host_native_atomic_supported;            ///< host and device may modify one word of mapped memory concurrently
  bool only_partial_host_native_atomic_supported; ///< they may do so only by some operations
  bool pageable_memory_access;                  ///< the device can access all host memory
  bool pageable_memory_access_uses_host_page_tables;
  bool cooperative_launch;                      ///< cudaLaunchCooperativeKernel
  bool cluster_launch;                          ///< clusters of thread blocks
  // clang-format on
};

/// Returns the devices that CUDA reports, in CUDA's order. Returns none if there is no driver, no device, or no CUDA in
/// this build; no_device_reason() says which.
/// Source:   cudaGetDeviceCount, cudaDeviceGetAttribute, cudaGetDeviceProperties
/// Errors:   cuda_error if there is a device and its query fails; the twin with an error_code stores the code
///           and returns none
/// Example:
///     std::vector<cudax::device_info> const all = cudax::devices();
///     if (all.empty()) std::puts(cudax::no_device_reason().c_str());
///     for (cudax::device_info const& device : all)
///       if (device.concurrent_managed_access) std::printf("%d: %s\n", device.ordinal, device.name.c_str());
inline vector<device_info> devices(error_code& error);
inline vector<device_info> devices();

/// Returns the reason why there is no device, as a sentence without a full stop that also says what to do. Returns an
/// empty string if there is a device.
inline string no_device_reason();

} // namespace cudax

namespace cudax {

inline vector<device_info> find_devices(runtime::failure& why) {
  vector<device_info> found;
  int const count = runtime::count_devices(why);
  for (int ordinal = 0; ordinal < count && why.code == 0; ++ordinal) {
    runtime::device_description d;
    runtime::describe_device(ordinal, d, why);
    if (why.code != 0) return {};
    found.push_back({
        .ordinal = ordinal,
        .name = d.name,
        .compute_capability_major = d.compute_capability_major,
        .compute_capability_minor = d.compute_capability_minor,
        .multiprocessors = d.multiprocessors,
        .unified_addressing = d.unified_addressing != 0,
        .can_map_host_memory = d.can_map_host_memory != 0,
        .can_use_host_pointer_for_registered_mem = d.can_use_host_pointer_for_registered_mem != 0,
        .concurrent_managed_access = d.concurrent_managed_access != 0,
        .host_native_atomic_supported = d.host_native_atomic_supported != 0,
        .only_partial_host_native_atomic_supported = d.only_partial_host_native_atomic_supported != 0,
        .pageable_memory_access = d.pageable_memory_access != 0,
        .pageable_memory_access_uses_host_page_tables = d.pageable_memory_access_uses_host_page_tables != 0,
        .cooperative_launch = d.cooperative_launch != 0,
        .cluster_launch = d.cluster_launch != 0,
    });
  }
  return found;
}

inline vector<device_info> devices(error_code& error) {
  runtime::failure why;
  vector<device_info> found = find_devices(why);
  store(why, error);
  return found;
}

inline vector<device_info> devices() {
  runtime::failure why;
  vector<device_info> found = find_devices(why);
  runtime::raise(why);
  return found;
}

inline string no_device_reason() {
  char sentence[256];
  runtime::explain_no_device(sentence, sizeof(sentence));
  return sentence;
}

} // namespace cudax
