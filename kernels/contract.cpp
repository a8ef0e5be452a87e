#include "contract.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace gxr::kernels {
namespace {

void require_of(const char* name, bool holds, const char* what) {
  if (!holds) {
    throw std::invalid_argument(std::string("image '") + name + "': " + what);
  }
}

std::string size_text(const Geometry& image) {
  return std::to_string(image.width) + " x " + std::to_string(image.height);
}

bool is_aligned(const Geometry& image) {
  return image.address % static_cast<std::uintptr_t>(image.alignment) == 0 &&
         image.row_stride % image.alignment == 0;
}

bool holds_a_row(const Geometry& image) {
  return std::abs(image.row_stride) / image.element_size / image.channels >= image.width;
}

}  // namespace

void require(bool holds, const char* what) {
  if (!holds) {
    throw std::invalid_argument(what);
  }
}

void require_geometry(const Geometry& image, const char* name) {
  require_of(name, image.width >= 1 && image.height >= 1, "width and height must be at least 1");
  require_of(name, image.channels >= 1 && image.channels <= 4, "channels must be 1 to 4");
  require_of(name, image.address != 0, "data must not be null");
  require_of(name, is_aligned(image), "data and row_stride must be aligned for the element type");
  require_of(name, holds_a_row(image), "row_stride must hold a row");
}

void require_channel_count(const Geometry& image, std::int64_t channels, const char* name) {
  if (image.channels != channels) {
    throw std::invalid_argument(std::string("image '") + name + "': must have " +
                                std::to_string(channels) + " channels, has " +
                                std::to_string(image.channels));
  }
}

void require_equal_sizes(const Geometry& a, const Geometry& b) {
  if (a.width != b.width || a.height != b.height) {
    throw std::invalid_argument("images must have the same width and height: " + size_text(a) +
                                " and " + size_text(b));
  }
}

void require_equal_channels(const Geometry& a, const Geometry& b) {
  if (a.channels != b.channels) {
    throw std::invalid_argument("images must have the same number of channels: " +
                                std::to_string(a.channels) + " and " + std::to_string(b.channels));
  }
}

}  // namespace gxr::kernels
