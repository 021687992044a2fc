// SPDX-License-Identifier: Apache-2.0
//
// asynchronous_store: st.async and red.async, for st.cpp and red.cpp: a write to the shared memory of the cluster that
// tells an mbarrier, or one to global memory with release.  [PTX ISA, "st.async", "red.async"]
#include "../../../machine/grid.hpp"
#include "../memory/access.hpp"
#include "../memory/address_operand.hpp"
#include "../memory/read_modify_write.hpp"
#include "../memory/store.hpp"
#include "asynchronous.hpp"

namespace emulator {

namespace {

struct asynchronous_store {
  address_operand to, barrier;
  int count = 1;
  u32 element = 4; ///< bytes
  slot values[4]{};
  void (*reduce)(std::byte* to, std::byte const* from, u32 size) = nullptr;
};

/// PTX does not say so: on an H100 these instructions, also to the own block, are illegal ones where the launch names
/// no size of clusters. A size of one block is enough.
void check_is_clustered(thread const& t, asynchronous_store const& s) {
  if (t.block->grid->launch.is_clustered()) [[likely]]
    return;
  std::string const name = s.reduce ? "red.async" : "st.async";
  fail(t, error_illegal_instruction,
       name +
           " in a kernel that is not launched as clusters, where it is an illegal instruction of a GPU; launch the "
           "kernel with cudaLaunchAttributeClusterDimension (cudax::launch_cluster), be it of one block, or use " +
           (s.reduce ? "red" : "st") + " and an arrival at the mbarrier");
}

void run(thread& t, std::uint64_t* r, operation const& o) {
  auto const& s = *static_cast<asynchronous_store const*>(o.pointer);
  check_is_clustered(t, s);
  u32 const size = u32(s.count) * s.element;
  asynchronous_write w{.to = s.to.at(t, r, size, size), .size = size, .unit = s.element, .reduce = s.reduce};
  for (int i = 0; i < s.count; ++i) std::memcpy(w.value.data() + u32(i) * s.element, r + s.values[i], s.element);
  w.barrier = mbarrier_at(t, r, s.barrier);
  issue(t, w);
}

asynchronous_store take_places(decoder& d) {
  bool const shared = d.take("shared::cluster");
  return {.to = {d.address(0), shared}, .barrier = {d.address(2), shared}};
}

template <class Operation>
void reduce(std::byte* to, std::byte const* from, u32) {
  typename Operation::type operand;
  std::memcpy(&operand, from, sizeof(operand));
  Operation::apply(to, operand);
}

/// The form with .release: it is made at once, and is then the instruction without .async.
ordering take_release(decoder& d) {
  needs_sm(d, 100, "an asynchronous write to global memory");
  ordering o;
  bool const mmio = d.take("mmio");
  d.take("global");
  o.space = ptx::space::global;
  o.semantics = semantics::release;
  o.scope = take_scope(d);
  if (o.scope != scope::gpu && o.scope != scope::sys) d.reject("needs .gpu or .sys");
  if (mmio && o.scope != scope::sys) d.reject(".mmio needs .sys");
  return o;
}

} // namespace

void decode_st_async(decoder& d) {
  needs_sm(d, 90, ".async");
  if (d.take("release")) {
    ordering const order = take_release(d);
    return emit_store(d, order, 1, d.take_type());
  }
  d.take("weak");
  if (!d.take("mbarrier::complete_tx::bytes")) d.reject("needs .mbarrier::complete_tx::bytes or .release");
  asynchronous_store s = take_places(d);
  using ptx::scalar;
  s.count = take_vector(d);
  scalar const type = d.take_type(
      {scalar::b32, scalar::b64, scalar::u32, scalar::u64, scalar::s32, scalar::s64, scalar::f32, scalar::f64});
  s.element = u32(ptx::size_of(type));
  if (u32(s.count) * s.element > 16) d.reject("a vector has at most 16 bytes");
  for_each_part(d, 1, s.count, [&](int i, ptx::operand const& part) { s.values[i] = d.source(part, type); });
  d.emit(interruptible_handler<run>()).pointer = d.keep(s);
}

void decode_red_async(decoder& d) {
  needs_sm(d, 90, ".async");
  if (d.take("release")) {
    ordering const order = take_release(d);
    bool const add = d.take("add");
    ptx::scalar const type = d.take_type({ptx::scalar::u32, ptx::scalar::s32, ptx::scalar::u64, ptx::scalar::s64});
    if (!add) d.reject("knows .add only");
    return emit_reduction(d, order, "add", type);
  }
  if (!d.take("relaxed") || take_scope(d) != scope::cluster) d.reject("needs .relaxed.cluster or .release");
  if (!d.take("mbarrier::complete_tx::bytes")) d.reject("needs .mbarrier::complete_tx::bytes");
  asynchronous_store s = take_places(d);
  std::string_view const name = d.take_one_of({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
  ptx::scalar const type =
      d.take_type({ptx::scalar::b32, ptx::scalar::u32, ptx::scalar::s32, ptx::scalar::u64, ptx::scalar::s64});
  s.element = u32(ptx::size_of(type));
  bool const wide_sum = name == "add" && (type == ptx::scalar::u64 || type == ptx::scalar::s64);
  bool const known = atomic::with_operation(name, type, [&]<class Operation> { s.reduce = reduce<Operation>; });
  if (!known || (s.element != 4 && !wide_sum)) d.reject("." + std::string(name) + " has no such type");
  s.values[0] = d.source(1, type);
  d.emit(interruptible_handler<run>()).pointer = d.keep(s);
}

} // namespace emulator
