// SPDX-License-Identifier: Apache-2.0
//
// absent_members: macros that delete the members that an atomic object or reference lacks, each with a sentence.
#pragma once

// CUDAX_LACKS_...(condition, sentence) declares the members that a class lacks if the condition is true. They are
// deleted, with the sentence as the reason. Without these declarations the diagnostic says only that a constraint
// failed, not why, nor what to do. A call of a deleted function is as invalid as a call of a function that does not
// exist: `requires { object.fetch_add(1); }` is false in both cases.
#define CUDAX_LACKS(result, member, condition, sentence)                                                               \
  template <class... Argument>                                                                                         \
    requires(condition)                                                                                                \
  result member(Argument&&...) const volatile = delete ("cudax.sync: " #member ": " sentence);
#define CUDAX_LACKS_OPERATOR(sign, condition, sentence)                                                                \
  template <class Argument>                                                                                            \
    requires(condition)                                                                                                \
  value_type operator sign(Argument&&) const volatile = delete ("cudax.sync: operator" #sign ": " sentence);
#define CUDAX_LACKS_STEP(sign, condition, sentence)                                                                    \
  value_type operator sign() const volatile requires(condition) = delete ("cudax.sync: operator" #sign ": " sentence); \
  value_type operator sign(int) const volatile requires(condition) =                                                   \
      delete ("cudax.sync: operator" #sign ": " sentence);

#define CUDAX_LACKS_ARITHMETIC(condition, sentence)                                                                    \
  CUDAX_LACKS(value_type, fetch_add, condition, sentence)                                                              \
  CUDAX_LACKS(value_type, fetch_sub, condition, sentence)                                                              \
  CUDAX_LACKS(value_type, fetch_max, condition, sentence)                                                              \
  CUDAX_LACKS(value_type, fetch_min, condition, sentence)                                                              \
  CUDAX_LACKS(void, store_add, condition, sentence)                                                                    \
  CUDAX_LACKS(void, store_sub, condition, sentence)                                                                    \
  CUDAX_LACKS(void, store_max, condition, sentence)                                                                    \
  CUDAX_LACKS(void, store_min, condition, sentence)                                                                    \
  CUDAX_LACKS_OPERATOR(+=, condition, sentence)                                                                        \
  CUDAX_LACKS_OPERATOR(-=, condition, sentence)
#define CUDAX_LACKS_BITWISE(condition, sentence)                                                                       \
  CUDAX_LACKS(value_type, fetch_and, condition, sentence)                                                              \
  CUDAX_LACKS(value_type, fetch_or, condition, sentence)                                                               \
  CUDAX_LACKS(value_type, fetch_xor, condition, sentence)                                                              \
  CUDAX_LACKS(void, store_and, condition, sentence)                                                                    \
  CUDAX_LACKS(void, store_or, condition, sentence)                                                                     \
  CUDAX_LACKS(void, store_xor, condition, sentence)                                                                    \
  CUDAX_LACKS_OPERATOR(&=, condition, sentence)                                                                        \
  CUDAX_LACKS_OPERATOR(|=, condition, sentence)                                                                        \
  CUDAX_LACKS_OPERATOR(^=, condition, sentence)
#define CUDAX_LACKS_STEPS(condition, sentence)                                                                         \
  CUDAX_LACKS_STEP(++, condition, sentence)                                                                            \
  CUDAX_LACKS_STEP(--, condition, sentence)
#define CUDAX_LACKS_FLOATING(condition, sentence)                                                                      \
  CUDAX_LACKS(value_type, fetch_fmaximum, condition, sentence)                                                         \
  CUDAX_LACKS(value_type, fetch_fminimum, condition, sentence)                                                         \
  CUDAX_LACKS(value_type, fetch_fmaximum_num, condition, sentence)                                                     \
  CUDAX_LACKS(value_type, fetch_fminimum_num, condition, sentence)                                                     \
  CUDAX_LACKS(void, store_fmaximum, condition, sentence)                                                               \
  CUDAX_LACKS(void, store_fminimum, condition, sentence)                                                               \
  CUDAX_LACKS(void, store_fmaximum_num, condition, sentence)                                                           \
  CUDAX_LACKS(void, store_fminimum_num, condition, sentence)

// Deletes the members that do not exist for the value type V. `has_members` is false for a class that lacks these
// members for every value type, such as atomic_ref<T const>: there CUDAX_LACKS_MODIFYING deletes them.
#define CUDAX_LACKS_BY_TYPE(V, has_members)                                                                            \
  CUDAX_LACKS_ARITHMETIC((has_members) && !has_difference<V>,                                                          \
                         "needs an integer other than bool, a floating-point number or a pointer to objects; use "     \
                         "compare_exchange_weak in a loop")                                                            \
  CUDAX_LACKS_BITWISE((has_members) && !integer<V>,                                                                    \
                      "needs an integer other than bool; use compare_exchange_weak in a loop")                         \
  CUDAX_LACKS_STEPS((has_members) && !has_difference<V>,                                                               \
                    "needs an integer other than bool, a floating-point number or a pointer to objects; use "          \
                    "compare_exchange_weak in a loop")                                                                 \
  CUDAX_LACKS_FLOATING((has_members) && !floating<V>,                                                                  \
                       "needs a floating-point number; use fetch_max and fetch_min for others")

// Deletes the members that modify, for atomic_ref<T const>: those of accessing_ref, and those of modifying_ref.
#define CUDAX_ONLY_READS "an atomic_ref to a const object only reads; refer to the object without const"
#define CUDAX_LACKS_WRITING(condition)                                                                                 \
  CUDAX_LACKS(void, store, condition, CUDAX_ONLY_READS)                                                                \
  CUDAX_LACKS(bool, compare_exchange_weak, condition, CUDAX_ONLY_READS)                                                \
  CUDAX_LACKS(bool, compare_exchange_strong, condition, CUDAX_ONLY_READS)                                              \
  CUDAX_LACKS(void, notify_one, condition, CUDAX_ONLY_READS)                                                           \
  CUDAX_LACKS(void, notify_all, condition, CUDAX_ONLY_READS)                                                           \
  CUDAX_LACKS_OPERATOR(=, condition, CUDAX_ONLY_READS)
#define CUDAX_LACKS_MODIFYING(condition)                                                                               \
  CUDAX_LACKS(value_type, exchange, condition, CUDAX_ONLY_READS)                                                       \
  CUDAX_LACKS_ARITHMETIC(condition, CUDAX_ONLY_READS)                                                                  \
  CUDAX_LACKS_BITWISE(condition, CUDAX_ONLY_READS)                                                                     \
  CUDAX_LACKS_STEPS(condition, CUDAX_ONLY_READS)                                                                       \
  CUDAX_LACKS_FLOATING(condition, CUDAX_ONLY_READS)
