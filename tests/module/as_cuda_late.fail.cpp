// SPDX-License-Identifier: Apache-2.0
//
// as_cuda_late: the same for definitions whose include guards cudax/as_cuda.hpp does not know, as in a later libcu++.
namespace cuda {
inline namespace __later {
enum thread_scope { thread_scope_system };
} // namespace __later
} // namespace cuda
// expected-error@*:* {{has declared libcu++'s names for synchronization; include <cudax/as_cuda.hpp> before it, or compile with -include cudax/as_cuda.hpp}}
#include <cudax/as_cuda.hpp>
