#include "dds/sample_text.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "dds/cdr_writer.hpp"
#include "dds/message_type.hpp"
#include "gxr/timestamp.hpp"
#include "tests/unit/catch.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using namespace gxr;
using namespace gxr::dds;

TEST_CASE("a sample is printed as YAML") {
  CdrWriter writer;
  writer.number(std::uint32_t{2});
  for (int i = 0; i < 2; ++i) {
    writer.number(std::int32_t{-3});
    writer.number(std::uint32_t{7});
    writer.text(i == 0 ? "map" : "a\"b\nü");
    writer.text("base");
    for (const double each : {1.0, 0.5, -0.0, 0.0, 0.0, 0.0, 1.0}) {
      writer.number(each);
    }
  }
  const Sample sample{find_by_name("tf2_msgs/msg/TFMessage"), writer.finish()};
  const std::string one =
      "- header:\n    stamp:\n      sec: -3\n      nanosec: 7\n    frame_id: FRAME\n"
      "  child_frame_id: \"base\"\n  transform:\n    translation:\n      x: 1\n      y: 0.5\n"
      "      z: -0\n    rotation:\n      x: 0\n      y: 0\n      z: 0\n      w: 1\n";
  const auto with = [&](const std::string& frame) {
    std::string text = one;
    return text.replace(text.find("FRAME"), 5, frame);
  };
  CHECK(sample_text(sample, 0) == "transforms:\n" + with("\"map\"") + with(R"("a\"b\x0aü")"));
}

TEST_CASE("texts are printed as they are, but controls and bytes that are no letters") {
  const auto printed = [](const std::string& text) {
    CdrWriter writer;
    writer.text(text);
    return sample_text({find_by_name("std_msgs/msg/String"), writer.finish()}, 0);
  };
  CHECK(printed("Grüße 東京 🙂") == "data: \"Grüße 東京 🙂\"\n");
  CHECK(printed("\x1b[2J") == "data: \"\\x1b[2J\"\n");
  CHECK(printed("\xc3(") == "data: \"\\xc3(\"\n");
  CHECK(printed("\xe2\x80\xae") == "data: \"\\u202e\"\n");  // turns the line round
  CHECK(printed("\xc2\x85\xef\xbb\xbf") == "data: \"\\x85\\ufeff\"\n");
  CHECK(printed("\xc0\x80\xed\xa0\x80") == "data: \"\\xc0\\x80\\xed\\xa0\\x80\"\n");
  CHECK(printed("\xf0\x9f") == "data: \"\\xf0\\x9f\"\n");
}

TEST_CASE("a list is cut, and says how much is left") {
  CdrWriter writer;
  writer.number(std::int32_t{0});
  writer.number(std::uint32_t{0});
  writer.text("");
  writer.text("jpeg");
  const std::vector<std::uint8_t> data{1, 2, 3, 4, 5};
  writer.length(data.size());
  writer.block(data.data(), 1, data.size());
  const Sample sample{find_by_name("sensor_msgs/msg/CompressedImage"), writer.finish()};
  CHECK_THAT(sample_text(sample, 3),
             Catch::Matchers::ContainsSubstring("data: [1, 2, 3, … 2 more]"));
  CHECK_THAT(sample_text(sample, 0), Catch::Matchers::ContainsSubstring("data: [1, 2, 3, 4, 5]"));
}

TEST_CASE("the parts of a message are printed by their names") {
  harness::Harness harness;
  harness.initialize();
  Message message = harness.new_message();
  CHECK(message_text(message, 0) == "{}\n");
  std::vector<float> values{1.5F, std::numeric_limits<float>::infinity()};
  message.add<Tensor>("t").wrap(values.data(), Shape{2}, ElementType::Float32,
                                MemoryStorageType::System, nullptr, nullptr);
  message.add<Timestamp>("timestamp", Timestamp{1, 2});
  message.add<bool>("b", true);
  message.add<Text>("frame_id", Text{"map"});
  CHECK(message_text(message, 0) ==
        "\"t\": {shape: [2], elements: float32, values: [1.5, .inf]}\n"
        "\"timestamp\": {published: 1, acquired: 2}\n\"b\": true\n\"frame_id\": \"map\"\n");
}

}  // namespace
