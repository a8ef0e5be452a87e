// Throughput of the device kernels at 4K and 8K, against a device-to-device copy that moves as many
// bytes in the same run. Bytes are counted once for each input and each output; every call works on
// other memory than the calls before, so that nothing comes from the L2 cache.
//
// usage: bench_kernels_cuda [part of a kernel's name]

#include <cstdio>
#include <string>
#include <type_traits>

#include "gxr/kernels/bayer.hpp"
#include "gxr/kernels/black_level.hpp"
#include "gxr/kernels/compare.hpp"
#include "gxr/kernels/convert.hpp"
#include "gxr/kernels/demosaic.hpp"
#include "gxr/kernels/histogram.hpp"
#include "gxr/kernels/patterns.hpp"
#include "gxr/kernels/raw.hpp"
#include "gxr/kernels/resize.hpp"
#include "gxr/kernels/tone_curve.hpp"
#include "gxr/kernels/white_balance.hpp"
#include "measure.hpp"

namespace {

using namespace gxr::kernels;
using gxr::bench::DeviceMemory;
using gxr::bench::Rotation;
using gxr::bench::Table;
using u8 = std::uint8_t;
using u16 = std::uint16_t;

struct Size {
  std::int64_t width;
  std::int64_t height;
};

template <class T>
const char* name_of() {
  return std::is_same_v<T, u8> ? "u8" : std::is_same_v<T, u16> ? "u16" : "f32";
}

template <class T>
constexpr Table::Input kInput =
    std::is_same_v<T, float> ? Table::Input::kFloats : Table::Input::kBytes;

template <class T>
std::size_t bytes_of(Size size, std::int64_t channels) {
  return static_cast<std::size_t>(size.width * size.height * channels) * sizeof(T);
}

template <class T>
ImageView<T> picture(Rotation& memory, Size size, std::int64_t channels) {
  return packed_view(reinterpret_cast<T*>(memory.next(bytes_of<T>(size, channels))), size.width,
                     size.height, channels);
}

/// One run of the program: what all measurements share.
class Bench {
 public:
  Bench(cudaStream_t stream, std::string filter)
      : stream_(stream), filter_(std::move(filter)), table_(stream), scratch_(64U << 20U) {}

  void run(Size size, const std::string& name) {
    size_ = size;
    table_.title(name + ", " + std::to_string(size.width) + " x " + std::to_string(size.height));
    camera<u8>();
    camera<u16>();
    camera<float>();
    raw();
    color();
    conversions();
    channels<u8>();
    channels<u16>();
    channels<float>();
    scaling<u8>();
    scaling<u16>();
    scaling<float>();
    statistics<u8>();
    statistics<u16>();
    statistics<float>();
    drawing<u8>();
    drawing<u16>();
    drawing<float>();
  }

 private:
  bool is_asked_for(const std::string& kernel) const {
    return filter_.empty() || kernel.find(filter_) != std::string::npos;
  }

  /// From an input of this size to an output of any.
  template <class In, class Out, class Kernel>
  void transform(const std::string& kernel, std::int64_t in_channels, std::int64_t out_channels,
                 Size out_size, Kernel call) {
    if (!is_asked_for(kernel)) {
      return;
    }
    const std::string types = std::is_same_v<In, Out>
                                  ? name_of<In>()
                                  : std::string(name_of<In>()) + " to " + name_of<Out>();
    table_.row(
        kernel, types, bytes_of<In>(size_, in_channels) + bytes_of<Out>(out_size, out_channels),
        kInput<In>, [&](Rotation& in, Rotation& out) {
          call(picture<In>(in, size_, in_channels), picture<Out>(out, out_size, out_channels));
        });
  }

  template <class T, class Kernel>
  void read(const std::string& kernel, Kernel call) {
    if (is_asked_for(kernel)) {
      table_.row(
          kernel, name_of<T>(), bytes_of<T>(size_, 3), kInput<T>,
          [&](Rotation& in, Rotation&) { call(ImageView<const T>(picture<T>(in, size_, 3))); });
    }
  }

  template <class T, class Kernel>
  void draw(const std::string& kernel, Kernel call) {
    if (is_asked_for(kernel)) {
      table_.row(kernel, name_of<T>(), bytes_of<T>(size_, 3), kInput<T>,
                 [&](Rotation&, Rotation& out) { call(picture<T>(out, size_, 3)); });
    }
  }

  template <class T>
  void camera() {
    constexpr auto pattern = BayerPattern::kRggb;
    transform<T, T>("mosaic", 3, 1, size_,
                    [&](auto in, auto out) { mosaic_bayer(in, out, pattern, {}, stream_); });
    transform<T, T>("mosaic with noise", 3, 1, size_, [&](auto in, auto out) {
      mosaic_bayer(in, out, pattern, {0.01F, 1, 2}, stream_);
    });
    transform<T, T>("demosaic bilinear", 1, 3, size_,
                    [&](auto in, auto out) { demosaic_bilinear(in, out, pattern, stream_); });
    transform<T, T>("demosaic malvar", 1, 3, size_,
                    [&](auto in, auto out) { demosaic_malvar(in, out, pattern, stream_); });
  }

  void raw() {
    if (is_asked_for("unpack RAW10")) {
      const Size packed{size_.width / 4 * 5, size_.height};
      table_.row("unpack RAW10", "u8 to u16", bytes_of<u8>(packed, 1) + bytes_of<u16>(size_, 1),
                 Table::Input::kBytes, [&](Rotation& in, Rotation& out) {
                   unpack_raw(picture<u8>(in, packed, 1), picture<u16>(out, size_, 1),
                              RawFormat::kRaw10, RawScale::kSensor, stream_);
                 });
    }
    black<u8>();
    black<u16>();
    black<float>();
  }

  template <class T>
  void black() {
    const BlackLevels levels;
    gxr::bench::require_success(
        cudaMemcpy(scratch_.data(), &levels, sizeof levels, cudaMemcpyHostToDevice));
    const auto* on_device = reinterpret_cast<const BlackLevels*>(scratch_.data());
    transform<T, T>("black level", 1, 1, size_,
                    [&](auto in, auto out) { subtract_black<T>(in, out, on_device, stream_); });
  }

  void color() {
    gains<u8>();
    gains<u16>();
    gains<float>();
    tone_table<u8>();
    tone_table<u16>();
    transform<float, float>("tone curve", 3, 3, size_, [&](auto in, auto out) {
      apply_tone_curve(in, out, srgb_curve(), stream_);
    });
  }

  template <class T>
  void gains() {
    const float factors[] = {1.5F, 1.0F, 1.25F};
    gxr::bench::require_success(
        cudaMemcpy(scratch_.data(), factors, sizeof factors, cudaMemcpyHostToDevice));
    const auto* gains = reinterpret_cast<const float*>(scratch_.data());
    transform<T, T>("gains", 3, 3, size_,
                    [&](auto in, auto out) { apply_gains(in, out, gains, stream_); });
  }

  template <class T>
  void tone_table() {
    const ToneTable<T> table(srgb_curve());
    const auto bytes = static_cast<std::size_t>(table.size()) * sizeof(T);
    gxr::bench::require_success(
        cudaMemcpy(scratch_.data(), table.data(), bytes, cudaMemcpyHostToDevice));
    const auto* entries = reinterpret_cast<const T*>(scratch_.data());
    transform<T, T>("tone table", 3, 3, size_,
                    [&](auto in, auto out) { apply_tone_table(in, out, entries, stream_); });
  }

  template <class In, class Out>
  void conversion() {
    transform<In, Out>("convert", 3, 3, size_, [&](auto in, auto out) {
      convert_elements(ImageView<const In>(in), out, {-1.0F, 1.0F}, stream_);
    });
  }

  void conversions() {
    conversion<u8, u8>();
    conversion<u8, u16>();
    conversion<u8, float>();
    conversion<u16, u8>();
    conversion<u16, u16>();
    conversion<u16, float>();
    conversion<float, u8>();
    conversion<float, u16>();
    conversion<float, float>();
  }

  template <class T>
  void channels() {
    const int swapped[] = {2, 1, 0, 3};
    const int grey[] = {0, 0, 0};
    transform<T, T>("swap red and blue", 3, 3, size_,
                    [&](auto in, auto out) { permute_channels(in, out, swapped, stream_); });
    transform<T, T>("swap red and blue, 4", 4, 4, size_,
                    [&](auto in, auto out) { permute_channels(in, out, swapped, stream_); });
    transform<T, T>("grey to RGB", 1, 3, size_,
                    [&](auto in, auto out) { permute_channels(in, out, grey, stream_); });
    transform<T, T>("add alpha", 3, 4, size_,
                    [&](auto in, auto out) { add_alpha(in, out, T{1}, stream_); });
    transform<T, T>("drop alpha", 4, 3, size_,
                    [&](auto in, auto out) { drop_alpha(in, out, stream_); });
  }

  Size scaled(std::int64_t percent) const {
    return {size_.width * percent / 100, size_.height * percent / 100};
  }

  template <class T>
  void scaling() {
    const auto nearest = [&](auto in, auto out) { resize_nearest(in, out, stream_); };
    const auto bilinear = [&](auto in, auto out) { resize_bilinear(in, out, stream_); };
    const auto area = [&](auto in, auto out) { resize_area(in, out, stream_); };
    transform<T, T>("resize nearest 50 %", 3, 3, scaled(50), nearest);
    transform<T, T>("resize nearest 150 %", 3, 3, scaled(150), nearest);
    transform<T, T>("resize bilinear 50 %", 3, 3, scaled(50), bilinear);
    transform<T, T>("resize bilinear 75 %", 3, 3, scaled(75), bilinear);
    transform<T, T>("resize bilinear 150 %", 3, 3, scaled(150), bilinear);
    transform<T, T>("resize area 50 %", 3, 3, scaled(50), area);
    transform<T, T>("resize area 25 %", 3, 3, scaled(25), area);
    transform<T, T>("resize area 30 %", 3, 3, scaled(30), area);
  }

  template <class T>
  void statistics() {
    auto* counts = reinterpret_cast<std::uint32_t*>(scratch_.data());
    auto* gains = reinterpret_cast<float*>(scratch_.data());
    auto* result = reinterpret_cast<double*>(scratch_.data());
    void* workspace = scratch_.data() + 65536;
    read<T>("histogram", [&](auto in) { compute_histogram(in, counts, stream_); });
    read<T>("grey world", [&](auto in) { grey_world_gains(in, gains, workspace, stream_); });
    if (is_asked_for("psnr")) {
      table_.row("psnr", name_of<T>(), 2 * bytes_of<T>(size_, 3), kInput<T>,
                 [&](Rotation& a, Rotation& b) {
                   psnr(ImageView<const T>(picture<T>(a, size_, 3)),
                        ImageView<const T>(picture<T>(b, size_, 3)), 0, result, workspace, stream_);
                 });
      table_.row("largest difference", name_of<T>(), 2 * bytes_of<T>(size_, 3), kInput<T>,
                 [&](Rotation& a, Rotation& b) {
                   max_abs_difference(ImageView<const T>(picture<T>(a, size_, 3)),
                                      ImageView<const T>(picture<T>(b, size_, 3)), 0, result,
                                      workspace, stream_);
                 });
    }
  }

  template <class T>
  void drawing() {
    auto* counts = reinterpret_cast<std::uint32_t*>(scratch_.data());
    void* workspace = scratch_.data() + 65536;
    draw<T>("histogram picture", [&](auto out) { draw_histogram(counts, 3, out, stream_); });
    draw<T>("colour bars", [&](auto out) { draw_color_bars(out, 0.75F, stream_); });
    draw<T>("zone plate",
            [&](auto out) { draw_zone_plate(out, 3, 1.0 / 32.0, workspace, stream_); });
    draw<T>("noise", [&](auto out) { draw_noise(out, 3, 1, stream_); });
  }

  cudaStream_t stream_;
  std::string filter_;
  Table table_;
  DeviceMemory scratch_;
  Size size_{};
};

}  // namespace

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no CUDA device: nothing is measured");
    return 0;
  }
  cudaStream_t stream = nullptr;
  gxr::bench::require_success(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  Bench bench(stream, argc > 1 ? argv[1] : "");
  bench.run({3840, 2160}, "4K");
  bench.run({7680, 4320}, "8K");
}
