// SPDX-License-Identifier: Apache-2.0
//
// select: from the run-time integers of the boundary to the template parameters of a PTX function.
//
// An entry passes its operation twice: `ptx`, a lambda that takes the qualifiers, and `plain`, the operation on memory
// that no other thread can reach. After inlining every switch here folds.
//
// Orders are lowered as memory orders are mapped to PTX (arch/README.md, "Lowering"):
//   load   seq_cst     fence.sc; ld.acquire       (a relaxed load after the fence would allow MP+sc+sc)
//   store  seq_cst     fence.sc; st.relaxed       (C++20's release sequences need no more)
//   rmw    seq_cst     fence.sc; atom.acquire
//   reduce seq_cst     fence.sc; red.relaxed
//   consume            as acquire
//
// Loads and stores of 1 to 8 bytes get their state space from the back end, which uses the generic form where it does
// not know the space. The others are asm, and ask whether the optimiser knows the space of the pointer (a kernel's
// parameter, a __shared__ object, a local variable); only the device link can tell, after it has inlined the entry into
// the kernel (arch/README.md, "The state space of all else"). Where it does not know, the generic form serves global
// memory and every block's shared memory. Local memory may need a query at run time: see unknown_space.
#pragma once

#include "ptx.hpp"
#include "stop.hpp"
#include "target.hpp" // generated: arch/target.hpp.in

#pragma clang force_cuda_host_device begin

namespace cudax::arch {

/// The integers of the boundary: the values of cudax::memory_order and cudax::thread_scope.
enum memory_order : int { relaxed, consume, acquire, release, acq_rel, seq_cst };
enum thread_scope : int { scope_system, scope_device, scope_block, scope_thread, scope_cluster };

/// Calls f.operator()<Scope>() for a scope of the boundary. Thread scope never reaches arch/: the module uses
/// plain accesses for it.
template <class F>
auto with_scope(int thread_scope, F f) {
  switch (thread_scope) {
  default:
    stop("cudax.sync: thread scope %lld does not exist; use an enumerator of cudax::thread_scope\n", thread_scope);
    [[fallthrough]];
  case scope_system: return f.template operator()<scope::sys>();
  case scope_device: return f.template operator()<scope::gpu>();
  case scope_cluster: return f.template operator()<target::cluster_scope>();
  case scope_block: return f.template operator()<scope::cta>();
  }
}

/// Calls f.operator()<Op>() for the operation of an asynchronous reduction.
template <class F>
void with_operation(int operation, F f) {
  switch (reduction(operation)) {
  case reduction::add: return f.template operator()<reduction::add>();
  case reduction::min: return f.template operator()<reduction::min>();
  case reduction::max: return f.template operator()<reduction::max>();
  case reduction::inc: return f.template operator()<reduction::inc>();
  case reduction::dec: return f.template operator()<reduction::dec>();
  case reduction::bit_and: return f.template operator()<reduction::bit_and>();
  case reduction::bit_or: return f.template operator()<reduction::bit_or>();
  case reduction::bit_xor: return f.template operator()<reduction::bit_xor>();
  default: stop("cudax.sync: asynchronous reduction: the operation %lld does not exist\n", operation);
  }
}

/// Calls f.operator()<Op, Type>() for integers of the boundary. Has(Op, Type) says which pairs PTX has.
template <auto Has, class F>
void with_reduction(int operation, int type, F f) {
  with_operation(operation, [=]<reduction Op>() {
    auto const on = [=]<element Type>() {
      if constexpr (Has(Op, Type)) f.template operator()<Op, Type>();
      else stop("cudax.sync: asynchronous reduction: PTX has no such operation for the type %lld\n", int(Type));
    };
    switch (element(type)) {
    case element::u32: return on.template operator()<element::u32>();
    case element::s32: return on.template operator()<element::s32>();
    case element::u64: return on.template operator()<element::u64>();
    case element::s64: return on.template operator()<element::s64>();
    case element::f32: return on.template operator()<element::f32>();
    case element::f64: return on.template operator()<element::f64>();
    case element::f16: return on.template operator()<element::f16>();
    case element::bf16: return on.template operator()<element::bf16>();
    default: stop("cudax.sync: asynchronous reduction: the type %lld does not exist\n", type);
    }
  });
}

/// Calls f.operator()<N>() with N = min(pending, 8). A smaller N than `pending` waits for more groups than required,
/// which is correct.
template <class F>
void with_pending(u32 pending, F f) {
  switch (pending) {
  case 0: return f.template operator()<0>();
  case 1: return f.template operator()<1>();
  case 2: return f.template operator()<2>();
  case 3: return f.template operator()<3>();
  case 4: return f.template operator()<4>();
  case 5: return f.template operator()<5>();
  case 6: return f.template operator()<6>();
  case 7: return f.template operator()<7>();
  default: return f.template operator()<8>();
  }
}

/// Calls f.operator()<Count>() for a number of registers: a multiple of 8 from 24 to 256.
template <u32 Count = 24, class F>
void with_registers(u32 count, F f) {
  if (count == Count) f.template operator()<Count>();
  else if constexpr (Count < 256) with_registers<Count + 8>(count, f);
  else stop("cudax.sync: setmaxnreg: %lld registers; use a multiple of 8 from 24 to 256\n", count);
}

/// Calls f.operator()<Eviction>() for a priority of the L2 cache.
template <class F>
void with_eviction(u32 which, F f) {
  switch (eviction(which)) {
  case eviction::first: return f.template operator()<eviction::first>();
  case eviction::normal: return f.template operator()<eviction::normal>();
  case eviction::last: return f.template operator()<eviction::last>();
  case eviction::unchanged: return f.template operator()<eviction::unchanged>();
  default: stop("cudax.sync: cache policies: the eviction %lld does not exist\n", which);
  }
}

/// Calls f.operator()<Rank>() for the rank of a tensor.
template <class F>
void with_rank(u32 rank, F f) {
  switch (rank) {
  case 1: return f.template operator()<1>();
  case 2: return f.template operator()<2>();
  case 3: return f.template operator()<3>();
  case 4: return f.template operator()<4>();
  case 5: return f.template operator()<5>();
  default: stop("cudax.sync: copies of tensors: the rank %lld is not 1 to 5\n", rank);
  }
}

/// Calls f.operator()<Options>() for the options of a copy, which are some of those in Allowed.
template <u32 Allowed, u32 Options = Allowed, class F>
void with_options(u32 options, F f) {
  if (options == Options) f.template operator()<Options>();
  else if constexpr (Options != 0) with_options<Allowed, (Options - 1) & Allowed>(options, f);
  else stop("cudax.sync: copies: the options %lld are not all options of this copy\n", options);
}

/// Calls f.operator()<Rank, Options>() for a copy of a tile.
template <class F>
void with_tile(u32 rank, u32 options, F f) {
  if constexpr (!target::has_bulk_copy) return f.template operator()<1, 0>(); // any of them stops the kernel
  with_rank(rank, [=]<u32 Rank> {
    with_options<tensor_copy_options>(options, [=]<u32 Options> {
      if constexpr (Rank >= 3 || !(Options & copy_im2col)) f.template operator()<Rank, Options>();
      else stop("cudax.sync: copies of tensors: the rank %lld is not 3 to 5, as mode im2col requires\n", Rank);
    });
  });
}

/// Calls f.operator()<Dimension>() for a dimension of a tensor, 0 the innermost.
template <class F>
void with_dimension(u32 dimension, F f) {
  switch (dimension) {
  case 0: return f.template operator()<0>();
  case 1: return f.template operator()<1>();
  case 2: return f.template operator()<2>();
  case 3: return f.template operator()<3>();
  case 4: return f.template operator()<4>();
  default: stop("cudax.sync: tensor maps: the dimension %lld is not 0 to 4\n", dimension);
  }
}

/// Plain accesses to local memory. They may alias an object of any type.
template <class U>
U plain_load(void const* object) {
  typedef U __attribute__((may_alias)) word;
  return *static_cast<word const*>(object);
}
template <class U>
void plain_store(void* object, U value) {
  typedef U __attribute__((may_alias)) word;
  *static_cast<word*>(object) = value;
}
template <class U, class Modify>
U plain_fetch(void* object, Modify modify) {
  U const before = plain_load<U>(object);
  plain_store<U>(object, modify(before));
  return before;
}

/// What an operation does where the compiler does not know the state space of its object, which may be local memory.
enum class unknown_space {
  generic,     ///< the generic instruction, which serves local memory, too (where target::strong_access_to_local)
  query_local, ///< it queries local memory with isspacep: ptxas may combine lanes that use one address, and an
               ///< automatic object has the same address in all lanes; or the generic instruction is wrong there (16
               ///< bytes)
};

/// Calls f.operator()<Space>() for the state space of `object`, or plain() for local memory.
template <unknown_space Unknown, class Plain, class F>
auto with_space(void const* object, Plain plain, F f) {
  // One that the compiler does not know costs no instruction, since it is not used then.
  bool const global = target::isspacep_global(object);
  bool const local = target::isspacep_local(object);
  bool const shared = target::isspacep_shared(object);
  if (__builtin_constant_p(global) && global) return f.template operator()<space::global>();
  if (__builtin_constant_p(local) && local) return plain();
  if (__builtin_constant_p(shared) && shared) return f.template operator()<space::shared>();
  if ((Unknown == unknown_space::query_local || !target::strong_access_to_local) && local) return plain();
  return f.template operator()<space::generic>();
}

/// The same for a tensor map, which is in global or in shared memory: the generic form serves both.
template <class F>
void with_space_of_map(void const* map, F f) {
  bool const global = target::isspacep_global(map);
  bool const shared = target::isspacep_shared(map);
  if (__builtin_constant_p(global) && global) return f.template operator()<space::global>();
  if (__builtin_constant_p(shared) && shared) return f.template operator()<space::shared>();
  return f.template operator()<space::generic>();
}

/// The same for a load or store of `Word`. Up to 8 bytes, f.operator()<space::generic>() serves every state space, and
/// only some generations query for local memory.
template <class Word, class Plain, class F>
auto with_space_of_access(void const* object, Plain plain, F f) {
  if constexpr (sizeof(Word) > 8) {
    return with_space<unknown_space::query_local>(object, plain, f);
  } else {
    if (!target::strong_access_to_local && target::isspacep_local(object)) return plain();
    return f.template operator()<space::generic>();
  }
}

// An order that is known only at run time and that the operation does not allow stops the kernel. It does so in local
// memory, too, where no order has an effect.

inline void stop_load(int order) {
  stop("cudax.sync: load: memory order %lld is not allowed; use relaxed, consume, acquire or seq_cst "
       "[atomics.types.operations]\n",
       order);
}
inline void stop_store(int order) {
  stop("cudax.sync: store: memory order %lld is not allowed; use relaxed, release or seq_cst "
       "[atomics.types.operations]\n",
       order);
}
inline void stop_read_modify_write(int order) {
  stop("cudax.sync: read-modify-write: memory order %lld does not exist; use an enumerator of cudax::memory_order\n",
       order);
}

template <class Word, class Ptx>
Word load(void const* object, int order, int thread_scope, Ptx ptx) {
  auto const local = [=] {
    if (order != relaxed && order != consume && order != acquire && order != seq_cst) stop_load(order);
    return plain_load<Word>(object);
  };
  return with_space_of_access<Word>(object, local, [=]<space Space> {
    return with_scope(thread_scope, [=]<scope Scope> {
      switch (order) {
      default: stop_load(order); [[fallthrough]];
      case seq_cst: target::template fence_sc<Scope>(); [[fallthrough]];
      case acquire:
      case consume: return ptx.template operator()<qualifiers<sem::acquire, Scope, Space>>();
      case relaxed: return ptx.template operator()<qualifiers<sem::relaxed, Scope, Space>>();
      }
    });
  });
}

/// Calls `ptx` with the qualifiers of a store or a reduction, which have the same orders.
template <space Space, class Ptx>
void with_order_of_store(int order, int thread_scope, Ptx ptx) {
  with_scope(thread_scope, [=]<scope Scope> {
    switch (order) {
    default: stop_store(order); [[fallthrough]];
    case seq_cst: target::template fence_sc<Scope>(); [[fallthrough]];
    case relaxed: return ptx.template operator()<qualifiers<sem::relaxed, Scope, Space>>();
    case release: return ptx.template operator()<qualifiers<sem::release, Scope, Space>>();
    }
  });
}

template <class Word, class Ptx>
void store(void* object, Word value, int order, int thread_scope, Ptx ptx) {
  auto const local = [=] {
    if (order != relaxed && order != release && order != seq_cst) stop_store(order);
    plain_store<Word>(object, value);
  };
  with_space_of_access<Word>(object, local, [=]<space Space> { with_order_of_store<Space>(order, thread_scope, ptx); });
}

template <unknown_space Unknown, class Plain, class Ptx>
void reduce(void* object, int order, int thread_scope, Plain plain, Ptx ptx) {
  auto const local = [=] {
    if (order != relaxed && order != release && order != seq_cst) stop_store(order);
    plain();
  };
  with_space<Unknown>(object, local, [=]<space Space> { with_order_of_store<Space>(order, thread_scope, ptx); });
}

template <unknown_space Unknown, class Plain, class Ptx>
auto read_modify_write(void* object, int order, int thread_scope, Plain plain, Ptx ptx) {
  auto const local = [=] {
    if (order < relaxed || order > seq_cst) stop_read_modify_write(order);
    return plain();
  };
  return with_space<Unknown>(object, local, [=]<space Space> {
    return with_scope(thread_scope, [=]<scope Scope> {
      switch (order) {
      default: stop_read_modify_write(order); [[fallthrough]];
      case seq_cst: target::template fence_sc<Scope>(); [[fallthrough]];
      case acquire:
      case consume: return ptx.template operator()<qualifiers<sem::acquire, Scope, Space>>();
      case relaxed: return ptx.template operator()<qualifiers<sem::relaxed, Scope, Space>>();
      case release: return ptx.template operator()<qualifiers<sem::release, Scope, Space>>();
      case acq_rel: return ptx.template operator()<qualifiers<sem::acq_rel, Scope, Space>>();
      }
    });
  });
}

inline void fence(int order, int thread_scope) {
  with_scope(thread_scope, [=]<scope Scope> {
    switch (order) {
    default:
      stop("cudax.sync: fence: memory order %lld does not exist; use an enumerator of cudax::memory_order\n", order);
      [[fallthrough]];
    case seq_cst: return target::template fence_sc<Scope>();
    case acq_rel: return target::template fence_acq_rel<Scope>();
    case acquire:
    case consume: return target::template fence_acquire<Scope>();
    case release: return target::template fence_release<Scope>();
    case relaxed: return;
    }
  });
}

} // namespace cudax::arch

#pragma clang force_cuda_host_device end
