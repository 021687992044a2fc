// SPDX-License-Identifier: Apache-2.0
//
// initializer: each dimension has its pair of braces, and so has a vector. Unlike in C, no braces may be omitted, but
// values may be.
#include "initializer.hpp"

#include "expression.hpp"
#include "scanner.hpp"

#include <bit>

namespace emulator::ptx {
namespace {

class initializer_parser {
public:
  initializer_parser(module const& owner, variable const& of)
    : of_(of), in_{owner, of.initializer.data(), of.initializer.data() + of.initializer.size(), of.at.line, of.name} {
    // The number of bytes of an element of each dimension; a vector is the innermost dimension.
    std::uint64_t bytes = std::uint64_t(size_of(of.type));
    if (of.vector > 1) {
      strides_.push_back(bytes);
      bytes *= std::uint64_t(of.vector);
    }
    for (auto dimension = of.dimensions.rbegin(); dimension != of.dimensions.rend(); ++dimension) {
      strides_.insert(strides_.begin(), bytes);
      bytes *= std::uint64_t(*dimension < 0 ? 0 : *dimension);
    }
    bytes_ = bytes;
  }

  std::vector<initial_value> parse() {
    values(0, bytes_);
    if (!in_.ends()) in_.reject("expected the end of the initializer before " + in_.next());
    return std::move(values_);
  }

private:
  void values(std::size_t depth, std::uint64_t end) {
    if (depth == strides_.size()) return scalar_value();
    in_.expect('{', "the beginning of an array's or vector's values");
    if (in_.take('}')) return;
    do {
      std::uint64_t const next = at_ + strides_[depth];
      if (next > end) in_.reject("more values than there are elements");
      values(depth + 1, next);
      at_ = next;
    } while (in_.take(','));
    in_.expect('}', "the end of an array's or vector's values");
  }

  void scalar_value() {
    initial_value& value = values_.emplace_back();
    value.offset = at_;
    value.size = size_of(of_.type);
    in_.skip();
    if (starts_name(*in_.at)) return symbol(value);
    if (is_digit(*in_.at)) { // a mask?
      position const start = in_.here();
      operand const mask = number(in_);
      if (mask.kind == operand_kind::integer && in_.take('(')) {
        value.mask = mask.bits;
        if (mask.bits == 0) in_.reject("a mask of zero bits");
        in_.skip();
        symbol(value);
        return in_.expect(')', "the end of what is masked");
      }
      in_.go_back(start);
    }
    value.bits = converted(constant(in_));
  }

  /// Parses sym, sym+8, generic(sym) or generic(sym)+8.
  void symbol(initial_value& value) {
    value.is_generic = in_.take_word("generic");
    if (value.is_generic) in_.expect('(', "what is generic");
    value.symbol = in_.name("a symbol");
    if (value.is_generic) in_.expect(')', "the end of what is generic");
    value.bits = std::uint64_t(offset(in_));
  }

  /// Returns a number's bits, converted to the variable's type.
  std::uint64_t converted(operand const& number) {
    std::string const type = "`." + std::string(name_of(of_.type)) + "`";
    int const size = size_of(of_.type);
    switch (of_.type) {
    case scalar::f32:
    case scalar::f64:
      if (number.kind != operand_kind::real) in_.reject("an integer for a variable of " + type + "; write 1.0");
      if (number.is_single == (size == 4)) return number.bits;
      if (size == 4) return std::bit_cast<std::uint32_t>(float(std::bit_cast<double>(number.bits)));
      return std::bit_cast<std::uint64_t>(double(std::bit_cast<float>(std::uint32_t(number.bits))));
    case scalar::none:
    case scalar::pred:
    case scalar::f16:
    case scalar::f16x2:
    case scalar::bf16:
    case scalar::bf16x2: in_.reject("a variable of " + type + " takes no initializer; declare it as bits");
    default: break;
    }
    bool const is_bits = name_of(of_.type)[0] == 'b';
    if (number.kind == operand_kind::real && !(is_bits && size == (number.is_single ? 4 : 8))) {
      in_.reject("a float for a variable of " + type);
    }
    if (size == 16 && !number.is_unsigned && std::int64_t(number.bits) < 0) {
      in_.reject("a number below zero for a variable of " + type);
    }
    return size >= 8 ? number.bits : number.bits & ((1ull << (size * 8)) - 1);
  }

  variable const& of_;
  scanner in_;
  std::vector<std::uint64_t> strides_; ///< bytes of an element, outermost dimension first
  std::uint64_t bytes_ = 0;            ///< of the variable
  std::uint64_t at_ = 0;
  std::vector<initial_value> values_;
};

} // namespace

std::vector<initial_value> initial_values(module const& owner, variable const& of) {
  if (of.initializer.empty()) return {};
  return initializer_parser(owner, of).parse();
}

std::uint64_t bits_in_memory(initial_value const& value, std::uint64_t address) {
  if (value.symbol.empty()) return value.bits;
  std::uint64_t const sum = address + value.bits;
  return value.mask == 0 ? sum : (sum & value.mask) >> std::countr_zero(value.mask);
}

} // namespace emulator::ptx
