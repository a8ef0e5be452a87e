#include "native_types.hpp"

#include <complex>
#include <cstdint>
#include <utility>

#include "common/type_name.hpp"
#include "context.hpp"
#include "gxf/cuda/cuda_buffer.hpp"
#include "gxf/cuda/cuda_event.hpp"
#include "gxf/cuda/cuda_stream.hpp"
#include "gxf/cuda/cuda_stream_id.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/message.hpp"
#include "types.hpp"

namespace nvidia::gxf::layer {
void add_native_types() {
  add_native_components({
      {"nvidia::gxf::Component", nullptr, "gxr::Component"},
      {"nvidia::gxf::Codelet", "nvidia::gxf::Component", "gxr::Codelet"},
      {"nvidia::gxf::Queue", "nvidia::gxf::Component", "gxr::Queue"},
      {"nvidia::gxf::Receiver", "nvidia::gxf::Queue", "gxr::Receiver"},
      {"nvidia::gxf::DoubleBufferReceiver", "nvidia::gxf::Receiver", "gxr::DoubleBufferReceiver"},
      {"nvidia::gxf::AsyncBufferReceiver", "nvidia::gxf::Receiver", "gxr::AsyncBufferReceiver"},
      {"nvidia::gxf::Transmitter", "nvidia::gxf::Queue", "gxr::Transmitter"},
      {"nvidia::gxf::DoubleBufferTransmitter", "nvidia::gxf::Transmitter",
       "gxr::DoubleBufferTransmitter"},
      {"nvidia::gxf::AsyncBufferTransmitter", "nvidia::gxf::Transmitter",
       "gxr::AsyncBufferTransmitter"},
      {"nvidia::gxf::Clock", "nvidia::gxf::Component", "gxr::Clock"},
      {"nvidia::gxf::RealtimeClock", "nvidia::gxf::Clock", "gxr::RealtimeClock"},
      {"nvidia::gxf::ManualClock", "nvidia::gxf::Clock", "gxr::ManualClock"},
      {"nvidia::gxf::SyntheticClock", "nvidia::gxf::Clock", "gxr::SyntheticClock"},
      {"nvidia::gxf::Allocator", "nvidia::gxf::Component", "gxr::Allocator"},
      {"nvidia::gxf::BlockMemoryPool", "nvidia::gxf::Allocator", "gxr::BlockMemoryPool"},
      {"nvidia::gxf::UnboundedAllocator", "nvidia::gxf::Allocator", "gxr::UnboundedAllocator"},
      {"nvidia::gxf::CudaStreamPool", "nvidia::gxf::Allocator", "gxr::cuda::CudaStreamPool"},
      {"nvidia::gxf::CudaAllocator", "nvidia::gxf::Allocator", "gxr::cuda::CudaAllocator"},
      {"nvidia::gxf::StreamOrderedAllocator", "nvidia::gxf::CudaAllocator",
       "gxr::cuda::StreamOrderedAllocator"},
      {"nvidia::gxf::RMMAllocator", "nvidia::gxf::CudaAllocator", "gxr::cuda::RMMAllocator"},
      {"nvidia::gxf::CudaStreamSync", "nvidia::gxf::Codelet", "gxr::cuda::CudaStreamSync"},
      {"nvidia::gxf::ResourceBase", "nvidia::gxf::Component", "gxr::ResourceBase"},
      {"nvidia::gxf::GPUDevice", "nvidia::gxf::ResourceBase", "gxr::GPUDevice"},
      {"nvidia::gxf::ThreadPool", "nvidia::gxf::ResourceBase", "gxr::ThreadPool"},
      {"nvidia::gxf::SchedulingTerm", "nvidia::gxf::Component", "gxr::SchedulingTerm"},
      {"nvidia::gxf::BooleanSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::BooleanSchedulingTerm"},
      {"nvidia::gxf::AsynchronousSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::AsynchronousSchedulingTerm"},
      {"nvidia::gxf::TargetTimeSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::TargetTimeSchedulingTerm"},
      {"nvidia::gxf::PeriodicSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::PeriodicSchedulingTerm"},
      {"nvidia::gxf::BTSchedulingTerm", "nvidia::gxf::SchedulingTerm", "gxr::BTSchedulingTerm"},
      {"nvidia::gxf::MessageAvailableSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::MessageAvailableSchedulingTerm"},
      {"nvidia::gxf::MultiMessageAvailableSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::MultiMessageAvailableSchedulingTerm"},
      {"nvidia::gxf::DownstreamReceptiveSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::DownstreamReceptiveSchedulingTerm"},
      {"nvidia::gxf::CountSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::CountSchedulingTerm"},
      {"nvidia::gxf::ExpiringMessageAvailableSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::ExpiringMessageAvailableSchedulingTerm"},
      {"nvidia::gxf::MessageAvailableFrequencyThrottler", "nvidia::gxf::SchedulingTerm",
       "gxr::MessageAvailableFrequencyThrottler"},
      {"nvidia::gxf::MemoryAvailableSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::MemoryAvailableSchedulingTerm"},
      {"nvidia::gxf::CudaStreamSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::cuda::CudaStreamSchedulingTerm"},
      {"nvidia::gxf::CudaEventSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::cuda::CudaEventSchedulingTerm"},
      {"nvidia::gxf::CudaBufferAvailableSchedulingTerm", "nvidia::gxf::SchedulingTerm",
       "gxr::cuda::CudaBufferAvailableSchedulingTerm"},
      {"nvidia::gxf::SchedulingTermCombiner", "nvidia::gxf::Component",
       "gxr::SchedulingTermCombiner"},
      {"nvidia::gxf::OrSchedulingTermCombiner", "nvidia::gxf::SchedulingTermCombiner",
       "gxr::OrSchedulingTermCombiner"},
      {"nvidia::gxf::Connection", "nvidia::gxf::Component", "gxr::Connection"},
      {"nvidia::gxf::Topic", "nvidia::gxf::Component", "gxr::Topic"},
      {"nvidia::gxf::CPUThread", "nvidia::gxf::Component", "gxr::CPUThread"},
      {"nvidia::gxf::Controller", "nvidia::gxf::Component", "gxr::Controller"},
      {"nvidia::gxf::Monitor", "nvidia::gxf::Component", "gxr::Monitor"},
      {"nvidia::gxf::JobStatistics", "nvidia::gxf::Monitor", "gxr::JobStatistics"},
      {"nvidia::gxf::Metric", "nvidia::gxf::Component", "gxr::Metric"},
      {"nvidia::gxf::System", "nvidia::gxf::Component", "gxr::System"},
      {"nvidia::gxf::Scheduler", "nvidia::gxf::System", "gxr::Scheduler"},
      {"nvidia::gxf::Endpoint", "nvidia::gxf::Component", "gxr::Endpoint"},
      {"nvidia::gxf::SerializationBuffer", "nvidia::gxf::Endpoint", "gxr::SerializationBuffer"},
      {"nvidia::gxf::File", "nvidia::gxf::Endpoint", "gxr::File"},
      {"nvidia::gxf::ComponentSerializer", "nvidia::gxf::Component", "gxr::ComponentSerializer"},
      {"nvidia::gxf::StdComponentSerializer", "nvidia::gxf::ComponentSerializer",
       "gxr::StdComponentSerializer"},
      {"nvidia::gxf::EntitySerializer", "nvidia::gxf::Component", "gxr::EntitySerializer"},
      {"nvidia::gxf::StdEntitySerializer", "nvidia::gxf::EntitySerializer",
       "gxr::StdEntitySerializer"},
      {"nvidia::gxf::StdEntityIdSerializer", "nvidia::gxf::EntitySerializer",
       "gxr::StdEntityIdSerializer"},
      {"nvidia::gxf::EntityRecorder", "nvidia::gxf::Codelet", "gxr::EntityRecorder"},
      {"nvidia::gxf::EntityReplayer", "nvidia::gxf::Codelet", "gxr::EntityReplayer"},
  });
  add_native<CudaStream, gxr::cuda::CudaStream>();
  add_native<CudaStreamId, gxr::cuda::CudaStreamId>();
  add_native<CudaEvent, gxr::cuda::CudaEvent>();
  add_native<CudaBuffer>();
  add_native<bool>();
  add_native<std::int8_t>();
  add_native<std::uint8_t>();
  add_native<std::int16_t>();
  add_native<std::uint16_t>();
  add_native<std::int32_t>();
  add_native<std::uint32_t>();
  add_native<std::int64_t>();
  add_native<std::uint64_t>();
  add_native<float>();
  add_native<double>();
  add_native<std::complex<float>>();
  add_native<std::complex<double>>();
  add_native_parts();
}

}  // namespace nvidia::gxf::layer
