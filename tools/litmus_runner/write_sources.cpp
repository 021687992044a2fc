// SPDX-License-Identifier: Apache-2.0
#include "write_sources.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "../litmus_model/print.hpp"

namespace litmus_runner {

namespace {

using kind = litmus::condition_kind;

std::uint64_t hash_of(std::string const& text) { // FNV-1a
  std::uint64_t h = 14695981039346656037ull;
  for (unsigned char c : text) h = (h ^ c) * 1099511628211ull;
  return h;
}

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string identifier(std::string const& text) {
  std::string result;
  if (!text.empty() && std::isdigit(static_cast<unsigned char>(text[0]))) result = "of_";
  for (char c : text) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return result;
}

outcome_item const* item_of(outcome const& o, litmus::condition const& c) {
  for (auto const& i : o.items)
    if (c.kind == kind::reg ? i.thread == c.thread && i.reg == c.reg : i.location >= 0 && i.location == c.location)
      return &i;
  return nullptr;
}

/// The condition as an expression of C++ over `codes`.
std::string expression_of(outcome const& o, litmus::condition const& c) {
  switch (c.kind) {
  case kind::always: return "true";
  case kind::negation: return "!" + expression_of(o, c.operands[0]);
  case kind::conjunction:
  case kind::disjunction: {
    std::string text = "(";
    for (std::size_t i = 0; i < c.operands.size(); ++i)
      text += (i == 0 ? "" : c.kind == kind::conjunction ? " && " : " || ") + expression_of(o, c.operands[i]);
    return text + ")";
  }
  case kind::reg:
  case kind::location: break;
  }
  auto const* const item = item_of(o, c);
  auto const code = std::find(item->values.begin(), item->values.end(), c.equals);
  return "(codes[" + std::to_string(item - o.items.data()) + "] == " + std::to_string(code - item->values.begin()) +
         ")";
}

/// The outcomes of the states, as codes. Empty if a state has no code, since an item is part of a location.
std::set<unsigned> possible_outcomes(test_source const& s, outcome const& o) {
  std::set<unsigned> result;
  for (auto const& state : s.states) {
    auto const values = values_of(state);
    unsigned all = 0;
    for (auto const& i : o.items) {
      auto const value = values.find(name_of(s.program, i));
      if (value == values.end()) return {};
      auto const code = std::find(i.values.begin(), i.values.end(), value->second);
      if (code == i.values.end()) return {};
      all |= unsigned(code - i.values.begin()) << i.shift;
    }
    result.insert(all);
  }
  return result;
}

std::string row_text(test_source const& s, outcome const& o, std::string const& kernel, std::size_t which,
                     std::string const& code, kernel_text const& k) {
  auto const& p = s.program;
  auto const& where = p.placements[s.placement];
  std::string text =
      "    {" + quoted(p.name) + ", " + quoted(where.name) + ", " + (s.form == form::ptx ? "\"ptx\"" : "\"library\"") +
      ", " + quoted(kernel) + ", " + std::to_string(which) + ", verdict::" + word_of(s.verdict) + ", " +
      (s.observable ? "true" : "false") + ", " + (s.raced ? "true" : "false") + ", " + quoted(s.mutant_of) + ", " +
      quoted(s.mutation) + ", " + quoted(code) + ",\n     " + quoted(litmus::print(p, p.exists)) +
      ",\n     [](unsigned const* codes) { (void)codes; return " + expression_of(o, p.exists) + "; }, " +
      std::to_string(o.bits) + ", \"" + k.memory + "\", " + (k.barriers ? "true" : "false") + ", " +
      (k.may_not_end ? "true" : "false") + ", " + std::to_string(k.cell) + ",\n     {";
  for (auto const& i : o.items) {
    text += "{" + quoted(name_of(p, i)) + ", " + std::to_string(i.shift) + ", " + std::to_string(i.width) + ", {";
    for (auto v : i.values) text += quoted(decimal(v)) + ", ";
    text += "}}, ";
  }
  text += "},\n     {";
  for (auto const& t : where.threads)
    text += "{" + std::to_string(t.device) + ", " + std::to_string(t.cluster) + ", " + std::to_string(t.block) + ", " +
            std::to_string(t.warp) + "}, ";
  text += "},\n     {";
  for (unsigned const code : possible_outcomes(s, o)) text += std::to_string(code) + ", ";
  return text + "}},\n";
}

void write_if_changed(std::string const& path, std::string const& text) {
  {
    std::ifstream old(path, std::ios::binary);
    std::ostringstream now;
    if (old && now << old.rdbuf() && now.str() == text) return;
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error(path + ": cannot be written; check the folder and the disk's space");
}

} // namespace

namespace {

/// Tests that share a kernel.
struct group {
  std::string name, shape;
  bool with_host = false;
  std::vector<std::string> tests; ///< the names of their types
  std::string text;               ///< their types

  /// A function that calls that of the test `which`.
  std::string member(char const* declaration, char const* member, char const* parameters, char const* arguments) const {
    std::string all = std::string("  static ") + declaration + " " + member + "(unsigned which, " + parameters +
                      ") {\n    switch (which) {\n";
    for (std::size_t i = 0; i < tests.size(); ++i)
      all += "    case " + std::to_string(i) + ": return " + tests[i] + "::" + member + "(" + arguments + ");\n";
    bool const returns = std::string(declaration).find("unsigned") != std::string::npos;
    return all + "    }\n" + (returns ? "    return 0;\n" : "") + "  }\n";
  }

  std::string source(bool code) const {
    char const *const at = "char* const* at", *const side = with_host ? "void" : "__device__ void";
    std::string all = text + "struct " + name + " {\n" + shape +
                      member("__device__ void", "run",
                             "unsigned thread, char* const* at, layout const& all, patience& awaits, unsigned& seen",
                             "thread, at, all, awaits, seen") +
                      member(with_host ? "unsigned" : "__device__ unsigned", "finals", at, "at") +
                      member(side, "end", at, "at") + member(side, "restore", at, "at");
    if (with_host)
      all += member("void", "run_on_host", "unsigned thread, char* const* at, patience_of_host& awaits, unsigned& seen",
                    "thread, at, awaits, seen") +
             member("__device__ unsigned", "finals_own", at, "at") + member("__device__ void", "end_own", at, "at") +
             member("__device__ void", "restore_own", at, "at");
    all += "};\n";
    if (with_host)
      return all + "registered_host_test const " + name + "_test(\"" + name + "\", host_kernel<" + name +
             ">, host_code_of<" + name + ">());\n\n";
    return all + "registered_kernel const " + name + "_kernel(\"" + name + "\", kernel<" + name + ">);\n\n" +
           (code ? codes() : "");
  }

  /// A kernel for each test.
  std::string codes() const {
    std::string all;
    for (auto const& t : tests)
      all += "extern \"C\" __global__ void " + code_of(t) + "(__grid_constant__ code_arguments<" + name +
             "> const a) { run_alone<" + t + ">(a); }\n";
    return all + "\n";
  }
  static std::string code_of(std::string const& test) { return "code_of_" + test; }
};

constexpr std::size_t most_tests_of_group = 32;

} // namespace

written write_sources(std::string const& folder, unsigned parts, std::vector<test_source> const& tests, bool code) {
  std::filesystem::create_directories(folder);
  std::string const first_lines = "// SPDX-License-Identifier: Apache-2.0\n// Written by tools/litmus_runner.\n";
  std::string table = first_lines + "#include \"table.hpp\"\n\nnamespace litmus_runner {\n\nnamespace {\n\n"
                                    "std::vector<row> make() {\n  return {\n";
  std::vector<group> groups;
  std::map<std::string, std::size_t> open;                          // shape -> the group that takes more tests
  std::map<std::string, std::pair<std::size_t, std::size_t>> known; // shape and body -> group and place in it
  written result;
  for (auto const& s : tests) {
    auto const& where = s.program.placements[s.placement];
    try {
      outcome const o = outcome_of(s.program, s.states);
      kernel_text const k = write_kernel(s.program, where, o, s.form);
      auto const [at, is_new] = known.try_emplace(k.shape + k.body);
      if (is_new) {
        char number[20];
        std::snprintf(number, sizeof number, "%08x", unsigned(hash_of(k.shape + k.body)));
        std::string const name =
            identifier(s.program.name + "_" + where.name) + (s.form == form::ptx ? "_ptx_" : "_library_") + number;
        auto const last = open.find(k.shape);
        if (last == open.end() || groups[last->second].tests.size() == most_tests_of_group) {
          open[k.shape] = groups.size();
          groups.push_back({"group_" + std::to_string(groups.size()), k.shape, k.with_host, {}, ""});
        }
        group& g = groups[open[k.shape]];
        at->second = {open[k.shape], g.tests.size()};
        g.tests.push_back(name);
        g.text += "struct " + name + " {\n" + k.body + "};\n";
        ++result.kernels;
      }
      group const& g = groups[at->second.first];
      std::size_t const which = at->second.second;
      table += row_text(s, o, g.name, which, code ? group::code_of(g.tests[which]) : "", k);
      ++result.tests;
    } catch (not_runnable const& reason) {
      std::string const test = s.program.name + " " + where.name + (s.form == form::ptx ? " ptx" : " library");
      std::string text = reason.what(), named = s.program.name + ": ";
      result.left_out.push_back({test, text.starts_with(named) ? text.substr(named.size()) : text});
    }
  }
  for (unsigned i = 0; i < parts; ++i) {
    std::string text = first_lines + "#include \"generated.hpp\"\n\nnamespace litmus_runner::tests {\n\n";
    for (std::size_t g = i; g < groups.size(); g += parts) text += groups[g].source(code);
    write_if_changed(folder + "/kernels_" + std::to_string(i) + ".cu", text + "} // namespace litmus_runner::tests\n");
  }
  write_if_changed(
      folder + "/table.cpp",
      table + "  };\n}\n\nregistered_rows const all(make);\n\n} // namespace\n\n} // namespace litmus_runner\n");
  return result;
}

} // namespace litmus_runner
