#include "image/decoder.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/host_copy.hpp"
#include "gxr/interface.hpp"
#include "image/message_parts.hpp"
#include "image/picture_memory.hpp"
#include "image/picture_parameters.hpp"
#include "image/picture_reader.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

void Decoder::declare(Interface& interface) {
  interface.input(in_, "in", "Receiver of messages with the bytes of a picture file");
  sends_pictures(interface.output(out_, "out", "Transmitter of messages with the picture"));
  declare_pool(interface, pool_);
  interface
      .parameter(in_tensor_name_, "in_tensor_name",
                 "Tensor of uint8 with the bytes; empty: the message's first of one dimension")
      .default_value("");
  interface.parameter(out_tensor_name_, "out_tensor_name", "Name of the picture's part")
      .default_value("image");
  out_part_.declare(interface);
}

void Decoder::start() { dropped_ = 0; }

/// As the file has it: 1 to 4 channels of 8 or 16 bits.
void Decoder::decode(const Tensor& file, Tensor& picture) {
  const HostView bytes(file);
  const auto reader = open_picture_in({bytes.pointer(), file.size()}, "a picture");
  const PictureFormat& format = reader->format();
  const ImageShape shape{format.height, format.width, format.channels};
  allocate_on_host(picture, pool_.get().get(), tensor_shape(shape), format.type);
  reader->read(picture.pointer(), static_cast<std::ptrdiff_t>(picture.stride(0)));
}

void Decoder::tick() {
  const Message received = in_.receive();
  const Tensor& file = find_bytes(received, in_tensor_name_.get(), "in");
  Message message = context().new_message();
  try {
    Tensor picture;
    decode(file, picture);
    out_part_.add(message, out_tensor_name_.get(), std::move(picture));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::InvalidData && error.code() != ErrorCode::NotSupported) {
      throw;
    }
    // A picture that another program has sent must not end this run.
    if (dropped_++ == 0) {
      log_warning("a message was dropped: " + error.message() + "; more may follow");
    }
    return;
  }
  pass_all_on(received, &file, message);
  out_.publish(std::move(message));
}

void Decoder::stop() {
  if (dropped_ > 0) {
    log_info("dropped " + std::to_string(dropped_) + (dropped_ == 1 ? " message" : " messages"));
  }
}

}  // namespace gxr::image
