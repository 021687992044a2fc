// SPDX-License-Identifier: Apache-2.0
//
// qualifiers: the modifiers that instructions on memory have in common: state space, semantics, scope, caches.
#pragma once

#include "memory.hpp"

#include <string>

namespace emulator {

/// Takes .global, .shared::cluster and similar; none for a generic address. Rejects what is not in `allowed`.
ptx::space take_space(decoder&, std::initializer_list<ptx::space> allowed);

/// Takes .cta .cluster .gpu .sys; none if there is none.
scope take_scope(decoder&);

/// Takes .weak .volatile .relaxed .acquire .release .acq_rel .mmio and the scope of a load or store.
/// `strong`: the semantics that the instruction allows in addition to .weak and .relaxed: acquire or release.
ordering take_access(decoder&, semantics strong, std::initializer_list<ptx::space> allowed);

/// Takes the semantics and scope of an atomic operation; .relaxed and .gpu if none are written.
ordering take_atomic(decoder&, std::initializer_list<semantics> strong, std::initializer_list<ptx::space> allowed);

/// Takes hints to the caches, which change no result: cache operators, eviction priorities, prefetch sizes.
/// Returns: whether .L2::cache_hint was among them: the instruction's last operand is then a cache policy
bool take_cache_hints(decoder&, std::initializer_list<std::string_view> cache_operators = {});
/// Marks the cache policy as used: it is read and has no effect.
void take_cache_policy(decoder&, std::size_t index);

/// Takes .v2 .v4 .v8; returns 1 if there is none.
int take_vector(decoder&);

/// Calls f for the register, or for the registers in braces, of which there must be `count`.
void for_each_part(decoder&, std::size_t index, int count, void (*f)(void*, int, ptx::operand const&), void* data);
template <class F>
void for_each_part(decoder& d, std::size_t index, int count, F f) {
  for_each_part(
      d, index, count, [](void* data, int i, ptx::operand const& part) { (*static_cast<F*>(data))(i, part); }, &f);
}

void needs_sm(decoder&, int sm, std::string_view what);
void needs_operands(decoder&, std::size_t least, std::size_t most);

} // namespace emulator
