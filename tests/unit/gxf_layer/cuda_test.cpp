// CUDA's part of the layer, as far as it goes without a GPU.

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "gxf/core/layer_fingerprint.hpp"
#include "gxf/cuda/cuda_buffer.hpp"
#include "gxf/cuda/cuda_common.hpp"
#include "gxf/cuda/cuda_event.hpp"
#include "gxf/cuda/cuda_scheduling_terms.hpp"
#include "gxf/cuda/cuda_stream.hpp"
#include "gxf/cuda/cuda_stream_id.hpp"
#include "gxf/cuda/cuda_stream_pool.hpp"
#include "gxf/cuda/cuda_stream_sync.hpp"
#include "gxf/cuda/stream_ordered_allocator.hpp"
#include "gxf/rmm/rmm_allocator.hpp"
#include "gxf/std/extension_factory_helper.hpp"
#include "gxf/std/receiver.hpp"
#include "gxf/std/transmitter.hpp"
#include "gxr/application.hpp"
#include "gxr/codelet.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/extension.hpp"
#include "gxr/interface.hpp"
#include "gxr/type_provider.hpp"
#include "log_lines.hpp"

namespace cuda_test {

namespace G = nvidia::gxf;

namespace {

using Catch::Matchers::ContainsSubstring;

template <class T>
T& ref();
#define SIG(expression, ...) \
  static_assert(std::is_same_v<decltype(expression), __VA_ARGS__>, #expression)
SIG(ref<G::CudaStreamPool>().allocateStream(), G::Expected<G::Handle<G::CudaStream>>);
SIG(ref<G::CudaStreamPool>().releaseStream(ref<G::Handle<G::CudaStream>>()), G::Expected<void>);
SIG(ref<const G::CudaStream>().stream(), G::Expected<cudaStream_t>);
SIG(ref<const G::CudaStream>().dev_id(), int);
SIG(ref<G::CudaStream>().syncStream(), G::Expected<void>);
SIG(ref<const G::CudaEvent>().event(), G::Expected<cudaEvent_t>);
SIG(ref<G::CudaEvent>().init(), G::Expected<void>);
SIG(G::CudaStreamId{}.stream_cid, gxf_uid_t);
SIG(ref<G::CudaAllocator>().allocate_async(1, nullptr), G::Expected<unsigned char*>);
SIG(ref<const G::CudaAllocator>().get_pool_size(G::MemoryStorageType::kDevice),
    G::Expected<std::size_t>);
static_assert(!std::is_copy_constructible_v<G::CudaStream> &&
              !std::is_move_constructible_v<G::CudaStream>);
static_assert(!std::is_copy_constructible_v<G::CudaEvent> &&
              std::is_move_constructible_v<G::CudaEvent> &&
              std::is_move_assignable_v<G::CudaEvent>);
static_assert(std::is_convertible_v<G::Handle<G::CudaStreamPool>, G::Handle<G::Allocator>> &&
              std::is_convertible_v<G::Handle<G::RMMAllocator>, G::Handle<G::CudaAllocator>>);

/// A stream of no GPU that counts what it is asked for. As all streams, it is never destroyed.
class CountingStream final : public gxr::DeviceStream {
 public:
  explicit CountingStream(int device)
      : DeviceStream(reinterpret_cast<CUstream_st*>(this), device, true) {}

  void record() override { ++recorded; }
  void wait_for(const gxr::DeviceWork& work) override { behind.push_back(work); }
  bool is_done(std::uint64_t) override { return true; }
  void wait_on_host(std::uint64_t number) override { waited_for.push_back(number); }

  static CountingStream& make(int device) { return *new CountingStream(device); }

  int recorded = 0;
  std::vector<gxr::DeviceWork> behind;
  std::vector<std::uint64_t> waited_for;
};

#undef SIG

}  // namespace

// What the codelets do in the one tick of each.
std::function<void(gxr::Message&)> send;
std::function<gxf_result_t(G::Entity&, gxf_context_t)> relay;
std::function<void(gxr::Receiver&)> take;

class Sender final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override { interface.output(out_, "out", "Messages"); }
  void tick() override {
    gxr::Message message = context().new_message();
    send(message);
    out_.publish(std::move(message));
  }

 private:
  gxr::Output<> out_;
};

class Relay : public G::Codelet {
 public:
  gxf_result_t registerInterface(G::Registrar* registrar) override {
    G::Expected<void> result;
    result &= registrar->parameter(in_, "in", "In", "Messages");
    result &= registrar->parameter(out_, "out", "Out", "The same messages");
    return G::ToResultCode(result);
  }
  gxf_result_t tick() override {
    auto message = in_->receive();
    if (!message) {
      return message.error();
    }
    const gxf_result_t code = relay(message.value(), context());
    return code == GXF_SUCCESS ? G::ToResultCode(out_->publish(message.value())) : code;
  }

 private:
  G::Parameter<G::Handle<G::Receiver>> in_;
  G::Parameter<G::Handle<G::Transmitter>> out_;
};

class Taker final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override { interface.input(in_, "in", "Messages"); }
  void tick() override { take(in_.receiver()); }

 private:
  gxr::Input<> in_;
};

class PoolUser : public G::Codelet {
 public:
  gxf_result_t registerInterface(G::Registrar* registrar) override {
    return G::ToResultCode(registrar->parameter(pool_, "pool", "Pool", "Gives a stream"));
  }
  gxf_result_t tick() override { return G::ToResultCode(pool_->allocateStream()); }

 private:
  G::Parameter<G::Handle<G::CudaStreamPool>> pool_;
};

}  // namespace cuda_test

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x2d1f3c5b7a994e80, 0x9b6f0e2d4c8a1735, "CudaTest", "Test", "gxr", "1.0.0",
                         "Apache-2.0");
GXF_EXT_FACTORY_ADD(0x2d1f3c5b7a994e80, 0x9b6f0e2d4c8a1736, cuda_test::Relay, nvidia::gxf::Codelet,
                    "Passes messages on");
GXF_EXT_FACTORY_ADD(0x2d1f3c5b7a994e80, 0x9b6f0e2d4c8a1737, cuda_test::PoolUser,
                    nvidia::gxf::Codelet, "Takes a stream");
GXF_EXT_FACTORY_END()

namespace cuda_test {
namespace {

gxr::TypeProvider types() {
  return gxr::provide_types("types of the test", [](gxr::Extension& extension) {
    G::layer::RegisterExtension(extension, &GxfExtensionFactory, G::layer::kLayerFingerprint);
    extension.add<cuda_test::Sender>("Sends");
    extension.add<cuda_test::Taker>("Takes");
  });
}

constexpr const char* kScheduler = R"(
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";

/// One message goes from the sender through the source's codelet to the taker.
gxr::Report run() {
  gxr::Application app;
  app.load_text(std::string(R"(
name: send
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: cuda_test::Sender, parameters: {out: out}}
- {type: gxr::CountSchedulingTerm, parameters: {count: 1}}
---
name: relay
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: relay, type: cuda_test::Relay, parameters: {in: in, out: out}}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
---
name: take
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: cuda_test::Taker, parameters: {in: in}}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
---
components:
- {type: gxr::Connection, parameters: {source: send/out, target: relay/in}}
- {type: gxr::Connection, parameters: {source: relay/out, target: take/in}}
)") + kScheduler)
      .types(types());
  REQUIRE(app.validate());
  return app.run();
}

}  // namespace

TEST_CASE("A stream that gxr names in a message is a CudaStream for a source", "[gxf_layer]") {
  CountingStream& stream = CountingStream::make(3);
  std::uint64_t sent = 0;
  cuda_test::send = [&](gxr::Message& message) {
    message.add<gxr::cuda::CudaStreamId>("id").stream = &stream;
    const gxr::DeviceWork work = stream.mark();
    sent = work.number;
    message.set_device_work(work);
  };
  cuda_test::relay = [&](G::Entity& message, gxf_context_t context) {
    CHECK(stream.waited_for.empty());  // the codelet orders itself
    const auto id = message.get<G::CudaStreamId>("id");
    REQUIRE(id);
    const auto handle = G::Handle<G::CudaStream>::Create(context, id.value()->stream_cid);
    REQUIRE(handle);
    CHECK(handle.value().cid() == id.value()->stream_cid);
    CHECK(handle.value()->dev_id() == 3);
    CHECK(handle.value()->stream().value() == stream.handle());
    CHECK(handle.value()->syncStream());
    CHECK(stream.waited_for.size() == 1);
    return GXF_SUCCESS;
  };
  gxr::DeviceWork arrived;
  cuda_test::take = [&](gxr::Receiver& in) { arrived = in.receive_unfinished().device_work(); };
  CHECK(run().failures.empty());
  CHECK(arrived.stream == &stream);
  CHECK(arrived.number > sent);  // what the source put on the stream counts, too
  CHECK(stream.recorded == 1);
}

TEST_CASE("A source's stream goes on after work on another one", "[gxf_layer]") {
  CountingStream& named = CountingStream::make(0);
  CountingStream& other = CountingStream::make(0);
  cuda_test::send = [&](gxr::Message& message) {
    message.add<gxr::cuda::CudaStreamId>().stream = &named;
    message.set_device_work(other.mark());
  };
  cuda_test::relay = [&](G::Entity&, gxf_context_t) {
    CHECK(named.behind.size() == 1);
    CHECK(named.behind.front().stream == &other);
    CHECK((named.waited_for.empty() && other.waited_for.empty()));
    return GXF_SUCCESS;
  };
  cuda_test::take = [&](gxr::Receiver& in) {
    CHECK(in.receive_unfinished().device_work().stream == &named);
  };
  CHECK(run().failures.empty());
}

TEST_CASE("Work that no part names is waited for, and named when a source asks", "[gxf_layer]") {
  CountingStream& stream = CountingStream::make(1);
  cuda_test::send = [&](gxr::Message& message) { message.set_device_work(stream.mark()); };
  cuda_test::relay = [&](G::Entity& message, gxf_context_t context) {
    CHECK(stream.waited_for == std::vector<std::uint64_t>{1});
    const auto id = message.get<G::CudaStreamId>("cuda_stream_id_");
    REQUIRE(id);
    const auto handle = G::Handle<G::CudaStream>::Create(context, id.value()->stream_cid);
    REQUIRE(handle);
    CHECK(handle.value()->dev_id() == 1);
    return GXF_SUCCESS;
  };
  cuda_test::take = [](gxr::Receiver& in) {
    CHECK(in.receive_unfinished().find<gxr::cuda::CudaStreamId>("cuda_stream_id_") != nullptr);
  };
  CHECK(run().failures.empty());
}

TEST_CASE("A codelet of gxr waits for the stream that a source names", "[gxf_layer]") {
  CountingStream& stream = CountingStream::make(0);
  cuda_test::send = [&](gxr::Message& message) {
    message.add<gxr::cuda::CudaStreamId>("first").stream = &stream;
  };
  cuda_test::relay = [&](G::Entity& message, gxf_context_t context) {
    const auto id = message.get<G::CudaStreamId>("first");
    auto another = G::Entity::New(context);
    auto another_id = another->add<G::CudaStreamId>("cuda_stream_id_");
    another_id.value()->stream_cid = id.value()->stream_cid;
    message = another.value();
    return GXF_SUCCESS;
  };
  cuda_test::take = [&](gxr::Receiver& in) {
    const gxr::Message message = in.receive();
    CHECK(message.get<gxr::cuda::CudaStreamId>().stream == &stream);
    CHECK(stream.waited_for == std::vector<std::uint64_t>{message.device_work().number});
  };
  CHECK(run().failures.empty());
}

TEST_CASE("A message that names no stream passes without one", "[gxf_layer]") {
  for (const gxf_uid_t number : {kNullUid, kUnspecifiedUid}) {
    cuda_test::send = [](gxr::Message&) {};
    cuda_test::relay = [number](G::Entity& message, gxf_context_t) {
      CHECK(message.get<G::CudaStreamId>().error() == GXF_ENTITY_COMPONENT_NOT_FOUND);
      message.add<G::CudaStreamId>().value()->stream_cid = number;
      return GXF_SUCCESS;
    };
    cuda_test::take = [](gxr::Receiver& in) {
      CHECK(in.receive().get<gxr::cuda::CudaStreamId>().stream == nullptr);
    };
    CHECK(run().failures.empty());
  }
}

TEST_CASE("A number that is no stream's cannot be published", "[gxf_layer]") {
  const gxr::test::LogLines log(nvidia::Severity::ERROR);
  cuda_test::send = [](gxr::Message&) {};
  cuda_test::relay = [](G::Entity& message, gxf_context_t context) {
    auto text = message.add<std::int64_t>();
    message.add<G::CudaStreamId>("id").value()->stream_cid = text->cid();
    const auto none = G::Handle<G::CudaStream>::Create(context, 123456789012345678);
    CHECK(none.error() == GXF_ENTITY_COMPONENT_NOT_FOUND);
    return GXF_SUCCESS;
  };
  cuda_test::take = [](gxr::Receiver& in) { in.receive(); };
  const gxr::Report report = run();
  CHECK(report.failures.size() == 1);
  CHECK_THAT(log.text(), ContainsSubstring("CudaStreamId 'id' of a message names") &&
                             ContainsSubstring("which is no CudaStream"));
}

TEST_CASE("An event of gxr's work is a part of the source's kind", "[gxf_layer]") {
  CountingStream& stream = CountingStream::make(2);
  cuda_test::send = [&](gxr::Message& message) {
    message.add<gxr::cuda::CudaEvent>("done").work = stream.mark();
  };
  cuda_test::relay = [&](G::Entity& message, gxf_context_t) {
    const auto event = message.get<G::CudaEvent>("done");
    REQUIRE(event);
    CHECK(event.value()->dev_id() == 2);
    return GXF_SUCCESS;
  };
  cuda_test::take = [&](gxr::Receiver& in) {
    CHECK(in.receive().get<gxr::cuda::CudaEvent>("done").work.stream == &stream);
  };
  CHECK(run().failures.empty());
}

TEST_CASE("Without a GPU events and streams are errors that say so", "[gxf_layer]") {
  const gxr::test::LogLines log(nvidia::Severity::ERROR);
  G::CudaEvent event;
  CHECK(event.event().error() == GXF_UNINITIALIZED_VALUE);
  CHECK(event.dev_id() == -1);
  CHECK_FALSE(event.init());
  CHECK_THAT(log.text(), ContainsSubstring("no GPU can be used"));
  CHECK(event.initWithEvent(nullptr).error() == GXF_ARGUMENT_NULL);
  CHECK(event.deinit());

  G::CudaStream stream;
  CHECK(stream.stream().error() == GXF_UNINITIALIZED_VALUE);
  CHECK(stream.dev_id() == -1);
  CHECK(stream.syncStream().error() == GXF_UNINITIALIZED_VALUE);
  CHECK(stream.resetEvents().error() == GXF_UNINITIALIZED_VALUE);
  CHECK(stream.record(nullptr, [](cudaEvent_t) {}).error() == GXF_ARGUMENT_NULL);
  CHECK(stream.record(G::Handle<G::CudaEvent>(), G::Entity()).error() == GXF_ARGUMENT_NULL);
}

TEST_CASE("An event belongs to one object, which frees it once", "[gxf_layer]") {
  int freed = 0;
  const auto handle = reinterpret_cast<cudaEvent_t>(&freed);
  const auto count = [&](cudaEvent_t gone) { freed += gone == handle ? 1 : 100; };
  {
    G::CudaEvent first;
    REQUIRE(first.initWithEvent(handle, 0, count));
    CHECK(first.event().value() == handle);
    CHECK(first.dev_id() == 0);
    G::CudaEvent second(std::move(first));
    // NOLINTNEXTLINE(bugprone-use-after-move)
    CHECK(first.event().error() == GXF_UNINITIALIZED_VALUE);
    G::CudaEvent third;
    third = std::move(second);
    CHECK(third.event().value() == handle);
    CHECK(freed == 0);
  }
  CHECK(freed == 1);
  G::CudaEvent fourth;
  REQUIRE(fourth.initWithEvent(handle, 0, count));
  CHECK(fourth.deinit());
  CHECK(freed == 2);
  CHECK(fourth.deinit());
  REQUIRE(fourth.initWithEvent(handle, 0));  // stays the caller's
  CHECK(fourth.deinit());
  CHECK(freed == 2);
}

TEST_CASE("A source's pool of streams needs a GPU", "[gxf_layer]") {
  gxr::Application app;
  app.load_text(std::string(R"(
name: user
components:
- {name: streams, type: nvidia::gxf::CudaStreamPool, parameters: {reserved_size: 1}}
- {type: cuda_test::PoolUser, parameters: {pool: streams}}
- {type: gxr::CountSchedulingTerm, parameters: {count: 1}}
)") + kScheduler)
      .types(types());
  CHECK(app.validate());
  // NOLINTNEXTLINE(readability-container-size-empty)
  CHECK(app.problems_text() == "");
  const gxr::Report report = app.run();
  REQUIRE(report.failures.size() == 1);
  CHECK_THAT(report.failures.front().text, ContainsSubstring("no GPU can be used"));
}

TEST_CASE("Macros for CUDA's errors log and return", "[gxf_layer]") {
  const gxr::test::LogLines log(nvidia::Severity::ERROR);
  const auto expected = [](cudaError_t error) -> G::Expected<void> {
    CHECK_CUDA_ERROR(error, "no %s", "copy");
    return G::Success;
  };
  const auto code = [](cudaError_t error) -> gxf_result_t {
    CONTINUE_CUDA_ERROR(error, "go on");
    CHECK_CUDA_ERROR_RESULT(error, "end");
    return GXF_SUCCESS;
  };
  CHECK(expected(cudaSuccess));
  CHECK(code(cudaSuccess) == GXF_SUCCESS);
  // NOLINTNEXTLINE(readability-container-size-empty)
  CHECK(log.text() == "");
  const auto invalid = static_cast<cudaError_t>(1);
  CHECK(expected(invalid).error() == GXF_FAILURE);
  CHECK(code(invalid) == GXF_FAILURE);
  CHECK_THAT(log.text(), ContainsSubstring("no copy\nerror: CUDA error 1\n") &&
                             ContainsSubstring("go on\n") && ContainsSubstring("end\n"));
}

TEST_CASE("A buffer without memory has no stream", "[gxf_layer]") {
  G::CudaBuffer buffer;
  CHECK(buffer.state() == G::CudaBuffer::State::UNSET);
  CHECK(buffer.stream().is_null());
  CHECK(buffer.streamPool().is_null());
  CHECK(buffer.transferStreamOwnership().error() == GXF_UNINITIALIZED_VALUE);
  CHECK(buffer.registerCallbackOnStream([](void*) {}, nullptr).error() == GXF_UNINITIALIZED_VALUE);
  CHECK(buffer.resizeAsync({}, {}, 8).error() == GXF_ARGUMENT_NULL);
}

}  // namespace cuda_test
