// Takes any bytes for a sample of a topic: the first byte says of which type. What is a sample
// becomes parts of a message; aborts where a promise is broken.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dds/cdr_reader.hpp"
#include "dds/message_codec.hpp"
#include "dds/ros_reading.hpp"
#include "dds/ros_writing.hpp"
#include "gxr/error.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/tensor.hpp"
#include "tests/fuzz/promise.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using namespace gxr::dds;
using gxr::fuzz::require;

/// All of the memory that the parts have is there.
void touch(const gxr::Message& message) {
  std::uint64_t sum = 0;
  for (const gxr::detail::Part& part : message) {
    const std::uint8_t* bytes = nullptr;
    std::uint64_t size = 0;
    if (part.id == gxr::TypeIdOf<gxr::Tensor>::value) {
      const auto& tensor = *static_cast<const gxr::Tensor*>(part.data);
      bytes = static_cast<const std::uint8_t*>(tensor.pointer());
      size = tensor.size() > 0 ? tensor.span_bytes() : 0;
    } else if (part.id == gxr::TypeIdOf<gxr::VideoBuffer>::value) {
      const auto& picture = *static_cast<const gxr::VideoBuffer*>(part.data);
      bytes = static_cast<const std::uint8_t*>(picture.pointer());
      size = picture.size();
    }
    for (std::uint64_t i = 0; i < size; ++i) {
      sum += bytes[i];
    }
  }
  volatile std::uint64_t kept = sum;
  static_cast<void>(kept);
}

void write(const Description& type, const gxr::Message& message) {
  std::vector<std::string> left_out;
  try {
    static_cast<void>(
        write_ros(type, message, RosDefaults{}, RosTimes(Stamps::Epoch, 0), left_out));
  } catch (const gxr::Error& error) {
    require(!error.message().empty(), "an error has a text");
  }
}

/// Of what was decoded.
SharedBytes encoded(const gxr::Message& message) {
  try {
    return encode_message(message);
  } catch (const gxr::Error&) {
    require(false, "a message that came can be sent on");
    throw;
  }
}

/// The check and the tree of nodes say the same.
void check(const Description& type, std::span<const std::byte> body) {
  const auto refused = [](const auto& read) {
    try {
      read();
      return false;
    } catch (const gxr::Error&) {
      return true;
    }
  };
  require(refused([&] { check_sample(type, body); }) ==
              refused([&] { static_cast<void>(read_sample(type, body)); }),
          "a sample is one for the check, if it is one for the reader");
}

void take(const Description& type, SharedBytes bytes, gxr::harness::Harness& harness) {
  check(type, {bytes->body(), bytes->size()});
  gxr::Message message = harness.new_message();
  if (!type.is_ros()) {
    if (&type == &describe(kOwnMessages)) {
      decode_message(bytes, message);
      touch(message);
      gxr::Message again = harness.new_message();
      decode_message(encoded(message), again);
      require(again.size() == message.size(), "a message comes back as it was");
      write(*find_by_name("sensor_msgs/msg/Image"), message);
    }
    return;
  }
  const RosTimes times(Stamps::Epoch, 0);
  read_ros({&type, std::move(bytes)}, times, BluesFirst::Kept, message);
  touch(message);
  write(type, message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto& harness = *[] {
    auto* const made = new gxr::harness::Harness;
    made->initialize();
    return made;
  }();
  if (size < 1 + SampleBytes::kHeaderSize) {
    return 0;
  }
  const Description& type = all_descriptions()[data[0] % all_descriptions().size()];
  auto bytes = std::make_shared<SampleBytes>(size - 1 - SampleBytes::kHeaderSize);
  std::memcpy(bytes->wire(), data + 1, size - 1);
  try {
    make_native(type, {bytes->wire(), bytes->wire_size()});
    static_cast<void>(read_sample(type, {bytes->body(), bytes->size()}));
    take(type, std::move(bytes), harness);
  } catch (const gxr::Error& error) {
    require(error.code() == gxr::ErrorCode::InvalidData ||
                error.code() == gxr::ErrorCode::NotSupported ||
                error.code() == gxr::ErrorCode::InvalidArgument,
            "nonsense has its code");
    require(!error.message().empty(), "an error has a text");
  }
  return 0;
}
