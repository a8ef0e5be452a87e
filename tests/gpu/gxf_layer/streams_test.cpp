// Streams, events and memory of a GPU as sources of GXF extensions see them.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

#include "catch.hpp"
#include "gxf/core/layer_fingerprint.hpp"
#include "gxf/cuda/cuda_buffer.hpp"
#include "gxf/cuda/cuda_event.hpp"
#include "gxf/cuda/cuda_stream_id.hpp"
#include "gxf/cuda/cuda_stream_pool.hpp"
#include "gxf/cuda/stream_ordered_allocator.hpp"
#include "gxf/std/extension_factory_helper.hpp"
#include "gxf/std/transmitter.hpp"
#include "gxr/application.hpp"
#include "gxr/codelet.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/extension.hpp"
#include "gxr/interface.hpp"
#include "gxr/type_provider.hpp"

namespace G = nvidia::gxf;

namespace gxf_streams_test {

constexpr std::size_t kBytes = 1 << 20;

class Maker;
// What the codelets do in their one tick.
std::function<gxf_result_t(Maker&)> make;
std::function<void(const gxr::Message&)> take;

/// Written for GXF.
class Maker : public G::Codelet {
 public:
  gxf_result_t registerInterface(G::Registrar* registrar) override {
    G::Expected<void> result;
    result &= registrar->parameter(out, "out", "Out", "Messages");
    result &= registrar->parameter(pool, "pool", "Pool", "Gives streams");
    result &= registrar->parameter(memory, "memory", "Memory", "Gives memory");
    return G::ToResultCode(result);
  }
  gxf_result_t tick() override { return make(*this); }

  G::Parameter<G::Handle<G::Transmitter>> out;
  G::Parameter<G::Handle<G::CudaStreamPool>> pool;
  G::Parameter<G::Handle<G::CudaAllocator>> memory;
};

/// Knows nothing of streams: what it receives is done.
class Taker final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override { interface.input(in_, "in", "Messages"); }
  void tick() override { take(in_.receive()); }

 private:
  gxr::Input<> in_;
};

}  // namespace gxf_streams_test

GXF_EXT_FACTORY_BEGIN()
GXF_EXT_FACTORY_SET_INFO(0x7c1e5a9d3b804f26, 0x86d2f1b04e7a9c35, "StreamsTest", "Test", "gxr",
                         "1.0.0", "Apache-2.0");
GXF_EXT_FACTORY_ADD(0x7c1e5a9d3b804f26, 0x86d2f1b04e7a9c36, gxf_streams_test::Maker,
                    nvidia::gxf::Codelet, "Makes a message");
GXF_EXT_FACTORY_END()

namespace gxf_streams_test {
namespace {

gxr::Report run() {
  gxr::Application app;
  app.load_text(R"(
name: make
components:
- {name: out, type: nvidia::gxf::DoubleBufferTransmitter}
- {name: streams, type: nvidia::gxf::CudaStreamPool, parameters: {max_size: 2}}
- {name: memory, type: nvidia::gxf::StreamOrderedAllocator}
- {type: gxf_streams_test::Maker, parameters: {out: out, pool: streams, memory: memory}}
- {type: nvidia::gxf::CountSchedulingTerm, parameters: {count: 1}}
---
name: take
components:
- {name: in, type: nvidia::gxf::DoubleBufferReceiver}
- {type: gxf_streams_test::Taker, parameters: {in: in}}
- {type: nvidia::gxf::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
---
components:
- {type: nvidia::gxf::Connection, parameters: {source: make/out, target: take/in}}
---
name: scheduler
components:
- {name: clock, type: nvidia::gxf::RealtimeClock}
- {type: nvidia::gxf::GreedyScheduler, parameters: {clock: clock}}
)")
      .types(gxr::provide_types("types of the test", [](gxr::Extension& extension) {
        G::layer::RegisterExtension(extension, &GxfExtensionFactory, G::layer::kLayerFingerprint);
        extension.add<Taker>("Takes");
      }));
  static_cast<void>(app.validate());
  REQUIRE(app.problems_text().empty());
  return app.run();
}

/// The stream is busy for a while.
void occupy(cudaStream_t stream) {
  REQUIRE(cudaLaunchHostFunc(
              stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(100)); },
              nullptr) == cudaSuccess);
}

class DeviceBytes {
 public:
  DeviceBytes() { REQUIRE(cudaMalloc(&memory_, kBytes) == cudaSuccess); }
  ~DeviceBytes() { cudaFree(memory_); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  void fill_later(int value, cudaStream_t stream) const {
    occupy(stream);
    REQUIRE(cudaMemsetAsync(memory_, value, kBytes, stream) == cudaSuccess);
  }
  /// Copies on a stream that waits for no other.
  [[nodiscard]] bool are(int value) const {
    std::vector<unsigned char> bytes(kBytes);
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaMemcpyAsync(bytes.data(), memory_, kBytes, cudaMemcpyDefault, stream) ==
            cudaSuccess);
    REQUIRE(cudaStreamSynchronize(stream) == cudaSuccess);
    REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
    return bytes == std::vector<unsigned char>(kBytes, static_cast<unsigned char>(value));
  }

 private:
  void* memory_ = nullptr;
};

}  // namespace

TEST_CASE("A codelet of gxr waits for the stream that a source names", "[gxf_layer]") {
  const DeviceBytes bytes;
  bool taken = false;
  make = [&](Maker& self) {
    const auto stream = self.pool->allocateStream().value();
    bytes.fill_later(7, stream->stream().value());
    auto message = G::Entity::New(self.context()).value();
    message.add<G::CudaStreamId>("cuda_stream_id_").value()->stream_cid = stream.cid();
    return G::ToResultCode(self.out->publish(message));
  };
  take = [&](const gxr::Message&) { taken = bytes.are(7); };
  CHECK(run().failures.empty());
  CHECK(taken);
}

TEST_CASE("A stream calls back for the events that were recorded on it", "[gxf_layer]") {
  make = [](Maker& self) {
    const auto stream = self.pool->allocateStream().value();
    auto message = G::Entity::New(self.context()).value();
    auto part = message.add<G::CudaEvent>("done").value();
    CHECK(part->init(cudaEventDisableTiming));
    CHECK(part->dev_id() == 0);
    int synced = 0;
    int destroyed = 0;
    occupy(stream->stream().value());
    CHECK(stream->record(part, message, [&] { ++synced; }));
    cudaEvent_t event = nullptr;
    REQUIRE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess);
    CHECK(stream->record(event, [&](cudaEvent_t gone) {
      CHECK(cudaEventQuery(gone) == cudaSuccess);
      ++destroyed;
      cudaEventDestroy(gone);
    }));
    CHECK((synced == 0 && destroyed == 0));
    CHECK(stream->syncStream());
    CHECK((synced == 1 && destroyed == 1));
    CHECK(cudaStreamQuery(stream->stream().value()) == cudaSuccess);

    const auto other = self.pool->allocateStream();
    REQUIRE(other);
    CHECK_FALSE(self.pool->allocateStream());  // max_size
    CHECK(self.pool->releaseStream(other.value()));
    CHECK(self.pool->releaseStream(other.value()).error() == GXF_ARGUMENT_INVALID);
    CHECK(self.pool->releaseStream(stream));
    return GXF_SUCCESS;
  };
  CHECK(run().failures.empty());
}

TEST_CASE("gxr can wait for a source's event", "[gxf_layer]") {
  const DeviceBytes bytes;
  bool taken = false;
  make = [&](Maker& self) {
    const auto stream = self.pool->allocateStream().value();
    bytes.fill_later(9, stream->stream().value());
    auto message = G::Entity::New(self.context()).value();
    auto part = message.add<G::CudaEvent>("done").value();
    CHECK(part->init(cudaEventDisableTiming));
    REQUIRE(cudaEventRecord(part->event().value(), stream->stream().value()) == cudaSuccess);
    return G::ToResultCode(self.out->publish(message));
  };
  take = [&](const gxr::Message& message) {
    const gxr::DeviceWork work = message.get<gxr::cuda::CudaEvent>("done").work;
    REQUIRE(work);
    work.stream->wait_on_host(work.number);
    taken = bytes.are(9);
  };
  CHECK(run().failures.empty());
  CHECK(taken);
}

TEST_CASE("Memory follows a stream, and a buffer owns both", "[gxf_layer]") {
  make = [](Maker& self) {
    const auto stream = self.pool->allocateStream().value();
    const cudaStream_t cuda_stream = stream->stream().value();
    const auto memory = self.memory->allocate_async(kBytes, cuda_stream);
    REQUIRE(memory);
    CHECK(cudaMemsetAsync(memory.value(), 1, kBytes, cuda_stream) == cudaSuccess);
    CHECK(self.memory->free_async(memory.value(), cuda_stream));
    CHECK(self.memory->get_pool_size(G::MemoryStorageType::kDevice).value() >= kBytes);

    auto message = G::Entity::New(self.context()).value();
    auto buffer = message.add<G::CudaBuffer>("buffer").value();
    CHECK(buffer->resizeAsync(self.memory, self.pool, kBytes));
    CHECK(buffer->size() == kBytes);
    static int called;
    called = 0;
    CHECK(buffer->registerCallbackOnStream([](void* count) { ++*static_cast<int*>(count); },
                                           &called));
    CHECK(buffer->stream()->syncStream());
    CHECK(called == 1);
    CHECK(buffer->state() == G::CudaBuffer::State::DATA_AVAILABLE);
    return G::ToResultCode(self.out->publish(message));
  };
  take = [](const gxr::Message& message) {
    const auto& buffer = message.get<gxr::cuda::CudaBuffer>("buffer");
    CHECK(buffer.size == kBytes);
    CHECK(buffer.work);
  };
  CHECK(run().failures.empty());
}

}  // namespace gxf_streams_test
