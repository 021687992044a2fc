// SPDX-License-Identifier: Apache-2.0
//
// list: a program that prints the supported instructions, as the table of instructions/README.md.
#include "../machine/decoder.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

int main() {
  std::vector<emulator::definition const*> all;
  for (auto const* d = emulator::first_definition(); d; d = d->next) all.push_back(d);
  std::sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->name < b->name; });
  std::puts("| instruction | forms |\n|---|---|");
  for (auto const* d : all) {
    std::string forms(d->forms);
    for (std::size_t bar = 0; (bar = forms.find('|', bar)) != forms.npos; bar += 2) forms.insert(bar, "\\");
    std::printf("| `%.*s` | %s |\n", int(d->name.size()), d->name.data(), forms.c_str());
  }
}
