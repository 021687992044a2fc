// SPDX-License-Identifier: Apache-2.0
//
// json: values and names as JSON.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace device_report {

inline std::string json(std::string const& text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + '"';
}
inline std::string json(char const* text) { return json(std::string(text)); }
inline std::string json(bool value) { return value ? "true" : "false"; }
inline std::string json(int value) { return std::to_string(value); }
inline std::string json(unsigned long long value) { return std::to_string(value); }

/// Returns an array of values that are JSON already.
inline std::string json_array(std::vector<std::string> const& values, char const* between = ", ") {
  std::string out = "[";
  for (std::string const& value : values) (out += out.size() > 1 ? between : "") += value;
  return out + "]";
}

/// An object, member by member.
class json_object {
  std::string text_ = "{";

public:
  template <class T> json_object& add(char const* name, T const& value) { return add_json(name, json(value)); }
  json_object& add_json(char const* name, std::string const& value) {
    if (text_.size() > 1) text_ += ", ";
    text_ += json(name) + ": " + value;
    return *this;
  }
  std::string text() const { return text_ + "}"; }
};

} // namespace device_report
