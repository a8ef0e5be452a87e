#include "image/bayer_pattern.hpp"

namespace gxr::image {

std::string content_of(kernels::BayerPattern layout) {
  for (const auto& [known, name] : EnumNames<kernels::BayerPattern>::values) {
    if (known == layout) {
      return std::string("Bayer ") + name;
    }
  }
  return {};
}

std::optional<kernels::BayerPattern> pattern_in(std::string_view content) {
  for (const auto& [known, name] : EnumNames<kernels::BayerPattern>::values) {
    if (content == content_of(known)) {
      return known;
    }
  }
  return std::nullopt;
}

}  // namespace gxr::image
