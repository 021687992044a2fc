// SPDX-License-Identifier: Apache-2.0
//
// simulated_execution: its calls.
#include "simulated_execution.hpp"
#include "failing_heap.hpp"

#include <cerrno>

namespace cudax_test {
namespace {

namespace cuda = cudax::runtime::cuda;

simulated_execution* machine = nullptr;
thread_local int device_of_thread = 0;

} // namespace

simulated_execution& simulated_execution::current() { return *machine; }

int simulated_execution::injected() { return failure_.next(); }

int simulated_execution::query() {
  auto& m = current();
  errno = EAGAIN; // a driver's calls may leave anything there
  ++m.queries;
  return m.answer ? m.answer() : cuda::not_ready;
}

int simulated_execution::set_device(int ordinal) { return std::exchange(device_of_thread, ordinal); }

template <class Body> int simulated_execution::call(Body body) {
  auto& m = current();
  std::lock_guard const lock(m.mutex_);
  failing_heap::pause const heap;
  int const code = m.injected();
  return code ? code : body(m);
}

/// A call that no part below replaces succeeds and writes nothing.
cudax::runtime::execution_calls simulated_execution::make_table() {
  cudax::runtime::execution_calls t{};
#define CUDAX_EXECUTION_CALL(result, name, parameters)                                                                 \
  t.name = [](auto...) -> result { return call([](simulated_execution&) { return cuda::success; }); };
#include "../../../runtime/cuda/calls.def"
  answer_queries(t);
  answer_for_kernels(t);
  answer_for_devices(t);
  return t;
}

void simulated_execution::answer_queries(cudax::runtime::execution_calls& t) {
  t.query_stream = [](CUstream_st* stream) {
    current().last_stream = stream;
    return query();
  };
  t.query_event = [](CUevent_st* event) {
    current().last_event = event;
    return query();
  };
  t.query_device = [](int ordinal) {
    auto& m = current();
    if (ordinal < -1 || ordinal >= m.devices) return cuda::invalid_device;
    m.device_of_last_query = ordinal == -1 ? device_of_thread : ordinal;
    return query();
  };
  t.last_error = [] { return current().last_error.load(); };
  t.current_device = [](int* ordinal) {
    return call([&](simulated_execution&) {
      *ordinal = device_of_thread;
      return cuda::success;
    });
  };
}

void simulated_execution::answer_for_kernels(cudax::runtime::execution_calls& t) {
  t.describe_kernel = [](cudax::runtime::kernel_description* description, void const* kernel) {
    return call([&](simulated_execution& m) {
      *description = m.kernel_facts;
      m.described.emplace_back(kernel, device_of_thread);
      return cuda::success;
    });
  };
  t.describe_multiprocessor = [](cudax::runtime::multiprocessor_description* description, int ordinal) {
    return call([&](simulated_execution& m) {
      if (ordinal < 0 || ordinal >= m.devices) return cuda::invalid_device;
      *description = m.multiprocessor;
      return cuda::success;
    });
  };
  t.resident_blocks = [](int* blocks, void const*, int, std::size_t) {
    return call([&](simulated_execution& m) {
      *blocks = m.blocks;
      return cuda::success;
    });
  };
  t.resident_clusters = [](int* clusters, cudax::runtime::launch_request const* request) {
    return call([&](simulated_execution& m) {
      auto const& c = request->cluster;
      if (c.x * c.y * c.z > (request->large_clusters ? 16 : 8)) return cuda::invalid_cluster_size;
      *clusters = m.clusters;
      return cuda::success;
    });
  };
  t.launch_cooperative = [](cudax::runtime::launch_request const* request) {
    return call([&](simulated_execution& m) {
      auto const& grid = request->grid;
      if (static_cast<unsigned long long>(grid.x) * grid.y * grid.z >
          static_cast<unsigned long long>(m.blocks) * m.multiprocessor.count)
        return cuda::cooperative_launch_too_large;
      m.launches.push_back(*request);
      return cuda::success;
    });
  };
  t.launch_plain = [](cudax::runtime::launch_request const* request) {
    return call([&](simulated_execution& m) {
      auto const &c = request->cluster, &p = request->preferred;
      if (c.x > 1 && m.kernel_facts.sm < 90) return cuda::invalid_cluster_size;
      if (c.x > (request->large_clusters ? 16u : 8u)) return cuda::invalid_cluster_size;
      if (request->grid.x % c.x != 0) return cuda::invalid_value;
      if (request->names_preferred && (p.x % c.x != 0 || request->grid.x % p.x != 0)) return cuda::invalid_value;
      m.launches.push_back(*request);
      return cuda::success;
    });
  };
  t.launch_programmatic = [](cudax::runtime::launch_request const* request) {
    return call([&](simulated_execution& m) {
      if (request->cluster.x > 1 && m.kernel_facts.sm < 90) return cuda::invalid_cluster_size;
      m.launches.push_back(*request);
      return cuda::success;
    });
  };
  t.launch_aside = [](cudax::runtime::launch_request const* request) {
    return call([&](simulated_execution& m) {
      m.launches.push_back(*request);
      m.first_argument = *static_cast<void**>(request->arguments[0]);
      return cuda::success;
    });
  };
  t.loads_lazily = [](bool* lazily) {
    return call([&](simulated_execution& m) {
      *lazily = m.lazily;
      return cuda::success;
    });
  };
}

void simulated_execution::answer_for_devices(cudax::runtime::execution_calls& t) {
  t.encode_tensor_map = [](void* map, cudax::runtime::tensor_request const* request) {
    return call([&](simulated_execution& m) {
      m.tensor = *request;
      *static_cast<unsigned long long*>(map) = static_cast<unsigned long long>(++m.tensors_made);
      return cuda::success;
    });
  };
  t.can_access_peer = [](int* can, int device, int peer) {
    return call([&](simulated_execution& m) {
      if (device < 0 || device >= m.devices || peer < 0 || peer >= m.devices) return cuda::invalid_device;
      *can = device != peer && !m.no_peers.contains({device, peer});
      return cuda::success;
    });
  };
  t.enable_peer_access = [](int device, int peer) {
    return call([&](simulated_execution& m) {
      if (device < 0 || device >= m.devices || peer < 0 || peer >= m.devices || peer == device)
        return cuda::invalid_device;
      return m.enabled.emplace(device, peer).second ? cuda::success : cuda::peer_access_already_enabled;
    });
  };
  t.peer_atomics = [](int* native, int device, int peer) {
    return call([&](simulated_execution& m) {
      if (device == peer) return cuda::invalid_device;
      *native = m.native_atomics;
      return cuda::success;
    });
  };
}

simulated_execution::simulated_execution() : before_(cudax::runtime::exchange_execution(table)) {
  machine = this;
  device_of_thread = 0;
}

simulated_execution::~simulated_execution() {
  cudax::runtime::exchange_execution(before_);
  machine = nullptr;
}

void simulated_execution::fail_call(int k, int code) {
  std::lock_guard const lock(mutex_);
  failure_.plan(k, code);
}

bool simulated_execution::failed() const {
  std::lock_guard const lock(mutex_);
  return failure_.failed();
}

} // namespace cudax_test
