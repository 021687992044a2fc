// SPDX-License-Identifier: Apache-2.0
//
// parse: the top level of a module: its header, variables, functions without their bodies, and the directives that are
// kept as text (.file, .section, .alias, .pragma).
#include "parse.hpp"

#include "declaration.hpp"
#include "scanner.hpp"
#include "source_lines.hpp"

#include <algorithm>
#include <utility>

namespace emulator::ptx {
namespace {

std::string where(module const& of, source_location const& at, std::string const& what) {
  std::string text = of.name + ":" + std::to_string(at.line) + ": " + what, source = source_with_callers(of, at);
  if (source.empty() && at.source_line > 0) source = "source line " + std::to_string(at.source_line);
  if (!source.empty()) text += " [" + source + "]";
  return text;
}

/// The words after a function's header: those without arguments, and those with numbers.
constexpr std::string_view bare_words[] = {"noreturn", "explicitcluster", "blocksareclusters"};
constexpr std::string_view number_words[] = {"maxntid",        "reqntid",      "maxnreg",
                                             "minnctapersm",   "maxnctapersm", "reqnctapercluster",
                                             "maxclusterrank", "abi_preserve", "abi_preserve_control"};

bool is_in(std::string_view word, auto const& words) { return std::ranges::find(words, word) != std::end(words); }

class module_parser {
public:
  explicit module_parser(module& result)
    : result_(result), in_{result, result.text->data(), result.text->data() + result.text->size(), 1} {}

  void parse() {
    while (!in_.ends()) {
      if (*in_.at != '.') in_.reject("expected a directive, which begins with a dot, before " + in_.next());
      top_level();
    }
    if (result_.version.empty()) in_.reject("no .version; is this PTX?");
    if (result_.target.empty()) in_.reject("no .target; is this PTX?");
  }

private:
  void top_level() {
    char const* const from = in_.at;
    int const line = in_.line;
    std::string_view linkage, word = in_.dotted();
    while (word == "visible" || word == "extern" || word == "weak" || word == "common") {
      if (!linkage.empty()) in_.reject("two kinds of linkage: " + std::string(linkage) + " and ." + std::string(word));
      linkage = {word.data() - 1, word.size() + 1};
      in_.skip();
      if (*in_.at != '.') in_.reject("expected what has this linkage before " + in_.next());
      word = in_.dotted();
    }
    if (word == "func" || word == "entry") return function(linkage, word == "entry", line);
    in_.at = word.data() - 1;
    if (space const where = take_space(in_); where != space::none) return variables(linkage, where);
    in_.at = word.data() + word.size();
    if (!linkage.empty()) in_.reject("`." + std::string(word) + "` cannot have a linkage");
    head_or_text(word, from);
  }

  void head_or_text(std::string_view word, char const* from) {
    if (word == "version") {
      result_.version = number_with_point();
    } else if (word == "target") {
      result_.target = names();
    } else if (word == "address_size") {
      result_.address_size = int(in_.integer("the size of an address"));
      if (result_.address_size != 64)
        in_.reject(".address_size " + std::to_string(result_.address_size) + "; the emulator knows 64 only");
    } else if (word == "file") {
      file();
    } else if (word == "section") {
      text_directive(word, [&] {
        in_.skip();
        if (*in_.at != '.') in_.reject("expected the name of a section before " + in_.next());
        in_.dotted();
        in_.expect('{', "the beginning of a section");
        in_.skip_braces();
      });
    } else if (word == "alias") {
      alias();
    } else if (word == "pragma") {
      text_directive(word, [&] {
        in_.quoted();
        while (in_.next_character() == ',' && in_.take(',')) in_.quoted();
      });
      in_.expect(';', "the end of a pragma");
    } else {
      in_.at = from;
      in_.reject("the directive `." + std::string(word) + "` is not known");
    }
  }

  std::string_view number_with_point() {
    in_.skip();
    char const* const from = in_.at;
    while (is_digit(*in_.at) || *in_.at == '.') ++in_.at;
    if (in_.at == from) in_.reject("expected a version before " + in_.next());
    return in_.since(from);
  }

  std::string_view names() { // sm_90a, debug
    in_.skip();
    char const* const from = in_.at;
    in_.name("a target");
    while (in_.next_character() == ',' && in_.take(',')) in_.name("a target's option");
    return in_.since(from);
  }

  template <class F>
  std::string_view text_directive(std::string_view word, F arguments) {
    in_.skip();
    char const* const from = in_.at;
    arguments();
    std::string_view const text = in_.since(from);
    result_.order.push_back({item::kind::directive, int(result_.directives.size())});
    result_.directives.push_back({word, text});
    return text;
  }

  void file() { // .file 1 "a.cu", time, size
    std::int64_t number = 0;
    std::string_view path;
    text_directive("file", [&] {
      number = in_.integer("the number of a file");
      path = in_.quoted();
      while (in_.next_character() == ',' && in_.take(',')) in_.integer("a file's time and size");
    });
    if (number > 1'000'000) in_.reject("file number " + std::to_string(number) + "; is this text damaged?");
    if (result_.files.size() <= std::size_t(number)) result_.files.resize(std::size_t(number) + 1);
    result_.files[std::size_t(number)] = path.substr(1, path.size() - 2);
  }

  void alias() {
    std::string_view name, of;
    text_directive("alias", [&] {
      name = in_.name("the alias of a function");
      in_.expect(',', "between an alias and its function");
      of = in_.name("the function of an alias");
    });
    in_.expect(';', "the end of an alias");
    ptx::function* const aliased = result_.find(of);
    if (!aliased)
      in_.reject("`" + std::string(name) + "` is an alias of `" + std::string(of) +
                 "`, which is not declared before it");
    result_.names[name] = aliased;
  }

  void variables(std::string_view linkage, space where) {
    if (where == space::reg || where == space::local || where == space::param) {
      in_.reject("`." + std::string(name_of(where)) + "` outside of functions");
    }
    std::size_t const first = result_.variables.size();
    declare(in_, where, linkage, result_.variables);
    in_.expect(';', "the end of a declaration");
    for (std::size_t i = first; i < result_.variables.size(); ++i) {
      result_.order.push_back({item::kind::variable, int(i)});
    }
  }

  void function(std::string_view linkage, bool is_entry, int line) {
    auto made = std::make_unique<ptx::function>();
    made->is_entry = is_entry;
    made->linkage = linkage;
    made->at.line = line;
    if (in_.take_word(".attribute")) {
      char const* const from = in_.at;
      while (*in_.at != ')' || in_.at[1] == ')') {
        if (in_.at == in_.end || *in_.at == '{' || *in_.at == ';') in_.reject("this attribute's `(` is never closed");
        in_.line += *in_.at++ == '\n';
      }
      ++in_.at;
      made->directives.push_back({"attribute", in_.since(from)});
    }
    in_.skip();
    if (*in_.at == '(') made->returns = parameter_list(in_);
    made->name = in_.name("the name of a function");
    in_.skip();
    if (*in_.at == '(') made->parameters = parameter_list(in_);
    for (;;) {
      in_.skip();
      if (*in_.at != '.') break;
      made->directives.push_back(performance(in_.dotted()));
    }
    if (in_.take('{')) {
      made->has_body = true;
      made->body_line = in_.line;
      char const* const from = in_.at;
      in_.skip_braces();
      made->body_text = {from, std::size_t(in_.at - from - 1)};
    } else in_.expect(';', "or a body in braces");
    keep(std::move(made));
  }

  directive performance(std::string_view word) {
    if (is_in(word, bare_words)) return {word, {}};
    if (word == "pragma") {
      std::string_view const text = in_.quoted();
      in_.expect(';', "the end of a pragma");
      return {word, text};
    }
    if (!is_in(word, number_words))
      in_.reject("`." + std::string(word) + "` is not known after the header of a function");
    in_.skip();
    char const* const from = in_.at;
    in_.integer("a number");
    while (in_.next_character() == ',' && in_.take(',')) in_.integer("a number");
    return {word, in_.since(from)};
  }

  void keep(std::unique_ptr<ptx::function> made) {
    auto const [known, is_new] = result_.names.try_emplace(made->name, made.get());
    if (!is_new && made->has_body) {
      if (known->second->has_body) {
        in_.reject("`" + std::string(made->name) + "` is defined a second time; first in line " +
                   std::to_string(known->second->at.line));
      }
      known->second = made.get();
    }
    result_.order.push_back({item::kind::function, int(result_.functions.size())});
    result_.functions.push_back(std::move(made));
  }

  module& result_;
  scanner in_;
};

} // namespace

rejected::rejected(module const& of, source_location at, std::string const& what)
  : runtime_error(where(of, at, what)) {}

std::unique_ptr<module> parse(std::string text, std::string name) {
  auto result = std::make_unique<module>();
  result->name = std::move(name);
  while (!text.empty() && text.back() == '\0') text.pop_back(); // images are padded with zeros
  result->text = std::make_unique<std::string const>(std::move(text));
  module_parser(*result).parse();
  return result;
}

} // namespace emulator::ptx
