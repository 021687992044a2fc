// SPDX-License-Identifier: Apache-2.0
//
// hang: the device entry points of abi.hpp for reports of long waits, which only checked builds call.
// A kernel that hangs prints nothing, because the output of printf appears only when the kernel has ended. So a report
// goes to a mailbox in mapped host memory, where a host thread finds it while the kernel continues to wait
// (runtime/kernels/device_hangs.cpp). The variable `reports` of each image has the mailbox's address. No other variable
// of a program is changed, and a program that calls none of the entries contains none of this.
//   At most one report for each address and `slots` reports for each image reach the mailbox: a thread that has to
// report claims the slot of its object first. The claims are in device memory, where compare-and-swap is atomic between
// all threads of the device.
#if defined(__CUDA_ARCH__)
#include "../runtime/interface/hang_mailbox.hpp"
#include "select.hpp"

namespace arch = cudax::arch;
namespace target = cudax::arch::target;
using namespace cudax::abi;
using namespace cudax::entry;

namespace {

using cudax::hang_mailbox;
constexpr int relaxed = 0, acquire = 2, release = 3, system = 0, device = 1; // as in abi.hpp
constexpr u64 reported = ~u64(0);

/// Zero until a host thread calls report_hangs.
struct reports_of_image {
  u64 limit; // nanoseconds; 0: no reports
  u64 mailbox;
  u64 traps;
  u64 claims[hang_mailbox::slots]; // addresses
};
__attribute__((device)) reports_of_image reports;

__attribute__((device)) u64 read(u64 const& word) { return cudax_load_u64(&word, relaxed, device); }
__attribute__((device)) void write(u64& word, u64 value) { cudax_store_u64(&word, value, relaxed, device); }

/// Returns the slot that the calling thread has claimed for `object`; -1 if another thread has reported the object, or
/// if no slot is free. Relaxed: the claim publishes nothing; each slot has one writer.
__attribute__((device)) int claim(u64 object) {
#pragma clang loop unroll(disable) // the code is rarely executed
  for (int i = 0; i < hang_mailbox::slots; ++i) {
    u64 owner = read(reports.claims[i]);
    if (owner == 0) owner = cudax_compare_exchange_u64(&reports.claims[i], 0, object, relaxed, device);
    if (owner == 0) return i;
    if (owner == object) return -1;
  }
  return -1;
}

} // namespace

CUDAX_ENTRY bool cudax_hang_is_due(u64* began) {
  u64 const limit = read(reports.limit);
  if (limit == 0 || *began == reported) return false;
  u64 const now = target::globaltimer();
  if (*began == 0) *began = now;
  if (now - *began < limit) return false;
  *began = reported;
  return true;
}

CUDAX_ENTRY void cudax_hang_report(void const* object, char const* text, u64 first, u64 second) {
  // Acquire: pairs with the release in cudax_hang_configure, which has written the other words before.
  (void)cudax_load_u64(&reports.limit, acquire, device);
  // In global memory, so that the accesses do not ask for local memory.
  auto* const mailbox = (hang_mailbox*)(hang_mailbox __attribute__((address_space(1)))*)read(reports.mailbox);
  bool const traps = read(reports.traps) != 0;
  int const at = mailbox ? claim((u64)object) : -1;
  if (at < 0) return;
  hang_mailbox::slot& slot = mailbox->all[at];
  slot.object = (u64)object;
  slot.values[0] = first, slot.values[1] = second;
  slot.block[0] = target::ctaid_x(), slot.block[1] = target::ctaid_y(), slot.block[2] = target::ctaid_z();
  slot.thread[0] = target::tid_x(), slot.thread[1] = target::tid_y(), slot.thread[2] = target::tid_z();
  int length = 0;
  while (length < hang_mailbox::longest_text - 1 && text[length]) slot.text[length] = text[length], ++length;
  slot.text[length] = 0;
  // Release: pairs with the acquire load in runtime/kernels/device_hangs.cpp. The host reads the slot after it.
  cudax_store_u32(&slot.state, traps ? hang_mailbox::stopped : hang_mailbox::waits, release, system);
  if (!traps) return;
  target::template fence_sc<arch::scope::sys>(); // performs the stores before the trap ends the kernel
  // The program may abort as soon as it sees the error of the trap. So the trap comes after the report is printed. The
  // thread that prints may not run any more, so the wait is short. Relaxed: the host has published nothing.
  constexpr u64 longest_print = 1'000'000'000;
  u64 const began = target::globaltimer();
  while (cudax_load_u32(&slot.state, relaxed, system) == hang_mailbox::stopped &&
         target::globaltimer() - began < longest_print)
    target::nanosleep(1'000'000);
  __builtin_trap();
}

CUDAX_ENTRY void cudax_hang_configure(void* mailbox, u64 limit, bool traps) {
  write(reports.limit, 0);
  for (u64& claim : reports.claims) write(claim, 0);
  write(reports.mailbox, (u64)mailbox);
  write(reports.traps, traps);
  // Release: pairs with the acquire in cudax_hang_report.
  cudax_store_u64(&reports.limit, limit, release, device);
}
#endif
