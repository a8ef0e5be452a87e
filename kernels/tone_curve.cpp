#include "gxr/kernels/tone_curve.hpp"

#include <algorithm>
#include <cmath>

#include "contract.hpp"
#include "element.hpp"

namespace gxr::kernels {
namespace {

double encode_srgb(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

/// Applies `encode` to all channels of a row but a fourth.
template <class T, class Encode>
void encode_row(const T* in, T* out, std::int64_t width, std::int64_t channels, Encode encode) {
  if (channels != 4) {
    // One loop over all samples: a loop over three of them costs as much as their look-ups.
    for (std::int64_t i = 0; i < width * channels; ++i) {
      out[i] = encode(in[i]);
    }
    return;
  }
  for (std::int64_t x = 0; x < width; ++x, in += channels, out += channels) {
    for (std::int64_t c = 0; c < 3; ++c) {
      out[c] = encode(in[c]);
    }
    out[3] = in[3];
  }
}

template <class T, class Encode>
void encode_image(ImageView<const T> in, ImageView<T> out, Encode encode) {
  require_same_shape(in, out);
  for (std::int64_t y = 0; y < in.height; ++y) {
    encode_row(in.row(y), out.row(y), in.width, in.channels, encode);
  }
}

}  // namespace

ToneCurve gamma_curve(float gamma) {
  require(std::isfinite(gamma) && gamma > 0.0F, "gamma must be finite and above 0");
  return {ToneCurve::Kind::kGamma, 1.0F / gamma};
}

ToneCurve srgb_curve() { return {}; }

double evaluate(ToneCurve curve, double linear) {
  const double above = linear > 0.0 ? linear : 0.0;
  const double clipped = above < 1.0 ? above : 1.0;
  if (curve.kind == ToneCurve::Kind::kSrgb) {
    return encode_srgb(clipped);
  }
  return std::pow(clipped, static_cast<double>(curve.inverse_gamma));
}

namespace {

template <class T>
constexpr auto kTop = static_cast<std::size_t>(full_scale<T>());

template <class T>
T entry_of(ToneCurve curve, std::size_t value) {
  constexpr auto top = static_cast<double>(kTop<T>);
  return static_cast<T>(evaluate(curve, static_cast<double>(value) / top) * top + 0.5);
}

}  // namespace

template <class T>
ToneTable<T>::ToneTable(ToneCurve curve) {
  entries_.reserve(kTop<T> + 1);
  for (std::size_t i = 0; i <= kTop<T>; ++i) {
    entries_.push_back(entry_of<T>(curve, i));
  }
}

template <class T>
GrowingToneTable<T>::GrowingToneTable() : entries_(kTop<T> + 1), known_(kTop<T> + 1) {}

template <class T>
void GrowingToneTable<T>::begin(ToneCurve curve) {
  curve_ = curve;
  std::fill(known_.begin(), known_.end(), 0);
}

template <class T>
void GrowingToneTable<T>::add(T value) {
  entries_[value] = entry_of<T>(curve_, value);
  known_[value] = 1;
}

template <class T>
void apply_tone_table(ImageInput<T> in, ImageView<T> out, GrowingToneTable<T>& table) {
  encode_image<T>(in, out, [&table](T value) { return table.at(value); });
}

template <class T>
void apply_tone_table(ImageInput<T> in, ImageView<T> out, const T* table) {
  require(table != nullptr, "table must not be null");
  encode_image<T>(in, out, [table](T value) { return table[value]; });
}

void apply_tone_curve(ImageView<const float> in, ImageView<float> out, ToneCurve curve) {
  encode_image<float>(in, out, [curve](float value) {
    return static_cast<float>(evaluate(curve, static_cast<double>(value)));
  });
}

template class ToneTable<std::uint8_t>;
template class ToneTable<std::uint16_t>;
template class GrowingToneTable<std::uint8_t>;
template class GrowingToneTable<std::uint16_t>;
template void apply_tone_table(ImageView<const std::uint8_t>, ImageView<std::uint8_t>,
                               const std::uint8_t*);
template void apply_tone_table(ImageView<const std::uint8_t>, ImageView<std::uint8_t>,
                               GrowingToneTable<std::uint8_t>&);
template void apply_tone_table(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                               GrowingToneTable<std::uint16_t>&);
template void apply_tone_table(ImageView<const std::uint16_t>, ImageView<std::uint16_t>,
                               const std::uint16_t*);

}  // namespace gxr::kernels
