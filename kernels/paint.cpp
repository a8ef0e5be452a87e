#include "gxr/kernels/paint.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "contract.hpp"
#include "dot_font.hpp"

namespace gxr::kernels {
namespace {

bool is_part(float value) { return value >= 0.0F && value <= 1.0F; }

void require_paint(const Paint& paint) {
  require(is_part(paint.opacity), "opacity must be 0 to 1");
  require(std::all_of(paint.color.begin(), paint.color.end(), is_part), "color must be 0 to 1");
}

template <class T>
T mixed(T before, float color, float opacity) {
  const float to = color * full_scale<T>();
  const float value = static_cast<float>(before) + (to - static_cast<float>(before)) * opacity;
  if constexpr (sizeof(T) == sizeof(float)) {
    return value;
  } else {
    return static_cast<T>(value + 0.5F);
  }
}

/// Checks nothing.
template <class T>
void fill(ImageView<T> image, Rectangle r, const Paint& paint) {
  r = {std::max<std::int64_t>(r.left, 0), std::max<std::int64_t>(r.top, 0),
       std::min(r.right, image.width), std::min(r.bottom, image.height)};
  for (std::int64_t y = r.top; y < r.bottom; ++y) {
    T* pixel = image.row(y) + r.left * image.channels;
    for (std::int64_t x = r.left; x < r.right; ++x) {
      for (std::int64_t c = 0; c < image.channels; ++c) {
        pixel[c] = mixed(pixel[c], paint.color[static_cast<std::size_t>(c)], paint.opacity);
      }
      pixel += image.channels;
    }
  }
}

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// Takes the next character of UTF-8 from `text`.
std::size_t take_letter(std::string_view& text) {
  const char first = text.front();
  text.remove_prefix(1);
  if (first >= ' ' && first <= '~') {
    return static_cast<std::size_t>(first - ' ');
  }
  if ((static_cast<unsigned char>(first) & 0xC0U) == 0xC0U) {
    while (!text.empty() && !begins_character(text.front())) {
      text.remove_prefix(1);
    }
  }
  return DotFont::kUnknown;
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

std::int64_t letters_in(std::string_view line) {
  std::int64_t count = 0;
  while (!line.empty()) {
    static_cast<void>(take_letter(line));
    ++count;
  }
  return count;
}

template <class T>
void draw_letter(ImageView<T> image, std::int64_t left, std::int64_t top, std::int64_t scale,
                 std::size_t letter, const Paint& paint) {
  for (std::size_t y = 0; y < DotFont::kRows; ++y) {
    const std::string_view dots = DotFont::row(letter, y);
    const std::int64_t row = top + static_cast<std::int64_t>(y) * scale;
    for (std::size_t x = dots.find('#'); x != std::string_view::npos; x = dots.find('#', x)) {
      const std::size_t end = std::min(dots.find('.', x), dots.size());
      fill(image,
           {left + static_cast<std::int64_t>(x) * scale, row,
            left + static_cast<std::int64_t>(end) * scale, row + scale},
           paint);
      x = end;
    }
  }
}

}  // namespace

template <class T>
void paint_rectangle(ImageView<T> image, const Rectangle& rectangle, const Paint& paint) {
  require_image(image, "image");
  require_paint(paint);
  fill(image, rectangle, paint);
}

template <class T>
void paint_frame(ImageView<T> image, const Rectangle& rectangle, std::int64_t thickness,
                 const Paint& paint) {
  require_image(image, "image");
  require_paint(paint);
  require(thickness >= 1, "thickness must be at least 1");
  const auto [left, top, right, bottom] = rectangle;
  if (right - left <= 2 * thickness || bottom - top <= 2 * thickness) {
    return fill(image, rectangle, paint);
  }
  fill(image, {left, top, right, top + thickness}, paint);
  fill(image, {left, top + thickness, left + thickness, bottom - thickness}, paint);
  fill(image, {right - thickness, top + thickness, right, bottom - thickness}, paint);
  fill(image, {left, bottom - thickness, right, bottom}, paint);
}

TextSize text_size(std::string_view text) {
  TextSize size;
  while (!text.empty()) {
    size.columns = std::max(size.columns, letters_in(take_line(text)) * kTextColumns);
    size.rows += kTextRows;
  }
  return size;
}

template <class T>
void draw_text(ImageView<T> image, std::int64_t left, std::int64_t top, std::int64_t scale,
               std::string_view text, const Paint& paint) {
  require_image(image, "image");
  require_paint(paint);
  require(scale >= 1, "scale must be at least 1");
  for (; !text.empty(); top += kTextRows * scale) {
    std::string_view line = take_line(text);
    for (std::int64_t at = left; !line.empty(); at += kTextColumns * scale) {
      draw_letter(image, at, top, scale, take_letter(line), paint);
    }
  }
}

template void paint_rectangle(ImageView<std::uint8_t>, const Rectangle&, const Paint&);
template void paint_rectangle(ImageView<std::uint16_t>, const Rectangle&, const Paint&);
template void paint_rectangle(ImageView<float>, const Rectangle&, const Paint&);
template void paint_frame(ImageView<std::uint8_t>, const Rectangle&, std::int64_t, const Paint&);
template void paint_frame(ImageView<std::uint16_t>, const Rectangle&, std::int64_t, const Paint&);
template void paint_frame(ImageView<float>, const Rectangle&, std::int64_t, const Paint&);
template void draw_text(ImageView<std::uint8_t>, std::int64_t, std::int64_t, std::int64_t,
                        std::string_view, const Paint&);
template void draw_text(ImageView<std::uint16_t>, std::int64_t, std::int64_t, std::int64_t,
                        std::string_view, const Paint&);
template void draw_text(ImageView<float>, std::int64_t, std::int64_t, std::int64_t,
                        std::string_view, const Paint&);

}  // namespace gxr::kernels
