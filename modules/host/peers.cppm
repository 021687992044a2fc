// SPDX-License-Identifier: Apache-2.0
//
// peers: lets devices access one another's memory, for objects of system scope in a device's memory.
module;
#include "../../runtime/interface/execution_boundary.hpp"
export module cudax.sync.host:peers;
import :error;

export namespace cudax {

/// Describes one direction of a pair of devices.
struct peer_access {
  int device;          ///< the device that accesses
  int peer;            ///< the device whose memory is accessed
  bool possible;       ///< the machine supports the access
  bool enabled;        ///< the process may use the access
  bool native_atomics; ///< read-modify-write operations of `device` on that memory are atomic
};

} // namespace cudax

namespace cudax {

inline vector<peer_access> connect(int const* devices, size_t count, runtime::failure& why) {
  vector<peer_access> all;
  for (size_t i = 0; i < count && why.code == 0; ++i) runtime::check_device(devices[i], why);
  for (size_t i = 0; i < count && why.code == 0; ++i)
    for (size_t k = 0; k < count && why.code == 0; ++k) {
      bool repeated = devices[i] == devices[k];
      for (size_t n = 0; n < all.size(); ++n) // by index: range-for needs <iterator>, not included
        repeated |= all[n].device == devices[i] && all[n].peer == devices[k];
      if (repeated) continue;
      runtime::peer_state const state = runtime::enable_peer_access(devices[i], devices[k], why);
      all.push_back({state.device, state.peer, state.possible, state.enabled, state.native_atomics});
    }
  return all;
}

inline vector<peer_access> connect_all(runtime::failure& why) {
  vector<int> devices;
  int const count = runtime::count_devices(why);
  for (int ordinal = 0; ordinal < count; ++ordinal) devices.push_back(ordinal);
  return connect(devices.data(), devices.size(), why);
}

template <class... Ordinal> vector<peer_access> connect_these(runtime::failure& why, Ordinal... devices) {
  if constexpr (sizeof...(devices) == 0) return connect_all(why);
  else {
    int const ordinals[] = {devices...};
    return connect(ordinals, sizeof...(devices), why);
  }
}

} // namespace cudax

export namespace cudax {

/// Enables each of the devices to access the memory of every other one, if the machine supports it. Without arguments
/// this covers all devices. Returns the state of each direction of each pair. Makes the primary contexts of the devices
/// if they do not exist. The thread's device and context do not change. If the current context is one that the program
/// made itself, that context gets the access for its device.
/// Source:   cuDeviceCanAccessPeer, cuCtxEnablePeerAccess, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED
/// Units:    devices by their ordinals
/// Errors:   cuda_error if a device does not exist; then nothing has changed. cuda_error if CUDA reports an error; then
///           the pairs before the error keep their access. It is a result, not an error, if the machine does not
///           support the access between two devices. The twin stores the code and returns the pairs that it has
///           processed
/// Example:
///     for (cudax::peer_access const& pair : cudax::enable_peer_access(0, 1))
///       if (!pair.native_atomics)
///         std::printf("device %d cannot atomically modify memory of device %d\n", pair.device, pair.peer);
template <class... Ordinal>
  requires(... && __is_same(Ordinal, int))
vector<peer_access> enable_peer_access(Ordinal... devices) {
  runtime::failure why;
  vector<peer_access> pairs = connect_these(why, devices...);
  runtime::raise(why);
  return pairs;
}
template <class... Ordinal>
  requires(... && __is_same(Ordinal, int))
vector<peer_access> try_enable_peer_access(error_code& error, Ordinal... devices) {
  runtime::failure why;
  vector<peer_access> pairs = connect_these(why, devices...);
  store(why, error);
  return pairs;
}

} // namespace cudax
