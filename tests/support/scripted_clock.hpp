// SPDX-License-Identifier: Apache-2.0
//
// scripted_clock: a clock of the host that reads what a test tells it: seconds, in floating point, so that NaN is among them.
#pragma once

#include <chrono>

namespace cudax_test {

struct scripted_clock {
  using duration = std::chrono::duration<double>;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<scripted_clock>;
  static constexpr bool is_steady = false;

  static inline double first = 0;  // what the first reading gives
  static inline double others = 0; // and what all others give
  static inline int readings = 0;

  static time_point at(double seconds) { return time_point(duration(seconds)); }
  static time_point now() { return at(readings++ == 0 ? first : others); }
  static void begin(double first_reading, double other_readings) {
    first = first_reading;
    others = other_readings;
    readings = 0;
  }
};

} // namespace cudax_test
