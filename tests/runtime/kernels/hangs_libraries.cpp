// SPDX-License-Identifier: Apache-2.0
//
// Reports of long waits in two shared libraries of one program: each library's call of report_hangs applies to its own
// kernels, although the dynamic loader links both with the first definition of a template that it finds.
#include <cstdio>
#include <string>
#include <unistd.h>

extern "C" int first_library();
extern "C" int second_library();

namespace {

/// Whether the call returns success and one report is printed meanwhile.
bool reports(char const* name, int (*library)()) {
  std::FILE* const file = std::tmpfile();
  int const before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  int const code = library();
  dup2(before, STDERR_FILENO);
  close(before);
  char text[8192];
  ssize_t const size = pread(fileno(file), text, sizeof(text), 0);
  std::fclose(file);
  std::string const printed(text, size < 0 ? 0 : std::size_t(size));
  std::string const sentence = "cudax.sync: atomic::wait: the value has not changed; ";
  bool const passed = code == 0 && printed.starts_with(sentence) && printed.find(sentence, 1) == printed.npos;
  if (!passed) std::printf("FAILED: %s returns %d; standard error:\n%s\n", name, code, printed.c_str());
  return passed;
}

} // namespace

int main() {
  bool const first = reports("first_library", first_library), second = reports("second_library", second_library);
  std::puts(first && second ? "hangs_libraries: passed" : "hangs_libraries: failed");
  return first && second ? 0 : 1;
}
