#pragma once

#include "pair.cuh"
#include "tile.cuh"

/// Rows of a raw picture as a demosaicing thread sees them: its own run of columns and two more on
/// either side. Columns are numbered by step and parity: column 2 * step + parity of the run; with
/// 8-bit samples a Pair stands for two columns, 4 * step + parity and the one two further on.

namespace gxr::kernels {

/// The packed samples: of the words before and behind, the two columns next to the run count.
template <class T>
struct PackedRow {
  static constexpr int kColumns = 16 / static_cast<int>(sizeof(T));
  static constexpr int kPerWord = 4 / static_cast<int>(sizeof(T));
  static constexpr int kMargin = sizeof(T) == 4 ? 2 : 1;  ///< words
  std::uint32_t words[4 + 2 * kMargin];
};

template <class T>
__device__ std::uint32_t bits_of(T value) {
  if constexpr (std::is_same_v<T, float>) {
    return __float_as_uint(value);
  } else {
    return value;
  }
}

/// The word of the samples from column x on, mirrored at the row's ends.
template <class T>
__device__ std::uint32_t mirrored_word(const T* row, std::int64_t x, std::int64_t width) {
  std::uint32_t word = 0;
#pragma unroll
  for (int i = 0; i < PackedRow<T>::kPerWord; ++i) {
    word |= bits_of(row[mirror(x + i, width)]) << (8 * static_cast<int>(sizeof(T)) * i % 32);
  }
  return word;
}

/// All threads of a warp must call it, with x one run apart. Columns beyond the margin at the right
/// end of the row hold any samples.
template <class T>
__device__ PackedRow<T> load_row(const T* row, bool vectors, std::int64_t x, std::int64_t width) {
  using Packed = PackedRow<T>;
  constexpr int margin = Packed::kMargin;
  constexpr int columns = Packed::kColumns;
  constexpr unsigned all = 0xffffffffU;
  Packed packed;
  uint4 own = make_uint4(0, 0, 0, 0);
  if (vectors && x + columns <= width) {
    own = *reinterpret_cast<const uint4*>(row + x);
  } else if (x < width) {
#pragma unroll 1
    for (int word = 0; word < 4; ++word) {
      own = make_uint4(own.y, own.z, own.w, mirrored_word(row, x + word * Packed::kPerWord, width));
    }
  }
  packed.words[margin] = own.x;
  packed.words[margin + 1] = own.y;
  packed.words[margin + 2] = own.z;
  packed.words[margin + 3] = own.w;
#pragma unroll
  for (int i = 0; i < margin; ++i) {
    packed.words[i] = __shfl_up_sync(all, packed.words[i + 4], 1);
    packed.words[margin + 4 + i] = __shfl_down_sync(all, packed.words[margin + i], 1);
  }
  const bool first = threadIdx.x == 0;
  const bool last = threadIdx.x == kWarpSize - 1 || x + columns >= width;
#pragma unroll
  for (int i = 0; i < margin; ++i) {
    constexpr int per_word = Packed::kPerWord;
    if (first) {
      packed.words[i] = mirrored_word(row, x + (i - margin) * per_word, width);
    }
    if (last) {
      packed.words[margin + 4 + i] = mirrored_word(row, x + columns + i * per_word, width);
    }
  }
  return packed;
}

/// Both classes read the rows from number `first` on, at one place, and mirrored beyond the
/// picture, in two steps so that rows can be on their way while others are worked on.

/// For rows that are aligned and made of whole runs, kFewestRows or more of them: margins are words
/// of neighbouring threads, of the neighbouring warp's tile, or of the run itself at the ends of
/// the row.
template <class T>
class WholeRows {
 public:
  using Packed = PackedRow<T>;
  static constexpr int kFewestRows = 8;

  struct Raw {
    uint4 own;
    std::uint32_t edge[Packed::kMargin];  ///< of the first and last thread of the warp
  };

  __device__ WholeRows(const Rows<const T>& rows, std::int64_t height, std::int64_t tile,
                       std::int64_t first)
      : stride_(rows.stride), index_(static_cast<int>(first)), last_(static_cast<int>(height) - 1) {
    const int lane = static_cast<int>(threadIdx.x);
    const std::int64_t x = (tile * kWarpSize + lane) * Packed::kColumns;
    next_ = reinterpret_cast<const unsigned char*>(rows.row(mirror(first, height)) + x);
    inside_ = x < rows.elements;
    begins_ = x == 0;
    ends_ = x + Packed::kColumns >= rows.elements;
    left_ = lane == 0 && !begins_;
    right_ = lane == kWarpSize - 1 && !ends_;
  }

  __device__ Raw read() {
    Raw raw{};
    if (inside_) {
      raw.own = *reinterpret_cast<const uint4*>(next_);
    }
    if (left_ || right_) {
      const auto* edge =
          reinterpret_cast<const std::uint32_t*>(next_ + (left_ ? -4 * Packed::kMargin : 16));
#pragma unroll
      for (int i = 0; i < Packed::kMargin; ++i) {
        raw.edge[i] = edge[i];
      }
    }
    next_ += index_ < 0 || index_ >= last_ ? -stride_ : stride_;
    ++index_;
    return raw;
  }

  /// All threads of the warp must call it.
  __device__ Packed complete(const Raw& raw) const {
    constexpr int margin = Packed::kMargin;
    const std::uint32_t own[4] = {raw.own.x, raw.own.y, raw.own.z, raw.own.w};
    Packed packed;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      packed.words[margin + i] = own[i];
    }
#pragma unroll
    for (int i = 0; i < margin; ++i) {
      const std::uint32_t before = __shfl_up_sync(0xffffffffU, own[4 - margin + i], 1);
      const std::uint32_t behind = __shfl_down_sync(0xffffffffU, own[i], 1);
      packed.words[i] = begins_ ? mirrored_before(own, i) : left_ ? raw.edge[i] : before;
      packed.words[margin + 4 + i] = ends_    ? mirrored_behind(own, i)
                                     : right_ ? raw.edge[i]
                                              : behind;
    }
    return packed;
  }

 private:
  /// Margin word i before a run at the row's beginning: columns 2 and 1 come last.
  __device__ static std::uint32_t mirrored_before(const std::uint32_t (&own)[4], int i) {
    if constexpr (sizeof(T) == 1) {
      return __byte_perm(own[0], 0, 0x1244);
    } else if constexpr (sizeof(T) == 2) {
      return __byte_perm(own[0], own[1], 0x3254);
    } else {
      return own[2 - i];
    }
  }

  /// Margin word i behind a run at the row's end: its third and second column from the end come
  /// first.
  __device__ static std::uint32_t mirrored_behind(const std::uint32_t (&own)[4], int i) {
    if constexpr (sizeof(T) == 1) {
      return __byte_perm(own[3], 0, 0x4412);
    } else if constexpr (sizeof(T) == 2) {
      return __byte_perm(own[2], own[3], 0x3254);
    } else {
      return own[2 - i];
    }
  }

  const unsigned char* next_;  ///< this thread's run in the next row
  std::ptrdiff_t stride_;
  int index_;  ///< of the next row, before mirroring
  int last_;
  bool inside_;
  bool begins_;
  bool ends_;
  bool left_;   ///< needs the end of the tile before
  bool right_;  ///< needs the beginning of the tile behind
};

/// For any rows.
template <class T>
class AnyRows {
 public:
  struct Raw {
    const T* row;
  };

  __device__ AnyRows(const Rows<const T>& rows, std::int64_t height, std::int64_t tile,
                     std::int64_t first)
      : rows_(rows),
        height_(height),
        x_((tile * kWarpSize + threadIdx.x) * PackedRow<T>::kColumns),
        next_(first) {}

  __device__ Raw read() { return {rows_.row(mirror(next_++, height_))}; }

  /// All threads of the warp must call it.
  __device__ PackedRow<T> complete(const Raw& raw) const {
    return load_row(raw.row, rows_.vectors, x_, rows_.elements);
  }

 private:
  const Rows<const T>& rows_;
  std::int64_t height_;
  std::int64_t x_;
  std::int64_t next_;
};

/// Sums of samples, one number a column.
template <class T>
struct SumRow {
  using Lane = Sum<T>;
  static constexpr int kSteps = PackedRow<T>::kColumns / 2;
  Lane of[2 * kSteps + 4];

  __device__ Lane at(int step, int parity, int offset) const {
    return of[2 * step + parity + offset + 2];
  }

  __device__ static SumRow widen(const PackedRow<T>& packed) {
    SumRow row;
#pragma unroll
    for (int i = 0; i < 2 * kSteps + 4; ++i) {
      if constexpr (std::is_same_v<T, float>) {
        row.of[i] = __uint_as_float(packed.words[i]);
      } else {
        row.of[i] = static_cast<Lane>(packed.words[i / 2] >> (16 * (i % 2)) & 0xffffU);
      }
    }
    return row;
  }

  __device__ SumRow operator+(const SumRow& other) const {
    SumRow sum;
#pragma unroll
    for (int i = 0; i < 2 * kSteps + 4; ++i) {
      sum.of[i] = of[i] + other.of[i];
    }
    return sum;
  }
};

template <>
struct SumRow<std::uint8_t> {
  using Lane = Pair;
  static constexpr int kSteps = 4;
  Pair of[6][2];  ///< of each word, from the one before the run on

  __device__ Pair at(int step, int parity, int offset) const {
    const int column = parity + offset;
    if (column < 0) {
      return joined(of[step][column + 2], of[step + 1][column + 2]);
    }
    if (column > 1) {
      return joined(of[step + 1][column - 2], of[step + 2][column - 2]);
    }
    return of[step + 1][column];
  }

  __device__ static SumRow widen(const PackedRow<std::uint8_t>& packed) {
    SumRow row;
#pragma unroll
    for (int i = 0; i < 6; ++i) {
      row.of[i][0] = {packed.words[i] & 0x00ff00ffU};
      row.of[i][1] = {__byte_perm(packed.words[i], 0, 0x4341)};
    }
    return row;
  }

  __device__ SumRow operator+(const SumRow& other) const {
    SumRow sum;
#pragma unroll
    for (int i = 0; i < 6; ++i) {
      sum.of[i][0] = of[i][0] + other.of[i][0];
      sum.of[i][1] = of[i][1] + other.of[i][1];
    }
    return sum;
  }

 private:
  /// The upper half of the first and the lower of the second.
  __device__ static Pair joined(Pair first, Pair second) {
    return {__byte_perm(first.bits, second.bits, 0x5432)};
  }
};

}  // namespace gxr::kernels
