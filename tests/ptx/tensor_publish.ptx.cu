// SPDX-License-Identifier: Apache-2.0
//
// tensor_publish: copies of tensor maps from shared to global memory, which release the map to the proxy that reads
// maps.
import cudax.sync;
#include "../../arch/abi.hpp"
#include "kernel.hpp"

using tiles = tensor_map<float, tensor_box<8, 4>>;

KERNEL(tensor_map_publish_system)(void* to) { cudax_tensor_map_publish(to, &in_shared<tiles>(), 0); }
// CHECK-LABEL: .entry tensor_map_publish_system(
// SM70:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.sys.sync.aligned [{{.*}}], [{{.*}}], 128;

KERNEL(tensor_map_publish_device)(void* to) { cudax_tensor_map_publish(to, &in_shared<tiles>(), 1); }
// CHECK-LABEL: .entry tensor_map_publish_device(
// SM70:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [{{.*}}], [{{.*}}], 128;

KERNEL(tensor_map_publish_block)(void* to) { cudax_tensor_map_publish(to, &in_shared<tiles>(), 2); }
// CHECK-LABEL: .entry tensor_map_publish_block(
// SM70:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.cta.sync.aligned [{{.*}}], [{{.*}}], 128;

KERNEL(tensor_map_publish_cluster)(void* to) { cudax_tensor_map_publish(to, &in_shared<tiles>(), 4); }
// CHECK-LABEL: .entry tensor_map_publish_cluster(
// SM70:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM70-NOT: ret;
// SM80:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM80-NOT: ret;
// FROM90-NOT: bra
// FROM90:   tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.cluster.sync.aligned [{{.*}}], [{{.*}}], 128;

// --- the functions of a program --------------------------------------------------------------------------------------

// The lanes meet before and after the copy.
KERNEL(publish)(tiles* to) { device::publish_tensor_map(*to, in_shared<tiles>()); }
// CHECK-LABEL: .entry publish(
// SM70:     bar.warp.sync
// SM70:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM70-NOT: ret;
// SM80:     bar.warp.sync
// SM80:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM80-NOT: ret;
// FROM90:   bar.warp.sync
// FROM90:   tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned
// FROM90:   bar.warp.sync
// FROM90:   ret;

KERNEL(publish_to_the_cluster)(tiles* to) { device::publish_tensor_map<thread_scope_cluster>(*to, in_shared<tiles>()); }
// CHECK-LABEL: .entry publish_to_the_cluster(
// SM70:     bar.warp.sync
// SM70:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM70-NOT: ret;
// SM80:     bar.warp.sync
// SM80:     call{{.*}} {{cudax_tensor_map_publish|vprintf}}
// SM80-NOT: ret;
// FROM90:   bar.warp.sync
// FROM90:   tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.cluster.sync.aligned
// FROM90:   bar.warp.sync
// FROM90:   ret;
