// SPDX-License-Identifier: Apache-2.0
//
// bits: the words that atomic instructions operate on, and how values convert to them and back.
//
// compare_exchange and wait compare value representations: padding bits are ignored, a NaN equals itself, and -0.0
// differs from 0.0. clang has no __builtin_clear_padding (https://github.com/llvm/llvm-project/issues/64830). Instead,
// `value_mask` finds the bits that hold the value: it walks the members with __builtin_dump_struct, which visits every
// member of every base and nested class, private members included. The walk only takes addresses, so it folds to a
// constant.
module;
#include "macros.hpp"
// Types of cuda_fp16.h and cuda_bf16.h, declared in the global module. A program that includes those headers completes
// them.
struct __half;
struct __nv_bfloat16;
export module cudax.sync:bits;

CUDAX_EVERYWHERE_BEGIN

namespace cudax {

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype((char*)0 - (char*)0);

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;
using u128 = unsigned __int128;

template <class T>
using remove_cv = __remove_cv(T);
template <class T, class U>
concept same_as = __is_same(T, U);

template <bool Condition, class Then, class Else>
struct choose_type {
  using type = Then;
};
template <class Then, class Else>
struct choose_type<false, Then, Else> {
  using type = Else;
};
template <bool Condition, class Then, class Else>
using choose = typename choose_type<Condition, Then, Else>::type;

/// U with the cv-qualifiers of T.
template <class T, class U>
struct copied_cv {
  using type = U;
};
template <class T, class U>
struct copied_cv<T const, U> {
  using type = U const;
};
template <class T, class U>
struct copied_cv<T volatile, U> {
  using type = U volatile;
};
template <class T, class U>
struct copied_cv<T const volatile, U> {
  using type = U const volatile;
};
template <class T, class U>
using copy_cv = typename copied_cv<T, U>::type;

// --- the kinds of value type ---------------------------------------------------------------------------------------

template <class T>
concept boolean = same_as<T, bool>;
template <class T>
concept integer = __is_integral(T) && !boolean<T>;
template <class T>
concept pointer = __is_pointer(T);
template <class T>
concept half = same_as<T, __half> || same_as<T, _Float16>;
template <class T>
concept bfloat16 = same_as<T, __nv_bfloat16> || same_as<T, __bf16>;
template <class T>
concept floating = same_as<T, float> || same_as<T, double> || half<T> || bfloat16<T>;
template <class T>
concept arithmetic = integer<T> || floating<T>;
template <class T>
concept object_pointer = pointer<T> && __is_object(__remove_pointer(T));

/// Constructs a T in existing storage: `new (address) placed<T>{...}`. A unit does not include <new>, which declares
/// the usual placement form.
template <class T>
struct placed {
  T object;

  [[gnu::returns_nonnull]] static void* operator new(size_t, void* address) noexcept { return address; }
  static void operator delete(void*, void*) noexcept {} // if the constructor throws: nothing to free
};

/// The unsigned integer type of a machine word, by its size in bytes.
template <size_t Size>
struct word_type;
template <>
struct word_type<1> {
  using type = u8;
};
template <>
struct word_type<2> {
  using type = u16;
};
template <>
struct word_type<4> {
  using type = u32;
};
template <>
struct word_type<8> {
  using type = u64;
};
template <>
struct word_type<16> {
  using type = u128;
};
template <class T>
using word_of = typename word_type<sizeof(T)>::type;

/// Returns whether `address` is a multiple of `alignment`. The call is a constant expression only if the known
/// alignment of the complete object is at least `alignment`.
constexpr bool is_aligned(void const volatile* address, size_t alignment) {
  return __builtin_is_aligned(address, alignment);
}

constexpr bool is_word_size(size_t size) { return size == 1 || size == 2 || size == 4 || size == 8 || size == 16; }

template <class T>
constexpr word_of<T> to_word(T const& value) noexcept {
  if (__builtin_is_constant_evaluated()) return __builtin_bit_cast(word_of<T>, value);
  word_of<T> word;
  __builtin_memcpy(&word, __builtin_addressof(value), sizeof(T));
  return word;
}

template <class T>
constexpr T from_word(word_of<T> word) noexcept {
  return __builtin_bit_cast(T, word);
}

// --- value representation ------------------------------------------------------------------------------------------

/// Size bytes: a mask over the bytes of an object, or a copy of these bytes.
template <size_t Size>
struct bytes {
  unsigned char at[Size];
};

/// The function object that __builtin_dump_struct calls for each member. It marks the bytes of scalar members in
/// `mask`. The builtin passes scalar members as lvalues. It passes names and types as string literals, which are not
/// part of the object. For an array, and for a member that it neither expands nor prints (an object of a non-aggregate
/// class or of an extended type), it passes a pointer to the member, as an rvalue. Bit-fields do not bind to these
/// parameters, so callers check `has_bit_fields` first.
template <size_t Size>
struct member_marker {
  void const* object;
  bytes<Size>* mask;

  template <class... Argument>
  [[clang::always_inline]] void operator()(char const*, Argument&&... argument) const {
    (mark(static_cast<Argument&&>(argument)), ...);
  }

  template <class Scalar>
  [[clang::always_inline]] void mark(Scalar& scalar) const {
    static_assert(__has_unique_object_representations(Scalar) || __is_floating_point(Scalar) || floating<Scalar>,
                  "cudax.sync: a member of this type has padding bits that cannot be told from its value; use a type "
                  "without them");
    constexpr size_t value_size = same_as<Scalar, long double> && __LDBL_MANT_DIG__ == 64 ? 10 : sizeof(Scalar);
    size_t const offset = (char const volatile*)__builtin_addressof(scalar) - (char const volatile*)object;
    for (size_t i = 0; i < value_size; ++i) mask->at[offset + i] = 0xff;
  }
  template <size_t Length>
  [[clang::always_inline]] void mark(char const (&)[Length]) const {}
  template <class Member>
  [[clang::always_inline]] void mark(Member*&& member) const {
    mark_element(*member);
  }
  template <class Element>
  [[clang::always_inline]] void mark_element(Element& element) const {
    if constexpr (__is_class(Element) || __is_union(Element))
      __builtin_dump_struct(__builtin_addressof(element), *this);
    else if constexpr (__is_array(Element))
      for (auto& inner : element) mark_element(inner);
    else mark(element);
  }
};

template <class T>
concept has_bit_fields =
    !requires(T* object, member_marker<sizeof(T)> marker) { __builtin_dump_struct(object, marker); };

/// Whether T may have padding bits, which are not part of its value.
template <class T>
concept padded = !__has_unique_object_representations(T) && !floating<T>;

/// Returns a mask of the bytes of T that hold its value.
template <class T>
[[clang::always_inline]] bytes<sizeof(T)> value_mask() noexcept {
  constexpr bool can_be_walked = !(__is_class(T) && has_bit_fields<T>);
  static_assert(can_be_walked,
                "cudax.sync: atomic<T>: T has bit-fields and padding bits, which cannot be told apart; give the "
                "unused bits a name");
  bytes<sizeof(T)> mask = {};
  alignas(T) char storage[sizeof(T)];
  T* const object = (T*)storage;
  if constexpr (can_be_walked) member_marker<sizeof(T)>{object, &mask}.mark_element(*object);
  return mask;
}

/// Returns whether two values have the same value representation.
template <class T>
bool same_value(T const& a, T const& b) noexcept {
  auto const a_bytes = __builtin_bit_cast(bytes<sizeof(T)>, a);
  auto const b_bytes = __builtin_bit_cast(bytes<sizeof(T)>, b);
  bytes<sizeof(T)> mask;
  if constexpr (padded<T>) mask = value_mask<T>();
  else __builtin_memset(&mask, 0xff, sizeof(mask));
  bool same = true;
  for (size_t i = 0; i < sizeof(T); ++i) same &= ((a_bytes.at[i] ^ b_bytes.at[i]) & mask.at[i]) == 0;
  return same;
}

/// As same_value, in constant evaluation. There the bits of a pointer cannot be read, nor those of a type with padding.
template <class T>
constexpr bool same_constant(T const& a, T const& b) noexcept {
  if constexpr (__is_pointer(T) || __is_member_pointer(T)) return a == b;
  else return to_word(a) == to_word(b);
}

/// Returns `word`, the representation of a T, with its padding bits cleared. Two values have the same value
/// representation if and only if these words are equal.
template <class T>
[[clang::always_inline]] word_of<T> value_word(word_of<T> word) noexcept {
  if constexpr (padded<T>) return word & __builtin_bit_cast(word_of<T>, value_mask<T>());
  else return word;
}

} // namespace cudax

CUDAX_EVERYWHERE_END
