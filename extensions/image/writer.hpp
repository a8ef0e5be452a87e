#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gxr/codelet.hpp"
#include "gxr/queue.hpp"
#include "image/encoders.hpp"
#include "image/file_options.hpp"
#include "image/numbered_path.hpp"
#include "image/page_file.hpp"
#include "image/picture_writer.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// Writes every picture that arrives to a file of its own, or as a page of one TIFF file. A tick
/// hands its picture to the encoders, and waits while they have enough; an error of theirs ends a
/// later tick, or stop().
class Writer final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void start() override;
  void tick() override;
  /// Returns when all pictures are written.
  void stop() override;
  /// Two of them could write the same file.
  [[nodiscard]] bool is_exclusive() const override { return true; }

 private:
  void declare_formats(Interface& interface);
  [[nodiscard]] bool writes_pages() const {
    return format_ == FileFormat::Tiff && !paths_.numbered();
  }
  [[nodiscard]] std::string path_at(std::uint64_t picture) const {
    return paths_.at(first_number_.get() + picture);
  }
  [[nodiscard]] std::string next_path() const;
  [[nodiscard]] ElementType file_type(ElementType type) const;
  [[nodiscard]] FileOptions options() const;
  void check(const InputImage& image) const;
  void finish();
  void report() const;

  Input<Tensor> in_;
  Parameter<FilePath> path_;
  Parameter<std::string> in_tensor_name_;
  Parameter<std::uint64_t> first_number_;
  Parameter<std::int32_t> bit_depth_;
  Parameter<std::int32_t> compression_;
  Parameter<std::int32_t> quality_;
  Parameter<TiffCompression> tiff_compression_;
  Parameter<std::int32_t> encoders_parameter_;

  NumberedPath paths_;
  FileFormat format_ = FileFormat::Png;
  std::uint64_t received_ = 0;
  std::unique_ptr<PageFile> pages_;     // of a TIFF file for all pictures; the encoders write it
  std::unique_ptr<Encoders> encoders_;  // last: its threads use what is above
};

}  // namespace gxr::image
