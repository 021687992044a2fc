# SPDX-License-Identifier: Apache-2.0
"""examples: every exported class has a usage example in its docstring, and examples are short.

An example is a block of a docstring, three to eight lines of code that begin five spaces after the slashes:

    /// Example:
    ///     cudax::latch<cudax::thread_scope_block> done(2);
    ///     done.count_down();
    ///     done.wait();

An exported class or class template needs an Example in its docstring, or an Example in its unit that names it as
cudax::<name>. A unit that exports any declaration needs an Example. Both rules hold for the rooms in ROOMS.

`source(tree)` is one source of all examples, which tests/module/examples.py compiles.
"""

import re
from dataclasses import dataclass

from reader import Finding, Problem

ROOMS = "base atomic contended wait host thread copy grid container".split()
DEFINITION = re.compile(r"(__global__|__device__|__host__|__shared__|template|struct|void|inline|constexpr|namespace)($|[^a-zA-Z_0-9])")
CUDA_NAME = r"(^|[^a-zA-Z_0-9:])cuda[A-Z]"
CUDA_ONLY = re.compile(rf"__global__|__device__|__host__|__shared__|<<<|threadIdx|blockIdx|blockDim|gridDim|{CUDA_NAME}", re.M)
CLASS = re.compile(r"(template <.*> )?(class|struct) (\w*)(<?)")
HEADERS = "chrono csignal cstdio memory_resource string system_error thread vector"


@dataclass
class Example:
    path: str
    line: int  # of the first line of code
    code: str = ""
    size: int = 0


def read(tree, path):
    """The examples of a unit, its findings, the exported classes without one (name -> line), how many classes it exports, and
    whether it exports anything."""
    examples, findings, missing, shown = [], [], {}, set()
    exported = exports = documented = has_example = was_doc = False
    example, classes = None, 0

    def end_example():
        if not 3 <= example.size <= 8:
            findings.append(Finding(path, example.line, f"this Example has {example.size} lines", "an example has three to eight"))
        examples.append(example)

    for number, line in enumerate(tree.read(path).split("\n"), 1):
        text = line.lstrip(" ")
        is_doc = text.startswith("///")
        if example:
            if re.match(r"///     [^ ]", text) or (example.size and re.match(r"///     +[^ ]", text)) or text == "///":
                example.code += text[8:] + "\n"
                example.size += text != "///"
            else:
                end_example()
                example, has_example = None, True
        if is_doc and not was_doc:
            has_example = False
        if text == "/// Example:":
            example = Example(path, number + 1)
        elif is_doc and "Example:" in text:
            findings.append(Finding(path, number, "an example begins otherwise", 'begin it with the line "/// Example:"'))
        was_doc = is_doc
        if is_doc:
            documented = True
            continue
        if line.startswith("export namespace"):
            exports = exported = True
        elif line.startswith("} // namespace"):
            exported = False
        declared = CLASS.match(re.sub(r"\[\[[^\]]*\]\] |alignas\([^)]*\) ", "", line)) if exported and CLASS.match(line) else None
        if declared and (not line.endswith(";") or documented):
            classes += 1
            if has_example:
                shown.add(declared[3])
            elif not declared[4] and declared[3] not in shown:
                missing[declared[3]] = number
        if re.search(r"[;}] *$", line):  # the end of the declaration that the docstring belongs to
            documented = has_example = False
    return examples, findings, missing, classes, exports


def units(tree):
    return [path for path in tree.files("modules", ".cppm") if path.count("/") == 2]


def check(tree):
    findings, count, classes = [], 0, 0
    for path in units(tree):
        examples, more, missing, exported, exports = read(tree, path)
        findings += more
        count += len(examples)
        classes += exported
        if path.split("/")[1] in ROOMS:
            code = "\n".join(example.code for example in examples)
            for name, line in missing.items():
                if not re.search(rf"cudax::{name}($|[^a-zA-Z_0-9])", code, re.M):
                    findings.append(Finding(path, line, f"the exported class {name} has no Example", "add one to its docstring"))
            if exports and not examples:
                findings.append(Finding(path, 0, "this unit exports declarations and has no Example", "add one to a docstring"))
    if count < 50 or classes < 20:
        raise Problem(f"examples: found only {count} examples and {classes} exported classes; correct tests/house/examples.py")
    return findings, f"{count} examples, {classes} exported classes"


def source(tree):
    """All examples as one source. If the first line begins with a word of DEFINITION, or with `using` where functions follow, the
    code stands at namespace scope. Otherwise it is the body of a function. The function is for host and device; it is for the
    host alone in a unit of cudax.sync.host, or if the code names a CUDA function. Plain C++ leaves out code that is CUDA only."""
    lines = [f"#include <{header}>" for header in HEADERS.split()]
    lines += ["#if defined(__CUDA__)", "#include <cuda_runtime.h>", "#define EVERYWHERE __host__ __device__", "#else", "#define EVERYWHERE",
              "#endif", "import cudax.sync;", "import cudax.sync.host;"]
    number = 0
    for example in [example for path in units(tree) for example in read(tree, path)[0]]:
        number += 1
        code = example.code
        only = CUDA_ONLY.search(code)
        scope = DEFINITION.match(code) or (code.startswith("using ") and re.search(r"\n(__global__|__device__|inline) ", code))
        everywhere = "" if example.path.startswith("modules/host/") or re.search(CUDA_NAME, code, re.M) else "EVERYWHERE "
        lines += ["#if defined(__CUDA__)"] * bool(only) + [f"namespace example_{number} {{"] + [f"{everywhere}void function() {{"] * (not scope)
        lines += [f'#line {example.line} "{tree.root}/{example.path}"', code + "}" * (not scope) + ("\n}" if not scope else "}")]
        lines += ["#endif"] * bool(only)
    return "\n".join(lines) + "\n"


def plants(tree):
    latch = "modules/thread/latch.cppm"
    text = tree.read(latch)
    block = r"(?P<head>^ *///) Example:\n(?P<code>( *///     .*\n)+)"
    yield "an example that is too short", tree.replaced(latch, block, r"\g<head> Example:\n\g<head>     int a;\n\g<head>     int b;\n\n"), "this Example has 2 lines"
    longer = "".join(rf"\g<head>     int a{number};\n" for number in range(9))
    yield "an example that is too long", tree.replaced(latch, block, rf"\g<head> Example:\n{longer}\n"), "this Example has 9 lines"
    yield "an example that begins otherwise", tree.replaced(latch, block, r"\g<head> Example: \g<code>"), "an example begins otherwise"
    none = tree.with_file(latch, re.sub(block, "", text, flags=re.M))
    yield "a class without an example", none, "the exported class latch has no Example"
    yield "a unit without an example", none, "this unit exports declarations and has no Example"
    another = text.replace("export namespace cudax {\n", "export namespace cudax {\nclass planted {\n};\n", 1)
    yield "another class without an example", tree.with_file(latch, another), "the exported class planted has no Example"
