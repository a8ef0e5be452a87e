#include "image/writer.hpp"

#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>
#include <thread>

#include "gxr/plain_text.hpp"
#include "image/picture_task.hpp"

namespace gxr::image {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw Error(ErrorCode::InputOutput,
                folder.string() + ": cannot make this folder: " + system_error_text(error.value()));
  }
}

}  // namespace

void Writer::declare(Interface& interface) {
  takes_pictures(interface.input(in_, "in", "Receiver of messages with a picture"));
  interface
      .parameter(path_, "path",
                 "Where to: folder/name-%04d.png (or {:04}); .png, .jpg, .tif, .ppm, .pgm or .pnm")
      .description(
          "The folder is made. A file appears when it is "
          "complete. A .tif without a place for the number gets all pictures as its pages.");
  interface
      .parameter(in_tensor_name_, "in_tensor_name",
                 "Tensor or VideoBuffer to write; empty: the message's first")
      .default_value("");
  interface.parameter(first_number_, "first_number", "Number of the first picture")
      .default_value(1);
  interface.parameter(bit_depth_, "bit_depth", "Bits per sample in the file")
      .choices({{"0", "as in the tensor; 8 for float32"}, {"8", "8 bits"}, {"16", "16 bits"}})
      .default_value(0);
  declare_formats(interface);
  interface
      .parameter(encoders_parameter_, "encoders",
                 "Threads that encode and write; 0: one for each core")
      .description(
          "Each has a picture at a time, and two more may wait. Files appear in the order of the "
          "messages, whatever the number.")
      .range(0, 256)
      .default_value(0);
}

void Writer::declare_formats(Interface& interface) {
  interface
      .parameter(compression_, "compression",
                 "Effort of PNG's and of TIFF's deflate compression, 0 none to 9 most")
      .range(0, 9)
      .default_value(6);
  interface.parameter(quality_, "quality", "Quality of JPEG, 1 smallest file to 100 best picture")
      .range(1, 100)
      .default_value(90);
  interface.parameter(tiff_compression_, "tiff_compression", "Compression of TIFF, always without loss")
      .default_value(TiffCompression::Lzw);
}

void Writer::initialize() {
  paths_ = NumberedPath(path_.get().path);
  format_ = format_of_path(paths_.at(0));
  if (bit_depth_.get() == 16 && !holds_16_bits(format_)) {
    throw Error(ErrorCode::InvalidParameter,
                "'bit_depth' 16: JPEG has 8 bits; set 8, or write .png or .tif");
  }
  received_ = 0;
}

void Writer::start() {
  const fs::path folder = fs::path(path_at(0)).parent_path();
  if (!folder.empty()) {
    make_folder(folder);
  }
  pages_ = writes_pages() ? std::make_unique<PageFile>(path_at(0)) : nullptr;
  encoders_ = std::make_unique<Encoders>(encoders_parameter_.get() == 0
                                             ? std::thread::hardware_concurrency()
                                             : static_cast<unsigned>(encoders_parameter_.get()));
}

std::string Writer::next_path() const {
  if (received_ > 0 && !paths_.numbered() && !writes_pages()) {
    throw Error(ErrorCode::InvalidParameter,
                "a second picture would overwrite " + path_at(0) +
                    ": give 'path' a place for a number, for example frame-%04d.png");
  }
  return path_at(received_);
}

ElementType Writer::file_type(ElementType type) const {
  if (bit_depth_.get() == 0) {
    return type == ElementType::UInt16 ? ElementType::UInt16 : ElementType::UInt8;
  }
  return bit_depth_.get() == 16 ? ElementType::UInt16 : ElementType::UInt8;
}

FileOptions Writer::options() const {
  return {compression_.get(), quality_.get(), tiff_compression_.get()};
}

void Writer::check(const InputImage& image) const {
  if (!holds_channels(format_, image.shape.channels)) {
    throw_wrong_image(image, format_ == FileFormat::Pgm    ? "1 channel for a .pgm file"
                             : format_ == FileFormat::Ppm  ? "3 channels for a .ppm file"
                             : format_ == FileFormat::Jpeg ? "1 or 3 channels for a .jpg file"
                                                           : "1 or 3 channels for a .pnm file");
  }
  if (file_type(image.type()) == ElementType::UInt16 && !holds_16_bits(format_)) {
    throw_wrong_image(image, "8 bits for a .jpg file (set 'bit_depth: 8', or write .png or .tif)");
  }
}

void Writer::tick() {
  const Message message = in_.receive();
  const std::string path = next_path();
  const InputImage image = find_image(message, in_tensor_name_.get(), "in");
  check(image);
  encoders_->add(std::make_unique<PictureTask>(
      std::make_unique<HeldPicture>(message, image, context().new_message()),
      PictureTarget{path, format_, file_type(image.type()), options(), pages_.get()}));
  ++received_;
}

void Writer::report() const {
  const std::uint64_t written = encoders_->finished();
  if (written == 0) {
    return log_info("wrote no picture");
  }
  const std::string last = path_at(written - 1);
  const std::string folder = fs::path(last).parent_path().string();
  if (written == 1) {
    log_info("wrote 1 picture: " + last);
  } else if (writes_pages()) {
    log_info("wrote " + std::to_string(written) + " pictures: " + last);
  } else {
    log_info("wrote " + std::to_string(written) + " pictures to " +
             (folder.empty() ? "." : folder) + "/, last " + last);
  }
}

/// Pages in front of a failure are kept.
void Writer::finish() {
  std::exception_ptr failure;
  try {
    encoders_->wait();
  } catch (...) {
    failure = std::current_exception();
  }
  if (pages_ != nullptr) {
    pages_->commit();
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

void Writer::stop() {
  std::exception_ptr failure;
  try {
    finish();
  } catch (...) {
    failure = std::current_exception();
  }
  report();
  encoders_.reset();
  pages_.reset();
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace gxr::image
