#include <algorithm>
#include <cfloat>

#include "arguments.hpp"
#include "gxr/kernels/tone_curve.hpp"
#include "map.cuh"

namespace gxr::kernels {
namespace {

/// Threads of a block that keeps a table in shared memory: few blocks, since each copies the table.
template <class T>
constexpr int kTableWarps = sizeof(T) == 1 ? 8 : 32;

template <class T>
constexpr int kTableEntries = sizeof(T) == 1 ? 256 : 65536;

template <class T>
__device__ void copy_table(const T* table, bool vectors, T* copy) {
  const int threads = static_cast<int>(blockDim.x * blockDim.y);
  const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
  if (vectors) {
    constexpr int chunks = kTableEntries<T> * static_cast<int>(sizeof(T)) / 16;
    for (int i = thread; i < chunks; i += threads) {
      reinterpret_cast<uint4*>(copy)[i] = reinterpret_cast<const uint4*>(table)[i];
    }
  } else {
    for (int i = thread; i < kTableEntries<T>; i += threads) {
      copy[i] = table[i];
    }
  }
  __syncthreads();
}

template <class T, bool Alpha>
__device__ Run<T, 1> encode_run(const Run<T, 1>& in, const T* table) {
  Run<T, 1> out;
#pragma unroll
  for (int i = 0; i < in.kCount; ++i) {
    out.append(i, Alpha && i % 4 == 3 ? in.get(i) : table[in.get(i)]);
  }
  return out;
}

/// Every warp takes two tiles at a time, so that more bytes are on their way.
template <class T, bool Alpha>
__global__ void __launch_bounds__(kWarpSize* kTableWarps<T>)
    tone_table_kernel(Rows<const T> in, Rows<T> out, Tiling tiling, const T* table,
                      bool table_vectors) {
  extern __shared__ uint4 shared[];
  T* copy = reinterpret_cast<T*>(shared);
  uint4* stage = shared + kTableEntries<T> * sizeof(T) / 16 + warp_in_block() * kWarpSize;
  copy_table(table, table_vectors, copy);
  const std::int64_t warp = std::int64_t{blockIdx.x} * kTableWarps<T> + warp_in_block();
  const Tiling pairs{(tiling.per_row + 1) / 2, tiling.rows};
  for_each_tile_of(pairs, warp, std::int64_t{gridDim.x} * kTableWarps<T>,
                   [&](std::int64_t y, std::int64_t pair) {
                     const bool both = 2 * pair + 1 < tiling.per_row;
                     Run<T, 1> first;
                     Run<T, 1> second;
                     load_tile(in, y, 2 * pair, stage, first);
                     if (both) {
                       load_tile(in, y, 2 * pair + 1, stage, second);
                     }
                     store_tile(out, y, 2 * pair, stage, encode_run<T, Alpha>(first, copy));
                     if (both) {
                       store_tile(out, y, 2 * pair + 1, stage, encode_run<T, Alpha>(second, copy));
                     }
                   });
}

template <class T, bool Alpha>
void encode_by_table(ImageView<const T> in, ImageView<T> out, const T* table, Stream stream) {
  constexpr const char* function = "apply_tone_table";
  constexpr int warps = kTableWarps<T>;
  const Tiling tiling = tiling_of(in.row_elements(), in.height, static_cast<int>(16 / sizeof(T)));
  const std::int64_t wanted = (tiling.per_row * tiling.rows + warps - 1) / warps;
  const std::int64_t fitting = multiprocessor_count(function) * (sizeof(T) == 1 ? 8 : 1);
  LaunchShape shape{dim3(static_cast<unsigned>(std::min(wanted, fitting))), dim3(kWarpSize, warps)};
  shape.dynamic_bytes = kTableEntries<T> * sizeof(T) + warps * sizeof(Stage<1>);
  require_success(
      cudaFuncSetAttribute(tone_table_kernel<T, Alpha>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(shape.dynamic_bytes)),
      function);
  const bool vectors = reinterpret_cast<std::uintptr_t>(table) % 16 == 0;
  launch(function, shape, stream, tone_table_kernel<T, Alpha>, rows_of(in), rows_of(out), tiling,
         table, vectors);
}

/// The fast logarithm is within 2^-22 from 0.5 to 2 and within two units in the last place
/// elsewhere. For exponents up to 1 that moves a power by at most 2 * 10^-7, the exponential by as
/// much again; larger exponents need the exact one.
template <bool Fast>
__device__ float logarithm(float value) {
  if constexpr (Fast) {
    return __log2f(value);
  } else {
    return log2f(value);
  }
}

__host__ __device__ inline float exponent_of(ToneCurve curve) {
  return curve.kind == ToneCurve::Kind::kSrgb ? 1.0F / 2.4F : fminf(curve.inverse_gamma, FLT_MAX);
}

/// evaluate() in single precision. The exponent is kept finite, so that 1 stays 1.
template <bool Fast>
__device__ float encode(ToneCurve curve, float linear) {
  const float above = linear > 0.0F ? linear : 0.0F;
  const float clipped = above < 1.0F ? above : 1.0F;
  const float power = exp2f(exponent_of(curve) * logarithm<Fast>(clipped));
  if (curve.kind != ToneCurve::Kind::kSrgb) {
    return power;
  }
  return clipped <= 0.0031308F ? 12.92F * clipped : 1.055F * power - 0.055F;
}

template <bool Alpha, bool Fast>
struct EncodeRun {
  ToneCurve curve;

  __device__ void operator()(const Run<float, 1>& in, Run<float, 1>& out, Place) const {
#pragma unroll
    for (int i = 0; i < in.kCount; ++i) {
      out.append(i, Alpha && i % 4 == 3 ? in.get(i) : encode<Fast>(curve, in.get(i)));
    }
  }
};

template <bool Alpha>
void encode_runs(ImageView<const float> in, ImageView<float> out, ToneCurve curve, Stream stream) {
  constexpr const char* function = "apply_tone_curve";
  if (exponent_of(curve) <= 1.0F) {
    map_anywhere<1, 1>(function, in, out, stream, EncodeRun<Alpha, true>{curve});
  } else {
    map_anywhere<1, 1>(function, in, out, stream, EncodeRun<Alpha, false>{curve});
  }
}

}  // namespace

template <class T>
void apply_tone_table(ImageInput<T> in, ImageView<T> out, const T* table, Stream stream) {
  require(table != nullptr, "table must not be null");
  require_same_shape(in, out);
  require_stream(stream);
  const bool alpha = in.channels == 4;
  join_rows(in, out);
  if (alpha) {
    encode_by_table<T, true>(in, out, table, stream);
  } else {
    encode_by_table<T, false>(in, out, table, stream);
  }
}

void apply_tone_curve(ImageView<const float> in, ImageView<float> out, ToneCurve curve,
                      Stream stream) {
  require_same_shape(in, out);
  require_stream(stream);
  if (in.channels == 4) {
    encode_runs<true>(in, out, curve, stream);
  } else {
    encode_runs<false>(in, out, curve, stream);
  }
}

template void apply_tone_table(ImageView<const std::uint8_t>, ImageView<std::uint8_t>,
                               const std::uint8_t*, Stream);
template void apply_tone_table(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                               const std::uint16_t*, Stream);

}  // namespace gxr::kernels
