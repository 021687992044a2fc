// SPDX-License-Identifier: Apache-2.0
//
// tensormap: changes a field of a tensor map; copies a map from shared to global memory and releases it to the proxy
// that reads maps.  [PTX ISA, "tensormap.replace", "tensormap.cp_fenceproxy"]
#include "../machine/observer.hpp"
#include "support/copies/tensor_map.hpp"
#include "support/memory/access.hpp"
#include "support/memory/address_operand.hpp"
#include "support/memory/qualifiers.hpp"
#include "support/waiting/lanes.hpp"

namespace emulator {

namespace {

enum class field : u8 {
  global_address,
  rank,
  box_dim,
  global_dim,
  global_stride,
  element_stride,
  elemtype,
  interleave_layout,
  swizzle_mode,
  fill_mode
};
constexpr std::string_view fields[] = {"global_address", "rank",           "box_dim",  "global_dim",
                                       "global_stride",  "element_stride", "elemtype", "interleave_layout",
                                       "swizzle_mode",   "fill_mode"};

struct replacement {
  address_operand map;
  field what;
  int index = 0; ///< of a dimension
  slot value = 0;
};

/// The numbers of .elemtype are not those of the driver.
constexpr tensor_type types[] = {tensor_type::u8,      tensor_type::u16, tensor_type::u32,  tensor_type::s32,
                                 tensor_type::u64,     tensor_type::s64, tensor_type::f16,  tensor_type::f32,
                                 tensor_type::f32_ftz, tensor_type::f64, tensor_type::bf16, tensor_type::tf32,
                                 tensor_type::tf32_ftz};

void replace(tensor_map& m, replacement const& c, u64 value) {
  std::size_t const i = std::size_t(c.index);
  switch (c.what) {
  case field::global_address: m.address = value; break;
  case field::rank: m.rank = u8(value + 1); break; // the operand is one less
  case field::box_dim: m.box[i] = u16(value); break;
  case field::global_dim: m.extent[i] = u32(value); break;
  case field::global_stride: m.stride[i] = value; break;
  case field::element_stride: m.step[i] = u8(value); break;
  case field::elemtype: m.type = types[value]; break;
  case field::interleave_layout: m.interleave = tensor_interleave(value); break;
  case field::swizzle_mode: m.swizzle = tensor_swizzle(value); break;
  case field::fill_mode: m.fills_with_nan = value != 0; break;
  }
}

tensor_map read_map(thread const& t, std::byte const* where, char const* instruction) {
  tensor_map m;
  std::memcpy(&m, where, sizeof(m));
  if (m.mark != tensor_map::marked)
    fail(t, error_illegal_instruction,
         std::string(instruction) + ": the 128 bytes at the address are no tensor map; copy one that "
                                    "cuTensorMapEncodeTiled made to this place first");
  return m;
}

struct replaces {
  template <class Access>
  static void run(thread& t, std::uint64_t* r, operation const& o) {
    auto const& c = *static_cast<replacement const*>(o.pointer);
    std::byte* const where = c.map.at(t, r, sizeof(tensor_map), 64);
    tensor_map m = read_map(t, where, "tensormap.replace");
    replace(m, c,
            c.what == field::global_address || c.what == field::global_stride ? r[c.value] : get<u32>(r, c.value));
    std::array<u64, sizeof(m) / 8> words;
    std::memcpy(words.data(), &m, sizeof(m));
    for (std::size_t i = 0; i < words.size(); ++i)
      if (i == 0 || std::memcmp(where + 8 * i, &words[i], 8) != 0)
        Access::template store<__ATOMIC_RELAXED>(t, o, where + 8 * i, words[i]);
  }
};

void decode_replace(decoder& d) {
  needs_sm(d, 90, "tensormap.replace");
  if (!d.take("tile") || !d.take("b1024")) d.reject("knows .replace.tile and .b1024 only");
  bool const shared = d.take("shared::cta");
  if (!shared) d.take("global");
  std::string_view name;
  replacement c{.map = {d.address(0), shared}, .what = {}};
  for (std::size_t i = 0; i < std::size(fields); ++i)
    if (d.take(fields[i])) name = fields[i], c.what = field(i);
  if (name.empty()) d.reject("names no field that the emulator knows");
  bool const wide = c.what == field::global_address || c.what == field::global_stride;
  ptx::scalar const type = d.take_type({wide ? ptx::scalar::b64 : ptx::scalar::b32});
  bool const has_index = c.what >= field::box_dim && c.what <= field::element_stride;
  if (has_index) c.index = int(d.constant(1));
  if (c.index < 0 || c.index > (c.what == field::global_stride ? 3 : 4)) d.reject("there is no such dimension");
  if (c.what >= field::elemtype) {
    std::int64_t const value = d.constant(1);
    constexpr std::int64_t most[] = {12, 2, 3, 1};
    if (value < 0 || value > most[u8(c.what) - u8(field::elemtype)])
      d.reject("the emulator knows no ." + std::string(name) + " " + std::to_string(value));
  }
  c.value = d.source(has_index ? 2 : 1, type);
  auto& o = d.emit(access_handler<replaces>(is_checked_run()));
  o.pointer = d.keep(c);
  o.extra = ordering{}.packed();
}

struct publication {
  address_operand to, from;
  emulator::scope scope;
};

/// One lane copies for all, between two meetings of the lanes.
void publish(warp& w, u32 lanes) {
  thread& t = *w.threads[std::size_t(std::countr_zero(lanes))];
  auto const& c = *static_cast<publication const*>(t.pc->pointer);
  std::byte* const to = c.to.at(t, t.frame->registers, sizeof(tensor_map), 128);
  std::byte const* const from = c.from.at(t, t.frame->registers, sizeof(tensor_map), 128);
  read_map(t, from, "tensormap.cp_fenceproxy");
  if (is_checked_run()) the_observer().lanes_meet(w, lanes);
  for (std::size_t i = 0; i < sizeof(tensor_map); i += 8) {
    u64 word;
    if (is_checked_run()) {
      the_memory_observer().load(t, from + i, 8, {}, &word, 0);
      the_memory_observer().store(t, to + i, 8, {}, &word, 0);
    } else write<__ATOMIC_RELAXED>(to + i, read<__ATOMIC_RELAXED, u64>(from + i));
  }
  if (!is_checked_run()) return __atomic_thread_fence(__ATOMIC_RELEASE);
  the_memory_observer().tensor_map_release(t, c.scope);
  the_memory_observer().fence(t, semantics::release, c.scope, false, false);
  the_observer().lanes_meet(w, lanes);
}

void decode_publish(decoder& d) {
  needs_sm(d, 90, "tensormap.cp_fenceproxy");
  require_sync(d);
  bool const fits = d.take("aligned") && d.take("global") && d.take("shared::cta") && d.take("tensormap::generic") &&
                    d.take("release");
  if (!fits) d.reject("is .cp_fenceproxy.global.shared::cta.tensormap::generic.release.SCOPE.sync.aligned");
  publication const c{{d.address(0), false}, {d.address(1), true}, take_scope(d)};
  if (c.scope == scope::none) d.reject("needs a scope");
  if (d.constant(2) != sizeof(tensor_map)) d.reject("the size of a tensor map is 128");
  emit_meeting<publish>(d, d.slot_of(~u32(0))).pointer = d.keep(c);
}

void decode(decoder& d) {
  if (d.take("replace")) return decode_replace(d);
  if (!d.take("cp_fenceproxy")) d.reject("is .replace or .cp_fenceproxy");
  decode_publish(d);
}

definition const tensormap("tensormap",
                           ".replace.tile: .global_address .rank .box_dim .global_dim .global_stride .element_stride "
                           ".elemtype .interleave_layout .swizzle_mode .fill_mode; generic .global .shared::cta; "
                           ".cp_fenceproxy",
                           decode);

} // namespace

} // namespace emulator
