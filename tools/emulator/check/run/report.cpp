// SPDX-License-Identifier: Apache-2.0
//
// report: see the header.
#include "report.hpp"

#include <algorithm>

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

std::string list(std::vector<std::string> const& texts) {
  std::string result;
  for (std::string const& text : texts) result += (result.empty() ? "" : ",") + quoted(text);
  return "[" + result + "]";
}

} // namespace

std::string key_of(finding const& f) {
  std::vector<std::string> places;
  places.reserve(f.parties.size());
  for (finding::party const& p : f.parties)
    places.push_back(p.source.empty()    ? p.kernel + ":" + std::to_string(p.ptx_line)
                     : p.callers.empty() ? p.source
                                         : p.source + " in " + p.callers.back());
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  std::string key = f.kind;
  for (std::string const& place : places) key += " | " + place;
  return key;
}

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
            ",\"source\":" + quoted(p.source) + ",\"inlined_at\":" + list(p.callers) + "}";
  }
  return text + "]}";
}

} // namespace emulator::check
