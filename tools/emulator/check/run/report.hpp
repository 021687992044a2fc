// SPDX-License-Identifier: Apache-2.0
//
// report: findings for people, and for tools.
#pragma once

#include "../model/model.hpp"

namespace emulator::check {

/// Several lines, with the seed that replays it.
std::string text_of(finding const&, std::uint64_t seed);

/// One JSON object, on one line without its end:
/// {"kind", "seed", "text", "parties": [{"kernel", "block", "thread", "instruction", "ptx_line", "source"}]}
std::string json_of(finding const&, std::uint64_t seed);

} // namespace emulator::check
