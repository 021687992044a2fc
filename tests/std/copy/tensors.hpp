// SPDX-License-Identifier: Apache-2.0
//
// tensors: a tensor whose elements the host knows, and the coordinates at which tests copy its tiles. Include after the
// imports and <cstring>, <vector>.
#pragma once

namespace cudax_test {
TESTS_BEGIN

/// Indices, or coordinates, of up to five dimensions, the innermost first.
struct five {
  int at[5];
};

/// The indices of the n-th element of a tile, row after row.
template <class Box>
constexpr five indices_of(unsigned n) {
  five i{};
  for (unsigned d = 0; d < sizeof(Box::extents) / sizeof(unsigned); ++d) {
    i.at[d] = int(n % Box::extents[d]);
    n /= Box::extents[d];
  }
  return i;
}

/// Calls f(i...) with as many of the numbers as the rank says.
template <unsigned Rank, class F>
constexpr decltype(auto) with_each(five const& i, F f) {
  if constexpr (Rank == 1) return f(i.at[0]);
  else if constexpr (Rank == 2) return f(i.at[0], i.at[1]);
  else if constexpr (Rank == 3) return f(i.at[0], i.at[1], i.at[2]);
  else if constexpr (Rank == 4) return f(i.at[0], i.at[1], i.at[2], i.at[3]);
  else return f(i.at[0], i.at[1], i.at[2], i.at[3], i.at[4]);
}

/// Where the n-th element of a tile is in the tile's memory.
template <class Map>
constexpr size_t place_of(unsigned n) {
  constexpr unsigned dimensions = sizeof(Map::box::extents) / sizeof(unsigned);
  return with_each<dimensions>(indices_of<typename Map::box>(n), [](auto... i) { return Map::offset(i...); });
}

/// The n-th value of a sequence in which neighbours differ. Every type holds the values exactly.
template <class T>
constexpr T element_of(unsigned n, unsigned seed = 0) {
  return T((n * 7 + (n >> 7) * 5 + (n >> 11) * 3 + seed * 11 + 1) % 101);
}

/// Coordinates to copy at.
struct coordinate_list {
  static constexpr unsigned most = 48;
  five at[most];
  unsigned count = 0;

  void add(five const& c) {
    if (count < most) at[count++] = c;
  }
};

/// In one dimension after the other and in all together: inside, and beyond the tensor on either side, in part, by all
/// but one element, and as a whole. Without `negative` only beyond the upper side. In the innermost dimension the next
/// lower multiples of 16 bytes; otherwise no multiple of anything is common to all.
template <class Map>
coordinate_list coordinates_of(long long const (&extents)[5], bool negative) {
  using box = typename Map::box;
  int const chunk = int(16 / sizeof(typename Map::value_type));
  auto const valid = [=](unsigned d, int c) { return d == 0 ? (c & -chunk) : c; };
  coordinate_list list;
  five inside{};
  for (unsigned d = 0; d < box::rank; ++d) inside.at[d] = d == 0 ? chunk : 1;
  list.add(five{});
  list.add(inside);
  for (int what = negative ? 0 : 4; what < 7; ++what) {
    five all = inside;
    for (unsigned d = 0; d < box::rank; ++d) {
      int const extent = int(extents[d]), size = int(box::extents[d]);
      int const c[] = {-1, -size + 1, -size, -size - 5, extent - 1, extent - (size + 1) / 2, extent + 3};
      five one = inside;
      one.at[d] = all.at[d] = valid(d, c[what]);
      list.add(one);
    }
    if (box::rank > 1) list.add(all);
  }
  return list;
}

TESTS_END

#if defined(__CUDA__)

/// Memory that host and device access.
template <class T>
struct managed_list {
  T* at;
  explicit managed_list(size_t count) {
    CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&at), count * sizeof(T)));
    std::memset(static_cast<void*>(at), 0, count * sizeof(T));
  }
  ~managed_list() { cudaFree(at); }
  managed_list(managed_list const&) = delete;
  managed_list& operator=(managed_list const&) = delete;
};

using block_barrier = cudax::barrier<cudax::thread_scope_block>;

/// For one arrival; all threads of the block call it.
inline __device__ void make_barrier(block_barrier& b) {
  if (threadIdx.x == 0) init(&b, 1);
  cudax::this_block.sync();
}

/// The elements of a tensor in managed memory, with its map and a copy of their first values. Derived classes choose
/// the extents and the strides. Extents count slices, which have one element unless the tensor is interleaved.
template <class Map>
struct tensor_memory {
  using box = typename Map::box;
  using value_type = typename Map::value_type;
  static constexpr unsigned rank = Map::rank, in_slice = box::is_interleaved ? box::extents[0] : 1;

  long long extents[5] = {1, 1, 1, 1, 1};
  long long strides[5] = {sizeof(value_type) * in_slice}; // in bytes
  unsigned size = in_slice;                               // elements
  size_t bytes;                                           // of the memory, padding and what follows included
  char* memory;
  std::vector<value_type> values;
  Map map;

  tensor_memory() = default;
  ~tensor_memory() { cudaFree(memory); }
  tensor_memory(tensor_memory const&) = delete;
  tensor_memory& operator=(tensor_memory const&) = delete;

  /// The number of a slice, or -1 outside of the tensor.
  int number_of(five const& c) const {
    int n = 0;
    for (unsigned d = rank; d-- > 0;) {
      if (c.at[d] < 0 || c.at[d] >= extents[d]) return -1;
      n = n * int(extents[d]) + c.at[d];
    }
    return n;
  }
  value_type& element(unsigned n) const {
    long long at = (n % in_slice) * sizeof(value_type);
    n /= in_slice;
    for (unsigned d = 0; d < rank; ++d) {
      at += n % unsigned(extents[d]) * strides[d];
      n /= unsigned(extents[d]);
    }
    return *reinterpret_cast<value_type*>(memory + at);
  }

protected:
  /// Allocates and fills the memory, and makes the map; the extents, the size and the strides are known.
  void make(cudax::tensor_options<rank> options) {
    for (unsigned d = 1; d < rank; ++d) options.strides.at[d - 1] = strides[d];
    bytes = size_t(strides[rank - 1] * extents[rank - 1]) + 64;
    CUDA_MUST(cudaMallocManaged(reinterpret_cast<void**>(&memory), bytes));
    std::memset(memory, 0x5a, bytes);
    for (unsigned n = 0; n < size; ++n) {
      values.push_back(element_of<value_type>(n));
      element(n) = values[n];
    }
    with_each<rank>(
        five{int(extents[0]), int(extents[1]), int(extents[2]), int(extents[3]), int(extents[4])},
        [&](auto... e) { map = cudax::make_tensor_map<Map>(reinterpret_cast<value_type*>(memory), {e...}, options); });
  }
};

template <class Map>
struct tensor : tensor_memory<Map> {
  using base = tensor_memory<Map>;
  using base::extents, base::strides, base::size, base::bytes, base::memory, base::values, base::element, base::rank;
  using typename base::box, typename base::value_type;

  /// Each dimension has `more` elements more than the box, or than its multiple, and there is padding after each row.
  explicit tensor(int more = 3, cudax::tensor_options<base::rank> const& options = {}) {
    for (unsigned d = 0; d < rank; ++d) {
      extents[d] = (d < 2 ? 2 * box::extents[d] : box::extents[d]) + more;
      size *= unsigned(extents[d]);
      if (d > 0) strides[d] = (strides[d - 1] * extents[d - 1] + 15) / 16 * 16 + (d == 1 ? 32 : 16);
    }
    base::make(options);
  }

  /// The number of the n-th element of the tile at `c`, or -1.
  int number_in_tile(five const& c, unsigned n) const {
    five i = indices_of<box>(n);
    for (unsigned d = 0; d < rank; ++d) i.at[d] += c.at[d];
    return base::number_of(i);
  }
  coordinate_list coordinates(bool negative) const { return coordinates_of<Map>(extents, negative); }

  /// How many elements differ from `values`, and bytes outside of the tensor from what they were; but a row ends at a
  /// multiple of 16 bytes, which is all that a copy writes.
  unsigned differences() const {
    unsigned wrong = 0;
    std::vector<char> expected(bytes, char(0x5a));
    auto const offset_of = [&](unsigned n) { return reinterpret_cast<char*>(&element(n)) - memory; };
    for (unsigned n = unsigned(extents[0]) - 1; n < size; n += unsigned(extents[0]))
      for (long long at = offset_of(n); at % 16 != 0 || at == offset_of(n); ++at) expected[size_t(at)] = memory[at];
    for (unsigned n = 0; n < size; ++n) {
      wrong += std::memcmp(&element(n), &values[n], sizeof(value_type)) != 0;
      std::memcpy(expected.data() + offset_of(n), &element(n), sizeof(value_type));
    }
    for (size_t i = 0; i < bytes; ++i) wrong += expected[i] != memory[i];
    return wrong;
  }
};

/// An interleaved tensor: slices of channels, and padding after each row.
template <class Map>
struct sliced_tensor : tensor_memory<Map> {
  using base = tensor_memory<Map>;
  using base::extents, base::strides, base::size, base::bytes, base::memory, base::values, base::element, base::rank;
  using typename base::box, typename base::value_type;

  explicit sliced_tensor(int more = 3, cudax::tensor_options<base::rank> const& options = {}) {
    for (unsigned d = 0; d < rank; ++d) {
      extents[d] = d + 2 < rank ? box::extents[d + 1] + more : d + 2 == rank ? 3 : box::extents[d] + 1;
      size *= unsigned(extents[d]);
      if (d > 0) strides[d] = strides[d - 1] * extents[d - 1] + 32 * d;
    }
    base::make(options);
  }

  /// The number of the n-th element of the tile at `c`, or -1 outside of the tensor.
  int number_in_tile(five c, unsigned n) const {
    five const i = indices_of<box>(n); // channel, pixel, image
    for (unsigned d = 0; d + 2 < rank; ++d) c.at[d] += i.at[d + 1];
    c.at[rank - 1] += i.at[rank - 1];
    int const slice = base::number_of(c);
    return slice < 0 ? -1 : slice * int(base::in_slice) + i.at[0];
  }
  /// Inside, and beyond each side of the tensor in each dimension and in all.
  coordinate_list coordinates(bool negative) const {
    coordinate_list list;
    five inside{};
    for (unsigned d = 0; d < rank; ++d) inside.at[d] = d + 1 < rank;
    list.add(five{});
    list.add(inside);
    for (int what = negative ? 0 : 1; what < 3; ++what) {
      five all = inside;
      for (unsigned d = 0; d < rank; ++d) {
        int const c[] = {-1, int(extents[d]) - 1, int(extents[d])};
        five one = inside;
        one.at[d] = c[what];
        if (d + 2 != rank) all.at[d] = c[what];
        list.add(one);
      }
      list.add(all);
    }
    return list;
  }
  /// How many bytes of the elements differ from `values`, and outside of the tensor from what they were.
  unsigned differences() const {
    std::vector<char> expected(bytes, char(0x5a));
    for (unsigned n = 0; n < size; ++n)
      std::memcpy(expected.data() + (reinterpret_cast<char*>(&element(n)) - memory), &values[n], sizeof(value_type));
    unsigned wrong = 0;
    for (size_t i = 0; i < bytes; ++i) wrong += expected[i] != memory[i];
    return wrong;
  }
};

#endif
} // namespace cudax_test
