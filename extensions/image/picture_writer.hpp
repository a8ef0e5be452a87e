#pragma once

#include <cstdint>
#include <string>

#include "gxr/kernels/image_view.hpp"

namespace gxr::image {

enum class FileFormat : std::uint8_t { Png, Pgm, Ppm, Pnm };

/// The format that a path's suffix asks for. Throws Error(InvalidParameter) for others than .png,
/// .pgm, .ppm, .pnm.
FileFormat format_of_path(const std::string& path);

/// Can the format hold this many channels?
bool holds_channels(FileFormat format, std::int64_t channels) noexcept;

/// Writes a complete file or none. `compression` is zlib's level for PNG. Precondition:
/// holds_channels. Throws Error(InputOutput) with file and reason.
void write_picture(const std::string& path, FileFormat format,
                   kernels::ImageView<const std::uint8_t> picture, int compression);
void write_picture(const std::string& path, FileFormat format,
                   kernels::ImageView<const std::uint16_t> picture, int compression);

}  // namespace gxr::image
