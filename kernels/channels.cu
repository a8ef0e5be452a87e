#include "arguments.hpp"
#include "map.cuh"

namespace gxr::kernels {
namespace {

/// Bit masks instead of conditions: one instruction a candidate, and indices stay constant.
template <class T, int In, int Out>
class PermuteRun {
 public:
  explicit PermuteRun(ChannelOrder order) {
    for (int c = 0; c < Out; ++c) {
      for (int from = 0; from < In; ++from) {
        masks_[c][from] = order.of[c] == from ? 0xffffffffU : 0U;
      }
    }
  }

  template <int InChunks, int OutChunks>
  __device__ void operator()(const Run<T, InChunks>& in, Run<T, OutChunks>& out, Place) const {
#pragma unroll
    for (int pixel = 0; pixel < out.kCount / Out; ++pixel) {
#pragma unroll
      for (int c = 0; c < Out; ++c) {
        std::uint32_t taken = 0;
#pragma unroll
        for (int from = 0; from < In; ++from) {
          taken |= in.bits(pixel * In + from) & masks_[c][from];
        }
        out.append_bits(pixel * Out + c, taken);
      }
    }
  }

 private:
  std::uint32_t masks_[Out][In];
};

/// Whole pixels at once: one byte permutation each.
template <int In, int Out>
class PermuteRun<std::uint8_t, In, Out> {
 public:
  explicit PermuteRun(ChannelOrder order) {
    for (int c = 0; c < Out; ++c) {
      selector_ |= static_cast<std::uint32_t>(order.of[c]) << (4 * c);
    }
  }

  template <int InChunks, int OutChunks>
  __device__ void operator()(const Run<std::uint8_t, InChunks>& in,
                             Run<std::uint8_t, OutChunks>& out, Place) const {
#pragma unroll
    for (int pixel = 0; pixel < out.kCount / Out; ++pixel) {
      const std::uint32_t taken = __byte_perm(word_from(in, pixel * In), 0, selector_);
#pragma unroll
      for (int c = 0; c < Out; ++c) {
        out.append_bits(pixel * Out + c, taken >> (8 * c) & 0xffU);
      }
    }
  }

 private:
  /// The bytes from number `i` on, as many as the word has.
  template <int Chunks>
  __device__ static std::uint32_t word_from(const Run<std::uint8_t, Chunks>& run, int i) {
    const int next = i / 4 + 1 < 4 * Chunks ? i / 4 + 1 : i / 4;
    return __funnelshift_r(run.words[i / 4], run.words[next], static_cast<unsigned>(i % 4) * 8U);
  }

  std::uint32_t selector_ = 0;
};

template <class T>
struct AddAlphaRun {
  T alpha;

  template <int InChunks, int OutChunks>
  __device__ void operator()(const Run<T, InChunks>& in, Run<T, OutChunks>& out, Place) const {
#pragma unroll
    for (int i = 0; i < out.kCount; ++i) {
      out.append(i, i % 4 == 3 ? alpha : in.get(i / 4 * 3 + i % 4));
    }
  }
};

template <class T>
struct DropAlphaRun {
  template <int InChunks, int OutChunks>
  __device__ void operator()(const Run<T, InChunks>& in, Run<T, OutChunks>& out, Place) const {
#pragma unroll
    for (int i = 0; i < out.kCount; ++i) {
      out.append(i, in.get(i / 3 * 4 + i % 3));
    }
  }
};

template <class T, int In, int Out>
void permute(ImageView<const T> in, ImageView<T> out, ChannelOrder order, Stream stream) {
  map_anywhere<In, Out>("permute_channels", in, out, stream, PermuteRun<T, In, Out>(order));
}

template <class T>
using Permute = void (*)(ImageView<const T>, ImageView<T>, ChannelOrder, Stream);

template <class T>
Permute<T> permute_for(std::int64_t in_channels, std::int64_t out_channels) {
  constexpr Permute<T> by_channels[4][4] = {
      {permute<T, 1, 1>, permute<T, 1, 2>, permute<T, 1, 3>, permute<T, 1, 4>},
      {permute<T, 2, 1>, permute<T, 2, 2>, permute<T, 2, 3>, permute<T, 2, 4>},
      {permute<T, 3, 1>, permute<T, 3, 2>, permute<T, 3, 3>, permute<T, 3, 4>},
      {permute<T, 4, 1>, permute<T, 4, 2>, permute<T, 4, 3>, permute<T, 4, 4>}};
  return by_channels[in_channels - 1][out_channels - 1];
}

}  // namespace

template <class T>
void permute_channels(ImageInput<T> in, ImageView<T> out, const int* order, Stream stream) {
  require_image(in, "in");
  require_image(out, "out");
  require_same_size(in, out);
  const ChannelOrder checked = checked_order(order, in.channels, out.channels);
  require_stream(stream);
  permute_for<T>(in.channels, out.channels)(in, out, checked, stream);
}

template <class T>
void add_alpha(ImageInput<T> rgb, ImageView<T> rgba, T alpha, Stream stream) {
  require_add_alpha<T>(rgb, rgba);
  require_stream(stream);
  map_anywhere<3, 4>("add_alpha", rgb, rgba, stream, AddAlphaRun<T>{alpha});
}

template <class T>
void drop_alpha(ImageInput<T> rgba, ImageView<T> rgb, Stream stream) {
  require_drop_alpha<T>(rgba, rgb);
  require_stream(stream);
  map_anywhere<4, 3>("drop_alpha", rgba, rgb, stream, DropAlphaRun<T>{});
}

template void permute_channels(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, const int*,
                               Stream);
template void permute_channels(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, const int*,
                               Stream);
template void permute_channels(ImageView<const float>, ImageView<float>, const int*, Stream);
template void add_alpha(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, std::uint8_t,
                        Stream);
template void add_alpha(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, std::uint16_t,
                        Stream);
template void add_alpha(ImageView<const float>, ImageView<float>, float, Stream);
template void drop_alpha(ImageView<const std::uint8_t>, ImageView<std::uint8_t>, Stream);
template void drop_alpha(ImageView<const std::uint16_t>, ImageView<std::uint16_t>, Stream);
template void drop_alpha(ImageView<const float>, ImageView<float>, Stream);

}  // namespace gxr::kernels
