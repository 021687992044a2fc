// SPDX-License-Identifier: Apache-2.0
//
// host_memory: the memory that threads of the host share with a grid: locations, results, and the words of the meeting.
#pragma once

#include "cells.hpp"
#include "layout.hpp"

namespace litmus_runner {

/// Of a location. Managed memory moves between host and device, so a run keeps it small.
inline constexpr unsigned long long bytes_with_host = 1ull << 20;

class memory_with_host {
public:
  /// Throws machine_error if there is no memory.
  memory_with_host();
  ~memory_with_host();
  memory_with_host(memory_with_host const&) = delete;
  memory_with_host& operator=(memory_with_host const&) = delete;

  meeting_place& meeting() const { return *meeting_; }
  unsigned* results() const { return results_; }
  static constexpr unsigned long long bytes_of_results = 1ull << 20;
  /// Memory of the second device for its grid alone. The first call lets the second device access the memory of the
  /// first one. Throws device_lacks if there is no second device, or if it cannot.
  struct of_grid {
    unsigned *arrived, *scratch;
  };
  of_grid const& second_device();
  /// In mapped or managed memory.
  litmus_runner::cells& cells() { return cells_; }

private:
  meeting_place* meeting_ = nullptr;
  unsigned* results_ = nullptr;
  litmus_runner::cells cells_{0, bytes_with_host};
  of_grid second_{};
};

} // namespace litmus_runner
