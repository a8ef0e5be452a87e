#pragma once

#include "async_copy.cuh"
#include "tile.cuh"

/// The rows of a picture one after the other, as far as one warp needs them, in its part of shared
/// memory: the next ones are copied there while the warp works on one.

namespace gxr::kernels {

/// Which bytes of every row a warp reads. `begin` is a multiple of 16.
struct RowPart {
  std::int64_t begin;
  std::int64_t end;
};

/// Rows in a ring of kSlots slots. The picture's rows begin at multiples of 16 bytes.
template <class T>
class SourceRows {
 public:
  static constexpr int kSlots = 4;

  /// `ring` has kSlots * slot_bytes bytes; a slot holds the part, to the next multiple of 16.
  __device__ SourceRows(const Rows<const T>& in, RowPart part, unsigned char* ring, int slot_bytes)
      : from_(reinterpret_cast<const unsigned char*>(in.data) + part.begin + 16 * lane()),
        stride_(in.stride),
        ring_(ring),
        ring_bytes_(kSlots * slot_bytes),
        slot_bytes_(slot_bytes),
        chunks_(static_cast<int>((part.end - part.begin + 15) / 16)) {
    const std::int64_t left = in.elements * static_cast<std::int64_t>(sizeof(T)) - part.begin;
    whole_ = static_cast<int>((left < part.end - part.begin ? left : part.end - part.begin) / 16);
    const std::int64_t behind = left - std::int64_t{whole_} * 16;
    rest_ = static_cast<int>(behind < 16 ? behind : 16);
  }

  /// Begins to copy the next row, or nothing if there is none. To be called kSlots - 1 times before
  /// the first take() and once after each.
  __device__ void fetch(bool exists, std::int64_t row) {
    if (exists) {
      copy(from_ + row * stride_, ring_ + fetching_ + 16 * lane());
    }
    close_copy_group();
    fetching_ = following(fetching_);
  }

  /// The part of the row that was fetched first of those not yet taken. All threads of the warp
  /// must call it. The row before may be overwritten from now on.
  __device__ const unsigned char* take() {
    await_copies<kSlots - 2>();
    __syncwarp();
    const unsigned char* slot = ring_ + taking_;
    taking_ = following(taking_);
    return slot;
  }

 private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x); }

  __device__ int following(int place) const {
    const int next = place + slot_bytes_;
    return next == ring_bytes_ ? 0 : next;
  }

  /// Most rows need one or two copies of each thread.
  __device__ void copy(const unsigned char* from, unsigned char* to) const {
    constexpr int step = 16 * kWarpSize;
    if (lane() < chunks_) {
      begin_copy(to, from, lane() < whole_ ? 16 : rest_);
    }
    if (lane() + kWarpSize < chunks_) {
      begin_copy(to + step, from + step, lane() + kWarpSize < whole_ ? 16 : rest_);
    }
#pragma unroll 1
    for (int i = lane() + 2 * kWarpSize; i < chunks_; i += kWarpSize) {
      from += step;
      to += step;
      begin_copy(to + step, from + step, i < whole_ ? 16 : rest_);
    }
  }

  const unsigned char* from_;  ///< this thread's first chunk of row 0
  std::ptrdiff_t stride_;
  unsigned char* ring_;
  int ring_bytes_;
  int slot_bytes_;
  int chunks_;
  int whole_;  ///< chunks that lie in the row
  int rest_;   ///< bytes of the row in the chunk behind them
  int fetching_ = 0;
  int taking_ = 0;
};

}  // namespace gxr::kernels
