// SPDX-License-Identifier: Apache-2.0
//
// device_report: this machine's devices, and what is atomic between them and the host; as text or as JSON.
#include "experiment.hpp"
#include "json.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

import cudax.sync;
import cudax.sync.host;

namespace device_report {
namespace {

char const usage[] = "usage: device_report [--json] [--experiment [--seconds S]]\n"
                     "  --json         one JSON object instead of text\n"
                     "  --experiment   counts the updates that host and device lose, and compares the counts with the "
                     "table; exits\n"
                     "                 with 1 if they contradict the table, with 3 if there is no device\n"
                     "  --seconds S    the duration of each trial (default 0.3)\n";

struct attribute {
  char const* name;
  bool cudax::device_info::* value;
};
#define DEVICE_REPORT_ATTRIBUTE(name) {#name, &cudax::device_info::name}
constexpr attribute attributes[] = {
    DEVICE_REPORT_ATTRIBUTE(unified_addressing),
    DEVICE_REPORT_ATTRIBUTE(can_map_host_memory),
    DEVICE_REPORT_ATTRIBUTE(can_use_host_pointer_for_registered_mem),
    DEVICE_REPORT_ATTRIBUTE(concurrent_managed_access),
    DEVICE_REPORT_ATTRIBUTE(host_native_atomic_supported),
    DEVICE_REPORT_ATTRIBUTE(only_partial_host_native_atomic_supported),
    DEVICE_REPORT_ATTRIBUTE(pageable_memory_access),
    DEVICE_REPORT_ATTRIBUTE(pageable_memory_access_uses_host_page_tables),
    DEVICE_REPORT_ATTRIBUTE(cooperative_launch),
    DEVICE_REPORT_ATTRIBUTE(cluster_launch),
};

constexpr cudax::memory_type memories[] = {cudax::memory_type::system_allocated, cudax::memory_type::registered,
                                           cudax::memory_type::mapped,           cudax::memory_type::managed,
                                           cudax::memory_type::device,           cudax::memory_type::shared};
struct column {
  char const* title;
  cudax::atomic_operation operation;
  unsigned size;
};
constexpr column columns[] = {{"load, store", cudax::atomic_operation::load_store, 8},
                              {"of 16 bytes", cudax::atomic_operation::load_store, 16},
                              {"read-modify-write", cudax::atomic_operation::read_modify_write, 8},
                              {"of 16 bytes", cudax::atomic_operation::read_modify_write, 16},
                              {"of 1, 2 bytes", cudax::atomic_operation::read_modify_write, 1}};

/// The atomicity of one device's operations on the memory of another.
struct link {
  int from;
  int to;
  cudax::atomicity_result result;
};

std::vector<link> links_between(std::vector<cudax::device_info> const& devices) {
  std::vector<link> links;
  for (auto const& from : devices)
    for (auto const& to : devices)
      if (from.ordinal != to.ordinal)
        links.push_back({from.ordinal, to.ordinal,
                         cudax::atomicity(cudax::memory_type::device, 8, cudax::atomic_operation::read_modify_write,
                                          cudax::thread_scope_system, {to.ordinal, from.ordinal})});
  return links;
}

// --- text ------------------------------------------------------------------------------------------------------------

void print_devices(std::vector<cudax::device_info> const& devices) {
  for (auto const& d : devices) {
    std::printf("device %d: %s, compute capability %d.%d, %d multiprocessors\n", d.ordinal, d.name.c_str(),
                d.compute_capability_major, d.compute_capability_minor, d.multiprocessors);
    for (attribute const& a : attributes) std::printf("  %-45s %d\n", a.name, d.*a.value);
  }
}

void print_table(std::vector<cudax::device_info> const& devices) {
  std::printf("\nAtomic at thread_scope_system between the host and %s?\n\n  %-17s",
              devices.size() == 1 ? "the device" : "all devices", "memory");
  for (column const& c : columns) std::printf(" %-20s", c.title);
  std::printf("\n");
  std::vector<std::string> reasons;
  for (cudax::memory_type const memory : memories) {
    std::printf("  %-17s", to_string(memory).c_str());
    for (column const& c : columns) {
      auto const result = cudax::atomicity(memory, c.size, c.operation);
      std::size_t number = 0;
      while (number < reasons.size() && reasons[number] != result.reason) ++number;
      if (number == reasons.size()) reasons.push_back(result.reason);
      std::printf(" %-20s", (to_string(result.answer) + " [" + std::to_string(number + 1) + "]").c_str());
    }
    std::printf("\n");
  }
  std::printf("\n");
  for (std::size_t i = 0; i < reasons.size(); ++i) std::printf("  [%zu] %s\n", i + 1, reasons[i].c_str());
}

void print_links(std::vector<link> const& links) {
  if (!links.empty()) std::printf("\nAtomic read-modify-writes on another device's memory?\n\n");
  for (link const& l : links)
    std::printf("  from device %d on device %d: %s: %s\n", l.from, l.to, to_string(l.result.answer).c_str(),
                l.result.reason.c_str());
}

std::string operation(trial const& t) {
  return t.operation == "neighbour" ? "neighbour, " + std::to_string(t.size) : t.operation;
}

void print_trials(std::vector<trial> const& trials) {
  std::printf(
      "\nErrors when both sides operate (read_modify_write: updates that were lost; load_store: values of 8 bytes that "
      "no side wrote; neighbour: stores of the host that were lost beside an object of this size that the device "
      "modifies)\n\n  %-17s %-18s %-16s %12s %12s %10s  %-16s %s\n",
      "memory", "operation", "by", "by host", "by device", "wrong", "the table", "");
  for (trial const& t : trials)
    if (t.skipped.empty())
      std::printf("  %-17s %-18s %-16s %12llu %12llu %10llu  %-16s %s\n", t.memory.c_str(), operation(t).c_str(),
                  name(t.who).c_str(), t.by_host, t.by_device, t.wrong, t.answer.c_str(), verdict(t).c_str());
    else
      std::printf("  %-17s %-18s %-16s skipped: %s\n", t.memory.c_str(), operation(t).c_str(), name(t.who).c_str(),
                  t.skipped.c_str());
}

// --- JSON ------------------------------------------------------------------------------------------------------------

std::string devices_json(std::vector<cudax::device_info> const& devices) {
  std::vector<std::string> all;
  for (auto const& d : devices) {
    json_object o;
    o.add("ordinal", d.ordinal).add("name", d.name);
    o.add("compute_capability",
          std::to_string(d.compute_capability_major) + "." + std::to_string(d.compute_capability_minor));
    o.add("multiprocessors", d.multiprocessors);
    for (attribute const& a : attributes) o.add(a.name, d.*a.value);
    all.push_back(o.text());
  }
  return json_array(all, ",\n    ");
}

std::string table_json(std::vector<cudax::device_info> const& devices) {
  std::vector<std::string> rows;
  if (!devices.empty())
    for (cudax::memory_type const memory : memories)
      for (column const& c : columns) {
        auto const result = cudax::atomicity(memory, c.size, c.operation);
        json_object o;
        o.add("memory", to_string(memory)).add("operation", to_string(c.operation)).add("size", int(c.size));
        o.add("answer", to_string(result.answer)).add("neighbours", to_string(result.neighbours));
        o.add("reason", result.reason);
        rows.push_back(o.text());
      }
  return json_array(rows, ",\n    ");
}

std::string links_json(std::vector<link> const& links) {
  std::vector<std::string> all;
  for (link const& l : links)
    all.push_back(json_object()
                      .add("from", l.from)
                      .add("to", l.to)
                      .add("answer", to_string(l.result.answer))
                      .add("reason", l.result.reason)
                      .text());
  return json_array(all, ",\n    ");
}

std::string trials_json(std::vector<trial> const& trials) {
  std::vector<std::string> all;
  for (trial const& t : trials) {
    json_object o;
    o.add("memory", t.memory).add("operation", t.operation).add("size", int(t.size));
    o.add("by", name(t.who)).add("answer", t.answer);
    if (t.skipped.empty())
      o.add("by_host", t.by_host)
          .add("by_device", t.by_device)
          .add("wrong", t.wrong)
          .add("promised", t.promised)
          .add("contradicts", contradicts(t))
          .add("verdict", verdict(t));
    else o.add("skipped", t.skipped);
    all.push_back(o.text());
  }
  return json_array(all, ",\n    ");
}

int run(bool as_json, bool experiment, double seconds) {
  std::string const reason = cudax::no_device_reason();
  auto const devices = cudax::devices();
  auto const links = links_between(devices);
  if (!as_json && devices.empty()) std::printf("no device: %s\n", reason.c_str());
  if (!as_json && !devices.empty()) {
    print_devices(devices);
    print_table(devices);
    print_links(links);
    std::fflush(stdout);
  }
  std::vector<trial> trials;
  if constexpr (DEVICE_REPORT_WITH_CUDA)
    if (experiment && !devices.empty()) trials = run_experiment(seconds);
  bool wrong = false;
  for (trial const& t : trials) wrong |= contradicts(t);
  if (as_json)
    std::printf("{\n  \"devices\": %s,\n  \"no_device_reason\": %s,\n  \"atomicity\": %s,\n  \"links\": %s,\n  "
                "\"experiment\": %s\n}\n",
                devices_json(devices).c_str(), json(reason).c_str(), table_json(devices).c_str(),
                links_json(links).c_str(), trials_json(trials).c_str());
  else if (!trials.empty()) print_trials(trials);
  if (experiment && devices.empty()) {
    std::fprintf(stderr, "skipped: the experiment: %s\n", reason.c_str());
    return 3;
  }
  if (wrong) std::fprintf(stderr, "the experiment contradicts the table\n");
  return wrong ? 1 : 0;
}

} // namespace

std::string name(participants who) {
  switch (who) {
  case participants::host_and_device: return "host and device";
  case participants::device: return "device";
  case participants::host: return "host";
  case participants::host_and_devices: return "host, 2 devices";
  case participants::devices: return "2 devices";
  }
  return "";
}

std::string verdict(trial const& t) {
  if (t.wrong != 0) return t.promised ? "CONTRADICTS the table" : "agrees";
  return t.promised ? "agrees" : "no error this time, though not promised";
}

} // namespace device_report

int main(int count, char** arguments) {
  bool as_json = false, experiment = false;
  double seconds = 0.3;
  for (int i = 1; i < count; ++i) {
    std::string const argument = arguments[i];
    char* end = nullptr;
    if (argument == "--json") as_json = true;
    else if (argument == "--experiment") experiment = true;
    else if (argument == "--seconds" && i + 1 < count && (seconds = std::strtod(arguments[++i], &end)) > 0 && !*end &&
             seconds <= 60)
      continue;
    else {
      bool const asks = argument == "--help" || argument == "-h";
      if (!asks)
        std::fprintf(stderr, "device_report: '%s' is not an argument, or lacks a number of seconds up to 60\n",
                     arguments[i]);
      std::fputs(device_report::usage, asks ? stdout : stderr);
      return asks ? 0 : 2;
    }
  }
  try {
    return device_report::run(as_json, experiment, seconds);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}
