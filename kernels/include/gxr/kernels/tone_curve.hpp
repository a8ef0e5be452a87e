#pragma once

#include <cstdint>
#include <vector>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

namespace gxr::kernels {

/// A curve from linear light 0..1 to encoded values 0..1.
struct ToneCurve {
  enum class Kind : std::uint8_t { kGamma, kSrgb };
  Kind kind = Kind::kSrgb;
  float inverse_gamma = 1.0F;  ///< exponent of kGamma
};

/// out = in^(1 / gamma). Throws std::invalid_argument unless gamma is finite and above 0.
ToneCurve gamma_curve(float gamma);

/// The transfer function of IEC 61966-2-1: 12.92 in up to 0.0031308, else
/// 1.055 in^(1/2.4) - 0.055.
ToneCurve srgb_curve();

/// Value of the curve; `linear` is clipped to 0..1 first, not-a-number counts as 0.
double evaluate(ToneCurve curve, double linear);

/// A curve for all values of an integer type (256 or 65,536 entries), rounded to nearest. Built
/// once and kept by the caller; afterwards read-only, so that threads may share it.
/// T is uint8_t or uint16_t.
template <class T>
class ToneTable {
 public:
  explicit ToneTable(ToneCurve curve);

  /// 256 or 65,536 entries, valid as long as this object.
  const T* data() const { return entries_.data(); }
  std::int64_t size() const { return static_cast<std::int64_t>(entries_.size()); }

 private:
  std::vector<T> entries_;
};

/// The same table, of which an entry is computed when it is first needed: for a curve that is used
/// for a few small pictures, such as one that changes all the time.
template <class T>
class GrowingToneTable {
 public:
  GrowingToneTable();

  /// Forgets all entries. To be called before at().
  void begin(ToneCurve curve);
  /// The entry of a value; equal to that of a ToneTable.
  T at(T value) {
    if (!known_[value]) {
      add(value);
    }
    return entries_[value];
  }

 private:
  void add(T value);

  ToneCurve curve_;
  std::vector<T> entries_;
  std::vector<unsigned char> known_;
};

/// out = table[in] for all channels but a fourth, which is copied. `table` has 256 (uint8_t) or
/// 65,536 (uint16_t) entries. In place is allowed.
/// Throws std::invalid_argument if shapes differ or `table` is null.
template <class T>
void apply_tone_table(ImageInput<T> in, ImageView<T> out, const T* table);

/// The same with a table that grows.
template <class T>
void apply_tone_table(ImageInput<T> in, ImageView<T> out, GrowingToneTable<T>& table);

/// The same on a CUDA stream; `table` is a copy of a ToneTable's entries in device memory.
template <class T>
void apply_tone_table(ImageInput<T> in, ImageView<T> out, const T* table, Stream stream);

/// out = curve(in) for all channels but a fourth, which is copied. In place is allowed.
/// Throws std::invalid_argument if shapes differ.
void apply_tone_curve(ImageView<const float> in, ImageView<float> out, ToneCurve curve);

/// The same on a CUDA stream, in single precision: within 1e-6 of the host's result.
void apply_tone_curve(ImageView<const float> in, ImageView<float> out, ToneCurve curve,
                      Stream stream);

}  // namespace gxr::kernels
