// SPDX-License-Identifier: Apache-2.0
//
// selp: one of two values, selected by a predicate.  [PTX ISA, "selp"]
#include "support/numbers/function.hpp"

namespace emulator {
namespace {

template <class T>
T selected(T a, T b, bool p) {
  return p ? a : b;
}

void decode(decoder& d) {
  scalar const type = d.take_type({scalar::b16, scalar::b32, scalar::b64, scalar::u16, scalar::u32, scalar::u64,
                                   scalar::s16, scalar::s32, scalar::s64, scalar::f32, scalar::f64});
  slot const a = d.source(1, type), b = d.source(2, type), p = d.source(3, scalar::pred);
  int const size = ptx::size_of(type);
  d.emit(size == 2   ? function_handler<selected<u16>>
         : size == 4 ? function_handler<selected<u32>>
                     : function_handler<selected<u64>>,
         d.destination(0), a, b, p);
}

definition const selp("selp", ".{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}", decode);

} // namespace
} // namespace emulator
