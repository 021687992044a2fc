// SPDX-License-Identifier: Apache-2.0
//
// readable_name: a parser of mangled names by recursive descent. Each function reads what it is named after, as the
// grammar of the ABI has it, and returns its text. What is not known throws, and the name stays mangled.
#include "readable_name.hpp"

#include <cctype>
#include <cstdint>
#include <utility>
#include <vector>

namespace emulator {
namespace {

struct unknown {};

class parser {
public:
  explicit parser(std::string_view text) : rest_(text) {}

  std::string encoding() { return name(); }

private:
  // --- characters ---
  char peek(std::size_t n = 0) const { return n < rest_.size() ? rest_[n] : '\0'; }
  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  void expect(std::string_view text) {
    if (!take(text)) throw unknown();
  }
  bool is_digit() const { return std::isdigit(static_cast<unsigned char>(peek())) != 0; }
  std::size_t number() {
    if (!is_digit()) throw unknown();
    std::size_t result = 0;
    for (; is_digit() && result < 100'000; rest_.remove_prefix(1)) result = result * 10 + std::size_t(peek() - '0');
    return result;
  }
  /// In base 36, after S or T, with the _ at its end: _ is 0, 0_ is 1.
  std::size_t sequence() {
    if (take("_")) return 0;
    std::size_t result = 0;
    for (; !take("_"); rest_.remove_prefix(1)) {
      char const c = peek();
      if (!std::isdigit(static_cast<unsigned char>(c)) && !(c >= 'A' && c <= 'Z')) throw unknown();
      result = result * 36 + std::size_t(c <= '9' ? c - '0' : c - 'A' + 10);
      if (result > 100'000) throw unknown();
    }
    return result + 1;
  }

  // --- substitutions ---
  std::string const& add(std::string text) {
    if (substitutions_.size() > 10'000) throw unknown();
    return substitutions_.emplace_back(std::move(text));
  }
  /// After the S.
  std::string substitution() {
    if (take("t")) return "std";
    if (take("a")) return "std::allocator";
    if (take("b")) return "std::basic_string";
    if (take("s")) return "std::string";
    if (take("i")) return "std::istream";
    if (take("o")) return "std::ostream";
    if (take("d")) return "std::iostream";
    std::size_t const number = sequence();
    if (number >= substitutions_.size()) throw unknown();
    return substitutions_[number];
  }

  // --- names ---
  std::string source_name() {
    std::size_t const size = number();
    if (size == 0 || size > rest_.size()) throw unknown();
    std::string result(rest_.substr(0, size));
    rest_.remove_prefix(size);
    if (result.starts_with("_GLOBAL__N")) return "(anonymous namespace)";
    return result;
  }
  /// Modules are substitutions, too, and have no text here.
  void module_name() {
    while (take("W")) {
      take("P");
      source_name();
      add({});
    }
  }
  std::string unqualified_name() {
    module_name();
    take("L"); // of internal linkage
    std::string result;
    if (is_digit()) result = source_name();
    else if (take("Ut")) result = "{unnamed type#" + counted() + "}";
    else if (take("Ul")) {
      ++lambdas_;
      std::string const parameters = types_until_end();
      --lambdas_;
      result = "{lambda(" + parameters + ")#" + counted() + "}";
    } else if (take("cl")) result = "operator()";
    else if (take("ix")) result = "operator[]";
    else throw unknown();
    while (take("B")) source_name(); // tags of the ABI
    return result;
  }
  /// The number of an unnamed type: _ is the first.
  std::string counted() {
    if (take("_")) return "1";
    std::size_t const n = number();
    expect("_");
    return std::to_string(n + 2);
  }

  std::string name() {
    depth_guard const guard(*this);
    if (take("N")) return nested_name();
    if (take("Z")) return local_name();
    std::string result;
    if (peek() == 'S' && peek(1) != 't') {
      rest_.remove_prefix(1);
      result = substitution();
    } else {
      bool const is_standard = take("St");
      result = (is_standard ? "std::" : "") + unqualified_name();
      if (peek() == 'I') add(result);
    }
    if (peek() == 'I') result += template_arguments();
    return result;
  }

  std::string nested_name() {
    while (take("r") || take("V") || take("K")) {}
    if (take("R") || take("O")) {}
    std::string result;
    bool is_substitution = false;
    while (!take("E")) {
      if (rest_.empty()) throw unknown();
      if (peek() == 'S' && result.empty()) {
        rest_.remove_prefix(1);
        result = substitution();
        is_substitution = true;
        continue;
      }
      if (peek() == 'I') {
        // Everything before the arguments is a substitution of its own, unless it was one.
        if (!is_substitution) add(result);
        result += template_arguments();
        is_substitution = false;
        if (peek() != 'E') add(result), is_substitution = true;
        continue;
      }
      if (take("S")) substitution(); // a module
      else if (peek() == 'T' && result.empty()) {
        rest_.remove_prefix(1);
        result = template_parameter();
        add(result), is_substitution = true;
        continue;
      }
      std::string const before = result;
      std::string const part = unqualified_name();
      result = before;
      if (!before.empty()) result += "::";
      result += part;
      is_substitution = false;
      if (peek() != 'E' && peek() != 'I') add(result), is_substitution = true;
    }
    return result;
  }

  std::string local_name() {
    kept_arguments const kept(*this);
    std::string const function = name();
    types_until_end(); // its parameters, and what it returns
    if (take("s")) {
      discriminator();
      return function + "::string literal";
    }
    if (take("d")) throw unknown();
    std::string const result = function + "::" + name();
    discriminator();
    return result;
  }
  void discriminator() {
    if (!take("_")) return;
    if (take("_")) number(), expect("_");
    else if (is_digit()) rest_.remove_prefix(1);
  }

  // --- templates ---
  std::string template_arguments() {
    expect("I");
    std::vector<std::string> arguments;
    std::string const text = arguments_until_end(arguments);
    arguments_ = arguments;
    return "<" + text + ">";
  }
  std::string arguments_until_end(std::vector<std::string>& arguments) {
    std::string text;
    while (!take("E")) {
      std::string const one = argument();
      arguments.push_back(one);
      if (!one.empty()) text += (text.empty() ? "" : ", ") + one;
    }
    return text;
  }
  /// Where the * of a pointer to a function goes, in the text of the function's type.
  static constexpr char mark_here = '\1';
  static std::string without_marks(std::string text) {
    if (auto const at = text.find("(\1)"); at != std::string::npos) text.erase(at, 3);
    std::erase(text, mark_here);
    return text;
  }

  std::string argument() {
    depth_guard const guard(*this);
    kept_arguments const kept(*this);
    if (take("L")) return literal();
    if (take("X")) return expression();
    if (take("J")) {
      std::vector<std::string> arguments;
      return arguments_until_end(arguments);
    }
    return without_marks(type());
  }
  /// The address of a function, or a class without a value.
  std::string expression() {
    std::string result;
    if (take("adL")) {
      result = literal();
    } else {
      expect("tl");
      result = without_marks(type()) + "{}";
      expect("E");
    }
    expect("E");
    return result;
  }
  std::string literal() {
    if (take("_Z")) {
      std::string const result = name();
      types_until_end();
      return "&" + result;
    }
    char const code = peek();
    std::string const of = type();
    std::string value = take("n") ? "-" : "";
    while (!take("E")) {
      if (!std::isalnum(static_cast<unsigned char>(peek()))) throw unknown();
      value += peek();
      rest_.remove_prefix(1);
    }
    switch (code) {
    case 'b': return value == "0" ? "false" : "true";
    case 'i': return value;
    case 'j': return value + "u";
    case 'l': return value + "l";
    case 'm': return value + "ul";
    case 'x': return value + "ll";
    case 'y': return value + "ull";
    default: return "(" + of + ")" + value;
    }
  }
  /// After the T.
  std::string template_parameter() {
    std::size_t const n = sequence();
    if (lambdas_) return "auto";
    if (n >= arguments_.size()) throw unknown();
    return arguments_[n];
  }

  // --- types ---
  std::string types_until_end() {
    std::string text;
    while (!take("E")) text += (text.empty() ? "" : ", ") + without_marks(type());
    return text == "void" ? "" : text;
  }
  std::string type() {
    depth_guard const guard(*this);
    switch (char const c = peek()) {
    case 'P':
    case 'R':
    case 'O': {
      rest_.remove_prefix(1);
      std::string of = type();
      char const* const mark = c == 'P' ? "*" : c == 'R' ? "&" : "&&";
      auto const at = of.find(mark_here);
      return add(at == std::string::npos ? of + mark : of.insert(at, mark));
    }
    case 'r':
    case 'V':
    case 'K': {
      std::string qualifiers;
      while (take("r")) {}
      if (take("V")) qualifiers += " volatile";
      if (take("K")) qualifiers = " const" + qualifiers;
      return add(type() + qualifiers);
    }
    case 'F': {
      rest_.remove_prefix(1);
      take("Y");
      std::string const returns = type();
      std::string parameters = types_until_end();
      std::erase(parameters, mark_here);
      return add(returns + " (" + mark_here + ")(" + parameters + ")");
    }
    case 'A': {
      rest_.remove_prefix(1);
      std::string const size = is_digit() ? std::to_string(number()) : "";
      expect("_");
      return add(type() + "[" + size + "]");
    }
    case 'T':
      if (peek(1) == 's' || peek(1) == 'u' || peek(1) == 'e') {
        rest_.remove_prefix(2);
        return type();
      }
      rest_.remove_prefix(1);
      return with_arguments(add(template_parameter()));
    case 'S':
      if (peek(1) == 't') break;
      rest_.remove_prefix(1);
      // A module before a name that no namespace encloses would begin like this, too, with a digit after it.
      return with_arguments(substitution());
    case 'D': return of_two_letters();
    case 'u': {
      rest_.remove_prefix(1);
      return add(source_name());
    }
    default:
      if (c == 'N' || c == 'Z' || c == 'W' || is_digit()) break;
      return builtin();
    }
    // A name without template arguments, or the whole with them, is a substitution.
    kept_arguments const kept(*this);
    return add(name());
  }
  std::string with_arguments(std::string text) {
    kept_arguments const kept(*this);
    if (peek() != 'I') return text;
    text += template_arguments();
    return add(std::move(text));
  }
  std::string of_two_letters() {
    if (take("Dp")) return type();
    constexpr std::pair<char const*, char const*> known[] = {
        {"Dn", "decltype(nullptr)"}, {"Dh", "half"},       {"Di", "char32_t"},  {"Ds", "char16_t"},
        {"Du", "char8_t"},           {"Da", "auto"},       {"DF16b", "__bf16"}, {"DF16_", "_Float16"},
        {"DF32_", "_Float32"},       {"DF64_", "_Float64"}};
    for (auto const& [code, text] : known)
      if (take(code)) return text;
    throw unknown();
  }
  std::string builtin() {
    constexpr std::pair<char, char const*> known[] = {{'v', "void"},        {'w', "wchar_t"},
                                                      {'b', "bool"},        {'c', "char"},
                                                      {'a', "signed char"}, {'h', "unsigned char"},
                                                      {'s', "short"},       {'t', "unsigned short"},
                                                      {'i', "int"},         {'j', "unsigned int"},
                                                      {'l', "long"},        {'m', "unsigned long"},
                                                      {'x', "long long"},   {'y', "unsigned long long"},
                                                      {'n', "__int128"},    {'o', "unsigned __int128"},
                                                      {'f', "float"},       {'d', "double"},
                                                      {'e', "long double"}, {'g', "__float128"},
                                                      {'z', "..."}};
    for (auto const& [code, text] : known)
      if (peek() == code) {
        rest_.remove_prefix(1);
        return text;
      }
    throw unknown();
  }

  struct depth_guard {
    parser& of;
    explicit depth_guard(parser& p) : of(p) {
      if (++of.depth_ > 200) throw unknown();
    }
    ~depth_guard() { --of.depth_; }
  };

  /// What T_ stands for is different inside.
  struct kept_arguments {
    parser& of;
    std::vector<std::string> before;
    explicit kept_arguments(parser& p) : of(p), before(p.arguments_) {}
    ~kept_arguments() { of.arguments_ = before; }
  };

  std::string_view rest_;
  std::vector<std::string> substitutions_;
  std::vector<std::string> arguments_; ///< of the last template
  int lambdas_ = 0;                    ///< whose parameters are read
  int depth_ = 0;
};

} // namespace

std::string readable_name(std::string_view mangled) {
  // What clang appends to names of internal linkage.
  std::string_view const name = mangled.substr(0, mangled.find("__intern__"));
  if (!name.starts_with("_Z")) return std::string(name.empty() ? mangled : name);
  try {
    return parser(name.substr(2)).encoding();
  } catch (unknown) {
    return std::string(mangled);
  }
}

} // namespace emulator
