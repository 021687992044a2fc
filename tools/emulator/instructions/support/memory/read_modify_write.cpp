// SPDX-License-Identifier: Apache-2.0
//
// read_modify_write: choosing the function.
#include "read_modify_write.hpp"

namespace emulator {

namespace {

template <class Where, class Operation, bool Returns>
struct update_one {
  template <class Access>
  static void run(thread& t, std::uint64_t* r, operation const& o) {
    using type = typename Operation::type;
    std::byte* const where = locate<Where>(t, r[o.a] + u64(o.offset), sizeof(type));
    type const before = apply<Access, Where, Operation, Returns>(t, o, where, get<type>(r, o.b));
    if constexpr (Returns) put(r, o.d, before);
  }
};

template <class Where, class Operation, bool Returns>
struct update_vector {
  template <class Access>
  static void run(thread& t, std::uint64_t* r, operation const& o) {
    using type = typename Operation::type;
    auto const& v = *static_cast<vector_update const*>(o.pointer);
    std::byte* const where = locate<Where>(t, r[o.a] + u64(v.offset), sizeof(type) * u64(v.count));
    type before[8];
    for (int i = 0; i < v.count; ++i)
      before[i] =
          apply<Access, Where, Operation, Returns>(t, o, where + sizeof(type) * u64(i), get<type>(r, v.operands[i]));
    if constexpr (Returns)
      for (int i = 0; i < v.count; ++i) put(r, v.destinations[i], before[i]);
  }
};

template <class Where, class Operation>
void emit(decoder& d, ordering order, int count, ptx::scalar type, std::size_t index) {
  memory_operand const address = d.address(index);
  if (count == 1) {
    slot const operand = d.source(index + 1, type);
    handler const run = index ? access_handler<update_one<Where, Operation, true>>(is_checked_run())
                              : access_handler<update_one<Where, Operation, false>>(is_checked_run());
    auto& o = d.emit(run, index ? d.destination(0) : 0, address.base, operand);
    o.offset = address.offset;
    o.extra = order.packed();
    return;
  }
  vector_update v{address.offset, count, {}, {}};
  for_each_part(d, index + 1, count, [&](int i, ptx::operand const& part) { v.operands[i] = d.source(part, type); });
  if (index)
    for_each_part(d, 0, count, [&](int i, ptx::operand const& part) { v.destinations[i] = d.destination(part); });
  handler const run = index ? access_handler<update_vector<Where, Operation, true>>(is_checked_run())
                            : access_handler<update_vector<Where, Operation, false>>(is_checked_run());
  auto& o = d.emit(run, 0, address.base);
  o.pointer = d.keep(v);
  o.extra = order.packed();
}

bool is_16_bits(ptx::scalar type) {
  using enum ptx::scalar;
  return type == f16 || type == f16x2 || type == bf16 || type == bf16x2;
}

/// What PTX requires of vectors, and of the types that need .noftz.
void check_forms(decoder& d, ordering order, int count, std::string_view name, ptx::scalar type, bool noftz) {
  if (noftz != is_16_bits(type)) d.reject(".noftz belongs to .f16, .bf16 and their pairs, which need it");
  if (type == ptx::scalar::b128) needs_sm(d, 90, ".b128");
  if (type == ptx::scalar::bf16 || type == ptx::scalar::bf16x2) needs_sm(d, 90, ".bf16");
  if (type == ptx::scalar::s64 && name == "add") d.reject("add has no .s64: write .u64");
  if (count == 1) {
    if (is_16_bits(type) && name != "add") d.reject("minima and maxima of 16-bit numbers need a vector");
    return;
  }
  needs_sm(d, 90, "a vector");
  if (order.space == ptx::space::shared) d.reject("vectors are for global memory");
  if (type != ptx::scalar::f32 && !is_16_bits(type))
    d.reject("vectors have elements .f32, .f16, .bf16 or pairs of these");
  if (count * ptx::size_of(type) > 16) d.reject("a vector has at most 16 bytes");
}

void emit_named(decoder& d, ordering order, int count, std::string_view name, ptx::scalar type, std::size_t index) {
  bool const known = atomic::with_operation(name, type, [&]<class Operation> {
    if (order.space == ptx::space::shared) emit<shared_address, Operation>(d, order, count, type, index);
    else emit<host_address, Operation>(d, order, count, type, index);
  });
  if (!known) d.reject("." + std::string(name) + " has no such type");
}

} // namespace

void emit_read_modify_write(decoder& d, ordering order, std::size_t index) {
  std::string_view const name = d.take_one_of({"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch"});
  if (name.empty())
    d.reject("names no operation: .add, .min, .max, .inc, .dec, .and, .or, .xor, or for atom .exch, .cas");
  if (name == "exch" && !index) d.reject("an exchange returns a value: use atom");
  bool const noftz = d.take("noftz");
  int const count = take_vector(d);
  ptx::scalar const type = d.take_type();
  check_forms(d, order, count, name, type, noftz);
  emit_named(d, order, count, name, type, index);
}

void emit_reduction(decoder& d, ordering order, std::string_view name, ptx::scalar type) {
  emit_named(d, order, 1, name, type, 0);
}

} // namespace emulator
