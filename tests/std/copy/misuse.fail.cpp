// SPDX-License-Identifier: Apache-2.0
//
// memcpy_async, pipeline, operations that require an mbarrier (libcu++): misuse that can be detected at compile time is
// rejected.
#include <chrono>
import cudax.sync;

using namespace cudax;

constexpr auto no_scope = thread_scope(7);

// The error is in the class that is instantiated; the note names the line of the program.
// expected-error@*:* {{cudax.sync: pipeline_shared_state<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
pipeline_shared_state<no_scope, 1>* s1 = new pipeline_shared_state<no_scope, 1>;
// expected-error@*:* {{cudax.sync: pipeline_shared_state: a pipeline has one stage at least}}
pipeline_shared_state<thread_scope_device, 0>* s2 = new pipeline_shared_state<thread_scope_device, 0>;
// expected-error@*:* {{cudax.sync: aligned_size_t<Alignment>: the alignment is no power of two}}
static_assert(sizeof(aligned_size_t<24>) != 0);
// expected-error@*:* {{cudax.sync: aligned_size_t<Alignment>: the alignment is no power of two}}
static_assert(sizeof(aligned_size_t<0>) != 0);

// expected-error@*:* {{cudax.sync: zero_filled_size_t<Alignment>: the alignment is 4 or more}}
static_assert(sizeof(zero_filled_size_t<2>) != 0);

void sizes(char* to, char const* from, barrier<>& b, pipeline<thread_scope_device>& p) {
  aligned_size_t<16> size(20);         // expected-error {{cudax.sync: aligned_size_t: the size is no multiple of the alignment}}
  zero_filled_size_t<16> odd(20, 8);   // expected-error {{cudax.sync: zero_filled_size_t: the size is no multiple of the alignment}}
  zero_filled_size_t<16> filled(16, 17); // expected-error {{cudax.sync: zero_filled_size_t: more bytes are valid than are copied}}
  aligned_size_t<16> converted = 32;   // expected-error {{no viable conversion from 'int' to 'aligned_size_t<16>'}}
  memcpy_async(to, from, -1, b);       // expected-error {{cudax.sync: memcpy_async: the size is negative}}
  memcpy_async(static_cast<void*>(to), from, -1, b); // expected-error {{cudax.sync: memcpy_async: the size is negative}}
  memcpy_async(this_thread, to, from, -4LL, b); // expected-error {{cudax.sync: memcpy_async: the size is negative}}
  memcpy_async(to, from, -1, p);       // expected-error {{cudax.sync: memcpy_async: the size is negative}}
  memcpy_async(this_block, static_cast<void*>(to), from, -1, p); // expected-error {{cudax.sync: memcpy_async: the size is negative}}
  memcpy_async(to, from, 1.0, b);      // expected-error {{no matching function for call to 'memcpy_async'}}
  memcpy_async(to, from, thread_scope_block, p); // expected-error {{no matching function for call to 'memcpy_async'}}
  memcpy_async(to, from, aligned_size_t<16>(32), b);
  memcpy_async(to, from, 0, b);
}

struct has_constructor {
  int value;
  has_constructor(has_constructor const&);
};
struct no_group {
  int size() const;
};
void objects(has_constructor* a, has_constructor* b, char const* source, barrier<>& at, pipeline<thread_scope_block>& p,
             int* to_int, int const* from_int) {
  // expected-error@*:* {{cudax.sync: memcpy_async: the objects are not trivially copyable; copy them one by one}}
  memcpy_async(a, b, sizeof(*a), at);
  memcpy_async(source, source, 4, at); // expected-error {{no matching function for call to 'memcpy_async'}}
  memcpy_async(a, b, 4, at, p);        // expected-error {{no matching function for call to 'memcpy_async'}}
  memcpy_async(to_int, from_int, 4, at, true);  // expected-error {{no matching function for call to 'memcpy_async'}}
  memcpy_async(to_int, from_int, 4, p, this_block); // expected-error {{no matching function for call to 'memcpy_async'}}
  memcpy_async(no_group(), a, b, 4, p); // expected-error {{no matching function for call to 'memcpy_async'}}
  int waits_for_nothing = 0;
  memcpy_async(a, b, 4, waits_for_nothing); // expected-error {{no matching function for call to 'memcpy_async'}}
}

void pipelines(pipeline<thread_scope_block>& p, pipeline<thread_scope_thread>& alone,
               pipeline_shared_state<thread_scope_block, 2>& state) {
  pipeline<thread_scope_block> none;             // expected-error {{no matching constructor for initialization of 'pipeline<thread_scope_block>'}}
  pipeline<thread_scope_block> copy = p;         // expected-error {{call to deleted constructor of 'pipeline<thread_scope_block>'}}
  p = p;                                         // expected-error {{overload resolution selected deleted operator '='}}
  p = static_cast<pipeline<thread_scope_block>&&>(p); // expected-error {{overload resolution selected deleted operator '='}}
  pipeline<thread_scope_thread> another = alone; // expected-error {{call to deleted constructor of 'pipeline<thread_scope_thread>'}}
  alone = alone;                                 // expected-error {{overload resolution selected deleted operator '='}}
  pipeline_shared_state<thread_scope_block, 2> second = state; // expected-error {{call to deleted constructor of}}
  state = state;                                 // expected-error {{overload resolution selected deleted operator '='}}
  make_pipeline(no_group(), &state);             // expected-error {{no matching function for call to 'make_pipeline'}}
  make_pipeline(this_block, state);              // expected-error {{no matching function for call to 'make_pipeline'}}
  // expected-error@*:* 2 {{cudax.sync: make_pipeline: the scope of the state does not include all threads of the group; use a wider scope.}}
  make_pipeline(this_cluster, &state);           // expected-note {{in instantiation of}}
  make_pipeline(this_grid, &state, pipeline_role::producer, this_warp); // expected-note {{in instantiation of}}
  (void)p.stage_barrier();
  p.producer_commit(this_thread);
  p.producer_commit(this_block);                 // expected-error {{no matching member function for call to 'producer_commit'}}
  p.consumer_wait(1);                            // expected-error {{no matching member function for call to 'consumer_wait'}}
  p.consumer_release(p.consumer_position());     // expected-error {{no matching member function for call to 'consumer_release'}}
  p.consumer_release_by(3);                      // expected-error {{no matching member function for call to 'consumer_release_by'}}
  pipeline_consumer_wait_prior<1>(p);            // expected-error {{no matching function for call to 'pipeline_consumer_wait_prior'}}
  bool r = p.consumer_wait_for(5);               // expected-error {{no matching member function for call to 'consumer_wait_for'}}
  r = p.consumer_wait_until(sm_clock::now());    // expected-error {{no matching member function for call to 'consumer_wait_until'}}
  r = alone.consumer_wait_for(steady_clock::now()); // expected-error {{no matching member function for call to 'consumer_wait_for'}}
}

void ignored(pipeline<thread_scope_block>& p, pipeline<thread_scope_thread>& alone, barrier<thread_scope_block>& b) {
  p.producer_try_acquire();                         // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  p.consumer_try_wait();                            // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  p.consumer_try_wait(p.consumer_position());       // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  p.consumer_wait_for(std::chrono::seconds(1));     // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  p.consumer_wait_until(steady_clock::now());       // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  alone.consumer_wait_for(std::chrono::seconds(1)); // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
  device::barrier_arrive_tx(b, 1, 16);              // expected-warning {{ignoring return value of function declared with 'nodiscard' attribute}}
}

void bytes(barrier<thread_scope_block>& b, barrier<thread_scope_device>& wide, char* to, char const* from, has_constructor* object) {
  device::barrier_expect_tx(b, -1);      // expected-error {{cudax.sync: barrier_expect_tx: negative, or more than the 2^20 - 1 bytes that a phase can await}}
  device::barrier_expect_tx(b, 1 << 20); // expected-error {{cudax.sync: barrier_expect_tx: negative, or more than the 2^20 - 1 bytes that a phase can await}}
  device::barrier_expect_tx(b, (1 << 20) - 1);
  (void)device::barrier_arrive_tx(b, 0, 16);      // expected-error {{cudax.sync: barrier_arrive_tx: the update is not positive; use 1 or more}}
  (void)device::barrier_arrive_tx(b, 1, 1 << 20); // expected-error {{cudax.sync: barrier_arrive_tx: negative, or more than the 2^20 - 1 bytes that a phase can await}}
  device::barrier_arrive_remote(b, 0);   // expected-error {{cudax.sync: barrier_arrive_remote: the update is not positive; use 1 or more}}
  device::barrier_expect_tx(wide, 16);   // expected-error {{cannot bind to a value of unrelated type 'barrier<thread_scope_device}}
  device::barrier_native_handle(wide);   // expected-error {{cannot bind to a value of unrelated type 'barrier<thread_scope_device}}
  // expected-error@*:* {{cudax.sync: memcpy_async_tx: bulk copies need an alignment of 16; use aligned_size_t<16>}}
  device::memcpy_async_tx(to, from, aligned_size_t<8>(16), b);
  device::memcpy_async_tx(to, from, zero_filled_size_t<16>(16, 4), b); // expected-error {{no matching function for call to 'memcpy_async_tx'}}
  // expected-error@*:* {{cudax.sync: memcpy_async_tx: the objects are not trivially copyable; copy them one by one}}
  device::memcpy_async_tx(object, object + 4, aligned_size_t<16>(16), b);
  device::memcpy_async_tx(to, from, 16, b); // expected-error {{no matching function for call to 'memcpy_async_tx'}}
  device::memcpy_async_tx(to, from, aligned_size_t<16>(16), b);
  device::barrier_complete_tx(b, 1 << 20);    // expected-error {{cudax.sync: barrier_complete_tx: negative, or more than the 2^20 - 1 bytes that a phase can await}}
  device::barrier_complete_tx_remote(b, -1);  // expected-error {{cudax.sync: barrier_complete_tx_remote: negative, or more than the 2^20 - 1 bytes that a phase can await}}
  device::barrier_expect_tx_remote(b, -1);    // expected-error {{cudax.sync: barrier_expect_tx_remote: negative, or more than the 2^20 - 1 bytes that a phase can await}}
  device::barrier_arrive_tx_remote(b, 0, 16); // expected-error {{cudax.sync: barrier_arrive_tx_remote: the update is not positive; use 1 or more}}
  device::barrier_arrive_tx_remote(b, 1, -1); // expected-error {{cudax.sync: barrier_arrive_tx_remote: negative, or more than the 2^20 - 1 bytes that a phase can await}}
  device::memcpy_async_tx_multicast(to, from, aligned_size_t<16>(16), b, 0);       // expected-error {{cudax.sync: memcpy_async_tx_multicast: the mask names no block, or one of rank 16 or more}}
  device::memcpy_async_tx_multicast(to, from, aligned_size_t<16>(16), b, 1 << 16); // expected-error {{cudax.sync: memcpy_async_tx_multicast: the mask names no block, or one of rank 16 or more}}
  // expected-error@*:* {{cudax.sync: bulk copies need an alignment of 16; use aligned_size_t<16>}}
  device::memcpy_async_bulk(to, from, aligned_size_t<8>(16));
  // expected-error@*:* {{cudax.sync: bulk copies: the objects are not trivially copyable; copy them one by one}}
  device::memcpy_async_bulk(object, object + 4, aligned_size_t<16>(16));
  // expected-error@*:* {{cudax.sync: prefetch_bulk: needs an alignment of 16; use aligned_size_t<16>}}
  device::prefetch_bulk(from, aligned_size_t<8>(16));
}

// expected-error@*:* {{cudax.sync: store_pipeline<Buffers>: the number of buffers must be from 1 to 9}}
device::store_pipeline<10> const* const stores = new device::store_pipeline<10>;

struct of_12_bytes {
  int words[3];
};
void reductions(barrier<thread_scope_block>& b, int* ints, long long* longs, unsigned* words, double* doubles, char* bytes, of_12_bytes* triples) {
  using enum device::reduction;
  aligned_size_t<16> const size(16);
  device::reduce_async_bulk<add>(ints, ints, size);
  device::reduce_async_bulk<min>(longs, longs, size);
  device::reduce_async_bulk<inc>(words, words, size);
  device::reduce_async_bulk<add>(doubles, doubles, size);
  device::reduce_async_bulk_tx_remote<add>(longs, longs, size, b);
  device::reduce_async_tx_remote<max>(ints, 1, b);
  device::store_async_tx_remote(doubles, 1, b);
  // expected-error@*:* {{cudax.sync: reduce_async_bulk: add takes integers of 4 and 8 bytes and floating-point numbers}}
  device::reduce_async_bulk<max>(doubles, doubles, size);
  // expected-error@*:* {{cudax.sync: reduce_async_bulk: add takes integers of 4 and 8 bytes and floating-point numbers}}
  device::reduce_async_bulk<inc>(ints, ints, size);
  // expected-error@*:* {{cudax.sync: reduce_async_bulk: add takes integers of 4 and 8 bytes and floating-point numbers}}
  device::reduce_async_bulk<add>(bytes, bytes, size);
  // expected-error@*:* {{cudax.sync: bulk copies need an alignment of 16; use aligned_size_t<16>}}
  device::reduce_async_bulk<add>(words, words, aligned_size_t<8>(16));
  // expected-error@*:* {{cudax.sync: asynchronous reductions in shared memory: add takes integers of 4 and 8 bytes}}
  device::reduce_async_bulk_tx_remote<min>(longs, longs, size, b);
  // expected-error@*:* {{cudax.sync: asynchronous reductions in shared memory: add takes integers of 4 and 8 bytes}}
  device::reduce_async_tx_remote<add>(doubles, 1, b);
  // expected-error@*:* {{cudax.sync: store_async_tx_remote: stores trivially copyable objects of 4, 8 or 16 bytes}}
  device::store_async_tx_remote(triples, *triples, b);
  device::reduce_async_bulk(ints, ints, size); // expected-error {{no matching function for call to 'reduce_async_bulk'}}
}

// expected-error@*:* {{cudax.sync: pipeline::stage_barrier, producer_expect: only a pipeline of block scope has barriers that count bytes; use pipeline_shared_state<thread_scope_block, Stages> in shared memory}}
// expected-error@*:* {{cannot bind to a value of unrelated type 'barrier<(cudax::thread_scope)1 aka 1>'}}
void stage_of_device(pipeline<thread_scope_device>& p) { p.producer_expect(16); }

struct rgb {
  unsigned char channel[3];
};
// The errors are in the class that is instantiated; the notes name the line of the program.
// expected-error@*:* 1+ {{cudax.sync: tensor_map: this type is no element of a tensor; use an integer, a floating-point number or tensor_tf32, without const, or say which has its format}}
// expected-error@*:* {{cudax.sync: tensor_map: the objects of this type have not the size of its tensor_type_of}}
static_assert(sizeof(tensor_map<rgb, tensor_box<16>>) != 0);
// expected-error@*:* {{cudax.sync: tensor_box: a tensor has 1 to 5 dimensions}}
static_assert(sizeof(tensor_box<4, 4, 4, 4, 4, 4>) != 0);
// expected-error@*:* {{cudax.sync: tensor_box: each extent of a tile is 1 to 256 elements; use several copies}}
static_assert(sizeof(tensor_box<16, 257>) != 0);
// expected-error@*:* {{cudax.sync: tensor_box: each extent of a tile is 1 to 256 elements; use several copies}}
static_assert(sizeof(tensor_box<16, 0>) != 0);
// expected-error@*:* {{cudax.sync: tensor_map: the innermost extent of the box is no multiple of 16 bytes; use a larger one}}
static_assert(sizeof(tensor_map<float, tensor_box<6, 4>>) != 0);
// expected-error@*:* {{cudax.sync: tensor_map: the innermost extent of the box has more bytes than the swizzle; use a smaller extent and several copies, or a wider swizzle}}
static_assert(sizeof(tensor_map<float, tensor_box<16, 4>, tensor_swizzle::bytes_32>) != 0);
// expected-error@*:* {{cudax.sync: tensor_map: the tile does not fit in shared memory, of which a block has at most 227 KiB; use smaller extents}}
static_assert(sizeof(tensor_map<float, tensor_box<256, 256>>) != 0);

// expected-error@*:* {{cudax.sync: im2col_box: the tensor has 3 to 5 dimensions: channels, 1 to 3 dimensions of pixels, images}}
static_assert(sizeof(im2col_box<2, 16, 16>) != 0);
// expected-error@*:* {{cudax.sync: im2col_box: a tile has 1 to 256 channels of each pixel; use several copies}}
static_assert(sizeof(im2col_box<3, 257, 16>) != 0);
// expected-error@*:* {{cudax.sync: im2col_box: a tile has 1 to 1,024 pixels; use several copies}}
static_assert(sizeof(im2col_box<3, 16, 1025>) != 0);
using columns = tensor_map<float, im2col_box<4, 32, 4>>;
void pixels(columns const& map, columns::tile& tile, barrier<thread_scope_block>& b) {
  // expected-error@*:* {{cudax.sync: copies of tensors: a copy of an im2col_box needs the offsets of its pixels after the coordinates; {0, 0} for none}}
  device::copy_tensor_async_tx(tile, map, {0, 0, 0, 0}, b);
  // expected-error@*:* {{cudax.sync: tensor_map: there must be one number for each dimension of the tensor, the innermost first}}
  device::copy_tensor_async_tx(tile, map, {0, 0, 0, 0}, {1}, b);
  device::copy_tensor_async_tx_multicast(tile, map, {0, 0, 0, 0}, {1, 2}, b, 0); // expected-error {{cudax.sync: copy_tensor_async_tx_multicast: the mask names no block, or one of rank 16 or more}}
}

using tiles = tensor_map<float, tensor_box<32, 4>>;
using integers = tensor_map<long long, tensor_box<32, 4>>;

void tensors(tiles const& map, tiles::tile& tile, integers const& other, integers::tile const& full, double* at,
             barrier<thread_scope_block>& b) {
  // expected-error@*:* {{cudax.sync: tensor_map: there must be one number for each dimension of the tensor, the innermost first}}
  device::copy_tensor_async_tx(tile, map, {1, 2, 3}, b);
  // expected-error@*:* {{cudax.sync: tensor_map::offset: there must be one index for each dimension, the innermost first}}
  (void)tiles::offset(1);
  device::copy_tensor_async_tx(tile, map, {1, 2}, {0, 0}, b); // expected-error {{no matching function for call to 'copy_tensor_async_tx'}}
  device::copy_tensor_async_tx(tile, map, {1, 2.0}, b); // expected-error {{no matching function for call to 'copy_tensor_async_tx'}}
  device::copy_tensor_async_tx(at, map, {1, 2}, b);     // expected-error {{no matching function for call to 'copy_tensor_async_tx'}}
  device::copy_tensor_async_tx_multicast(tile, map, {1, 2}, b, 0); // expected-error {{cudax.sync: copy_tensor_async_tx_multicast: the mask names no block, or one of rank 16 or more}}
  // expected-error@*:* {{cudax.sync: reduce_tensor_async_bulk: there is no such reduction of elements of this type}}
  device::reduce_tensor_async_bulk<device::reduction::max>(map, {0, 0}, tile);
  // expected-error@*:* {{cudax.sync: reduce_tensor_async_bulk: there is no such reduction of elements of this type}}
  device::reduce_tensor_async_bulk<device::reduction::add>(other, {0, 0}, full);
  // expected-error@*:* {{cudax.sync: fence_tensor_map_release<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
  device::fence_tensor_map_release<no_scope>();
}

using flipped = tensor_map<unsigned, tensor_box<32, 4>, tensor_swizzle::bytes_128_atoms_32_flip_8>;
void write_flipped(flipped const& map, flipped::tile const& tile) {
  // expected-error@*:* {{cudax.sync: copies of tensors: the hardware has the swizzle bytes_128_atoms_32_flip_8 only where it reads the tensor; write it by another map}}
  device::copy_tensor_async_bulk(map, {0, 0}, tile);
}
// expected-error@*:* {{cudax.sync: tensor_map: the innermost extent of the box has more bytes than the swizzle; use a smaller extent and several copies, or a wider swizzle}}
static_assert(sizeof(tensor_map<float, tensor_box<64, 4>, tensor_swizzle::bytes_128_atoms_64>) != 0);

// expected-error@*:* {{cudax.sync: interleaved_box: the tensor has 1 to 3 dimensions of pixels, and images: give the channels of a slice and 2 to 4 extents}}
static_assert(sizeof(interleaved_box<8, 16>) != 0);
// expected-error@*:* {{cudax.sync: interleaved_box: each extent of a tile is 1 to 256 pixels or images; use several copies}}
static_assert(sizeof(interleaved_box<8, 16, 257>) != 0);
// expected-error@*:* {{cudax.sync: tensor_map: the channels of an interleaved_box are not 16 or 32 bytes, which is a slice; use as many channels as a slice has}}
static_assert(sizeof(tensor_map<float, interleaved_box<12, 16, 2>, tensor_swizzle::bytes_64>) != 0);
// expected-error@*:* {{cudax.sync: tensor_map: the hardware copies slices of 32 bytes with the swizzle bytes_32; use that}}
static_assert(sizeof(tensor_map<float, interleaved_box<8, 16, 2>>) != 0);
// expected-error@*:* {{cudax.sync: tensor_map: interleaved tensors have no swizzle with larger atoms; use bytes_32, bytes_64, bytes_128 or none}}
static_assert(sizeof(tensor_map<float, interleaved_box<4, 16, 2>, tensor_swizzle::bytes_128_atoms_32>) != 0);
// expected-error@*:* {{cudax.sync: tensor_map: the pixels in a row of an interleaved_box, times the size of an element, are no multiple of 16, which the driver requires; use more pixels}}
static_assert(sizeof(tensor_map<unsigned char, interleaved_box<16, 24, 2>>) != 0);
// expected-error@*:* {{cudax.sync: tensor_map: the tile does not fit in shared memory, of which a block has at most 227 KiB; use smaller extents}}
static_assert(sizeof(tensor_map<float, interleaved_box<4, 256, 57, 1>>) != 0);

using vector = tensor_map<float, tensor_box<32>>;
void updates(tiles& map, tiles const& fixed, integers& other, vector& row, columns& pixels, double* wrong) {
  device::replace_tensor_map_address(map, wrong);           // expected-error {{no matching function for call to 'replace_tensor_map_address'}}
  device::replace_tensor_map_address(fixed, nullptr);       // expected-error {{no matching function for call to 'replace_tensor_map_address'}}
  device::replace_tensor_map_address(*wrong, nullptr);      // expected-error {{no matching function for call to 'replace_tensor_map_address'}}
  device::assign_tensor_map(map, other);                    // expected-error {{no matching function for call to 'assign_tensor_map'}}
  device::publish_tensor_map(map, other);                   // expected-error {{no matching function for call to 'publish_tensor_map'}}
  // expected-error@*:* {{cudax.sync: tensor_map: there must be one number for each dimension of the tensor, the innermost first; strides: for each but the innermost}}
  device::replace_tensor_map_extents(map, {1, 2, 3});
  // expected-error@*:* {{cudax.sync: tensor_map: there must be one number for each dimension of the tensor, the innermost first; strides: for each but the innermost}}
  device::replace_tensor_map_strides(map, {128, 256});
  // expected-error@*:* {{cudax.sync: replace_tensor_map_extent<Dimension>: the map has not so many dimensions; 0 is the innermost one}}
  device::replace_tensor_map_extent<2>(map, 5);
  // expected-error@*:* {{cudax.sync: replace_tensor_map_stride<Dimension>: the innermost dimension, 0, has no stride, and the map has not more dimensions than its rank}}
  device::replace_tensor_map_stride<0>(map, 128);
  // expected-error@*:* {{cudax.sync: replace_tensor_map_strides: a tensor of one dimension has no stride}}
  device::replace_tensor_map_strides(row, {});
  // expected-error@*:* {{cudax.sync: replace_tensor_map_...: this is the map of an im2col_box, whose fields cannot be replaced; make all maps on the host}}
  device::replace_tensor_map_address(pixels, nullptr);
  // expected-error@*:* {{cudax.sync: publish_tensor_map<Scope>: this thread scope does not exist; use an enumerator of cudax::thread_scope}}
  device::publish_tensor_map<no_scope>(map, fixed);
}

void policies(char* to, char const* from, tiles const& map, device::l2_policy p) {
  using enum device::l2_eviction;
  device::l2_policy wrong(evict_last, 0.5f, evict_last); // expected-error {{cudax.sync: l2_policy: what is not in the fraction is evict_first or evict_unchanged}}
  device::l2_policy none(evict_last, 0);    // expected-error {{cudax.sync: l2_policy: the fraction is not above 0 and at most 1}}
  device::l2_policy more(evict_last, 1.5f); // expected-error {{cudax.sync: l2_policy: the fraction is not above 0 and at most 1}}
  device::memcpy_async_bulk(to, from, aligned_size_t<16>(16), evict_last); // expected-error {{no matching function for call to 'memcpy_async_bulk'}}
  device::memcpy_async_bulk(to, from, aligned_size_t<16>(16), p, p); // expected-error {{no matching function for call to 'memcpy_async_bulk'}}
  device::prefetch_tensor_bulk(map, {0, 0}, proxy_fenced); // expected-error {{no matching function for call to 'prefetch_tensor_bulk'}}
}

// The memory of a tile: smaller tiles of other maps, tiles whose elements are in other places, and small arrays.
using fewer_rows = tensor_map<float, tensor_box<32, 3>>;
using other_pitch = tensor_map<float, tensor_box<64, 4>>;
using other_swizzle = tensor_map<float, tensor_box<32, 4>, tensor_swizzle::bytes_128>;
void memory_of_tiles(tiles const& map, fewer_rows::tile& small, other_pitch::tile const& wide, other_swizzle::tile& swizzled,
                     barrier<thread_scope_block>& b) {
  // expected-error@*:* {{cudax.sync: copies of tensors: this is the tile of another tensor_map, which is smaller or whose rows have another pitch or swizzle; use the tile of this map}}
  device::copy_tensor_async_tx(small, map, {0, 0}, b);
  // expected-error@*:* {{cudax.sync: copies of tensors: this is the tile of another tensor_map, which is smaller or whose rows have another pitch or swizzle; use the tile of this map}}
  device::copy_tensor_async_bulk(map, {0, 0}, wide);
  // expected-error@*:* {{cudax.sync: copies of tensors: this is the tile of another tensor_map, which is smaller or whose rows have another pitch or swizzle; use the tile of this map}}
  device::copy_tensor_async_tx_multicast(swizzled, map, {0, 0}, b, 3);
  alignas(128) float few[127];
  // expected-error@*:* {{cudax.sync: copies of tensors: the array has fewer elements than tensor_map::tile_size; use tensor_map::tile, or a pointer to a place in larger memory}}
  device::reduce_tensor_async_bulk<device::reduction::add>(map, {0, 0}, few);
}
using more_rows = tensor_map<tensor_tf32, tensor_box<32, 2, 3>>;
void memory_that_fits(tiles const& map, more_rows::tile& large, barrier<thread_scope_block>& b) {
  alignas(128) float enough[128];
  device::copy_tensor_async_tx(enough, map, {0, 0}, b);
  device::copy_tensor_async_tx(&enough[0], map, {0, 0}, b);
  device::copy_tensor_async_tx(large, map, {0, 0}, b);
  device::copy_tensor_async_bulk(map, {0, 0}, large);
}
