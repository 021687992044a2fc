// SPDX-License-Identifier: Apache-2.0
//
// places: where in a program something was done, as a small number. What a report needs is kept as text when a place is
// met first, because threads and programs end before the report is written.
#pragma once

#include "clock.hpp"
#include "model.hpp"

#include <unordered_map>

namespace emulator::check {

struct code_location {
  std::string instruction; ///< as PTX; nothing where it is not known
  int ptx_line = 0;
  std::string ptx_file;
  std::string source;               ///< "file:line"; nothing where it is not known
  std::vector<std::string> callers; ///< the same of the calls by which it was inlined, the innermost first
  std::string function;
};

class code_locations {
public:
  u32 of(action const&);
  code_location const& operator[](u32 number) const { return all_[number]; }

private:
  std::vector<code_location> all_;
  std::unordered_map<operation const*, std::pair<function const*, u32>> numbers_;
};

} // namespace emulator::check
