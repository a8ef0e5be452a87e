#include <vector>

#include "context.hpp"
#include "cuda_components.hpp"
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

std::vector<FacadeMaker>& makers() {
  static std::vector<FacadeMaker> all;
  return all;
}

using Made = std::pair<std::unique_ptr<Component>, const char*>;

/// The name of the type that sources know.
template <class Facade>
constexpr const char* name_of() {
  if constexpr (std::is_same_v<Facade, NativeSchedulingTerm>) {
    return TypenameAsString<SchedulingTerm>();
  } else if constexpr (std::is_same_v<Facade, NativeAllocator>) {
    return TypenameAsString<Allocator>();
  } else {
    return TypenameAsString<Facade>();
  }
}

/// The facade of the first pair whose gxr type fits.
template <class Facade, class Native, class... More>
Made make_first(gxr::Component& component) {
  if (auto* const native = dynamic_cast<Native*>(&component); native != nullptr) {
    return {std::make_unique<Facade>(*native), name_of<Facade>()};
  }
  if constexpr (sizeof...(More) > 0) {
    return make_first<More...>(component);
  } else {
    return {};
  }
}

Made make(gxr::Component& component) {
  for (const FacadeMaker maker : makers()) {
    if (Made made = maker(component); made.first != nullptr) {
      return made;
    }
  }
  if (Made made = make_cuda_facade(component); made.first != nullptr) {
    return made;
  }
  Made made =
      make_first<DoubleBufferReceiver, gxr::DoubleBufferReceiver, AsyncBufferReceiver,
                 gxr::AsyncBufferReceiver, Receiver, gxr::Receiver, DoubleBufferTransmitter,
                 gxr::DoubleBufferTransmitter, AsyncBufferTransmitter, gxr::AsyncBufferTransmitter,
                 Transmitter, gxr::Transmitter, BooleanSchedulingTerm, gxr::BooleanSchedulingTerm,
                 AsynchronousSchedulingTerm, gxr::AsynchronousSchedulingTerm,
                 TargetTimeSchedulingTerm, gxr::TargetTimeSchedulingTerm, PeriodicSchedulingTerm,
                 gxr::PeriodicSchedulingTerm, BTSchedulingTerm, gxr::BTSchedulingTerm,
                 MessageAvailableSchedulingTerm, gxr::MessageAvailableSchedulingTerm,
                 MultiMessageAvailableSchedulingTerm, gxr::MultiMessageAvailableSchedulingTerm,
                 DownstreamReceptiveSchedulingTerm, gxr::DownstreamReceptiveSchedulingTerm,
                 CountSchedulingTerm, gxr::CountSchedulingTerm, NativeSchedulingTerm,
                 gxr::SchedulingTerm, RealtimeClock, gxr::RealtimeClock, ManualClock,
                 gxr::ManualClock, SyntheticClock, gxr::SyntheticClock, Clock, gxr::Clock,
                 BlockMemoryPool, gxr::BlockMemoryPool, UnboundedAllocator, gxr::UnboundedAllocator,
                 NativeAllocator, gxr::Allocator, GPUDevice, gxr::GPUDevice, ThreadPool,
                 gxr::ThreadPool, ResourceBase, gxr::ResourceBase>(component);
  if (made.first == nullptr) {
    made = {std::make_unique<OtherComponent>(), TypenameAsString<Component>()};
  }
  return made;
}

}  // namespace

std::unique_ptr<Component> make_facade(gxr::Component& component) {
  Made made = make(component);
  made.first->set_identity({}, made.second, "");
  return std::move(made.first);
}

void add_facade_maker(FacadeMaker maker) { makers().push_back(maker); }

}  // namespace nvidia::gxf::layer
