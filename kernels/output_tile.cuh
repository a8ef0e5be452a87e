#pragma once

#include "tile.cuh"

namespace gxr::kernels {

/// A part of an output row that a warp makes, staged in shared memory. Elements is a multiple of 16
/// bytes.
template <class T, int Elements>
class OutputTile {
 public:
  static constexpr int kBytes = Elements * static_cast<int>(sizeof(T));

  __device__ OutputTile(const Rows<T>& out, std::int64_t tile, unsigned char* stage)
      : stage_(reinterpret_cast<T*>(stage)),
        first_(out.data + tile * Elements),
        stride_(out.stride),
        row_(first_) {
    const std::int64_t left = out.elements - tile * Elements;
    elements_ = static_cast<int>(left < Elements ? left : Elements);
    whole_ = out.vectors ? elements_ / kPerChunk : 0;
  }

  __device__ T& staged(int element) const { return stage_[element]; }
  __device__ uint4* stage() const { return reinterpret_cast<uint4*>(stage_); }

  /// The next flush writes row y.
  __device__ void go_to(std::int64_t y) { row_ = moved(first_, y); }

  /// Writes the tile, as far as it lies in the row, and goes on to the row `rows` further down.
  __device__ void flush(int rows) {
    const int lane = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int j = 0; j * kWarpSize * 16 < kBytes; ++j) {
      const int i = j * kWarpSize + lane;
      if (i < whole_) {
        reinterpret_cast<uint4*>(row_)[i] = reinterpret_cast<const uint4*>(stage_)[i];
      }
    }
    if (whole_ * kPerChunk < elements_) {
#pragma unroll 1
      for (int i = whole_ * kPerChunk + lane; i < elements_; i += kWarpSize) {
        row_[i] = stage_[i];
      }
    }
    row_ = moved(row_, rows);
  }

 private:
  static constexpr int kPerChunk = 16 / static_cast<int>(sizeof(T));

  __device__ T* moved(T* place, std::int64_t rows) const {
    return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(place) + rows * stride_);
  }

  T* stage_;
  T* first_;  ///< in row 0
  std::ptrdiff_t stride_;
  T* row_;
  int elements_;
  int whole_;  ///< chunks of 16 bytes
};

}  // namespace gxr::kernels
