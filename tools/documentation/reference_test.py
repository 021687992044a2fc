#!/usr/bin/env -S python3 -I
# SPDX-License-Identifier: Apache-2.0
"""reference_test: what reference.py reads, what it rejects, and what it writes, on small units; and the code blocks of
build.py."""

import importlib.util
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import build
import reference
import reference_pages

UNIT = """
module;
export module cudax.sync:thing;

namespace cudax {
struct hidden {
  int inherited() const;
};
/// A type that has | something.
template <class T>
concept some = true;
} // namespace cudax

export namespace cudax {

template <int N>
class thing;
template <int N>
void init(thing<N>* object, int count) noexcept
    CUDAX_REFUSE(count < 0, "init(thing): the count is negative; use 0 or more");

/// Holds things, like thread_scope_block and `other`.
/// Source:   [thing.class]
/// Order:    release, and
///           acquire
/// Example:
///     cudax::thing<1> t(2);
///     t.take();
template <int N = 1>
class thing : public hidden {
  CUDAX_ENSURE_SCOPE(N, "thing<N>");
  int private_;

public:
  constexpr explicit thing(int count) noexcept CUDAX_REFUSE(count < 0, "thing: ) is negative") : count_(count) {}
  thing(thing const&) = delete;

  /// Takes one.
  /// Requires: N > 0
  template <some T>
    requires(sizeof(T) == 4)
  [[nodiscard]] inline bool take(T const& value = T{}) const noexcept {
    return value == '"' || "}" == nullptr;
  }
  bool try_take() noexcept;

  int size; ///< how many there are

private:
  int count_;
};

/// Gives a thing its count.
template <int N>
void init(thing<N>* object, int count = 0) noexcept {}

/// An enumeration.
enum other : int {
  other_a, ///< the first
  other_b = 4,
};

} // namespace cudax
"""

HEADER = """
namespace cudax {

/// The exception.
class error : public std::exception {
public:
  int code() const;
};

namespace runtime {
class hidden;
}
} // namespace cudax
"""

README = """
| section | units |
|---|---|
| things, and more | `room/` `thing` |
"""


README_MD = """# Title

## Speed

It is [a.md](folder/a.md), ![picture](folder/b.png) and [x](https://x).

## Next
"""


class Tree:
    """A folder with one unit, the table of sections and the lists of names."""

    def __init__(self, unit=UNIT, names=("thing", "init", "other", "other_a", "other_b"), readme=README):
        self.folder = tempfile.TemporaryDirectory()
        self.root = self.folder.name
        for path, text in {
            "modules/room/thing.cppm": unit,
            "modules/README.md": readme,
            "tests/module/names.inc": "".join(f"NAME({name})\n" for name in names),
            "runtime/interface/error.hpp": HEADER,
            "tests/module/names_host.inc": "",
        }.items():
            os.makedirs(os.path.dirname(os.path.join(self.root, path)), exist_ok=True)
            with open(os.path.join(self.root, path), "w", encoding="utf-8") as file:
                file.write(text)

    def page(self):
        reference_pages.write(reference.Reference(self.root), os.path.join(self.root, "out"))
        with open(os.path.join(self.root, "out/things-and-more.md"), encoding="utf-8") as file:
            return file.read()

    def problem(self):
        try:
            reference.Reference(self.root)
        except reference.Problem as problem:
            return str(problem)
        return ""


class Reading(unittest.TestCase):
    def test_an_entry_has_signature_text_fields_and_example(self):
        page = Tree().page()
        self.assertIn("template <int N = 1>\nclass thing;", page)
        self.assertIn("Holds things, like `thread_scope_block` and [`other`](#other).", page)
        self.assertIn("<dd markdown>release, and acquire</dd>", page)
        self.assertIn("cudax::thing<1> t(2);\nt.take();", page)

    def test_a_term_is_linked_to_its_text(self):
        page = Tree(UNIT.replace("///           acquire\n", "///           acquire\n/// Units:    any duration, by any clock\n")).page()
        self.assertIn("[any duration](../terms.md#any-duration), by [any clock](../terms.md#any-clock)", page)

    def test_a_signature_has_no_macro_no_body_and_no_initializer(self):
        page = Tree().page()
        self.assertIn("constexpr explicit thing(int count) noexcept;", page)
        self.assertIn(
            "  requires(sizeof(T) == 4)\n[[nodiscard]] bool take(T const& value = T{}) const noexcept;\n"
            "bool try_take() noexcept;",
            page,
        )
        self.assertNotIn("CUDAX_", page)

    def test_what_is_private_deleted_or_not_exported_has_no_entry(self):
        page = Tree().page()
        for absent in ("private_", "count_;", "thing const&", "hidden"):
            self.assertNotIn(absent, page)

    def test_members_of_a_base_that_is_not_exported_are_members(self):
        self.assertIn("int inherited() const;", Tree().page())

    def test_members_of_a_template_argument_and_inherited_constructors_are_members(self):
        bases = """
template <class T>
class stored {
public:
  /// Stores `value`.
  stored(T value) noexcept;
  int deepest() const;
};
template <class T, class Base>
class added : public Base {
public:
  using Base::Base;
  explicit added(Base const& other) noexcept;
  int between() const;
};
} // namespace cudax

export namespace cudax {
"""
        page = Tree(
            UNIT.replace("} // namespace cudax\n\nexport namespace cudax {\n", bases, 1)
            .replace("class thing : public hidden {", "class thing : public added<int, stored<int>> {")
            .replace("  thing(thing const&) = delete;", "  using base::base;", 1)
        ).page()
        self.assertIn("int deepest() const;\nint between() const;", page)
        self.assertIn("thing(T value) noexcept;", page)
        self.assertIn("Stores `value`.", page)
        for absent in ("added", "Base", "base::", "stored"):
            self.assertNotIn(absent, page)

    def test_an_exported_template_argument_is_shown_as_the_base(self):
        bases = """
template <class T, class Base>
class added : public Base {
public:
  int between() const;
};
} // namespace cudax

export namespace cudax {

/// The base.
/// Example:
///     1;
class shown {
public:
  int deepest() const;
};
"""
        page = Tree(
            UNIT.replace("} // namespace cudax\n\nexport namespace cudax {\n", bases, 1)
            .replace("class thing : public hidden {", "class thing : public added<int, shown> {")
            .replace("  thing(thing const&) = delete;", "  using base::base;", 1),
            names=("shown", "thing", "init", "other", "other_a", "other_b"),
        ).page()
        self.assertIn("class thing : public shown;", page)
        self.assertIn("using shown::shown;", page)
        self.assertIn("int between() const;", page)
        self.assertEqual(page.count("int deepest() const;"), 1)

    def test_hidden_names_in_signatures_are_explained(self):
        tree = Tree()
        tree.page()
        with open(os.path.join(tree.root, "out/index.md"), encoding="utf-8") as file:
            self.assertIn("| `some` | A type that has \\| something. |", file.read())

    def test_a_declaration_before_its_definition_is_no_entry(self):
        self.assertEqual(Tree().page().count("## `init`"), 1)

    def test_a_using_declaration_shows_what_a_header_declares(self):
        page = Tree(
            UNIT.replace(
                "/// An enumeration.",
                "/// See the header.\n/// Example:\n///     throw 1;\n" "using cudax::error;\n\n/// An enumeration.",
            )
        ).page()
        self.assertIn(
            "class error : public std::exception;\n```\n\nThe exception.\n\nExample:\n\n```cpp\nthrow 1;", page
        )
        self.assertIn("int code() const;", page)

    def test_the_comment_after_a_member_stays(self):
        self.assertIn("int size; // how many there are", Tree().page())

    def test_enumerators_count_as_names(self):
        self.assertEqual(Tree().problem(), "")
        self.assertIn("other_a, // the first", Tree().page())


class Rejecting(unittest.TestCase):
    def test_a_field_inside_a_line(self):
        problem = Tree(UNIT.replace("/// Takes one.\n  /// Requires: N", "/// Takes one. Requires:  N")).problem()
        self.assertRegex(problem, r"cppm:\d+: 'Requires:' is inside a line; begin a line with it")

    def test_an_entity_without_docstring(self):
        problem = Tree(UNIT.replace("/// An enumeration.\n", "")).problem()
        self.assertIn("modules/room/thing.cppm:57: the exported enum `other` has no docstring; write one", problem)

    def test_an_exported_name_without_declaration(self):
        problem = Tree(names=("thing", "absent")).problem()
        self.assertIn("tests/module/names.inc: `absent` is exported, and reference.py finds no declaration", problem)

    def test_a_unit_that_no_section_names(self):
        self.assertIn(
            "names the unit room/absent, and there is no file",
            Tree(readme=README.replace("`thing`", "`absent`")).problem(),
        )
        tree = Tree()
        with open(os.path.join(tree.root, "modules/room/second.cppm"), "w", encoding="utf-8") as file:
            file.write("export namespace cudax {\n\n/// A number.\nusing number = int;\n\n} // namespace cudax\n")
        self.assertIn("modules/room/second.cppm: this unit exports declarations, and the table", tree.problem())

    def test_a_bracket_that_is_not_closed(self):
        self.assertIn(
            "modules/room/thing.cppm:",
            Tree(
                UNIT.replace("t.take();", "t.take();").replace(
                    "void init(thing<N>* object, int count = 0) noexcept {}", "void init(thing<N>* object;"
                )
            ).problem(),
        )


class Code(unittest.TestCase):
    def page(self, text, source="// [part]\n  int i;\n  // expected-error@+1 {{x}}\n// [/part]\n"):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "tests/guide"))
            for path, content in {
                "tests/guide/a.cu": "// A comment.\n\n" + source,
                "page.md": text,
                "README.md": README_MD,
            }.items():
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(content)
            return build.with_code(root, os.path.join(root, "page.md"))

    def test_a_section_is_inserted(self):
        self.assertEqual(self.page("```cpp\n{{ a.cu part }}\n```"), "```cpp\nint i;\n```")

    def test_a_section_without_a_beginning(self):
        with self.assertRaisesRegex(reference.Problem, "no section 'part'"):
            self.page("```cpp\n{{ a.cu part }}\n```", "// [parts]\n  int i;\n// [/part]\n")

    def test_a_file_is_inserted_without_its_header(self):
        self.assertEqual(self.page("```cpp\n{{ a.cu }}\n```", "int j;\n"), "```cpp\nint j;\n```")

    def test_a_section_of_the_readme_is_inserted(self):
        self.assertEqual(
            self.page("before\n\n{{ README.md Speed }}\n\nafter"),
            "before\n\nIt is `a.md`, ![picture](b.png) and [x](https://x).\n\nafter",
        )
        with self.assertRaisesRegex(reference.Problem, "page.md:1: README.md has no section 'Absent'"):
            self.page("{{ README.md Absent }}")

    def test_code_in_the_page_is_rejected(self):
        with self.assertRaisesRegex(reference.Problem, "page.md:2: this code is not compiled by any test"):
            self.page("```cpp\nint i;\n```")

    def test_a_section_or_file_that_does_not_exist_is_rejected(self):
        with self.assertRaisesRegex(reference.Problem, "there is no section 'absent'"):
            self.page("```cpp\n{{ a.cu absent }}\n```")
        with self.assertRaisesRegex(reference.Problem, "there is no file tests/guide/b.cu"):
            self.page("```cpp\n{{ b.cu }}\n```")


class Pages(unittest.TestCase):
    def names(self, index, *pages):
        with tempfile.TemporaryDirectory() as guide:
            for name in ("index", *pages):
                with open(os.path.join(guide, f"{name}.md"), "w", encoding="utf-8") as file:
                    file.write(index if name == "index" else f"# {name}\n")
            return build.guide_pages(guide)

    def test_the_table_of_the_index_is_the_order(self):
        rows = "| page | what |\n|---|---|\n| [B](b.md) | b? |\n| [A](a.md) | a? |\n\nAlso [C](a.md).\n"
        self.assertEqual(self.names(rows, "a", "b"), ["b", "a"])
        with self.assertRaisesRegex(reference.Problem, "guide/c.md: this page is in no list; add a row"):
            self.names(rows, "a", "b", "c")
        with self.assertRaisesRegex(reference.Problem, "guide/index.md: its table names a.md, which does not exist"):
            self.names(rows, "b")

    def test_a_link_to_a_page_that_does_not_exist_is_rejected(self):
        with tempfile.TemporaryDirectory() as pages:
            os.mkdir(os.path.join(pages, "reference"))
            for path, text in {
                "a.md": "# A\n\n[b](reference/b.md#x) and [site](https://x/y.md)\n[gone](reference/c.md#x)\n",
                "reference/b.md": "# B\n",
            }.items():
                with open(os.path.join(pages, path), "w", encoding="utf-8") as file:
                    file.write(text)
            with self.assertRaisesRegex(reference.Problem, "a.md, line 4 of the page: there is no page reference/c.md"):
                build.ensure_links(pages, "a")


sys.path.insert(0, build.PACKAGES)


@unittest.skipUnless(importlib.util.find_spec("mkdocs"), "MkDocs is not installed (tools/setup --docs)")
class Links(unittest.TestCase):
    def site(self, text):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "pages"))
            with open(os.path.join(folder, "pages/index.md"), "w", encoding="utf-8") as file:
                file.write(f"# Title\n\n{text}\n")
            return build.make_site(
                os.path.join(folder, "pages"), [{"Guide": ["index.md"]}], os.path.join(folder, "site")
            )

    def test_a_link_that_works_is_accepted(self):
        self.assertEqual(self.site("[here](#title)")[1], True)

    def test_a_broken_link_is_an_error(self):
        printed, succeeded = self.site("[page](absent.md) and [place](#absent)")
        self.assertFalse(succeeded)
        self.assertIn("absent.md", printed)
        self.assertIn("#absent", printed)


if __name__ == "__main__":
    unittest.main(warnings="ignore")
