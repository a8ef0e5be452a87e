#include "image/writer.hpp"

#include <filesystem>
#include <system_error>
#include <type_traits>

#include "gxr/kernels/convert.hpp"
#include "gxr/plain_text.hpp"
#include "image/gpu_tick.hpp"
#include "image/output_file.hpp"

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
  interface.input(in_, "in", "Receiver of messages with a picture");
  interface.parameter(path_, "path", "Where to: folder/name-%04d.png (or {:04}); .png, .ppm, .pgm or .pnm")
      .description("Relative to the working directory; the folder is made. A file appears when it is complete.");
  interface
      .parameter(in_tensor_name_, "in_tensor_name", "Tensor to write; empty: the message's first")
      .default_value("");
  interface.parameter(first_number_, "first_number", "Number of the first picture")
      .default_value(1);
  interface.parameter(bit_depth_, "bit_depth", "Bits per sample in the file")
      .choices({{"0", "as in the tensor; 8 for float32"}, {"8", "8 bits"}, {"16", "16 bits"}})
      .default_value(0);
  interface.parameter(compression_, "compression", "Effort of PNG's compression, 0 none to 9 most")
      .range(0, 9)
      .default_value(6);
}

void Writer::initialize() {
  paths_ = NumberedPath(path_.get().path);
  format_ = format_of_path(paths_.at(0));
  written_ = 0;
}

void Writer::start() {
  const fs::path folder = fs::path(paths_.at(first_number_.get())).parent_path();
  if (!folder.empty()) {
    make_folder(folder);
  }
}

std::string Writer::next_path() const {
  if (written_ > 0 && !paths_.numbered()) {
    throw Error(ErrorCode::InvalidParameter,
                "a second picture would overwrite " + last_path_ +
                    ": give 'path' a place for a number, for example frame-%04d.png");
  }
  return paths_.at(first_number_.get() + written_);
}

ElementType Writer::file_type(ElementType type) const {
  if (bit_depth_.get() == 0) {
    return type == ElementType::UInt16 ? ElementType::UInt16 : ElementType::UInt8;
  }
  return bit_depth_.get() == 16 ? ElementType::UInt16 : ElementType::UInt8;
}

template <class Out>
void Writer::convert_and_write(const std::string& path, const InputImage& image) {
  visit_image(image, [&](auto in) {
    if constexpr (std::is_same_v<ElementOf<decltype(in)>, Out>) {
      write_picture(path, format_, in, compression_.get());
    } else {
      scratch_.resize(static_cast<std::size_t>(in.row_elements() * in.height) * sizeof(Out));
      const auto out = kernels::packed_view(reinterpret_cast<Out*>(scratch_.data()), in.width,
                                            in.height, in.channels);
      kernels::convert_elements(in, out);
      write_picture(path, format_, out, compression_.get());
    }
  });
}

void Writer::write(const std::string& path, const InputImage& image) {
  if (!holds_channels(format_, image.shape.channels)) {
    throw_wrong_image(image, format_ == FileFormat::Pgm   ? "1 channel for a .pgm file"
                             : format_ == FileFormat::Ppm ? "3 channels for a .ppm file"
                                                          : "1 or 3 channels for a .pnm file");
  }
  if (file_type(image.type()) == ElementType::UInt16) {
    convert_and_write<std::uint16_t>(path, image);
  } else {
    convert_and_write<std::uint8_t>(path, image);
  }
}

void Writer::tick() {
  const Message message = in_.receive();
  const std::string path = next_path();
  Tensor copy;
  write(path, reachable(find_image(message, in_tensor_name_.get(), "in"), nullptr, copy));
  last_path_ = path;
  ++written_;
}

void Writer::stop() {
  const std::string folder = fs::path(last_path_).parent_path().string();
  if (written_ == 0) {
    log_info("wrote no picture");
  } else if (written_ == 1) {
    log_info("wrote 1 picture: " + last_path_);
  } else {
    log_info("wrote " + std::to_string(written_) + " pictures to " +
             (folder.empty() ? "." : folder) + "/, last " + last_path_);
  }
}

}  // namespace gxr::image
