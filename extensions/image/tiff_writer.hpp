#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gxr/kernels/image_view.hpp"
#include "image/file_options.hpp"
#include "image/output_file.hpp"
#include "image/tiff_stream.hpp"

namespace gxr::image {

/// Writes pictures of 8 or 16 bits, grey, grey and alpha, RGB or RGBA, one after the other as pages
/// of one file, by libtiff.
class TiffWriter {
 public:
  /// `file` must outlive this. Throws Error(InputOutput) that names the file, as all here.
  explicit TiffWriter(OutputFile& file);

  /// Throws Error(OutOfRange) when a page of this many bytes may not fit into the file any more.
  void check_room(std::int64_t bytes) const;
  void add(kernels::ImageView<const std::uint8_t> page, const FileOptions& options);
  void add(kernels::ImageView<const std::uint16_t> page, const FileOptions& options);

 private:
  template <class T>
  void add_page(kernels::ImageView<const T> page, const FileOptions& options);
  template <class T>
  bool write_page(kernels::ImageView<const T> page, const FileOptions& options);
  template <class T>
  void set_tags(kernels::ImageView<const T> page, const FileOptions& options);
  [[noreturn]] void fail() const;

  OutputFile& file_;
  TiffStream stream_;
  std::vector<std::byte> row_;  // libtiff changes what it is given to write
};

}  // namespace gxr::image
