#include "facades.hpp"

#include "context.hpp"
#include "gxf/std/async_buffer_receiver.hpp"
#include "gxf/std/async_buffer_transmitter.hpp"
#include "gxf/std/block_memory_pool.hpp"
#include "gxf/std/double_buffer_receiver.hpp"
#include "gxf/std/double_buffer_transmitter.hpp"
#include "gxf/std/resources.hpp"
#include "gxf/std/scheduling_terms.hpp"
#include "gxf/std/synthetic_clock.hpp"
#include "gxf/std/unbounded_allocator.hpp"
#include "gxr/async_buffer.hpp"
#include "gxr/clock.hpp"
#include "gxr/driven_terms.hpp"
#include "gxr/message_terms.hpp"
#include "gxr/queue.hpp"
#include "gxr/resource.hpp"
#include "gxr/scheduling_term.hpp"

// The components of gxr as sources see them.

namespace nvidia::gxf::layer {
namespace {

/// A component of gxr that GXF has no class for.
class OtherComponent final : public Component {};

/// Facades of queues, terms, clocks, allocators and resources.
MadeFacade make_usual_facade(gxr::Component& component) {
  MadeFacade made;
  static_cast<void>(
      try_facade<DoubleBufferReceiver, gxr::DoubleBufferReceiver>(component, made) ||
      try_facade<AsyncBufferReceiver, gxr::AsyncBufferReceiver>(component, made) ||
      try_facade<Receiver, gxr::Receiver>(component, made) ||
      try_facade<DoubleBufferTransmitter, gxr::DoubleBufferTransmitter>(component, made) ||
      try_facade<AsyncBufferTransmitter, gxr::AsyncBufferTransmitter>(component, made) ||
      try_facade<Transmitter, gxr::Transmitter>(component, made) ||
      try_facade<BooleanSchedulingTerm, gxr::BooleanSchedulingTerm>(component, made) ||
      try_facade<AsynchronousSchedulingTerm, gxr::AsynchronousSchedulingTerm>(component, made) ||
      try_facade<TargetTimeSchedulingTerm, gxr::TargetTimeSchedulingTerm>(component, made) ||
      try_facade<PeriodicSchedulingTerm, gxr::PeriodicSchedulingTerm>(component, made) ||
      try_facade<BTSchedulingTerm, gxr::BTSchedulingTerm>(component, made) ||
      try_facade<MessageAvailableSchedulingTerm, gxr::MessageAvailableSchedulingTerm>(component,
                                                                                      made) ||
      try_facade<MultiMessageAvailableSchedulingTerm, gxr::MultiMessageAvailableSchedulingTerm>(
          component, made) ||
      try_facade<DownstreamReceptiveSchedulingTerm, gxr::DownstreamReceptiveSchedulingTerm>(
          component, made) ||
      try_facade<CountSchedulingTerm, gxr::CountSchedulingTerm>(component, made) ||
      try_facade<ExpiringMessageAvailableSchedulingTerm,
                 gxr::ExpiringMessageAvailableSchedulingTerm>(component, made) ||
      try_facade<MessageAvailableFrequencyThrottler, gxr::MessageAvailableFrequencyThrottler>(
          component, made) ||
      try_facade<MemoryAvailableSchedulingTerm, gxr::MemoryAvailableSchedulingTerm>(component,
                                                                                    made) ||
      try_facade<NativeSchedulingTerm, gxr::SchedulingTerm, SchedulingTerm>(component, made) ||
      try_facade<RealtimeClock, gxr::RealtimeClock>(component, made) ||
      try_facade<ManualClock, gxr::ManualClock>(component, made) ||
      try_facade<SyntheticClock, gxr::SyntheticClock>(component, made) ||
      try_facade<Clock, gxr::Clock>(component, made) ||
      try_facade<BlockMemoryPool, gxr::BlockMemoryPool>(component, made) ||
      try_facade<UnboundedAllocator, gxr::UnboundedAllocator>(component, made) ||
      try_facade<NativeAllocator, gxr::Allocator, Allocator>(component, made) ||
      try_facade<GPUDevice, gxr::GPUDevice>(component, made) ||
      try_facade<ThreadPool, gxr::ThreadPool>(component, made) ||
      try_facade<ResourceBase, gxr::ResourceBase>(component, made));
  return made;
}

/// Those that know more are asked first.
MadeFacade make(gxr::Component& component) {
  for (const auto maker : {&make_cuda_facade, &make_graph_facade, &make_usual_facade}) {
    if (MadeFacade made = maker(component); made.first != nullptr) {
      return made;
    }
  }
  return {std::make_unique<OtherComponent>(), TypenameAsString<Component>()};
}

}  // namespace

std::unique_ptr<Component> make_facade(gxr::Component& component) {
  MadeFacade made = make(component);
  made.first->set_identity({}, made.second, "");
  return std::move(made.first);
}

}  // namespace nvidia::gxf::layer
