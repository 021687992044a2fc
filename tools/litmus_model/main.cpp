// SPDX-License-Identifier: Apache-2.0
//
// main: the commands of litmus_model. tools/litmus describes them.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "explain.hpp"
#include "model.hpp"
#include "mutants.hpp"
#include "parse.hpp"
#include "print.hpp"
#include "search.hpp"

namespace {

using namespace litmus;

struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct named_model {
  std::string name;
  std::unique_ptr<model const> rules;
};

struct options {
  std::vector<std::string> files;
  std::vector<named_model> models;
  std::string placement, dot, write;
  bool brief = false, json = false, check = false, accept = false;
};

options parse_options(std::vector<std::string> const& all) {
  options o;
  std::string which = "both";
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto const argument = [&] {
      if (i + 1 == all.size()) throw usage_error(all[i] + " needs an argument; see tools/litmus --help");
      return all[++i];
    };
    if (all[i] == "--model") which = argument();
    else if (all[i] == "--placement") o.placement = argument();
    else if (all[i] == "--dot") o.dot = argument();
    else if (all[i] == "--write") o.write = argument();
    else if (all[i] == "--brief") o.brief = true;
    else if (all[i] == "--json") o.json = true;
    else if (all[i] == "--check") o.check = true;
    else if (all[i] == "--accept") o.accept = true;
    else if (all[i].starts_with("--")) throw usage_error("unknown option '" + all[i] + "'; see tools/litmus --help");
    else o.files.push_back(all[i]);
  }
  if ((o.check || o.accept) && (which != "both" || !o.placement.empty()))
    throw usage_error("--check and --accept compare both models in all placements; leave out --model and --placement");
  if (o.files.empty()) throw usage_error("no FILE; name .litmus files or folders of them");
  if (which != "ptx" && which != "rc11" && which != "both")
    throw usage_error("--model is '" + which + "'; use ptx, rc11 or both");
  if (which != "rc11") o.models.push_back({"ptx", make_ptx_model()});
  if (which != "ptx") o.models.push_back({"rc11", make_rc11_model()});
  return o;
}

/// The files, and of folders all .litmus files, sorted.
std::vector<std::string> expand(std::vector<std::string> const& names) {
  std::vector<std::string> result;
  for (auto const& name : names) {
    if (!std::filesystem::is_directory(name)) {
      result.push_back(name);
      continue;
    }
    std::vector<std::string> found;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(name))
      if (entry.path().extension() == ".litmus") found.push_back(entry.path().string());
    if (found.empty()) throw usage_error(name + " contains no .litmus file; name another folder");
    std::sort(found.begin(), found.end());
    result.insert(result.end(), found.begin(), found.end());
  }
  return result;
}

bool selected(options const& o, placement const& p) { return o.placement.empty() || o.placement == p.name; }

void ensure_placement(options const& o, program const& p) {
  if (o.placement.empty()) return;
  for (auto const& one : p.placements)
    if (one.name == o.placement) return;
  std::string list;
  for (auto const& one : p.placements) list += (list.empty() ? "" : ", ") + one.name;
  throw usage_error(p.file + ": there is no placement " + o.placement + "; use one of: " + list);
}

/// The verdict; an error names the program.
answer decided(program const& p, placement const& where, model const& m) {
  try {
    return decide(p, where, m);
  } catch (std::exception const& error) { // too many events or traces, or a value that the models cannot follow
    throw std::runtime_error((p.file.empty() ? p.name : p.file) + ": placement " + where.name + ": " + error.what() +
                             "; make the program smaller");
  }
}

/// The name of a file, in a folder that exists from now on.
std::filesystem::path file_in(std::string const& folder, std::string name) {
  std::filesystem::create_directories(folder);
  std::replace(name.begin(), name.end(), '/', '_');
  return std::filesystem::path(folder) / name;
}

void write_graph(options const& o, program const& p, placement const& where, std::string const& model,
                 answer const& a) {
  std::string const graph = dot(p, where, model, a);
  if (o.dot.empty() || graph.empty()) return;
  std::ofstream(file_in(o.dot, p.name + "." + where.name + "." + model + ".dot")) << graph;
}

/// One line for each placement: its verdict by each model.
std::string brief_line(placement const& where, std::vector<std::string> const& verdicts) {
  std::string line = where.name;
  line.resize(std::max<std::size_t>(line.size(), 23), ' ');
  for (auto const& one : verdicts) line += " " + one;
  return line + "\n";
}

/// Compares with the file beside the program, or writes it. Returns whether they agree.
bool check_expected(options const& o, program const& p, std::string const& verdicts) {
  auto const file = std::filesystem::path(p.file).replace_extension(".expected");
  if (o.accept) {
    if (!(std::ofstream(file) << verdicts)) throw usage_error(file.string() + ": cannot be written; check the folder");
    return true;
  }
  std::ifstream in(file);
  std::ostringstream text;
  if (!in) {
    std::cout << file.string() << ":1: the file does not exist; write it by tools/litmus verdict --accept " << p.file
              << "\n";
    return false;
  }
  text << in.rdbuf();
  if (text.str() == verdicts) return true;
  std::istringstream expected(text.str()), found(verdicts);
  std::string left, right;
  for (int line = 1;; ++line) {
    bool const more_left = bool(std::getline(expected, left)), more_right = bool(std::getline(found, right));
    if (!more_left && !more_right) return false;
    if (!more_left) left = "nothing";
    if (!more_right) right = "nothing";
    if (left != right)
      std::cout << file.string() << ":" << line << ": expected '" << left << "', found '" << right
                << "'; correct the program or the model, or the file if its verdict was wrong\n";
  }
}

int verdict_command(options const& o) {
  int programs = 0, placements = 0, wrong = 0;
  for (auto const& file : expand(o.files)) {
    program const p = parse_file(file);
    ensure_placement(o, p);
    std::string brief;
    for (auto const& where : p.placements) {
      if (!selected(o, where)) continue;
      std::vector<std::string> verdicts;
      for (auto const& m : o.models) {
        answer const a = decided(p, where, *m.rules);
        verdicts.push_back(m.name + "=" + std::string(name(a.verdict)));
        write_graph(o, p, where, m.name, a);
        if (o.json) std::cout << json(p, where, m.name, a) << "\n";
        else if (!o.brief && !o.check && !o.accept) std::cout << explain(p, where, m.name, a);
      }
      brief += brief_line(where, verdicts);
      ++placements;
    }
    ++programs;
    if (o.check || o.accept) wrong += !check_expected(o, p, brief);
    else if (o.brief && !o.json) std::cout << p.name << "\n" << brief;
  }
  if (o.check || o.accept)
    std::cout << programs << " programs in " << placements << " placements: "
              << (o.accept ? "written"
                  : wrong  ? std::to_string(wrong) + " programs disagree"
                           : "as expected")
              << "\n";
  return wrong ? 1 : 0;
}

int mutants_command(options const& o) {
  for (auto const& file : expand(o.files)) {
    program const p = parse_file(file);
    ensure_placement(o, p);
    for (auto const& m : o.models)
      for (auto const& where : p.placements) {
        if (!selected(o, where) || decided(p, where, *m.rules).verdict != verdict::forbidden) continue;
        for (auto const& one : mutants_of(p, where)) {
          answer const a = decided(one.program, where, *m.rules);
          if (!o.write.empty())
            std::ofstream(file_in(o.write, one.program.name + "." + where.name + ".litmus")) << print(one.program);
          if (o.json) std::cout << json(one.program, where, m.name, a) << "\n";
          else
            std::cout << p.name << " " << where.name << " " << one.change << " " << m.name << "=" << name(a.verdict)
                      << "\n";
        }
      }
  }
  return 0;
}

int run(std::vector<std::string> arguments) {
  std::string const command = arguments.empty() ? "" : arguments[0];
  if (command != "verdict" && command != "mutants" && command != "print")
    throw usage_error("the command is '" + command + "'; use verdict, mutants or print");
  arguments.erase(arguments.begin());
  options const o = parse_options(arguments);
  if (command == "verdict") return verdict_command(o);
  if (command == "mutants") return mutants_command(o);
  for (auto const& file : expand(o.files)) std::cout << print(parse_file(file));
  return 0;
}

} // namespace

int main(int count, char** arguments) {
  try {
    return run({arguments + 1, arguments + count});
  } catch (parse_error const& error) {
    std::cerr << error.what() << "\n";
  } catch (std::exception const& error) {
    std::cerr << "litmus: " << error.what() << "\n";
  }
  return 2;
}
