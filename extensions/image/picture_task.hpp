#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gxr/message.hpp"
#include "image/encoders.hpp"
#include "image/file_options.hpp"
#include "image/output_file.hpp"
#include "image/page_file.hpp"
#include "image/picture_writer.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// A received picture until it is encoded. It shares the memory of the message where this keeps
/// nobody waiting, else it is a copy: a pool has blocks for the messages in the queues, and memory
/// from elsewhere may be awaited back, too.
class HeldPicture {
 public:
  /// `image` is in `message`, `empty` is a new message. Waits for the work of a GPU on the picture.
  HeldPicture(const Message& message, const InputImage& image, Message empty);
  HeldPicture(const HeldPicture&) = delete;
  HeldPicture& operator=(const HeldPicture&) = delete;

  [[nodiscard]] const InputImage& image() const noexcept { return image_; }

 private:
  Message message_;  // empty where there is a copy
  Tensor copy_;
  InputImage image_;
};

/// The file that a picture goes to, and its form there.
struct PictureTarget {
  std::string path;
  FileFormat format = FileFormat::Png;
  ElementType type = ElementType::UInt8;  ///< of the samples in the file
  FileOptions options;
  PageFile* pages = nullptr;  ///< takes the picture as a page; nullptr: it gets a file of its own
};

/// Converts a picture to the type of its file and writes it.
class PictureTask final : public EncoderTask {
 public:
  PictureTask(std::unique_ptr<HeldPicture> picture, PictureTarget target)
      : picture_(std::move(picture)), target_(std::move(target)) {}
  void encode() override;
  void finish() override;

 private:
  template <class T>
  void encode_as();
  template <class T>
  void add_page();

  std::unique_ptr<HeldPicture> picture_;  // until it is encoded
  PictureTarget target_;
  std::vector<std::byte> scratch_;  // the picture in the file's type, where it has another
  std::optional<OutputFile> file_;
};

}  // namespace gxr::image
