// SPDX-License-Identifier: Apache-2.0
//
// peers: access between devices. CUDA enables it for one direction of one pair at a time, and returns an error if it is
// enabled already, even by other code.
#include "../cuda/execution_calls.hpp"

namespace cudax::runtime {

void check_device(int ordinal, failure& why) noexcept {
  int const count = count_devices(why);
  if (why.code != cuda::success || (ordinal >= 0 && ordinal < count)) return;
  if (count != 0) {
    fail(why, cuda::invalid_device,
         "enable_peer_access: there is no device %d; this machine has %d, numbered from 0: see cudax::devices()",
         ordinal, count);
    return;
  }
  char reason[256];
  explain_no_device(reason, sizeof(reason));
  fail(why, cuda::no_device, "enable_peer_access: there is no device %d: %s", ordinal, reason);
}

peer_state enable_peer_access(int device, int peer, failure& why) noexcept {
  execution_calls const& cuda = execution();
  peer_state state{device, peer, false, false, false};
  int can = 0, native = 0;
  int code = cuda.can_access_peer(&can, device, peer);
  if (code == cuda::success && can != 0) {
    state.possible = true;
    code = cuda.peer_atomics(&native, device, peer);
    state.native_atomics = native != 0;
    if (code == cuda::success) {
      code = cuda.enable_peer_access(device, peer);
      if (code == cuda::peer_access_already_enabled) code = cuda::success;
      state.enabled = code == cuda::success;
    }
  }
  if (code != cuda::success)
    fail_in_cuda(why, code, "enable_peer_access: device %d cannot be given access to the memory of device %d", device,
                 peer);
  return state;
}

} // namespace cudax::runtime
