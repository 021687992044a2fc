// SPDX-License-Identifier: Apache-2.0
//
// import: a program cannot import a partition, cannot use the host runtime without importing cudax.sync.host, and
// cannot name what is not exported.
import cudax.sync;
// expected-error@+1 {{expected ';' after module name}} expected-error@+1 {{a type specifier is required for all declarations}}
import cudax.sync:machine;

int const count = cudax::devices();          // expected-error {{no member named 'devices' in namespace 'cudax'}}
int const which = cudax::side;               // expected-error {{no member named 'side' in namespace 'cudax'}}
using word = cudax::u32;                     // expected-error {{no type named 'u32' in namespace 'cudax'}}
auto const stronger = join(cudax::memory_order_relaxed, cudax::memory_order_acquire); // expected-error {{use of undeclared identifier 'join'}}
void now() {
  cudax::machine::steady_now();              // expected-error {{'machine'}}
  cudax::runtime::yield();                   // expected-error {{no member named 'runtime' in namespace 'cudax'}}
}
