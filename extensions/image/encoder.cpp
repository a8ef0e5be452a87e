#include "image/encoder.hpp"

#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>

#include "gxr/interface.hpp"
#include "image/converted.hpp"
#include "image/gpu_tick.hpp"
#include "image/jpeg_writer.hpp"
#include "image/message_parts.hpp"
#include "image/output_file.hpp"
#include "image/png_writer.hpp"

namespace gxr::image {

void Encoder::declare(Interface& interface) {
  takes_pictures(interface.input(in_, "in", "Receiver of messages with a picture"));
  interface.output(out_, "out", "Transmitter of messages with the bytes of a picture file")
      .description("A tensor of uint8 with one dimension.")
      .other_parts();
  interface.parameter(codec_, "codec", "Form of the file")
      .description(
          "jpeg: 8 bits, grey or colour, with losses. png: 8 or 16 bits, 1 to 4 channels, without. "
          "float32 becomes 8 bits.")
      .default_value(Codec::Jpeg);
  interface.parameter(quality_, "quality", "Quality of JPEG, 1 smallest file to 100 best picture")
      .range(1, 100)
      .default_value(90);
  interface.parameter(compression_, "compression", "Effort of PNG's compression, 0 none to 9 most")
      .range(0, 9)
      .default_value(1);
  interface
      .parameter(in_tensor_name_, "in_tensor_name",
                 "Tensor or VideoBuffer to encode; empty: the message's first")
      .default_value("");
  interface.parameter(out_tensor_name_, "out_tensor_name", "Name of the tensor with the bytes")
      .default_value("data");
}

void Encoder::encode(const InputImage& image, Tensor& file) {
  OutputMemory memory("a picture");
  const bool has_16_bits = image.type() == ElementType::UInt16;
  if (codec_.get() == Codec::Png) {
    if (has_16_bits) {
      write_png(memory, converted<std::uint16_t>(image, scratch_), compression_.get());
    } else {
      write_png(memory, converted<std::uint8_t>(image, scratch_), compression_.get());
    }
  } else if (has_16_bits || (image.shape.channels != 1 && image.shape.channels != 3)) {
    throw_wrong_image(image, "8 bits and 1 or 3 channels for 'codec: jpeg' (png takes all)");
  } else {
    write_jpeg(memory, converted<std::uint8_t>(image, scratch_), quality_.get());
  }
  const auto [memory_taken, size] = memory.take();
  std::unique_ptr<char, decltype(&std::free)> bytes(memory_taken, &std::free);
  if (size > std::numeric_limits<std::int32_t>::max()) {
    throw_wrong_image(image, "a picture whose file has fewer than 2 GiB");
  }
  file.wrap(bytes.get(), Shape{static_cast<std::int32_t>(size)}, ElementType::UInt8,
            MemoryStorageType::System, nullptr,
            [](void*, void* pointer) noexcept { std::free(pointer); });
  static_cast<void>(bytes.release());
}

void Encoder::tick() {
  const Message received = in_.receive();
  const InputImage image = find_image(received, in_tensor_name_.get(), "in");
  Tensor copy;
  Message message = context().new_message();
  encode(reachable(image, nullptr, copy), message.add<Tensor>(out_tensor_name_.get()));
  pass_all_on(received, image.part, message);
  out_.publish(std::move(message));
}

}  // namespace gxr::image
