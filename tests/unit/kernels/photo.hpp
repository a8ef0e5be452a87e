#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "image.hpp"

namespace gxr::kernels::testing {

/// An RGB picture from the folder that GXR_TEST_DATA names (environment; else ../shared/data next
/// to the sources); nothing if there is no such file.
std::optional<Image<std::uint8_t>> load_photo(const std::string& name);

}  // namespace gxr::kernels::testing
