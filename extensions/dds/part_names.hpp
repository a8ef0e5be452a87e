#pragma once

#include <string_view>

namespace gxr::dds {

/// A number of this name is the pattern of a mosaic.
inline constexpr std::string_view kPatternPart = "gxr::image::BayerPattern";

/// The name, if a part of a message may have it. Names are kept for ever, so those that other
/// programs choose must be neither long nor without number. Throws Error(InvalidData) for one of
/// more than 256 bytes, and for a new one when there have been 65,536 on this thread.
std::string_view part_name_of_others(std::string_view name);

}  // namespace gxr::dds
