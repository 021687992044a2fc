// SPDX-License-Identifier: Apache-2.0
//
// as_cuda_after: cudax/as_cuda.hpp after a header that includes libcu++'s synchronization is rejected, with advice.
#if defined(__CUDA__)
#include <cooperative_groups.h>
#else
#define _CUDA_ATOMIC // as if a header of libcu++ had been included
#endif
// expected-error@*:* {{a header that was included earlier has included libcu++'s <cuda/atomic>, as cooperative_groups.h, Thrust and CUB do; include <cudax/as_cuda.hpp> before all of them, or compile with -include cudax/as_cuda.hpp}}
#include <cudax/as_cuda.hpp>
