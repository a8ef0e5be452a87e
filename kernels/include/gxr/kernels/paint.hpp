#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "gxr/kernels/image_view.hpp"

namespace gxr::kernels {

/// Pixels of a picture: columns from `left` to before `right`, rows from `top` to before `bottom`.
/// May lie outside of the picture, also partly, or be empty.
struct Rectangle {
  std::int64_t left = 0;
  std::int64_t top = 0;
  std::int64_t right = 0;
  std::int64_t bottom = 0;
};

/// A colour for each channel of a picture, and how much of it replaces what was there: 0 nothing,
/// 1 all.
struct Paint {
  std::array<float, 4> color{};  ///< parts of full scale, 0..1
  float opacity = 1.0F;
};

/// Paints all pixels of the rectangle that the picture has. Throws std::invalid_argument for an
/// opacity or a colour that is not between 0 and 1. Instances: uint8_t, uint16_t, float.
template <class T>
void paint_rectangle(ImageView<T> image, const Rectangle& rectangle, const Paint& paint);

/// The same for the frame of `thickness` pixels (at least 1) within the rectangle.
template <class T>
void paint_frame(ImageView<T> image, const Rectangle& rectangle, std::int64_t thickness,
                 const Paint& paint);

/// Columns and rows that draw_text() takes for a character, with the gaps behind and below it.
inline constexpr std::int64_t kTextColumns = 6;
inline constexpr std::int64_t kTextRows = 11;

/// Columns and rows of a text, lines separated by '\n', at a scale of 1.
struct TextSize {
  std::int64_t columns = 0;
  std::int64_t rows = 0;
};
TextSize text_size(std::string_view text);

/// Draws a text with its top left corner at (`left`, `top`); the picture may have only a part of
/// it. A dot of the letters is `scale` x `scale` pixels (at least 1). Printable ASCII characters
/// have letters; a frame stands for each other character of UTF-8, and for each byte that belongs
/// to none. Instances: uint8_t, uint16_t, float.
template <class T>
void draw_text(ImageView<T> image, std::int64_t left, std::int64_t top, std::int64_t scale,
               std::string_view text, const Paint& paint);

}  // namespace gxr::kernels
