// SPDX-License-Identifier: Apache-2.0
//
// hang_mailbox: reports of long waits, from a device (arch/hang.cu) to a host thread (hang.cpp), in mapped memory.
#pragma once

namespace cudax {

struct hang_mailbox {
  static constexpr int slots = 16, longest_text = 192;
  static constexpr unsigned empty = 0, waits = 1, stopped = 2; // stored by the device
  static constexpr unsigned printed = 3;                       // stored by the host, after `stopped`

  struct slot {
    unsigned state; // the writer stores it last, with release
    unsigned block[3], thread[3];
    unsigned unused;
    unsigned long long object;
    unsigned long long values[2]; // for the characters '#' of the text
    char text[longest_text];
  };
  slot all[slots];
};
static_assert(sizeof(hang_mailbox) <= 4096);

} // namespace cudax
