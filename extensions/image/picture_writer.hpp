#pragma once

#include <cstdint>
#include <string>

#include "gxr/kernels/image_view.hpp"
#include "image/file_options.hpp"
#include "image/output_file.hpp"

namespace gxr::image {

enum class FileFormat : std::uint8_t { Png, Jpeg, Tiff, Pgm, Ppm, Pnm };

/// The format that a path's suffix asks for. Throws Error(InvalidParameter) for others than .png,
/// .jpg, .jpeg, .tif, .tiff, .pgm, .ppm, .pnm.
FileFormat format_of_path(const std::string& path);

/// Can the format hold this many channels?
bool holds_channels(FileFormat format, std::int64_t channels) noexcept;
/// Can the format hold 16 bits?
bool holds_16_bits(FileFormat format) noexcept;

/// Writes a picture, all but OutputFile::commit(). Precondition: holds_channels, and holds_16_bits
/// for those. Throws Error(InputOutput) with file and reason. Any thread.
void write_picture(OutputFile& file, FileFormat format,
                   kernels::ImageView<const std::uint8_t> picture, const FileOptions& options);
void write_picture(OutputFile& file, FileFormat format,
                   kernels::ImageView<const std::uint16_t> picture, const FileOptions& options);

}  // namespace gxr::image
