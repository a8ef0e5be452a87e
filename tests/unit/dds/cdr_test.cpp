// Bytes of samples against those of another implementation, and samples that are none.

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "dds/cdr_reader.hpp"
#include "dds/cdr_writer.hpp"
#include "dds/message_type.hpp"
#include "gxr/error.hpp"
#include "tests/unit/catch.hpp"

namespace {

using namespace gxr::dds;

std::vector<std::byte> bytes_of(std::string_view hexadecimal) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes.push_back(
        static_cast<std::byte>(std::stoi(std::string(hexadecimal.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

const Description& type_called(std::string_view name) {
  const Description* const type = find_by_name(name);
  REQUIRE(type != nullptr);
  return *type;
}

/// Why it refuses; empty: it does not.
template <class Read>
std::string refusal_of(const Read& read) {
  try {
    read();
  } catch (const gxr::Error& error) {
    return error.message();
  }
  return {};
}

/// The check alone must refuse what the tree of nodes refuses, for the same reason.
SampleNode read(const Description& type, std::span<std::byte> wire) {
  make_native(type, wire);
  const std::span<const std::byte> body = wire.subspan(4);
  CHECK(refusal_of([&] { check_sample(type, body); }) ==
        refusal_of([&] { static_cast<void>(read_sample(type, body)); }));
  return read_sample(type, body);
}

// By rosbags 0.11: TransformStamped(Header(Time(3, 7), 'map'), 'base', Transform(Vector3(1, 2, 3),
// Quaternion(0, 0, 0, 1))), as the one element of a TFMessage.
constexpr std::string_view kTransforms =
    "00010000"
    "01000000"
    "03000000"
    "07000000"
    "04000000"
    "6d617000"
    "05000000"
    "6261736500"
    "000000"
    "000000000000f03f"
    "0000000000000040"
    "0000000000000840"
    "0000000000000000"
    "0000000000000000"
    "0000000000000000"
    "000000000000f03f";
constexpr std::string_view kTurnedHeader =
    "00000000"
    "00000003"
    "00000007"
    "00000004"
    "6d617000";

TEST_CASE("a sample is read as its type says") {
  auto wire = bytes_of(kTransforms);
  const SampleNode sample = read(type_called("tf2_msgs/msg/TFMessage"), wire);
  const SampleNode& transforms = sample.at("transforms");
  REQUIRE(transforms.children.size() == 1);
  const SampleNode& transform = transforms.children[0];
  CHECK(transform.at("header").at("stamp").at("sec").number<std::int32_t>() == 3);
  CHECK(transform.at("header").at("frame_id").text == "map");
  CHECK(transform.at("child_frame_id").text == "base");
  CHECK(transform.at("transform").at("translation").at("z").number<double>() == 3.0);
  CHECK(transform.at("transform").at("rotation").at("w").number<double>() == 1.0);
}

TEST_CASE("a sample of the other byte order is turned round") {
  auto wire = bytes_of(kTurnedHeader);
  const SampleNode sample = read(type_called("std_msgs/msg/Header"), wire);
  CHECK(sample.at("stamp").at("sec").number<std::int32_t>() == 3);
  CHECK(sample.at("stamp").at("nanosec").number<std::uint32_t>() == 7);
  CHECK(sample.at("frame_id").text == "map");
}

TEST_CASE("a sample that is cut off anywhere is refused") {
  const auto whole = bytes_of(kTransforms);
  for (std::size_t size = 0; size + 1 < whole.size(); ++size) {
    std::vector<std::byte> wire(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_THROWS_AS(read(type_called("tf2_msgs/msg/TFMessage"), wire), gxr::Error);
  }
}

TEST_CASE("what does not belong to a sample is refused") {
  const Description& header = type_called("std_msgs/msg/Header");
  const auto message_of = [&](std::string_view hexadecimal) -> std::string {
    auto wire = bytes_of(hexadecimal);
    try {
      read(header, wire);
    } catch (const gxr::Error& error) {
      return error.message();
    }
    return {};
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK(message_of("00010000"
                   "03000000"
                   "07000000"
                   "01000000"
                   "00000000")
            .empty());
  CHECK(message_of("00010000"
                   "03000000"
                   "07000000"
                   "00000000")
            .empty());
  CHECK_THAT(message_of("00010000"
                        "03000000"
                        "07000000"
                        "01000000"
                        "0000000000000000"),
             ContainsSubstring("7 bytes follow behind its last field"));
  CHECK_THAT(message_of("00010000"
                        "03000000"
                        "07000000"
                        "ffffffff"
                        "61"),
             ContainsSubstring("a text of 4294967295 bytes follows, and 1 do"));
  CHECK_THAT(message_of("00010000"
                        "03000000"
                        "07000000"
                        "01000000"
                        "61"),
             ContainsSubstring("does not end with 0"));
  CHECK_THAT(message_of("00010000"
                        "03000000"
                        "07000000"
                        "04000000"
                        "61006200"),
             ContainsSubstring("at the field 'frame_id', a text has a 0 in it"));
  CHECK_THAT(message_of("00070000"
                        "03000000"
                        "07000000"
                        "0100000000"),
             ContainsSubstring("another way (7) than plain CDR"));
  CHECK_THAT(message_of("0001"), ContainsSubstring("it has 2 bytes"));
}

TEST_CASE("a list cannot be longer than its sample") {
  auto wire = bytes_of(
      "00010000"
      "ffffff7f");
  CHECK_THROWS_WITH(
      read(type_called("tf2_msgs/msg/TFMessage"), wire),
      Catch::Matchers::ContainsSubstring("2147483647 elements follow, and 0 bytes do"));
}

TEST_CASE("bytes without sense neither crash nor read beyond their end") {
  std::mt19937 random(20);  // NOLINT(cert-msc51-cpp,cert-msc32-c): the same each time
  for (const Description& type : all_descriptions()) {
    for (int round = 0; round < 200; ++round) {
      std::vector<std::byte> wire(4 + random() % 96);
      for (std::byte& each : wire) {
        // Small numbers are lengths that may fit.
        each = static_cast<std::byte>(random() % 4 == 0 ? random() % 256 : random() % 3);
      }
      wire[0] = std::byte{0};
      wire[1] = static_cast<std::byte>(random() % 2);
      std::vector<std::byte> exact(wire);  // its end is that of its memory
      try {
        static_cast<void>(read(type, exact));
      } catch (const gxr::Error& error) {
        CHECK(error.code() == gxr::ErrorCode::InvalidData);
      }
    }
  }
}

TEST_CASE("a writer writes what the reader reads, aligned as it must be") {
  std::vector<std::uint8_t> large(10000, 7);
  CdrWriter writer;
  writer.number(std::int32_t{3});
  writer.number(std::uint32_t{7});
  writer.text("map");
  writer.text("jpeg");
  writer.number(static_cast<std::uint32_t>(large.size()));
  writer.block(large.data(), 1, large.size());
  const SharedBytes bytes = writer.finish();
  const SampleNode sample =
      read_sample(type_called("sensor_msgs/msg/CompressedImage"), {bytes->body(), bytes->size()});
  CHECK(sample.at("format").text == "jpeg");
  CHECK(sample.at("data").count == large.size());
  CHECK(sample.at("data").numbers[9999] == std::byte{7});
  CHECK_THROWS_AS(writer.text(std::string("a\0b", 3)), gxr::Error);
}

TEST_CASE("a writer takes more small numbers than it has room for at first") {
  constexpr std::int64_t kCount = 500;
  CdrWriter writer;
  for (std::int64_t i = 0; i < kCount; ++i) {
    writer.number(static_cast<std::uint8_t>(i));
    writer.number(i);  // 7 zeros before it
  }
  const SharedBytes bytes = writer.finish();
  REQUIRE(bytes->size() == 16 * kCount);
  for (std::int64_t i = 0; i < kCount; ++i) {
    const std::byte* const pair = bytes->body() + 16 * i;
    CHECK(read_number<std::uint64_t>(pair) == static_cast<std::uint8_t>(i));
    CHECK(read_number<std::int64_t>(pair + 8) == i);
  }
}

TEST_CASE("fields are read one after the other") {
  auto wire = bytes_of(kTransforms);
  const Description& type = type_called("tf2_msgs/msg/TFMessage");
  make_native(type, wire);
  CdrReader reader(type, std::span(wire).subspan(4));
  FieldReader fields(type, reader);
  int elements = 0;
  fields.each([&](FieldReader& transform) {
    ++elements;
    CHECK(transform.type().name == "geometry_msgs/msg/TransformStamped");
  });
  CHECK(elements == 1);

  auto header_wire = bytes_of(kTurnedHeader);
  const Description& time = type_called("builtin_interfaces/msg/Time");
  make_native(type_called("std_msgs/msg/Header"), header_wire);
  CdrReader header(time, std::span(header_wire).subspan(4));
  FieldReader stamp(time, header);
  CHECK(stamp.number<std::int32_t>() == 3);
  CHECK(stamp.number<std::uint32_t>() == 7);

  CdrReader nothing(time, {});
  FieldReader absent(time, nothing);
  CHECK_THROWS_WITH(absent.number<std::int32_t>(),
                    Catch::Matchers::ContainsSubstring("at the field 'sec', it is cut off"));
}

TEST_CASE("rows with gaps are written without them") {
  std::vector<std::uint8_t> rows(20000);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<std::uint8_t>(i / 100);
  }
  CdrWriter writer;
  writer.rows(rows.data(), 60, 200, 100);
  const SharedBytes bytes = writer.finish();
  REQUIRE(bytes->size() == 12000);
  CHECK(bytes->body()[60 * 150 + 59] == std::byte{150});
}

TEST_CASE("topics are called as in DDS") {
  const Description& image = type_called("sensor_msgs/msg/Image");
  CHECK(image.wire_name == "sensor_msgs::msg::dds_::Image_");
  CHECK(image.type_hash.starts_with("RIHS01_"));
  CHECK(wire_topic("/camera/image", image) == "rt/camera/image");
  const Description& own = describe(kOwnMessages);
  CHECK(own.wire_name == "gxr::v1::Message");
  CHECK(wire_topic("/camera/image", own) == "camera/image");
  CHECK(wire_topic("camera", own) == "camera");
  CHECK(topic_name("rt/camera/image") == "/camera/image");
  CHECK(topic_name("camera/image") == "/camera/image");
  for (const char* const name : {"", "/", "/a/", "//a", "/1a", "/a b", "/a-b"}) {
    CHECK_THROWS_AS(wire_topic(name, own), gxr::Error);
  }
  CHECK_THROWS_WITH(wire_topic("/rt/image", own),
                    Catch::Matchers::ContainsSubstring("leave 'rt/' out"));
}

}  // namespace
