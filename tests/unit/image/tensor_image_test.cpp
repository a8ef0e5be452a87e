#include "image/tensor_image.hpp"

#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "image/bayer_pattern.hpp"
#include "image/gpu_tick.hpp"
#include "image/message_parts.hpp"
#include "tests/unit/image/rig.hpp"

using namespace gxr;
using namespace gxr::image;
using Catch::Matchers::ContainsSubstring;

namespace {

Message wrapped(Rig& rig, const Shape& shape, ElementType type, void* memory,
                MemoryStorageType storage = MemoryStorageType::System,
                const Strides* strides = nullptr) {
  Message message = rig.harness().new_message();
  message.add<Tensor>("x").wrap(memory, shape, type, storage, nullptr, nullptr, 0, strides);
  return message;
}

/// A stream that is never given work.
class IdleStream final : public DeviceStream {
 public:
  IdleStream() : DeviceStream(nullptr, 0, true) {}
  void record() override {}
  void wait_for(const DeviceWork&) override {}
  bool is_done(std::uint64_t) override { return true; }
  void wait_on_host(std::uint64_t) override { ++host_waits; }

  int host_waits = 0;
};

}  // namespace

TEST_CASE("find_image finds by name or takes the first tensor", "[image]") {
  Rig rig;
  Message message = rig.picture<std::uint8_t>({2, 3}, std::vector<std::uint8_t>(6), "first");
  float other[8] = {};
  message.add<Tensor>("second").wrap(other, Shape{1, 2, 4}, ElementType::Float32,
                                     MemoryStorageType::System, nullptr, nullptr);
  CHECK(find_image(message, "", "in").name == "first");
  CHECK(find_image(message, "", "in").shape == ImageShape{2, 3, 1});
  CHECK(find_image(message, "second", "in").shape == ImageShape{1, 2, 4});
  CHECK_THROWS_WITH(
      find_image(message, "third", "in"),
      "'in_tensor_name': no tensor and no VideoBuffer 'third' in the message on 'in'; "
      "it has 'first', 'second'");
  CHECK_THROWS_WITH(find_image(rig.harness().new_message(), "", "in"),
                    "no tensor and no VideoBuffer in the message on 'in'");
}

TEST_CASE("find_image refuses what is no picture", "[image]") {
  Rig rig;
  double memory[64] = {};
  const auto refuse = [&](const Shape& shape, ElementType type) {
    const Message message = wrapped(rig, shape, type, memory);
    CHECK_THROWS_WITH(
        find_image(message, "", "in"),
        ContainsSubstring("tensor 'x' on 'in': wanted a picture") &&
            ContainsSubstring(std::string("got ") + shape.to_string() + " " + to_string(type)));
  };
  refuse({2, 2}, ElementType::Float64);
  refuse({2, 2}, ElementType::Int8);
  refuse({8}, ElementType::UInt8);
  refuse({2, 2, 5}, ElementType::UInt8);
  refuse({2, 2, 0}, ElementType::UInt8);
  refuse({0, 2, 3}, ElementType::UInt8);
  refuse({1, 2, 2, 3}, ElementType::UInt8);
}

TEST_CASE("find_image wants pixels side by side, in any memory", "[image]") {
  Rig rig;
  std::uint8_t memory[64] = {};
  const Message on_device =
      wrapped(rig, {2, 2, 3}, ElementType::UInt8, memory, MemoryStorageType::Device);
  CHECK(find_image(on_device, "", "in").tensor == &on_device.get<Tensor>());
  const Strides planar{2, 1, 4};
  CHECK_THROWS_WITH(find_image(wrapped(rig, {2, 2, 3}, ElementType::UInt8, memory,
                                       MemoryStorageType::System, &planar),
                               "", "in"),
                    ContainsSubstring("interleaved"));
  const Strides padded{16, 3, 1};
  CHECK(find_image(
            wrapped(rig, {2, 2, 3}, ElementType::UInt8, memory, MemoryStorageType::System, &padded),
            "", "in")
            .shape == ImageShape{2, 2, 3});
}

TEST_CASE("pass_on keeps times, sequence and other tensors without a copy", "[image]") {
  Rig rig;
  Message input = rig.picture<std::uint8_t>({1, 2}, {1, 2});
  const Tensor& processed = input.get<Tensor>();
  input.add<Timestamp>("timestamp", Timestamp{5, 6});
  input.add<BayerPattern>({}, BayerPattern{kernels::BayerPattern::kGbrg});
  input.set_source_time(77);
  input.set_sequence(8);
  std::uint8_t mask[4] = {1, 2, 3, 4};
  input.add<Tensor>("mask").wrap(mask, Shape{2, 2}, ElementType::UInt8, MemoryStorageType::System,
                                 nullptr, nullptr);

  Message kept = rig.harness().new_message();
  pass_on(input, &processed, Geometry::Kept, kept);
  Message changed = rig.harness().new_message();
  pass_on(input, &processed, Geometry::Changed, changed);
  input.reset();

  CHECK(kept.source_time() == 77);
  CHECK(kept.sequence() == 8);
  CHECK(kept.get<Timestamp>("timestamp").acqtime == 6);
  CHECK(kept.get<Timestamp>("timestamp").pubtime == 5);
  CHECK(kept.get<BayerPattern>().layout == kernels::BayerPattern::kGbrg);
  CHECK(kept.get<Tensor>("mask").pointer() == mask);
  CHECK(values<std::uint8_t>(kept.get<Tensor>("mask")) == std::vector<std::uint8_t>{1, 2, 3, 4});
  CHECK(changed.find<BayerPattern>() == nullptr);
  CHECK(kept.find<Tensor>("image") == nullptr);
}

TEST_CASE("who used a shared tensor on a device is known to the one that has the memory",
          "[image]") {
  Rig rig;
  IdleStream stream;
  std::uint8_t mask[4] = {};
  Message input = rig.picture<std::uint8_t>({1, 2}, {1, 2});
  Tensor& owner = input.add<Tensor>("mask");
  owner.wrap(mask, Shape{2, 2}, ElementType::UInt8, MemoryStorageType::Device, nullptr, nullptr);
  Message output = rig.harness().new_message();
  pass_on(input, &input.get<Tensor>("image"), Geometry::Kept, output);
  CHECK(output.get<Tensor>("mask").storage_type() == MemoryStorageType::Device);
  output.get<Tensor>("mask").add_device_user(stream);
  output.reset();
  std::vector<DeviceStream*> users;
  owner.device_users().for_each([&](DeviceStream& user) { users.push_back(&user); });
  CHECK(users == std::vector<DeviceStream*>{&stream});
  CHECK(stream.host_waits == 0);
}

TEST_CASE("what the CPU reaches is not copied", "[image]") {
  Rig rig;
  const Message message = rig.picture<std::uint8_t>({1, 2}, {1, 2});
  const InputImage image = find_image(message, "", "in");
  Tensor copy;
  CHECK(reachable(image, nullptr, copy).tensor == image.tensor);
  CHECK(copy.pointer() == nullptr);
}

TEST_CASE("where a picture is can be told before it is known to be one", "[image]") {
  Rig rig;
  Message message = rig.harness().new_message();
  CHECK(peek_storage(nullptr, "") == MemoryStorageType::System);
  CHECK(peek_storage(&message, "") == MemoryStorageType::System);
  std::uint8_t memory[4] = {};
  message.add<Tensor>("first");
  message.add<Tensor>("second").wrap(memory, {4}, ElementType::UInt8, MemoryStorageType::Device,
                                     nullptr, nullptr);
  CHECK(peek_storage(&message, "") == MemoryStorageType::System);
  CHECK(peek_storage(&message, "second") == MemoryStorageType::Device);
  CHECK(peek_storage(&message, "third") == MemoryStorageType::System);
}

TEST_CASE("an allocation that fails says what for", "[image]") {
  harness::Harness harness;
  auto& pool = harness.add<BlockMemoryPool>(
      "op/pool", {{"storage_type", "2"}, {"block_size", "100"}, {"num_blocks", "1"}});
  harness.initialize();
  Tensor tensor;
  CHECK_THROWS_WITH(allocate_image(tensor, &pool, nullptr, {10, 20, 3}, ElementType::Float32),
                    ContainsSubstring("no memory for the picture [10, 20, 3] float32: "));
}

TEST_CASE("expect_image says what find_image would", "[image]") {
  const TensorSpec spec{{2, 3}, ElementType::UInt16, 0, "raw"};
  const InputImage image = expect_image(spec, "raw", "in");
  CHECK(image.shape == ImageShape{2, 3, 1});
  CHECK(image.type() == ElementType::UInt16);
  CHECK(image.name == "raw");
  CHECK(image.tensor == nullptr);
  CHECK_THROWS_WITH(expect_image(spec, "video", "in"),
                    "no tensor 'video' in the message on 'in'; it has 'raw'");
  CHECK_THROWS_WITH(throw_wrong_image(image, "a cat"),
                    "tensor 'raw' on 'in': wanted a cat, got [2, 3] uint16");
  CHECK_THROWS_WITH(expect_image({{4}, ElementType::UInt16, 0, {}}, "", "in"),
                    ContainsSubstring("unnamed tensor on 'in': wanted a picture"));
}

TEST_CASE("the Bayer pattern of a picture is what the message says, or the content of a spec",
          "[image]") {
  Rig rig;
  Message message = rig.picture<std::uint8_t>({2, 2}, {1, 2, 3, 4});
  CHECK_FALSE(find_image(message, "", "in").bayer);
  message.add<BayerPattern>({}, BayerPattern{kernels::BayerPattern::kGrbg});
  CHECK(find_image(message, "", "in").bayer == kernels::BayerPattern::kGrbg);

  TensorSpec spec{{2, 2}, ElementType::UInt8, 0, "raw"};
  CHECK_FALSE(expect_image(spec, "", "in").bayer);
  spec.content = "Bayer GRBG";
  CHECK(expect_image(spec, "", "in").bayer == kernels::BayerPattern::kGrbg);
  CHECK(spec.to_string() == "uint8 [2, 2] (Bayer GRBG)");
  spec.content = "depth in mm";
  CHECK_FALSE(expect_image(spec, "", "in").bayer);
}

TEST_CASE("every Bayer pattern has a text of its own", "[image]") {
  for (const auto& [pattern, name] : EnumNames<kernels::BayerPattern>::values) {
    CHECK(content_of(pattern) == std::string("Bayer ") + name);
    CHECK(pattern_in(content_of(pattern)) == pattern);
  }
  CHECK_FALSE(pattern_in(""));
}
