// SPDX-License-Identifier: Apache-2.0
//
// check: counts and prints the checks of a program that fail.
#pragma once

#include <cstdio>

inline int failures = 0;

inline void check(bool right, char const* what, char const* file, int line) {
  if (right) return;
  std::printf("copies/%s:%d: %s\n", file, line, what);
  ++failures;
}
#define CHECK(...) check(bool(__VA_ARGS__), #__VA_ARGS__, __FILE_NAME__, __LINE__)
