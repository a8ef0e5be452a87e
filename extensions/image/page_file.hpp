#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "gxr/kernels/image_view.hpp"
#include "image/file_options.hpp"
#include "image/output_file.hpp"
#include "image/tiff_writer.hpp"

namespace gxr::image {

/// A TIFF file that takes all pictures as its pages, and appears under its name when it is
/// finished.
class PageFile {
 public:
  explicit PageFile(std::string path) : path_(std::move(path)) {}

  /// Adds a page; the first makes the file. One thread at a time. Throws Error(InputOutput) that
  /// names the file.
  template <class T>
  void add(kernels::ImageView<const T> page, const FileOptions& options) {
    if (!writer_) {
      file_.emplace(path_);
      writer_.emplace(*file_);
    }
    writer_->check_room(page.row_elements() * page.height * std::int64_t{sizeof(T)});
    whole_ = false;
    writer_->add(page, options);
    whole_ = true;
  }

  /// Gives the file its name, if there are pages and all are whole. Throws as add().
  void commit() {
    if (whole_) {
      writer_.reset();
      file_->commit();
    }
  }

 private:
  std::string path_;
  std::optional<OutputFile> file_;
  std::optional<TiffWriter> writer_;
  bool whole_ = false;
};

}  // namespace gxr::image
