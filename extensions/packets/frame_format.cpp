#include "packets/frame_format.hpp"

#include <array>
#include <utility>

namespace gxr::cuda {
namespace {

constexpr std::array<std::pair<const char*, std::uint32_t>, 4> kNumberBytes{
    {{"none", 0}, {"uint16", 2}, {"uint32", 4}, {"uint64", 8}}};
constexpr std::uint32_t kUsualHeader = 8;
constexpr double kLongestHeader = 4096;

}  // namespace

void FrameFormat::declare(Interface& interface) {
  interface
      .parameter(header_bytes_, "header_bytes", "Bytes of a frame in front of the tensor's elements")
      .default_value(kUsualHeader)
      .range(0, kLongestHeader)
      .unit("bytes");
  interface
      .parameter(number_, "number", "What numbers the frames, within the header",
                 "Losses, repetitions and late frames are known by it. After its greatest value it "
                 "begins anew at 0.")
      .default_value("uint64")
      .choices({{"none", "frames have no number"},
                {"uint16", "two bytes, as in RTP"},
                {"uint32", "four bytes"},
                {"uint64", "eight bytes"}});
  interface.parameter(number_offset_, "number_offset", "Bytes of the header in front of the number")
      .default_value(0)
      .range(0, kLongestHeader)
      .unit("bytes");
  interface.parameter(byte_order_, "byte_order", "Order of the number's bytes")
      .default_value("little")
      .choices({{"little", "least significant byte first"},
                {"big", "most significant byte first, as network protocols have it"}});
}

FrameNumber FrameFormat::number() const {
  FrameNumber result;
  for (const auto& [name, bytes] : kNumberBytes) {
    if (*number_ == name) {
      result.bytes = bytes;
    }
  }
  result.offset = *number_offset_;
  result.big_endian = *byte_order_ == "big";
  return result;
}

FrameLayout FrameFormat::layout(std::uint64_t data_bytes, std::uint32_t most_bytes,
                                const std::string& ring) const {
  const FrameNumber found = number();
  if (found.bytes > 0 && std::uint64_t{found.offset} + found.bytes > *header_bytes_) {
    throw Error(ErrorCode::InvalidParameter,
                "'number' has " + std::to_string(found.bytes) + " bytes from byte " +
                    std::to_string(found.offset) + " on, but 'header_bytes' is " +
                    std::to_string(*header_bytes_) + "; write number: none for frames without one");
  }
  const std::uint64_t bytes = *header_bytes_ + data_bytes;
  if (data_bytes == 0 || bytes > most_bytes) {
    throw Error(ErrorCode::InvalidParameter,
                "a frame has " + std::to_string(*header_bytes_) + " bytes of header and " +
                    std::to_string(data_bytes) + " of the tensor, but those of the ring '" + ring +
                    "' have 1 to " + std::to_string(most_bytes) + "; see its 'frame_bytes'");
  }
  return {found, *header_bytes_, static_cast<std::uint32_t>(data_bytes)};
}

}  // namespace gxr::cuda
