// SPDX-License-Identifier: Apache-2.0
//
// by_hand: the PTX that a programmer writes who knows the state space of each object, with the interface of an
// atomic_ref. It is the floor of a row: no library can be faster than the instruction. There are no members for which a
// programmer would write a loop.
#pragma once

// The lambdas capture the operands of their asm: clang 22 does not capture these by itself in a template, and warns
// that it need not be told.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-lambda-capture"

namespace by_hand {

enum memory_order {
  memory_order_relaxed,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
};
enum thread_scope { thread_scope_block, thread_scope_device, thread_scope_system };
enum class space { global, shared };

constexpr char const* spelling(memory_order order) {
  switch (order) {
  case memory_order_acquire: return ".acquire";
  case memory_order_release: return ".release";
  case memory_order_acq_rel: return ".acq_rel";
  default: return ".relaxed";
  }
}
constexpr char const* spelling(thread_scope scope) {
  return scope == thread_scope_block ? ".cta" : scope == thread_scope_device ? ".gpu" : ".sys";
}
constexpr char const* spelling(space where) { return where == space::global ? ".global" : ".shared"; }

/// The text of one instruction, for clang, which reads it through data() and size().
class text {
  char characters_[96] = {};
  unsigned long size_ = 0;

public:
  template <class... Part> constexpr explicit text(Part... part) { (append(part), ...); }
  constexpr char const* data() const { return characters_; }
  constexpr unsigned long size() const { return size_; }

private:
  constexpr void append(char const* part) {
    while (*part) characters_[size_++] = *part++;
  }
};

template <class T, class... Ts>
concept one_of = (__is_same(T, Ts) || ...);
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

template <class T, thread_scope Scope, space Space = space::global> class atomic_ref {
  T* object_;

  __device__ u64 address() const {
    if constexpr (Space == space::shared) return (u64)(void __attribute__((address_space(3)))*)object_;
    else return (u64)(void __attribute__((address_space(1)))*)object_;
  }
  template <memory_order Order> static constexpr text spell(char const* operation, char const* rest) {
    return text(operation, spelling(Order), spelling(Scope), spelling(Space), rest);
  }
  /// fence.sc.scope;    PTX ISA 6.0, sm_70
  __device__ static void fence() { asm volatile((text("fence.sc", spelling(Scope), ";"))::: "memory"); }

  /// Calls f<order>() with the order that the instruction has: acquire after a fence for seq_cst.
  template <class F> __device__ static auto with(memory_order order, F f) {
    if (order == memory_order_seq_cst) {
      fence();
      return f.template operator()<memory_order_acquire>();
    }
    if (order == memory_order_acq_rel) return f.template operator()<memory_order_acq_rel>();
    if (order == memory_order_acquire) return f.template operator()<memory_order_acquire>();
    if (order == memory_order_release) return f.template operator()<memory_order_release>();
    return f.template operator()<memory_order_relaxed>();
  }

public:
  __device__ explicit atomic_ref(T& object) : object_(&object) {}

  // atom{.sem}{.scope}{.space}.OPERATION d, [a], b;    PTX ISA 6.0, sm_70
#define CUDAX_BENCH_ATOM(member, type, operation, constraint)                                                          \
  __device__ T member(T operand, memory_order order) const                                                             \
    requires one_of<T, type>                                                                                           \
  {                                                                                                                    \
    return with(order, [this, operand]<memory_order Order>() {                                                         \
      T before;                                                                                                        \
      asm volatile((spell<Order>("atom", operation " %0, [%1], %2;"))                                                  \
                   : "=" constraint(before)                                                                            \
                   : "l"(address()), constraint(operand)                                                               \
                   : "memory");                                                                                        \
      return before;                                                                                                   \
    });                                                                                                                \
  }
  CUDAX_BENCH_ATOM(fetch_add, u32, ".add.u32", "r")
  CUDAX_BENCH_ATOM(fetch_add, u64, ".add.u64", "l")
  CUDAX_BENCH_ATOM(fetch_add, float, ".add.f32", "f")
  CUDAX_BENCH_ATOM(fetch_add, double, ".add.f64", "d")
  CUDAX_BENCH_ATOM(fetch_or, u32, ".or.b32", "r")
  CUDAX_BENCH_ATOM(exchange, u32, ".exch.b32", "r")
  CUDAX_BENCH_ATOM(exchange, u64, ".exch.b64", "l")
#undef CUDAX_BENCH_ATOM

  // atom{.sem}{.scope}{.space}.cas.TYPE d, [a], b, c;    PTX ISA 6.0, sm_70; .b16: PTX ISA 6.3, sm_70
#define CUDAX_BENCH_CAS(type, operation, constraint)                                                                   \
  __device__ bool compare_exchange_strong(T& expected, T desired, memory_order order, memory_order) const              \
    requires one_of<T, type>                                                                                           \
  {                                                                                                                    \
    T const before = with(order, [this, expected, desired]<memory_order Order>() {                                     \
      T before;                                                                                                        \
      asm volatile((spell<Order>("atom", operation " %0, [%1], %2, %3;"))                                              \
                   : "=" constraint(before)                                                                            \
                   : "l"(address()), constraint(expected), constraint(desired)                                         \
                   : "memory");                                                                                        \
      return before;                                                                                                   \
    });                                                                                                                \
    bool const done = before == expected;                                                                              \
    expected = before;                                                                                                 \
    return done;                                                                                                       \
  }
  CUDAX_BENCH_CAS(u16, ".cas.b16", "h")
  CUDAX_BENCH_CAS(u32, ".cas.b32", "r")
  CUDAX_BENCH_CAS(u64, ".cas.b64", "l")
#undef CUDAX_BENCH_CAS

  // ld{.sem}{.scope}{.space}.TYPE d, [a];    PTX ISA 6.0, sm_70
  // st{.sem}{.scope}{.space}.TYPE [a], b;    PTX ISA 6.0, sm_70
#define CUDAX_BENCH_LD_ST(type, suffix, constraint, in_register)                                                       \
  __device__ T load(memory_order order) const                                                                          \
    requires one_of<T, type>                                                                                           \
  {                                                                                                                    \
    auto const ld = [this]<memory_order Order>() {                                                                     \
      in_register value;                                                                                               \
      asm volatile((spell<Order>("ld", suffix " %0, [%1];")) : "=" constraint(value) : "l"(address()) : "memory");     \
      return T(value);                                                                                                 \
    };                                                                                                                 \
    if (order == memory_order_seq_cst) fence();                                                                        \
    if (order == memory_order_relaxed) return ld.template operator()<memory_order_relaxed>();                          \
    return ld.template operator()<memory_order_acquire>();                                                             \
  }                                                                                                                    \
  __device__ void store(T operand, memory_order order) const                                                           \
    requires one_of<T, type>                                                                                           \
  {                                                                                                                    \
    auto const st = [this, operand]<memory_order Order>() {                                                            \
      asm volatile((spell<Order>("st", suffix " [%0], %1;"))::"l"(address()), constraint(in_register(operand))         \
                   : "memory");                                                                                        \
    };                                                                                                                 \
    if (order == memory_order_seq_cst) fence();                                                                        \
    if (order == memory_order_release) st.template operator()<memory_order_release>();                                 \
    else st.template operator()<memory_order_relaxed>();                                                               \
  }
  CUDAX_BENCH_LD_ST(u8, ".u8", "h", u16)
  CUDAX_BENCH_LD_ST(u16, ".u16", "h", u16)
  CUDAX_BENCH_LD_ST(u32, ".u32", "r", u32)
  CUDAX_BENCH_LD_ST(u64, ".u64", "l", u64)
#undef CUDAX_BENCH_LD_ST

  // red{.sem}{.scope}{.space}.OPERATION [a], b;    PTX ISA 6.0, sm_70
#define CUDAX_BENCH_RED(type, operation, constraint)                                                                   \
  __device__ void store_add(T operand, memory_order order) const                                                       \
    requires one_of<T, type>                                                                                           \
  {                                                                                                                    \
    auto const red = [this, operand]<memory_order Order>() {                                                           \
      asm volatile((spell<Order>("red", operation " [%0], %1;"))::"l"(address()), constraint(operand) : "memory");     \
    };                                                                                                                 \
    if (order == memory_order_seq_cst) fence();                                                                        \
    if (order == memory_order_release) red.template operator()<memory_order_release>();                                \
    else red.template operator()<memory_order_relaxed>();                                                              \
  }
  CUDAX_BENCH_RED(u32, ".add.u32", "r")
  CUDAX_BENCH_RED(u64, ".add.u64", "l")
  CUDAX_BENCH_RED(float, ".add.f32", "f")
#undef CUDAX_BENCH_RED

  /// The order of floats is that of their bits: as signed integers where the operand is not negative, and reversed, as
  /// unsigned integers, where it is negative.
  __device__ T fetch_max(T operand, memory_order) const
    requires one_of<T, float>
  {
    u32 const bits = __builtin_bit_cast(u32, operand);
    u32 before;
    if (int(bits) >= 0)
      asm volatile((spell<memory_order_relaxed>("atom", ".max.s32 %0, [%1], %2;"))
                   : "=r"(before)
                   : "l"(address()), "r"(bits)
                   : "memory");
    else
      asm volatile((spell<memory_order_relaxed>("atom", ".min.u32 %0, [%1], %2;"))
                   : "=r"(before)
                   : "l"(address()), "r"(bits)
                   : "memory");
    return __builtin_bit_cast(T, before);
  }
  __device__ void store_max(T operand, memory_order) const
    requires one_of<T, float>
  {
    u32 const bits = __builtin_bit_cast(u32, operand);
    if (int(bits) >= 0)
      asm volatile((spell<memory_order_relaxed>("red", ".max.s32 [%0], %1;"))::"l"(address()), "r"(bits) : "memory");
    else asm volatile((spell<memory_order_relaxed>("red", ".min.u32 [%0], %1;"))::"l"(address()), "r"(bits) : "memory");
  }
};

/// A barrier of all blocks, on one counter: one thread of each block arrives and polls.
template <thread_scope Scope> class barrier {
  unsigned blocks_;
  unsigned arrived_ = 0;

public:
  __device__ explicit barrier(unsigned blocks) : blocks_(blocks) {}

  /// The release of each arrival is cumulative over the block, because __syncthreads precedes it. The load that
  /// observes the last arrival reads from the release sequence of all, and the fence after it acquires them.
  __device__ void meet() {
    __syncthreads();
    if (threadIdx.x == 0) {
      atomic_ref<unsigned, Scope> const arrived(arrived_);
      unsigned const before = arrived.fetch_add(1, memory_order_release);
      unsigned const all = before - before % blocks_ + blocks_;
      while (int(arrived.load(memory_order_relaxed) - all) < 0) {}
      // fence.acq_rel.scope;    PTX ISA 6.0, sm_70
      asm volatile((text("fence.acq_rel", spelling(Scope), ";"))::: "memory");
    }
    __syncthreads();
  }
};

} // namespace by_hand

#pragma clang diagnostic pop
