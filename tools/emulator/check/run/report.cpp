// SPDX-License-Identifier: Apache-2.0
//
// report: see the header.
#include "report.hpp"

namespace emulator::check {

namespace {

std::string quoted(std::string const& text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') (result += '\\') += c;
    else if (c == '\n') result += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", unsigned(c));
      result += code;
    } else result += c;
  }
  return result + '"';
}

std::string list(std::uint32_t const (&v)[3]) {
  return "[" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + "]";
}

} // namespace

std::string text_of(finding const& f, std::uint64_t seed) {
  return f.text + "\n  replay: --check --seed " + std::to_string(seed) + "\n";
}

std::string json_of(finding const& f, std::uint64_t seed) {
  std::string text = "{\"kind\":" + quoted(f.kind) + ",\"seed\":" + std::to_string(seed) +
                     ",\"text\":" + quoted(f.text) + ",\"parties\":[";
  for (finding::party const& p : f.parties) {
    if (&p != f.parties.data()) text += ',';
    text += "{\"kernel\":" + quoted(p.kernel) + ",\"block\":" + list(p.block) + ",\"thread\":" + list(p.thread) +
            ",\"instruction\":" + quoted(p.instruction) + ",\"ptx_line\":" + std::to_string(p.ptx_line) +
            ",\"source\":" + quoted(p.source) + "}";
  }
  return text + "]}";
}

} // namespace emulator::check
