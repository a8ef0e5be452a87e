// Both ends of a connection in this process, and the bytes that pass it.

#include "gxr/cuda/ipc_queues.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "gxr/error.hpp"
#include "gxr/gxr.hpp"
#include "gxr/message_data.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "ipc/device_slots.hpp"
#include "ipc/ipc_sender.hpp"
#include "ipc/ipc_source.hpp"
#include "ipc/message_codec.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace gxr {
namespace {

using Catch::Matchers::ContainsSubstring;
using harness::Harness;

/// A socket's name in a folder of its own, which goes with it.
class Address {
 public:
  Address() {
    std::string name = (std::filesystem::temp_directory_path() / "gxr-ipc-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
  }
  Address(const Address&) = delete;
  Address& operator=(const Address&) = delete;
  ~Address() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path() const { return folder_ + "/socket"; }

 private:
  std::string folder_;
};

/// A transmitter and a receiver that have found each other. Nobody watches, so that the threads of
/// the queues do not touch the harness.
struct Pair {
  Address address;
  Harness harness;
  cuda::IpcTransmitter& out = harness.add<cuda::IpcTransmitter>(
      "a/out", {{"address", address.path()}, {"slots", "2"}, {"drain_timeout_ms", "200"}});
  cuda::IpcReceiver& in = harness.add<cuda::IpcReceiver>("b/in", {{"address", address.path()}});

  Pair() { harness.initialize(); }
  /// Sends what was published, and waits until so many messages are there.
  void bring(std::size_t count) {
    out.sync();
    while (in.size() + in.back_size() < count) {
      REQUIRE(in.is_open());
      std::this_thread::yield();
    }
    in.sync();
  }
  void wait_for_room() {
    while (out.size() > 0) {
      REQUIRE(out.is_open());
      std::this_thread::yield();
    }
  }
};

std::string text_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.message();
  }
  return "no error";
}

/// Something that speaks in its own name.
class Owner final : public Component {};

Message filled(Harness& harness) {
  Message message = harness.new_message();
  message.set_source_time(123'456);
  message.set_sequence(77);
  message.add<std::int32_t>("number", -5);
  message.add<Timestamp>("timestamp", Timestamp{10, 20});
  auto& tensor = message.add<Tensor>("tensor");
  static const std::vector<std::int16_t> content = {1, 2, 3, 4, 5, 6};
  const Strides with_gap = {6, 2};
  tensor.wrap(const_cast<std::int16_t*>(content.data()), {2, 2}, ElementType::Int16,
              MemoryStorageType::System, nullptr, nullptr, 2, &with_gap);
  return message;
}

/// A stream whose work is done when the test says so.
class FakeStream final : public DeviceStream {
 public:
  FakeStream() : DeviceStream(nullptr, 0, true) {}
  ~FakeStream() override = default;
  void record() override {}
  void wait_for(const DeviceWork&) override {}
  bool is_done(std::uint64_t) override { return done_; }
  void wait_on_host(std::uint64_t) override {
    while (!done_) {
      std::this_thread::yield();
    }
  }
  void finish() { done_ = true; }

 private:
  std::atomic<bool> done_{false};
};

}  // namespace

TEST_CASE("a message keeps its parts, its time and its number", "[ipc]") {
  Pair pair;
  pair.out.publish(filled(pair.harness));
  CHECK(pair.out.back_size() == 1);
  pair.bring(1);
  CHECK(pair.in.capacity() == 2);
  REQUIRE(pair.in.peek(0) != nullptr);
  CHECK(pair.in.peek(1) == nullptr);
  {
    const Message got = pair.in.receive();
    CHECK(got.size() == 3);
    CHECK(got.source_time() == 123'456);
    CHECK(got.sequence() == 77);
    CHECK(got.get<std::int32_t>("number") == -5);
    CHECK(got.get<Timestamp>("timestamp").pubtime == 10);
    const auto& tensor = got.get<Tensor>("tensor");
    CHECK(tensor.shape() == Shape{2, 2});
    const auto* values = tensor.data<std::int16_t>();
    CHECK(std::vector<std::int16_t>(values, values + 4) == std::vector<std::int16_t>{1, 2, 4, 5});
    pair.wait_for_room();  // though the message is still there: nothing of it is in the slot
  }
  CHECK(harness::code_of([&] { pair.in.receive(); }) == ErrorCode::NotAvailable);
}

TEST_CASE("pictures pass as in recordings", "[ipc]") {
  Pair pair;
  auto& allocator = pair.harness.add<UnboundedAllocator>("memory/any");
  Message message = pair.harness.new_message();
  auto& video = message.add<VideoBuffer>("picture");
  video.resize(allocator, VideoFormat::Rgba, 4, 2);
  std::memset(video.pointer(), 9, video.size());
  const auto size = video.size();
  pair.out.publish(message);
  pair.bring(1);
  const Message got = pair.in.receive();
  const auto& picture = got.get<VideoBuffer>("picture");
  CHECK(picture.info().width == 4);
  REQUIRE(picture.size() == size);
  CHECK(static_cast<const unsigned char*>(picture.pointer())[size - 1] == 9);
}

TEST_CASE("a queue has room for its slots, and says when there is none", "[ipc]") {
  Pair pair;
  for (int i = 0; i < 2; ++i) {
    pair.out.publish(filled(pair.harness));
  }
  CHECK(harness::code_of([&] { pair.out.publish(filled(pair.harness)); }) == ErrorCode::Overflow);
  pair.bring(2);
  CHECK(harness::code_of([&] { pair.out.publish(filled(pair.harness)); }) == ErrorCode::Overflow);
  pair.in.receive();
  while (pair.out.size() > 1) {
    std::this_thread::yield();
  }
  pair.out.publish(filled(pair.harness));
  pair.bring(2);
  pair.in.receive();
  pair.in.receive();
  pair.wait_for_room();
}

TEST_CASE("what cannot travel is an error", "[ipc]") {
  Pair pair;
  SECTION("parts of unknown types") {
    Message message = pair.harness.new_message();
    message.add<EndOfStream>("end");
    pair.out.publish(message);
    CHECK_THAT(text_of([&] { pair.out.sync(); }),
               ContainsSubstring("transmitter 'a/out': part 'end' of type 8c42f7bf70414626") &&
                   ContainsSubstring("cannot travel to another process"));
  }
  SECTION("device memory without a GPU") {
    Message message = pair.harness.new_message();
    message.add<Tensor>("tensor").wrap(&pair, {4}, ElementType::UInt8, MemoryStorageType::Device,
                                       nullptr, nullptr);
    pair.out.publish(message);
    CHECK_THAT(text_of([&] { pair.out.sync(); }), ContainsSubstring("no GPU can be used"));
  }
  CHECK(harness::code_of([&] { pair.in.push({}); }) == ErrorCode::NotSupported);
  CHECK_FALSE(pair.out.pop());
}

TEST_CASE("a transmitter misses what was not taken, at the end", "[ipc]") {
  Address address;
  Harness harness;
  auto& out = harness.add<cuda::IpcTransmitter>(
      "a/out", {{"address", address.path()}, {"drain_timeout_ms", "50"}});
  harness.initialize();
  out.publish(harness.new_message());
  out.clear();  // which sends what is left
  CHECK(out.size() == 1);
  CHECK_THAT(text_of([&] { harness.deinitialize(); }),
             ContainsSubstring("1 message published at IPC address") &&
                 ContainsSubstring("after 50 ms (drain_timeout_ms)"));
  CHECK_FALSE(std::filesystem::exists(address.path()));
}

TEST_CASE("messages that nobody received are counted", "[ipc]") {
  Pair pair;
  pair.out.publish(filled(pair.harness));
  pair.bring(1);
  CHECK(pair.in.unread() == 1);
  pair.in.clear();
  CHECK(pair.in.unread() == 0);
  CHECK(pair.out.size() == 1);
  CHECK_THROWS_AS(pair.harness.deinitialize(), Error);
}

TEST_CASE("messages outlive the receiver", "[ipc]") {
  Pair pair;
  pair.out.publish(filled(pair.harness));
  pair.bring(1);
  const Message kept = pair.in.receive();
  pair.wait_for_room();
  pair.harness.deinitialize();
  CHECK(kept.get<Tensor>("tensor").data<std::int16_t>()[3] == 5);
}

TEST_CASE("device tensors are named by their place in the slot", "[ipc]") {
  Harness harness;
  auto& owner = harness.add<Owner>("a/owner");
  MessageCodec codec(owner, nullptr, {});
  std::vector<std::byte> memory(100);
  Message message = harness.new_message();
  const Strides pitched = {16, 1};
  message.add<Tensor>("first").wrap(memory.data(), {3, 10}, ElementType::UInt8,
                                    MemoryStorageType::Device, nullptr, nullptr, 1, &pitched);
  message.add<Tensor>("host").wrap(memory.data(), {5}, ElementType::UInt8,
                                   MemoryStorageType::System, nullptr, nullptr);
  message.add<Tensor>("empty").wrap(nullptr, {0}, ElementType::Float32, MemoryStorageType::Device,
                                    nullptr, nullptr);
  CHECK(DeviceSlots::needed_by(message) == 256);
  std::uint64_t next = 512;
  const IpcBytes bytes = codec.encode(message, [&](const Tensor&) { return next++; });
  std::vector<DeviceTensor> taken;
  const auto take = [&](Tensor&, const DeviceTensor& device) { taken.push_back(device); };
  CHECK(codec.decode(bytes, take).size() == 3);
  REQUIRE(taken.size() == 2);
  CHECK(taken[0].offset == 512);
  CHECK(taken[0].span == 2 * 16 + 10);
  CHECK(taken[0].tensor.strides[0] == 16);
  CHECK(taken[1].offset == 513);
  CHECK(taken[1].span == 0);

  // However it is damaged: an Error, or another message.
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    IpcBytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK_THROWS_AS(codec.decode(cut, take), Error);
    for (const unsigned value : {0x00U, 0x7fU, 0xffU}) {
      IpcBytes damaged = bytes;
      damaged[i] = static_cast<std::byte>(value);
      try {
        static_cast<void>(codec.decode(damaged, take));
      } catch (const Error&) {
      }
    }
  }
  IpcBytes longer = bytes;
  longer.emplace_back();
  CHECK_THROWS_AS(codec.decode(longer, take), Error);
}

TEST_CASE("a slot is free when its last holder lets go", "[ipc]") {
  Address address;
  Harness harness;
  auto& owner = harness.add<Owner>("a/owner");
  const LocalAddress local(address.path(), "IPC address");
  IpcSender sender(owner, local, 2, std::chrono::seconds(10));
  auto source = std::make_shared<IpcSource>(owner, local, std::chrono::seconds(10));
  const std::uint32_t slot = sender.take_slot();
  sender.send(slot, IpcBytes(sizeof(IpcEnvelope)), {});
  while (source->arrived() == 0) {
    std::this_thread::yield();
  }
  CHECK(source->take_arrived().front().slot == slot);
  CHECK(harness::code_of([&] { static_cast<void>(source->device_memory(slot, 0, 1)); }) ==
        ErrorCode::InvalidData);
  source->hold(slot);  // a tensor
  source->take(slot);  // the message
  // It may be used after the receiver has ended.
  source->finish();
  CHECK_THROWS_AS(sender.finish(std::chrono::milliseconds(50)), Error);
  CHECK(sender.in_use() == 1);
  std::thread([&] {
    source->drop(slot);
    source.reset();
  }).join();
  CHECK(sender.finish(std::chrono::seconds(10)));
  CHECK(sender.in_use() == 0);
}

TEST_CASE("nobody waits for the work on a device tensor that goes", "[ipc]") {
  Address address;
  Harness harness;
  auto& owner = harness.add<Owner>("a/owner");
  const LocalAddress local(address.path(), "IPC address");
  IpcSender sender(owner, local, 2, std::chrono::seconds(10));
  IpcSource source(owner, local, std::chrono::seconds(10));
  FakeStream stream;
  for (int i = 0; i < 2; ++i) {
    sender.send(sender.take_slot(), IpcBytes(sizeof(IpcEnvelope)), {});
  }
  while (source.arrived() < 2) {
    std::this_thread::yield();
  }
  const auto arrived = source.take_arrived();
  for (const auto& each : arrived) {
    source.hold(each.slot);
    source.take(each.slot);
  }
  source.drop_after(arrived[0].slot, {stream.mark()});
  source.drop_after(arrived[1].slot, {});
  while (sender.in_use() > 1) {
    std::this_thread::yield();
  }
  CHECK(sender.in_use() == 1);  // whose work is not done
  stream.finish();
  while (sender.in_use() > 0) {
    std::this_thread::yield();
  }
  source.finish();
}

}  // namespace gxr
