// SPDX-License-Identifier: Apache-2.0
//
// report: findings for people, and for tools.
#pragma once

#include "../model/model.hpp"

namespace emulator::check {

/// The same for the same defect, whichever threads show it and in which order. A line of a header counts once for each
/// call in the program by which it was inlined.
std::string key_of(finding const&);

/// Several lines, with the seed that replays it.
std::string text_of(finding const&, std::uint64_t seed);

/// One JSON object, on one line without its end:
/// {"kind", "seed", "text",
///  "parties": [{"kernel", "block", "thread", "instruction", "ptx_line", "source", "inlined_at": ["file:line"]}]}
std::string json_of(finding const&, std::uint64_t seed);

} // namespace emulator::check
