// SPDX-License-Identifier: Apache-2.0
//
// slct: one of two values, selected by the sign of a third; a NaN selects the second.  [PTX ISA, "slct"]
#include "support/numbers/floating.hpp"

namespace emulator {
namespace {

template <class T>
T by_integer(T a, T b, s32 c) {
  return c >= 0 ? a : b;
}
template <class T>
T by_float(mode m, T a, T b, float c) {
  return flushed(m, c) >= 0 ? a : b;
}

void decode(decoder& d) {
  mode m;
  m.ftz = d.take("ftz");
  scalar const type = d.take_type({scalar::b16, scalar::b32, scalar::b64, scalar::u16, scalar::u32, scalar::u64,
                                   scalar::s16, scalar::s32, scalar::s64, scalar::f32, scalar::f64});
  scalar const chooser = d.take_type({scalar::s32, scalar::f32});
  if (m.ftz && chooser != scalar::f32) d.reject(".ftz needs a choice by .f32");
  slot const a = d.source(1, type), b = d.source(2, type), c = d.source(3, chooser);
  auto const choose = [&]<class T> {
    d.emit(chooser == scalar::s32 ? function_handler<by_integer<T>> : function_handler<by_float<T>>, d.destination(0),
           a, b, c)
        .extra = m.bits();
  };
  int const size = ptx::size_of(type);
  if (size == 2) choose.template operator()<u16>();
  else if (size == 4) choose.template operator()<u32>();
  else choose.template operator()<u64>();
}

definition const slct("slct", ".{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.s32; {.ftz}.sameTypes.f32", decode);

} // namespace
} // namespace emulator
