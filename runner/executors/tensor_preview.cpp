#include "executors/tensor_preview.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "gxr/allocator.hpp"
#include "gxr/tensor.hpp"

namespace gxr {
namespace {

/// Reads elements of type T, wherever they lie.
template <class T>
struct Elements {
  using Type = T;
  static double read(const std::byte* at) noexcept {
    T value;
    std::memcpy(&value, at, sizeof(value));
    return static_cast<double>(value);
  }
};

struct HalfElements {
  using Type = void;
  static double read(const std::byte* at) noexcept {
    std::uint16_t bits = 0;
    std::memcpy(&bits, at, sizeof(bits));
    const int exponent = (bits >> 10) & 0x1F;
    const int fraction = bits & 0x3FF;
    double size = 0;
    if (exponent == 0x1F) {
      size = fraction == 0 ? std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::quiet_NaN();
    } else {
      size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    }
    return (bits & 0x8000) != 0 ? -size : size;
  }
};

/// Calls `use` with the Elements of a type; false for types that are no real numbers.
template <class Use>
bool with_elements(ElementType type, const Use& use) {
  switch (type) {
    case ElementType::Int8:
      use(Elements<std::int8_t>());
      return true;
    case ElementType::UInt8:
      use(Elements<std::uint8_t>());
      return true;
    case ElementType::Int16:
      use(Elements<std::int16_t>());
      return true;
    case ElementType::UInt16:
      use(Elements<std::uint16_t>());
      return true;
    case ElementType::Int32:
      use(Elements<std::int32_t>());
      return true;
    case ElementType::UInt32:
      use(Elements<std::uint32_t>());
      return true;
    case ElementType::Int64:
      use(Elements<std::int64_t>());
      return true;
    case ElementType::UInt64:
      use(Elements<std::uint64_t>());
      return true;
    case ElementType::Float32:
      use(Elements<float>());
      return true;
    case ElementType::Float64:
      use(Elements<double>());
      return true;
    case ElementType::Float16:
      use(HalfElements());
      return true;
    default:
      return false;
  }
}

/// Which dimensions of a tensor are those of a picture.
struct PictureLayout {
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint32_t channel;  // a dimension beyond the rank, of extent 1, if there is none
};

bool is_channel_count(std::int32_t extent) noexcept {
  return extent == 1 || extent == 3 || extent == 4;
}

std::optional<PictureLayout> layout_of(const Shape& shape) noexcept {
  // Dimensions in front of which there is but one of everything do not count.
  std::uint32_t first = 0;
  while (shape.rank() - first > 3 && shape.dimension(first) == 1) {
    ++first;
  }
  const auto extent = [&](std::uint32_t index) { return shape.dimension(first + index); };
  switch (shape.rank() - first) {
    case 2:
      return extent(0) > 1 && extent(1) > 1
                 ? std::optional(PictureLayout{first, first + 1, shape.rank()})
                 : std::nullopt;
    case 3:
      if (is_channel_count(extent(2)) && extent(0) > 1 && extent(1) > 1) {
        return PictureLayout{first, first + 1, first + 2};
      }
      if (is_channel_count(extent(0)) && extent(1) > 1 && extent(2) > 1) {
        return PictureLayout{first + 1, first + 2, first};
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

/// The middle of each of `count` equal parts of an extent.
std::uint64_t sampled(std::uint64_t index, std::uint64_t extent, std::uint64_t count) noexcept {
  return (2 * index + 1) * extent / (2 * count);
}

void find_range(const std::vector<double>& values, Preview& preview) noexcept {
  preview.low = std::numeric_limits<double>::infinity();
  preview.high = -preview.low;
  for (const double value : values) {
    if (std::isfinite(value)) {
      preview.low = std::min(preview.low, value);
      preview.high = std::max(preview.high, value);
    }
  }
  if (preview.low > preview.high) {
    preview.low = preview.high = 0;
  }
}

/// Calls `use` with the address of each element of the small picture, in order.
template <class Use>
void visit_picture(const Tensor& tensor, const PictureLayout& layout, const Preview& preview,
                   const Use& use) {
  const auto extent = [&](std::uint32_t dimension) {
    return static_cast<std::uint64_t>(tensor.shape().dimension(dimension));
  };
  const auto* const first = static_cast<const std::byte*>(tensor.pointer());
  const std::uint64_t channel_stride = tensor.stride(layout.channel);
  for (std::uint32_t y = 0; y < preview.height; ++y) {
    const std::byte* const row =
        first + sampled(y, extent(layout.rows), preview.height) * tensor.stride(layout.rows);
    for (std::uint32_t x = 0; x < preview.width; ++x) {
      const std::byte* const pixel =
          row + sampled(x, extent(layout.columns), preview.width) * tensor.stride(layout.columns);
      for (std::uint32_t channel = 0; channel < preview.channels; ++channel) {
        use(pixel + channel * channel_stride);
      }
    }
  }
}

void set_size(const Shape& shape, const PictureLayout& layout, Preview& preview) noexcept {
  const double rows = shape.dimension(layout.rows);
  const double columns = shape.dimension(layout.columns);
  const double shrink = std::min({1.0, Preview::kMostWidth / columns, Preview::kMostHeight / rows});
  const auto made_small = [&](double extent) {
    return std::max(1U, static_cast<std::uint32_t>(extent * shrink + 0.5));
  };
  preview.width = made_small(columns);
  preview.height = made_small(rows);
  preview.channels = static_cast<std::uint32_t>(shape.dimension(layout.channel));
}

template <class Kind>
void add_picture(const Tensor& tensor, const PictureLayout& layout, Kind /*elements*/,
                 Preview& preview) {
  set_size(tensor.shape(), layout, preview);
  const std::size_t count = std::size_t{preview.width} * preview.height * preview.channels;
  preview.pixels.reserve(count);
  if constexpr (std::is_same_v<typename Kind::Type, std::uint8_t>) {
    preview.high = 255;
    visit_picture(tensor, layout, preview, [&](const std::byte* at) {
      preview.pixels.push_back(std::to_integer<std::uint8_t>(*at));
    });
    return;
  }
  std::vector<double> values;
  values.reserve(count);
  visit_picture(tensor, layout, preview,
                [&](const std::byte* at) { values.push_back(Kind::read(at)); });
  find_range(values, preview);
  const double scale = preview.high > preview.low ? 255 / (preview.high - preview.low) : 0;
  for (const double value : values) {
    // Also of an infinite value when all others are the same, and of a range that is infinite.
    const double shown = (value - preview.low) * scale;
    preview.pixels.push_back(
        static_cast<std::uint8_t>(std::isnan(shown) ? 0 : std::clamp(shown, 0.0, 255.0)));
  }
}

/// Where the element of this number lies in row-major order.
const std::byte* address_of(const Tensor& tensor, std::uint64_t number) noexcept {
  const auto* address = static_cast<const std::byte*>(tensor.pointer());
  for (std::uint32_t i = tensor.rank(); i-- > 0;) {
    const auto extent = static_cast<std::uint64_t>(tensor.shape().dimension(i));
    address += number % extent * tensor.stride(i);
    number /= extent;
  }
  return address;
}

template <class Kind>
void add_line(const Tensor& tensor, Kind /*elements*/, Preview& preview) {
  const std::uint64_t count = tensor.element_count();
  const std::uint64_t taken = std::min<std::uint64_t>(count, Preview::kMostValues);
  preview.values.reserve(taken);
  for (std::uint64_t i = 0; i < taken; ++i) {
    const std::uint64_t number = i * (count / taken) + i * (count % taken) / taken;
    preview.values.push_back(Kind::read(address_of(tensor, number)));
  }
  find_range(preview.values, preview);
}

std::string reason_against(const Message& message, const Tensor& tensor) {
  const bool is_in_host = tensor.storage_type() == MemoryStorageType::System ||
                          tensor.storage_type() == MemoryStorageType::Host;
  if (!is_in_host) {
    return std::string("the tensor is in ") + to_string(tensor.storage_type()) + " memory";
  }
  if (message.has_device_work()) {
    return "GPU work may still write the tensor";
  }
  return tensor.pointer() == nullptr || tensor.element_count() == 0 ? "the tensor is empty" : "";
}

}  // namespace

Preview preview_of(const Message& message) {
  Preview preview;
  const auto* const part =
      std::find_if(message.begin(), message.end(),
                   [](const detail::Part& each) { return each.id == TypeIdOf<Tensor>::value; });
  if (part == message.end()) {
    preview.why_not = "the message has no tensor";
    return preview;
  }
  const Tensor& tensor = message.get<Tensor>();
  preview.part = part->name;
  preview.shape = tensor.shape().to_string();
  preview.type = to_string(tensor.element_type());
  preview.why_not = reason_against(message, tensor);
  if (!preview.why_not.empty()) {
    return preview;
  }
  const std::optional<PictureLayout> layout = layout_of(tensor.shape());
  const bool is_number = with_elements(tensor.element_type(), [&](auto elements) {
    if (layout) {
      add_picture(tensor, *layout, elements, preview);
    } else {
      add_line(tensor, elements, preview);
    }
  });
  if (!is_number) {
    preview.why_not = "elements of type " + preview.type + " have no preview";
  }
  return preview;
}

}  // namespace gxr
