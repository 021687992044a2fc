// SPDX-License-Identifier: Apache-2.0
//
// initializer: braces within braces, as in C: an inner pair fills one element of the array around it, and values without
// braces go on where the last one ended.
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
    // The bytes of an element of each dimension, a vector being the innermost one.
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
    if (in_.next_character() == '{') braces(0, bytes_);
    else scalar_value(bytes_);
    if (!in_.ends()) in_.refuse("expected the end of the initializer before " + in_.next());
    return std::move(values_);
  }

private:
  void braces(std::size_t depth, std::uint64_t end) {
    if (depth >= strides_.size()) in_.refuse("more braces in an initializer than dimensions");
    in_.expect('{', "the beginning of values");
    if (in_.take('}')) return;
    do {
      if (in_.next_character() == '{') {
        std::uint64_t const from = at_;
        if (from + strides_[depth] > end) in_.refuse("more values than the variable has elements");
        braces(depth + 1, from + strides_[depth]);
        at_ = from + strides_[depth];
      } else scalar_value(end);
    } while (in_.take(','));
    in_.expect('}', "the end of values");
  }

  void scalar_value(std::uint64_t end) {
    initial_value& value = values_.emplace_back();
    value.offset = at_;
    value.size = size_of(of_.type);
    at_ += std::uint64_t(value.size);
    if (at_ > end) in_.refuse("more values than the variable has elements");
    in_.skip();
    if (starts_name(*in_.at)) return symbol(value);
    if (is_digit(*in_.at)) { // a mask?
      position const start = in_.here();
      operand const mask = number(in_);
      if (mask.kind == operand_kind::integer && in_.take('(')) {
        value.mask = mask.bits;
        if (mask.bits == 0) in_.refuse("a mask of zero bits");
        in_.skip();
        symbol(value);
        return in_.expect(')', "the end of what is masked");
      }
      in_.go_back(start);
    }
    value.bits = converted(constant(in_));
  }

  /// sym, sym+8, generic(sym), generic(sym)+8, generic(sym+8)
  void symbol(initial_value& value) {
    value.is_generic = in_.take_word("generic");
    if (value.is_generic) in_.expect('(', "what is generic");
    value.symbol = in_.name("a symbol");
    value.bits = std::uint64_t(offset(in_));
    if (!value.is_generic) return;
    in_.expect(')', "the end of what is generic");
    value.bits += std::uint64_t(offset(in_));
  }

  /// A number's bits as the variable's type has them.
  std::uint64_t converted(operand const& number) {
    bool const is_real = number.kind == operand_kind::real;
    switch (of_.type) {
    case scalar::f32:
      if (!is_real) return std::bit_cast<std::uint32_t>(float(std::int64_t(number.bits)));
      return number.is_single ? number.bits : std::bit_cast<std::uint32_t>(float(std::bit_cast<double>(number.bits)));
    case scalar::f64:
      if (!is_real) return std::bit_cast<std::uint64_t>(double(std::int64_t(number.bits)));
      if (!number.is_single) return number.bits;
      return std::bit_cast<std::uint64_t>(double(std::bit_cast<float>(std::uint32_t(number.bits))));
    default: break;
    }
    int const size = size_of(of_.type);
    if (is_real && size != (number.is_single ? 4 : 8)) {
      in_.refuse("a float of another size than `." + std::string(name_of(of_.type)) + "`");
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
