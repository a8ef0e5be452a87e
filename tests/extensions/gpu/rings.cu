// A kernel that fills a ring in device memory as a network card would.

#include <cstdint>

#include <cuda_runtime.h>

#include "gpu.hpp"
#include "gxr/cuda/check.hpp"
#include "gxr/cuda/frame_order.hpp"
#include "gxr/cuda/packet_ring.hpp"

namespace gpu {

using gxr::Interface;
using gxr::Parameter;

namespace {

/// Where the number of a frame is.
__device__ inline gxr::cuda::FrameNumber number_place() { return {0, 8, false}; }
constexpr std::uint32_t kHeader = 8;
constexpr std::uint32_t kPause = 200;  // ns, while there is no room

/// Which frames a bad network spoils. Of each ten: 3 is lost, 5 comes twice, 7 comes behind 8, and
/// 9 is too short.
__device__ int numbers_at(std::uint64_t place, std::uint64_t* numbers, bool* is_short) {
  const std::uint64_t ten = place / 10 * 10;
  numbers[0] = place;
  *is_short = place - ten == 9;
  switch (place - ten) {
    case 3:
      return 0;
    case 5:
      numbers[1] = place;
      return 2;
    case 7:
      numbers[0] = place + 1;
      return 1;
    case 8:
      numbers[0] = place - 1;
      return 1;
    default:
      return 1;
  }
}

/// One thread. The elements of a frame that is to arrive are all as many as arrive before it, and 1
/// more.
__global__ void fill(gxr::cuda::RingView ring, std::uint64_t frames, std::uint32_t elements,
                     bool spoils) {
  gxr::cuda::RingWriter writer(ring);
  std::int32_t arrived = 0;
  for (std::uint64_t place = 0; place < frames; ++place) {
    std::uint64_t numbers[2] = {place, place};
    bool is_short = false;
    const int count = spoils ? numbers_at(place, numbers, &is_short) : 1;
    for (int i = 0; i < count; ++i) {
      while (writer.room() == 0) {
        __nanosleep(kPause);
      }
      // A second one, and one behind a higher number, do not arrive.
      const bool arrives = i == 0 && !is_short && !(spoils && place % 10 == 8);
      arrived += arrives ? 1 : 0;
      std::byte* const frame = writer.payload();
      number_place().write(frame, numbers[i]);
      for (std::uint32_t k = 0; k < elements; ++k) {
        reinterpret_cast<std::int32_t*>(frame + kHeader)[k] = arrived;
      }
      writer.publish(kHeader + elements * sizeof(std::int32_t) - (is_short ? 1 : 0), 0);
    }
  }
  writer.end();
}

}  // namespace

/// Its only tick launches the kernel, which works on while the application goes on.
class FillRing final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override {
    interface.parameter(ring_, "ring", "The ring");
    interface.parameter(frames_, "frames", "How many the sender counts");
    interface.parameter(elements_, "elements", "Elements of each, int32");
    interface.parameter(spoils_, "spoils", "Loses, repeats, delays and shortens some")
        .default_value(false);
  }
  void start() override {
    gxr::DeviceRuntime::get().use_device(0);
    gxr::cuda::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
                     "cudaStreamCreateWithFlags");
    ring_->take(gxr::cuda::RingEnd::Writer, *this);
    view_ = ring_->on_device(0);
  }
  void tick() override {
    fill<<<1, 1, 0, stream_>>>(view_, *frames_, *elements_, *spoils_);
    gxr::cuda::check_launch("fill");
  }
  void stop() override {
    ring_->give_up(gxr::cuda::RingEnd::Writer);
    gxr::cuda::check(cudaStreamDestroy(stream_), "cudaStreamDestroy");
  }

 private:
  Parameter<gxr::Handle<gxr::cuda::PacketRing>> ring_;
  Parameter<std::uint64_t> frames_;
  Parameter<std::uint32_t> elements_;
  Parameter<bool> spoils_;
  gxr::cuda::RingView view_;
  cudaStream_t stream_ = nullptr;
};

void add_rings(gxr::Extension& extension) {
  extension.add<FillRing>("Fills a ring in device memory by a kernel");
}

}  // namespace gpu
