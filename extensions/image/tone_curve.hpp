#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gxr/kernels/tone_curve.hpp"
#include "image/capturable_operator.hpp"

namespace gxr {
namespace image {

enum class CurveName : std::uint8_t { Gamma, Srgb, Linear };

/// From linear light to what a display expects, or back (gamma below 1).
class ToneCurve final : public CapturableOperator {
 public:
  ToneCurve() noexcept : CapturableOperator(Geometry::Kept) {}
  void declare(Interface& interface) override;
  void stop() override;
  [[nodiscard]] GraphTraits graph_traits() const override {
    return {.repeatable = true, .pass_through = true};
  }

 private:
  /// The curve for all values of an integer type. The first pictures of a curve have only the
  /// values computed that are in them, as the next one may come with another curve; the whole table
  /// is built when they had some times as many samples as it has entries. It is built at once for a
  /// picture on the GPU, or before a graph is built.
  template <class T>
  struct Table {
    std::optional<kernels::ToneTable<T>> values;
    kernels::GrowingToneTable<T> first;
    std::int64_t samples = 0;  // that `first` was used for; 0: it is of another curve
    DeviceConstant on_device;

    void apply(kernels::ImageView<const T> in, kernels::ImageView<T> out,
               const kernels::ToneCurve& function) {
      // A look whether an entry is there takes about a sixteenth of computing one.
      constexpr std::int64_t kEnough = std::int64_t{16} << (8 * sizeof(T));
      if (values || samples >= kEnough) {
        return kernels::apply_tone_table(in, out, entries(function));
      }
      if (samples == 0) {
        first.begin(function);
      }
      samples += in.row_elements() * in.height;
      kernels::apply_tone_table<T>(in, out, first);
    }

    const T* entries(const kernels::ToneCurve& function) {
      if (!values) {
        values.emplace(function);
      }
      return values->data();
    }
    void reset() {
      values.reset();
      samples = 0;
      on_device.reset();
    }
    [[nodiscard]] std::size_t bytes() const {
      return static_cast<std::size_t>(values->size()) * sizeof(T);
    }
  };

  [[nodiscard]] ImageShape result_shape(const InputImage& input) const override {
    return input.shape;
  }
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;
  [[nodiscard]] std::vector<std::byte> parameters(const InputImage& input) override;
  [[nodiscard]] Tolerance tolerance(const InputImage& input) const override;
  /// The curve of the parameters, which may have changed; tables of another one are dropped.
  const kernels::ToneCurve& function();
  /// The table of an integer type.
  template <class T>
  Table<T>& table();

  Parameter<CurveName> curve_;
  Parameter<double> gamma_;
  kernels::ToneCurve function_;  // what the tables are of
  Table<std::uint8_t> table8_;
  Table<std::uint16_t> table16_;
};

}  // namespace image

template <>
struct EnumNames<image::CurveName> {
  static constexpr std::pair<image::CurveName, const char*> values[] = {
      {image::CurveName::Gamma, "gamma"},
      {image::CurveName::Srgb, "srgb"},
      {image::CurveName::Linear, "linear"},
  };
};

}  // namespace gxr
