// SPDX-License-Identifier: Apache-2.0
//
// externs: functions that PTX calls and CUDA provides: vprintf, __assertfail, malloc, free.
// They get the host addresses of their parameters, then of their returns.
#pragma once

#include "thread.hpp"

#include <string_view>

namespace emulator {

/// Null where the emulator provides no function of this name.
void (*find_extern(std::string_view name))(thread&, std::uint64_t const*);

/// Where printf of kernels and the text of failed assertions go, one call per text; null: to stdout and stderr,
/// immediately. Any worker may call it, several at a time.
void set_print_sink(void (*sink)(std::string_view text, bool is_error));

} // namespace emulator
