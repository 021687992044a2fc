// SPDX-License-Identifier: Apache-2.0
//
// scripted_clock: a host clock whose readings a test sets. They are seconds in floating point, so that a test can use
// NaN.
#pragma once

#include <chrono>

namespace cudax_test {

struct scripted_clock {
  using duration = std::chrono::duration<double>;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<scripted_clock>;
  static constexpr bool is_steady = false;

  static inline double first = 0;  // the first reading
  static inline double others = 0; // all other readings
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
