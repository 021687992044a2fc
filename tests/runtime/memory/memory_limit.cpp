// SPDX-License-Identifier: Apache-2.0
//
// memory_limit: reads the kernel's files, of machines that are folders here.
#include "../../../runtime/memory/memory_limit.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using cudax::runtime::find_memory_limit;

namespace {

struct fixture {
  std::string root = [] {
    char name[] = "/tmp/cudax-limit-XXXXXX";
    return std::string(mkdtemp(name));
  }();
  ~fixture() { std::filesystem::remove_all(root); }

  void write(std::string const& path, std::string const& text) const {
    std::filesystem::create_directories(std::filesystem::path(root + path).parent_path());
    std::ofstream(root + path) << text;
  }
  std::size_t bytes() const { return find_memory_limit(root.c_str()).bytes; }
  std::string of() const { return find_memory_limit(root.c_str()).of; }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(memory_limit, fixture)

BOOST_AUTO_TEST_CASE(without_the_files_the_machine_s_memory_is_the_limit) {
  BOOST_TEST(bytes() > 0u);
  BOOST_TEST(of() == "this machine has");
  BOOST_TEST(find_memory_limit().bytes > 0u);
  BOOST_TEST(find_memory_limit().bytes <= bytes());
}

BOOST_AUTO_TEST_CASE(available_memory_is_a_limit) {
  write("/proc/meminfo", "MemTotal:       1000 kB\nMemFree:         100 kB\nMemAvailable:    500 kB\n");
  BOOST_TEST(bytes() == 500u * 1024);
  BOOST_TEST(of().find("MemAvailable") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_cgroup_of_version_2_is_a_limit) {
  write("/proc/self/cgroup", "0::/outer/inner\n");
  write("/sys/fs/cgroup/outer/inner/memory.max", "max\n");
  write("/sys/fs/cgroup/outer/inner/memory.current", "1000\n");
  write("/sys/fs/cgroup/outer/memory.max", "100000\n");
  write("/sys/fs/cgroup/outer/memory.current", "30000\n");
  BOOST_TEST(bytes() == 70'000u);
  BOOST_TEST(of().find("memory.max") != std::string::npos);
  // The kernel reclaims pages of files when memory is needed.
  write("/sys/fs/cgroup/outer/memory.stat", "anon 10000\nfile 20000\ninactive_file 5000\nactive_file 6000\n");
  BOOST_TEST(bytes() == 81'000u);
  write("/sys/fs/cgroup/outer/inner/memory.max", "900\n");
  BOOST_TEST(bytes() == 0u); // already above its limit
  write("/sys/fs/cgroup/outer/inner/memory.max", "1500\n");
  BOOST_TEST(bytes() == 500u);
}

// A container sees its own group as the root, whatever /proc/self/cgroup says.
BOOST_AUTO_TEST_CASE(the_root_cgroup_of_a_container_is_a_limit) {
  for (char const* const group : {"0::/\n", "0::/not/mounted/here\n"}) {
    write("/proc/self/cgroup", group);
    write("/sys/fs/cgroup/memory.max", "4096\n");
    write("/sys/fs/cgroup/memory.current", "96\n");
    BOOST_TEST(bytes() == 4000u);
  }
}

BOOST_AUTO_TEST_CASE(cgroups_of_version_1_are_limits) {
  write("/proc/self/cgroup", "12:pids:/other\n9:cpu,memory:/job/7\n1:name=systemd:/x\n0::/x\n");
  write("/sys/fs/cgroup/memory/job/7/memory.limit_in_bytes", "9223372036854771712\n"); // no limit
  write("/sys/fs/cgroup/memory/job/7/memory.usage_in_bytes", "5\n");
  BOOST_TEST(of() == "this machine has");
  write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "50000\n");
  write("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "20000\n");
  write("/sys/fs/cgroup/memory/job/memory.stat", "inactive_file 1\ntotal_inactive_file 3000\ntotal_active_file 4000\n");
  BOOST_TEST(bytes() == 37'000u);
  BOOST_TEST(of().find("memory.limit_in_bytes") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
