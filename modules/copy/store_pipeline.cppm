// SPDX-License-Identifier: Apache-2.0
//
// store_pipeline: buffers in shared memory that threads fill, and bulk copies store to global memory, by turns.
// Nothing is shared: a bulk group belongs to the thread that committed it, so that thread itself can await the group
// that read a buffer last (bulk_copies.cppm). The other threads of the group meet it. A buffer is free again when all
// but the last Buffers - 1 groups have read their sources; their targets may be incomplete then.
module;
#include "../base/macros.hpp"
export module cudax.sync:store_pipeline;
import :bulk_copies;
import :device_group;
import :group;

CUDAX_EVERYWHERE_BEGIN

export namespace cudax::device {

/// Stores buffers from shared memory to global memory while the next ones are filled. Group is the group whose threads
/// fill a buffer together; its first thread stores it. Each thread has an object of its own.
/// Source:   extension; PTX ISA, cp.async.bulk.commit_group, cp.async.bulk.wait_group
/// Requires: all threads of the group call each function together; the first thread has no other bulk groups, or their
///           completion is awaited, too. The destructor waits until the buffers have been read, so that the block may
///           end; before other threads use their memory, all meet
/// Errors:   a number of buffers that is not from 1 to 9 is rejected
/// Example:
///     __device__ void fill(float* to, float (&tile)[2][256], int tiles) { // `tile` is in shared memory; 256 threads
///       cudax::device::store_pipeline<2, decltype(cudax::this_block)> stores(cudax::this_block);
///       for (int i = 0; i < tiles; ++i, to += 256) {
///         stores.acquire();
///         tile[i % 2][threadIdx.x] = float(i);
///         stores.commit([&] { cudax::device::memcpy_async_bulk(to, tile[i % 2], cudax::aligned_size_t<16>(1024)); });
///       }
///     }
template <unsigned Buffers, thread_group Group = thread_detail::group<machine::level::thread>>
class store_pipeline {
  static_assert(Buffers >= 1 && Buffers <= 9,
                "cudax.sync: store_pipeline<Buffers>: the number of buffers must be from 1 to 9");

public:
  explicit store_pipeline(Group const& group = {}) noexcept : group_(group) {}
  store_pipeline(store_pipeline const&) = delete;
  store_pipeline& operator=(store_pipeline const&) = delete;
  ~store_pipeline() { wait_read(); }

  /// Returns the number of the buffer that is filled next, from 0.
  [[nodiscard]] unsigned index() const noexcept { return index_; }

  /// Blocks until that buffer may be written.
  /// Order:    the reads of its last copies happen before the return, in every thread of the group
  void acquire() const noexcept {
    if (is_first()) bulk_wait_read<Buffers - 1>();
    group_.sync();
  }

  /// Stores the buffer: calls begin() in the first thread, which begins copies from it by memcpy_async_bulk,
  /// copy_tensor_async_bulk and the reductions like them; then the next buffer is the current one.
  /// Order:    what the threads of the group have written before the call happens before begin()
  template <class Begin>
    requires requires(Begin begin) { begin(); }
  void commit(Begin begin) noexcept {
    if (thread_detail::sync_and_choose_first(group_)) {
      begin();
      bulk_commit();
    }
    index_ = index_ + 1 == Buffers ? 0 : index_ + 1;
  }

  /// Block until all buffers have been read, or until all stores are complete. Only the first thread waits: the others
  /// meet it where they need to know.
  /// Order:    as bulk_wait_read and bulk_wait, for the first thread
  void wait_read() const noexcept {
    if (is_first()) bulk_wait_read<0>();
  }
  void wait() const noexcept {
    if (is_first()) bulk_wait<0>();
  }

private:
  bool is_first() const noexcept { return group_.thread_rank() == 0; }

  [[no_unique_address]] Group group_;
  unsigned index_ = 0;
};

} // namespace cudax::device

CUDAX_EVERYWHERE_END
