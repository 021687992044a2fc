// SPDX-License-Identifier: Apache-2.0
//
// declaration: parses a space, dotted words in any order, then names.  [PTX ISA, "Variables"]
//
// An initializer and the attributes of a pointer stay text: initializer.hpp parses the initializer.
#include "declaration.hpp"

#include "expression.hpp"

namespace emulator::ptx {
namespace {

int alignment(scanner& in) {
  std::int64_t const value = in.integer("an alignment");
  if (value < 1 || value > 1 << 20 || (value & (value - 1)) != 0) {
    in.reject("an alignment of " + std::to_string(value) + "; it must be a power of two");
  }
  return int(value);
}

/// Skips balanced parentheses: `(.managed)`.
void skip_parentheses(scanner& in) {
  in.expect('(', "what an attribute is");
  for (int depth = 1; depth > 0; ++in.at) {
    in.skip();
    if (in.at == in.end || *in.at == ';') in.reject("this attribute's `(` is never closed");
    depth += *in.at == '(' ? 1 : *in.at == ')' ? -1 : 0;
  }
}

/// Parses everything between the space and the name.
void specifiers(scanner& in, variable& result) {
  char const* pointer = nullptr; // where .ptr begins
  for (;;) {
    position const before = in.here();
    in.skip();
    if (*in.at != '.') {
      in.go_back(before);
      break;
    }
    char const* const from = in.at;
    std::string_view const word = in.dotted();
    scalar const type = scalar_named(word);
    if (pointer) {
      if (word == "align") alignment(in);
      else if (word != "const" && word != "global" && word != "local" && word != "shared" && word != "param") {
        in.reject("`." + std::string(word) +
                  "` is not known after `.ptr`; known are .const .global .local .shared .param "
                  "and .align");
      }
      result.attributes = in.since(pointer);
    } else if (type != scalar::none) {
      if (result.type != scalar::none)
        in.reject("two types: ." + std::string(name_of(result.type)) + " and ." + std::string(word));
      result.type = type;
    } else if (word == "align") result.alignment = alignment(in);
    else if (word == "v2") result.vector = 2;
    else if (word == "v4") result.vector = 4;
    else if (word == "v8") result.vector = 8;
    else if (word == "ptr") {
      pointer = from;
      result.attributes = in.since(pointer);
    } else if (word == "attribute") {
      skip_parentheses(in);
      result.attributes = in.since(from);
    } else if (word == "texref" || word == "samplerref" || word == "surfref") {
      in.reject("`." + std::string(word) + "`: the emulator has no textures and surfaces");
    } else in.reject("`." + std::string(word) + "` is not known in a declaration");
  }
  if (result.type == scalar::none) in.reject("a declaration without a type, before " + in.next());
}

std::string_view initializer(scanner& in) {
  in.skip();
  char const* const from = in.at;
  if (*in.at == '{') {
    ++in.at;
    in.skip_braces();
    return in.since(from);
  }
  char const* last = from; // past the last character that is neither white space nor comment
  for (int depth = 0;; last = ++in.at) {
    in.skip();
    if (in.at == in.end) in.reject("an initializer without an end; add `;`");
    if (*in.at == ';' || (*in.at == ',' && depth == 0)) break;
    depth += *in.at == '(' ? 1 : *in.at == ')' ? -1 : 0;
  }
  if (last == from) in.reject("expected an initializer before " + in.next());
  return {from, std::size_t(last - from)};
}

/// Counts the elements between the braces of an initializer: the size of `x[] = {...}`.
std::int64_t elements(scanner in, std::string_view text) {
  in.at = text.data();
  in.end = text.data() + text.size();
  in.expect('{', "the values of an array without a size");
  std::int64_t commas = 0;
  bool empty = true;
  for (int depth = 1; !in.ends(); ++in.at) {
    if (*in.at == '}' && --depth == 0) break;
    empty = false;
    depth += *in.at == '{' || *in.at == '(' ? 1 : *in.at == ')' ? -1 : 0;
    commas += *in.at == ',' && depth == 1;
  }
  return empty ? 0 : commas + 1;
}

} // namespace

space take_space(scanner& in) {
  in.skip();
  if (*in.at != '.') return space::none;
  position const before = in.here();
  std::string_view const word = in.dotted();
  for (space where : {space::reg, space::param, space::global, space::shared, space::local, space::constant}) {
    if (word != name_of(where)) continue;
    if (*in.at == '[')
      in.reject("banks of constant memory (`.const[2]`) are not known; they left PTX with version 2.2");
    return where;
  }
  in.go_back(before);
  return space::none;
}

void declare(scanner& in, space where, std::string_view linkage, std::vector<variable>& result) {
  variable common;
  common.where = where;
  common.linkage = linkage;
  specifiers(in, common);
  do {
    variable& declared = result.emplace_back(common);
    declared.name = in.name("the name of what is declared");
    declared.at.line = in.line;
    if (*in.at == '<') {
      ++in.at;
      if (where != space::reg) in.reject("a range of names, which only registers have");
      declared.count = int(in.integer("a number of registers"));
      in.expect('>', "the end of a number of registers");
    }
    while (in.next_character() == '[') {
      in.take('[');
      if (in.take(']')) {
        declared.dimensions.push_back(-1);
        continue;
      }
      declared.dimensions.push_back(in.integer("an array's size"));
      in.expect(']', "the end of an array's size");
    }
    if (in.next_character() == '=') {
      in.take('=');
      declared.initializer = initializer(in);
      if (!declared.dimensions.empty() && declared.dimensions[0] < 0) {
        declared.dimensions[0] = elements(in, declared.initializer);
      }
    }
  } while (in.next_character() == ',' && in.take(','));
}

std::vector<variable> parameter_list(scanner& in) {
  std::vector<variable> result;
  in.expect('(', "the beginning of parameters");
  if (in.take(')')) return result;
  do {
    space const where = take_space(in);
    if (where != space::param && where != space::reg) in.reject("expected `.param` or `.reg` before " + in.next());
    variable& declared = result.emplace_back();
    declared.where = where;
    specifiers(in, declared);
    declared.name = in.name("the name of a parameter");
    declared.at.line = in.line;
    while (in.take('[')) {
      declared.dimensions.push_back(in.take(']') ? -1 : in.integer("an array's size"));
      if (declared.dimensions.back() >= 0) in.expect(']', "the end of an array's size");
    }
  } while (in.take(','));
  in.expect(')', "the end of parameters");
  return result;
}

} // namespace emulator::ptx
