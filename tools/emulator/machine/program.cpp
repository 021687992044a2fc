// SPDX-License-Identifier: Apache-2.0
//
// program: loading a module, and decoding a kernel with all that it can reach.
#include "program.hpp"
#include "externs.hpp"
#include "function_decoder.hpp"
#include "mode.hpp"
#include "observer.hpp"
#include "readable_name.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace emulator {
namespace {

std::unique_ptr<std::byte, void (*)(void*)> zeroed(std::uint64_t size, std::uint32_t alignment) {
  std::size_t const bytes = aligned(std::max<std::size_t>(size, 1), std::max(alignment, 256u));
  auto* const memory = static_cast<std::byte*>(std::aligned_alloc(std::max(alignment, 256u), bytes));
  if (!memory) throw std::bad_alloc();
  std::memset(memory, 0, bytes);
  return {memory, std::free};
}

/// Decodes one function. A rejection is kept with the function, because other kernels can reach it, too.
void decode(program& p, program::storage& s, loaded_function& f) {
  f.decoded = true;
  f.code.program = &p;
  f.code.self = &f.code;
  try {
    if (!f.code.source->has_body) {
      f.code.name = f.code.source->name;
      f.code.host = find_extern(f.code.name);
      if (!f.code.host) {
        throw ptx::rejected(p.module(), f.code.source->at,
                            std::string(f.code.name) +
                                " has no body in this module, and the emulator provides none; link "
                                "the file that defines it");
      }
      for (std::size_t i = 0; i < f.code.source->parameters.size() + f.code.source->returns.size(); ++i)
        f.code.parameter_slots.push_back(slot(i));
      f.code.image.assign(f.code.parameter_slots.size(), 0);
      f.code.registers = std::uint32_t(f.code.image.size());
      return;
    }
    function_decoder(p, s, f, const_cast<ptx::function&>(*f.code.source)).decode();
  } catch (ptx::rejected const& why) {
    f.rejection = why;
  }
}

/// All that a kernel can reach, decoded.
std::vector<loaded_function*> closure(program& p, program::storage& s, loaded_function& kernel) {
  std::vector<loaded_function*> reached{&kernel};
  auto const add = [&](std::vector<loaded_function*> const& more) {
    for (loaded_function* const f : more)
      if (std::find(reached.begin(), reached.end(), f) == reached.end()) reached.push_back(f);
  };
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]->decoded) decode(p, s, *reached[i]);
    add(reached[i]->calls);
    if (reached[i]->calls_by_address) add(s.in_initializers);
  }
  return reached;
}

/// Static variables one after the other, the largest alignment first; dynamic ones all where those end.
void lay_out_shared(program::storage const& s, function& kernel, std::vector<loaded_function*> const& reached) {
  std::vector<std::uint32_t> used;
  for (auto const* const f : reached) used.insert(used.end(), f->shared.begin(), f->shared.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  kernel.shared_offsets.assign(s.shared.size(), ~std::uint32_t(0));
  std::sort(used.begin(), used.end(),
            [&](auto a, auto b) { return std::pair(s.shared[b].alignment, a) < std::pair(s.shared[a].alignment, b); });
  std::uint64_t end = 0;
  std::uint32_t dynamic_alignment = 16;
  for (std::uint32_t const number : used) {
    shared_variable const& v = s.shared[number];
    if (v.dynamic) {
      dynamic_alignment = std::max(dynamic_alignment, v.alignment);
      continue;
    }
    end = aligned(end, v.alignment);
    kernel.shared_offsets[number] = std::uint32_t(end);
    end += v.size;
  }
  end = aligned(end, dynamic_alignment);
  for (std::uint32_t const number : used)
    if (s.shared[number].dynamic) kernel.shared_offsets[number] = std::uint32_t(end);
  kernel.shared_bytes = std::uint32_t(end);
}

} // namespace

loaded_function* program::storage::find(program& p, std::string_view name) {
  if (auto const known = functions.find(name); known != functions.end()) return known->second.get();
  ptx::function* const source = p.module().find(name);
  if (!source) return nullptr;
  auto f = std::make_unique<loaded_function>();
  f->code.source = source;
  return functions.emplace(source->name, std::move(f)).first->second.get();
}

program::program(std::unique_ptr<ptx::module> m) : module_(std::move(m)), storage_(std::make_unique<storage>()) {
  storage& s = *storage_;
  for (ptx::variable const& v : module_->variables) {
    bool const is_extern = v.linkage == ".extern";
    switch (v.where) {
    case ptx::space::global:
    case ptx::space::constant: {
      if (is_extern || s.variables.contains(v.name)) break;
      std::uint64_t const size = bytes_of(v);
      s.variables.emplace(v.name, global_variable{&v, zeroed(size, alignment_of(v)), size});
      break;
    }
    case ptx::space::shared:
      if (!s.shared_names.emplace(v.name, std::uint32_t(s.shared.size())).second) break;
      s.shared.push_back({v.name, bytes_of(v), alignment_of(v), is_extern});
      break;
    default:
      throw ptx::rejected(*module_, v.at, "variable " + std::string(v.name) + " is in no memory that modules have");
    }
  }
  for (auto& [name, variable] : s.variables) initialize(*this, s, variable);
  if (!is_checked_run()) return;
  for (auto& [name, variable] : s.variables)
    the_observer().host_allocated(variable.memory.get(), variable.size, readable_name(name), false);
}

program::~program() {
  if (!is_checked_run()) return;
  for (auto& [name, variable] : storage_->variables) the_observer().host_freed(variable.memory.get());
}

function const* program::kernel(std::string_view name) {
  storage& s = *storage_;
  std::lock_guard const lock(s.mutex);
  loaded_function* const kernel = s.find(*this, name);
  if (!kernel || !kernel->code.source->is_entry || !kernel->code.source->has_body) return nullptr;
  if (kernel->finished) return &kernel->code;
  auto const reached = closure(*this, s, *kernel);
  for (auto const* const f : reached)
    if (f->rejection) throw *f->rejection;
  lay_out_shared(s, kernel->code, reached);
  for (auto const* const f : reached) kernel->code.reads_reserved_shared |= f->code.reads_reserved_shared;
  kernel->finished = true;
  return &kernel->code;
}

std::string program::shared_name(function const& kernel, std::uint32_t offset) const {
  std::lock_guard const lock(storage_->mutex);
  for (std::size_t i = 0; i < kernel.shared_offsets.size(); ++i) {
    shared_variable const& v = storage_->shared[i];
    std::uint32_t const begin = kernel.shared_offsets[i];
    if (begin > offset || (!v.dynamic && offset - begin >= v.size)) continue;
    return readable_name(v.name) + (offset == begin ? "" : " + " + std::to_string(offset - begin));
  }
  return "at byte " + std::to_string(offset) + " of shared memory";
}

void* program::variable(std::string_view name, std::size_t& size) {
  auto const found = storage_->variables.find(name);
  if (found == storage_->variables.end()) return nullptr;
  size = found->second.size;
  return found->second.memory.get();
}

} // namespace emulator
