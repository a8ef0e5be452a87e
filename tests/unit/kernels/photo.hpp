#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "image.hpp"

namespace gxr::kernels::testing {

/// An RGB picture from the folder of CMake's GXR_TEST_DATA_DIR; nothing if there is no such file.
std::optional<Image<std::uint8_t>> load_photo(const std::string& name);

}  // namespace gxr::kernels::testing
