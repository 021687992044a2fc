// SPDX-License-Identifier: Apache-2.0
//
// testp: tests the class of a floating-point number.  [PTX ISA, "testp"]
//
// In PTX a number is normal if it is not infinite, NaN or subnormal. So zeros are normal, on an H100, too.
#include "support/numbers/floating.hpp"

namespace emulator {
namespace {

template <class T>
bool finite_number(T a) {
  return !is_nan(a) && !is_infinite(a);
}
template <class T>
bool infinite(T a) {
  return is_infinite(a);
}
template <class T>
bool number(T a) {
  return !is_nan(a);
}
template <class T>
bool not_a_number(T a) {
  return is_nan(a);
}
template <class T>
bool normal(T a) {
  return finite_number(a) && !is_subnormal(a);
}
template <class T>
bool subnormal(T a) {
  return is_subnormal(a);
}

void decode(decoder& d) {
  std::string_view const kind = d.take_one_of({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  for_type<float, double>(d, take_number_type(d), [&]<class T> {
    if (kind == "finite") emit<finite_number<T>>(d);
    else if (kind == "infinite") emit<infinite<T>>(d);
    else if (kind == "number") emit<number<T>>(d);
    else if (kind == "notanumber") emit<not_a_number<T>>(d);
    else if (kind == "normal") emit<normal<T>>(d);
    else if (kind == "subnormal") emit<subnormal<T>>(d);
    else d.reject("needs .finite, .infinite, .number, .notanumber, .normal or .subnormal");
  });
}

definition const testp("testp", ".{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64}", decode);

} // namespace
} // namespace emulator
