// SPDX-License-Identifier: Apache-2.0
//
// initializer: from what a module says about a variable's first value to its memory: addresses are known now.
#include "../ptx/initializer.hpp"
#include "loaded.hpp"

#include <cstring>

namespace emulator {

void initialize(program& owner, program::storage& s, global_variable& variable) {
  auto const& v = *variable.declaration;
  for (ptx::initial_value const& value : ptx::initial_values(owner.module(), v)) {
    std::uint64_t address = 0;
    if (auto const found = s.variables.find(value.symbol); found != s.variables.end()) {
      address = std::uint64_t(found->second.memory.get());
    } else if (loaded_function* const f = value.symbol.empty() ? nullptr : s.find(owner, value.symbol)) {
      s.in_initializers.push_back(f);
      address = std::uint64_t(&f->code);
    } else if (!value.symbol.empty()) {
      throw ptx::rejected(owner.module(), v.at,
                          "the value of " + std::string(v.name) + " has the address of " + std::string(value.symbol) +
                              ", which is neither a .global or .const variable nor a function of this module");
    }
    std::uint64_t const bits = ptx::bits_in_memory(value, address);
    if (value.size > 8 || value.offset + std::uint64_t(value.size) > variable.size) {
      throw ptx::rejected(owner.module(), v.at, "the value of " + std::string(v.name) + " does not fit into it");
    }
    std::memcpy(variable.memory.get() + value.offset, &bits, std::size_t(value.size));
  }
}

} // namespace emulator
