// Samples of ROS 2 as another implementation writes them (tests/dds/ros_samples.py), into parts and
// back.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dds/cdr_reader.hpp"
#include "dds/cdr_writer.hpp"
#include "dds/encodings.hpp"
#include "dds/ros_reading.hpp"
#include "dds/ros_times.hpp"
#include "dds/ros_writing.hpp"
#include "gxr/error.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/timestamp.hpp"
#include "image/bayer_pattern.hpp"
#include "tests/unit/catch.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using namespace gxr;
using namespace gxr::dds;
using Catch::Matchers::ContainsSubstring;

struct Known {
  std::string type;
  std::string hash;
  std::vector<std::byte> wire;
  std::vector<std::byte> turned;
};

std::vector<std::byte> bytes_of(const std::string& hexadecimal) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

std::vector<Known> known_samples() {
  std::ifstream file(GXR_SOURCE_DIR "/tests/dds/ros_samples.txt");
  std::vector<Known> all;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    Known& known = all.emplace_back();
    std::string wire;
    std::string turned;
    words >> known.type >> known.hash >> wire >> turned;
    known.wire = bytes_of(wire);
    known.turned = bytes_of(turned);
  }
  return all;
}

Sample sample_of(const std::string& type, const std::vector<std::byte>& wire) {
  const Description* const description = find_by_name(type);
  REQUIRE(description != nullptr);
  auto bytes = std::make_shared<SampleBytes>(wire.size() - SampleBytes::kHeaderSize);
  std::memcpy(bytes->wire(), wire.data(), wire.size());
  make_native(*description, {bytes->wire(), bytes->wire_size()});
  return {description, std::move(bytes)};
}

std::vector<std::byte> wire_of(const Sample& sample) {
  return {sample.bytes->wire(), sample.bytes->wire() + sample.bytes->wire_size()};
}

const RosTimes kEpoch(Stamps::Epoch, 0);

const Known& only(const std::vector<Known>& all, std::string_view type, std::size_t number = 0) {
  for (const Known& known : all) {
    if (known.type == type && number-- == 0) {
      return known;
    }
  }
  FAIL("there is no sample of the type");
  return all.front();
}

TEST_CASE("types have the hashes of another implementation, and samples come back as they were") {
  harness::Harness harness;
  harness.initialize();
  const auto all = known_samples();
  REQUIRE(all.size() >= 40);
  for (const Known& known : all) {
    INFO(known.type);
    CHECK(find_by_name(known.type)->type_hash == known.hash);
    for (const auto* const wire : {&known.wire, &known.turned}) {
      Message message = harness.new_message();
      read_ros(sample_of(known.type, *wire), kEpoch, BluesFirst::Kept, message);
      std::vector<std::string> left_out;
      const Sample back =
          write_ros(*find_by_name(known.type), message, RosDefaults{}, kEpoch, left_out);
      CHECK(wire_of(back) == known.wire);
      CHECK(left_out.empty());
    }
  }
}

TEST_CASE("every type of ROS 2 is tested") {
  const auto all = known_samples();
  for (const Description& type : all_descriptions()) {
    if (type.is_ros()) {
      CHECK_NOTHROW(only(all, type.name));
    }
  }
}

TEST_CASE("a picture uses the memory of its sample") {
  harness::Harness harness;
  harness.initialize();
  const auto all = known_samples();
  Sample sample =
      sample_of(std::string("sensor_msgs/msg/Image"), only(all, "sensor_msgs/msg/Image").wire);
  const std::byte* const begin = sample.bytes->body();
  const std::byte* const end = begin + sample.bytes->size();
  Message message = harness.new_message();
  read_ros(std::move(sample), kEpoch, BluesFirst::Kept, message);
  const auto& tensor = message.get<Tensor>("image");
  CHECK(tensor.shape() == Shape{3, 5, 3});
  CHECK(tensor.pointer() >= begin);
  CHECK(tensor.pointer() < end);
  CHECK(message.find<Text>("frame_id") != nullptr);
  CHECK(message.find<Timestamp>("timestamp") != nullptr);
}

TEST_CASE("pictures are what their encodings say") {
  harness::Harness harness;
  harness.initialize();
  const auto all = known_samples();
  const auto read = [&](std::size_t number) {
    Message message = harness.new_message();
    read_ros(sample_of("sensor_msgs/msg/Image", only(all, "sensor_msgs/msg/Image", number).wire),
             kEpoch, BluesFirst::Kept, message);
    return message;
  };
  CHECK(read(1).get<VideoBuffer>("image").info().format == VideoFormat::Bgr);
  CHECK(read(2).get<Tensor>("image").element_type() == ElementType::UInt16);
  CHECK(read(3).get<image::BayerPattern>().layout == kernels::BayerPattern::kGrbg);
  CHECK(read(4).get<Tensor>("image").shape() == Shape{3, 5, 2});
}

TEST_CASE("points become a tensor for each field, without a copy") {
  harness::Harness harness;
  harness.initialize();
  const auto all = known_samples();
  Message message = harness.new_message();
  read_ros(sample_of("sensor_msgs/msg/PointCloud2", only(all, "sensor_msgs/msg/PointCloud2").wire),
           kEpoch, BluesFirst::Kept, message);
  const auto& x = message.get<Tensor>("x");
  CHECK(x.shape() == Shape{2, 4});
  CHECK(x.stride(1) == 16);
  CHECK(message.get<Tensor>("ring").shape() == Shape{2, 4, 2});
  CHECK(message.get<bool>("is_dense"));
}

/// An image by hand.
Sample image(std::uint32_t width, std::uint32_t height, std::uint32_t step,
             const std::string& encoding, bool big_endian, std::size_t size) {
  CdrWriter writer;
  writer.number(std::int32_t{1});
  writer.number(std::uint32_t{2});
  writer.text("map");
  writer.number(height);
  writer.number(width);
  writer.text(encoding);
  writer.number(static_cast<std::uint8_t>(big_endian));
  writer.number(step);
  writer.length(size);
  std::vector<std::uint8_t> data(size);
  for (std::size_t i = 0; i < size; ++i) {
    data[i] = static_cast<std::uint8_t>(i);
  }
  writer.block(data.data(), 1, size);
  return {find_by_name("sensor_msgs/msg/Image"), writer.finish()};
}

/// Points of 4 bytes, in the other byte order, with fields that all begin at the same byte.
Sample points(std::uint32_t fields) {
  CdrWriter writer;
  writer.number(std::int32_t{1});
  writer.number(std::uint32_t{2});
  writer.text("map");
  writer.number(std::uint32_t{1});
  writer.number(std::uint32_t{100});
  writer.number(fields);
  for (std::uint32_t i = 0; i < fields; ++i) {
    writer.text("f" + std::to_string(i));
    writer.number(std::uint32_t{0});
    writer.number(std::uint8_t{7});  // float32
    writer.number(std::uint32_t{1});
  }
  writer.number(std::uint8_t{1});
  writer.number(std::uint32_t{4});
  writer.number(std::uint32_t{400});
  writer.length(400);
  const std::vector<std::byte> data(400);
  writer.block(data.data(), 1, data.size());
  writer.number(std::uint8_t{1});
  return {find_by_name("sensor_msgs/msg/PointCloud2"), writer.finish()};
}

TEST_CASE("fields of points that lie over each other take no more memory than the sample") {
  harness::Harness harness;
  harness.initialize();
  Message message = harness.new_message();
  read_ros(points(1), kEpoch, BluesFirst::Kept, message);
  CHECK(message.get<Tensor>("f0").shape() == Shape{1, 100});
  Message bomb = harness.new_message();
  CHECK_THROWS_WITH(read_ros(points(50), kEpoch, BluesFirst::Kept, bomb),
                    ContainsSubstring("has fields that lie over each other"));
}

TEST_CASE("rows with gaps stay where they are, and elements of the other byte order are turned") {
  harness::Harness harness;
  harness.initialize();
  Message message = harness.new_message();
  read_ros(image(2, 2, 8, "mono16", true, 14), kEpoch, BluesFirst::Kept, message);
  const auto& turned = message.get<Tensor>("image");
  REQUIRE(turned.is_contiguous());
  CHECK(turned.data<std::uint16_t>()[0] == 0x0001);
  CHECK(turned.data<std::uint16_t>()[3] == 0x0a0b);

  Message gaps = harness.new_message();
  read_ros(image(2, 2, 8, "mono16", false, 12), kEpoch, BluesFirst::Kept, gaps);
  const auto& rows = gaps.get<Tensor>("image");
  CHECK(rows.stride(0) == 8);
  CHECK(rows.span_bytes() == 12);

  Message planes = harness.new_message();
  read_ros(image(2, 2, 8, "bgr8", false, 14), kEpoch, BluesFirst::Kept,
           planes);  // the last row has no gap
  CHECK(planes.get<VideoBuffer>("image").info().color_planes[0].stride == 6);

  Message turned_blue = harness.new_message();
  read_ros(image(2, 2, 8, "bgr8", false, 14), kEpoch, BluesFirst::Turned, turned_blue);
  const auto* const pixels = turned_blue.get<Tensor>("image").data<std::uint8_t>();
  CHECK(std::vector<int>(pixels, pixels + 12) ==
        std::vector<int>{2, 1, 0, 5, 4, 3, 10, 9, 8, 13, 12, 11});
}

TEST_CASE("pictures of YUV come in the order of gxr") {
  harness::Harness harness;
  harness.initialize();
  for (const char* const name : {"uyvy", "yuv422"}) {
    Message message = harness.new_message();
    read_ros(image(2, 2, 6, name, false, 10), kEpoch, BluesFirst::Kept, message);
    const auto* const pixels = message.get<Tensor>("image").data<std::uint8_t>();
    CHECK(std::vector<int>(pixels, pixels + 8) == std::vector<int>{1, 0, 3, 2, 7, 6, 9, 8});
  }

  Message message = harness.new_message();
  read_ros(image(4, 2, 4, "nv21", false, 12), kEpoch, BluesFirst::Kept, message);
  const auto& picture = message.get<VideoBuffer>("image");
  const VideoBufferInfo& info = picture.info();
  CHECK(info.format == VideoFormat::Nv12);
  REQUIRE(info.color_planes.size() == 2);
  CHECK(info.color_planes[1].offset == 8);
  CHECK(info.color_planes[1].stride == 4);
  CHECK(info.color_planes[1].height == 1);
  const auto* const bytes = static_cast<const std::uint8_t*>(picture.pointer());
  CHECK(std::vector<int>(bytes, bytes + 12) ==
        std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 9, 8, 11, 10});
}

TEST_CASE("a compressed picture tells its form") {
  harness::Harness harness;
  harness.initialize();
  const Description& type = *find_by_name("sensor_msgs/msg/CompressedImage");
  const auto form = [&](std::vector<std::uint8_t> bytes) {
    Message message = harness.new_message();
    message.add<Tensor>("data").wrap(bytes.data(), Shape{static_cast<std::int32_t>(bytes.size())},
                                     ElementType::UInt8, MemoryStorageType::System, nullptr,
                                     nullptr);
    std::vector<std::string> left_out;
    const Sample sample = write_ros(type, message, {}, kEpoch, left_out);
    return std::string(read_sample(type, sample.body()).at("format").text);
  };
  CHECK(form({0xff, 0xd8, 0xff, 0xe0}) == "jpeg");
  CHECK(form({0x89, 'P', 'N', 'G', '\r'}) == "png");
  CHECK(form({'I', 'I', '*', 0}) == "tiff");
  CHECK(form({1, 2, 3, 4}).empty());
  CHECK(form({0xff, 0xd8}).empty());
}

TEST_CASE("pictures that cannot be are refused") {
  harness::Harness harness;
  harness.initialize();
  const auto reason = [&](Sample sample) -> std::string {
    Message message = harness.new_message();
    try {
      read_ros(std::move(sample), kEpoch, BluesFirst::Kept, message);
    } catch (const Error& error) {
      return error.message();
    }
    return {};
  };
  CHECK_THAT(reason(image(2, 2, 6, "nv12", false, 12)),
             ContainsSubstring("the encoding 'nv12' cannot be read; those that can are rgb8"));
  CHECK_THAT(reason(image(2, 2, 6, "rgb8", false, 11)), ContainsSubstring("does not fit"));
  CHECK_THAT(reason(image(2, 2, 5, "rgb8", false, 100)), ContainsSubstring("does not fit"));
  CHECK_THAT(reason(image(0, 2, 6, "rgb8", false, 12)), ContainsSubstring("does not fit"));
  CHECK_THAT(reason(image(0xffffffff, 0xffffffff, 0xffffffff, "8UC1", false, 12)),
             ContainsSubstring("does not fit"));
}

TEST_CASE("parts that do not fit their fields are named") {
  harness::Harness harness;
  harness.initialize();
  const auto reason = [&](const char* type, const Message& message) -> std::string {
    std::vector<std::string> left_out;
    try {
      static_cast<void>(write_ros(*find_by_name(type), message, RosDefaults{}, kEpoch, left_out));
    } catch (const Error& error) {
      return error.message();
    }
    return {};
  };
  Message number = harness.new_message();
  number.add<std::int32_t>("data", 3);
  CHECK(reason("std_msgs/msg/Int32", number).empty());
  CHECK(reason("std_msgs/msg/Float64", number) ==
        "part 'data' is no float64, which the field of that name is of std_msgs/msg/Float64");
  CHECK_THAT(reason("std_msgs/msg/String", number), ContainsSubstring("is no gxr::dds::Text"));
  CHECK_THAT(reason("sensor_msgs/msg/Image", number), ContainsSubstring("no tensor or picture"));
  std::vector<double> values(4);
  Message vector = harness.new_message();
  Tensor tensor;
  tensor.wrap(values.data(), Shape{4}, ElementType::Float64, MemoryStorageType::System, nullptr,
              nullptr);
  vector.add<Tensor>("linear", std::move(tensor));
  CHECK_THAT(reason("geometry_msgs/msg/Twist", vector),
             ContainsSubstring("has 4 elements, not the 3 of the field"));
}

TEST_CASE("what a message does not say is 0, a rotation turns nothing, and what is over is named") {
  harness::Harness harness;
  harness.initialize();
  Message message = harness.new_message();
  message.add<double>("gain", 2.0);
  std::vector<std::string> left_out;
  const Sample sample = write_ros(*find_by_name("geometry_msgs/msg/PoseStamped"), message,
                                  RosDefaults{"map", "", "", ""}, kEpoch, left_out);
  CHECK(left_out == std::vector<std::string>{"gain"});
  const SampleNode node = read_sample(*sample.type, sample.body());
  CHECK(node.at("header").at("frame_id").text == "map");
  CHECK(node.at("header").at("stamp").at("sec").number<std::int32_t>() > 1'500'000'000);  // now
  CHECK(node.at("pose").at("orientation").at("w").number<double>() == 1.0);
  CHECK(node.at("pose").at("position").at("x").number<double>() == 0.0);
}

TEST_CASE("stamps become times of the clock and come back") {
  const RosTimes times(Stamps::Clock, 5'000'000'000);
  const RosTime day = times.now();
  CHECK(times.from_ros(day) == 5'000'000'000);
  const RosTime back = times.to_ros(4'999'999'999);
  CHECK((back.seconds * 1'000'000'000LL + back.nanoseconds) + 1 ==
        day.seconds * 1'000'000'000LL + day.nanoseconds);
  CHECK(RosTimes(Stamps::Epoch, 7).to_ros(-1).seconds == -1);
  CHECK(RosTimes(Stamps::Epoch, 7).to_ros(-1).nanoseconds == 999'999'999);
}

TEST_CASE("samples that were changed anywhere neither crash nor read beyond their end") {
  harness::Harness harness;
  harness.initialize();
  std::mt19937 random(21);  // NOLINT(cert-msc51-cpp,cert-msc32-c): the same each time
  for (const Known& known : known_samples()) {
    for (int round = 0; round < 300; ++round) {
      std::vector<std::byte> wire = known.wire;
      for (auto changes = 1 + random() % 3; changes > 0; --changes) {
        wire[4 + random() % (wire.size() - 4)] = static_cast<std::byte>(random() % 256);
      }
      wire.resize(wire.size() - (random() % 4 == 0 ? random() % (wire.size() - 3) : 0));
      Message message = harness.new_message();
      try {
        read_ros(sample_of(known.type, wire), kEpoch, BluesFirst::Kept, message);
        for (const gxr::detail::Part& part : message) {  // all of the memory is there
          if (part.id == TypeIdOf<Tensor>::value) {
            const auto& tensor = *static_cast<const Tensor*>(part.data);
            const auto* const bytes = static_cast<const std::uint8_t*>(tensor.pointer());
            volatile std::uint8_t last = tensor.size() > 0 ? bytes[tensor.span_bytes() - 1] : 0;
            static_cast<void>(last);
          }
        }
      } catch (const Error& error) {
        CHECK_FALSE(error.message().empty());
      }
    }
  }
}

}  // namespace
