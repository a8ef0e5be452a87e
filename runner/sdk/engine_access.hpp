#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gxr/clock.hpp"
#include "gxr/codelet.hpp"
#include "gxr/component.hpp"
#include "gxr/cuda/streams.hpp"
#include "gxr/interface.hpp"
#include "gxr/parameter.hpp"
#include "gxr/queue.hpp"
#include "gxr/resident_graph.hpp"
#include "gxr/scheduling_term.hpp"

namespace gxr {

class Tap;
class TapQueue;

/// Who the engine says a component is. The strings outlive the component.
struct ComponentIdentity {
  Context* context;                ///< of the application
  const std::string* name;         ///< in the YAML, may be empty
  const std::string* entity_name;  ///< of its entity
  const std::string* type;         ///< registered name
  std::uint32_t component_id;      ///< in the application
  std::uint32_t entity_id;         ///< in the application
};

/// What the classes of the SDK keep from extensions and have for the engine. Extensions cannot
/// include this header.
class EngineAccess {
 public:
  // --- components ------------------------------------------------------------------------------
  /// Comes before all other calls of a component.
  static void attach(Component& component, const ComponentIdentity& identity) noexcept {
    component.context_ = identity.context;
    component.name_ = identity.name;
    component.entity_name_ = identity.entity_name;
    component.type_ = identity.type;
    component.component_id_ = identity.component_id;
    component.entity_id_ = identity.entity_id;
  }
  /// A tick at `now` begins.
  static void begin_tick(Codelet& codelet, std::int64_t now) noexcept {
    codelet.delta_ = codelet.count_ == 0 ? 0 : now - codelet.timestamp_;
    codelet.timestamp_ = now;
    ++codelet.count_;
  }
  /// start() or stop() at `now` begins.
  static void begin_transition(Codelet& codelet, std::int64_t now) noexcept {
    codelet.timestamp_ = now, codelet.delta_ = 0;
  }
  /// In the place of parameters: room for one message behind `transmitter`.
  static void wait_behind(DownstreamReceptiveSchedulingTerm& term, Transmitter& transmitter) {
    term.transmitter_.set(Handle<Transmitter>(&transmitter));
    term.min_size_.set(1);
  }
  /// The one listener, which must outlive its place here; nullptr: none.
  static void set_listener(Clock& clock, ClockListener* listener) {
    const std::lock_guard lock(clock.listener_mutex_);
    clock.listener_ = listener;
  }

  /// Says to the application that a result of `component` was the same on CPU and GPU.
  static void count_verified(const Component& component) {
    component.context().count_verified(component);
  }

  // --- declarations and parameters -------------------------------------------------------------
  /// Binds instances only.
  static Interface make_interface() { return Interface(); }
  /// Also writes parameters and ports of the type into `info`.
  static Interface make_interface(TypeInfo& info) noexcept { return Interface(info); }
  /// Key and member of each declaration so far, in their order.
  static const auto& bindings(const Interface& interface) noexcept { return interface.bindings_; }
  /// Forgets the bindings.
  static void clear(Interface& interface) noexcept { interface.bindings_.clear(); }
  /// Reads the value; throws Error.
  static void read(ParameterBase& parameter, const Value& value, ParameterContext& context) {
    parameter.read(value, context);
  }
  /// Another parameter of the same type and key, without a value.
  static std::unique_ptr<ParameterBase> make_another(const ParameterBase& parameter) {
    std::unique_ptr<ParameterBase> another = parameter.make_another();
    another->key_ = parameter.key_;
    return another;
  }
  /// Exchanges values with a parameter that make_another() made.
  static void swap_value(ParameterBase& parameter, ParameterBase& other) {
    parameter.swap_value(other);
  }

  // --- queues ----------------------------------------------------------------------------------
  /// Of the application; nullptr outside of one.
  static const Context* context(const Component& component) noexcept { return component.context_; }
  /// The ring behind a queue of the usual type, to be read and written without a virtual call;
  /// nullptr for all other types.
  static StagedRing* ring(const Queue& queue) noexcept { return queue.ring_; }
  /// The ring that holds the messages, only to be counted; nullptr for queues of another kind.
  static const StagedRing* content(const Queue& queue) noexcept { return queue.content_; }
  /// Counts a message that could not be pushed for lack of room. Any thread.
  static void count_lost(Queue& queue) noexcept {
    queue.lost_.fetch_add(1, std::memory_order_relaxed);
  }
  /// Messages that count_lost() counted. Any thread.
  static std::uint64_t lost(const Queue& queue) noexcept {
    return queue.lost_.load(std::memory_order_relaxed);
  }
  /// Wants to know that a receiver got a message, or gave one away. Implemented by schedulers.
  using QueueObserver = Receiver::Observer;
  /// `observer` may be null; `watcher` is a number that it may use to know whom a change concerns.
  static void observe(Receiver& receiver, QueueObserver* observer,
                      std::uint32_t watcher = 0) noexcept {
    receiver.observer_ = observer;
    receiver.watcher_ = watcher;
  }
  /// The number that observe() set.
  static std::uint32_t watcher(const Receiver& receiver) noexcept { return receiver.watcher_; }
  /// Messages of `transmitter` are distributed to `receiver`, too.
  static void connect(Transmitter& transmitter, Receiver& receiver) {
    transmitter.receivers_.push_back(&receiver);
  }

  // --- messages --------------------------------------------------------------------------------
  /// The memory behind a message; nullptr for a null message.
  static detail::MessageBlock* block(const Message& message) noexcept { return message.block_; }

  // --- device work -----------------------------------------------------------------------------
  /// `hook` may be null.
  static void set_hook(Receiver& receiver, PortHook* hook) noexcept { receiver.hook_ = hook; }
  /// The same.
  static void set_hook(Transmitter& transmitter, PortHook* hook) noexcept {
    transmitter.hook_ = hook;
  }
  /// Number of the GPU whose streams the receiver's codelet takes over from the producers of its
  /// messages; below 0: none. Any time, while producers publish, too.
  static void set_takes_over_streams_of(Receiver& receiver, int device) noexcept {
    receiver.takes_over_.store(device, std::memory_order_relaxed);
  }
  /// What set_takes_over_streams_of() set last. Any thread.
  static int takes_over_streams_of(const Receiver& receiver) noexcept {
    return receiver.takes_over_.load(std::memory_order_relaxed);
  }
  /// For who is no component of an entity of its own: streams like `options`, ordered after the
  /// messages of these ports. Takes no streams over when stream() is asked for before them.
  static void initialize(cuda::Streams& streams, const Codelet& codelet,
                         const StreamOptions& options, std::vector<Receiver*> receivers,
                         std::vector<Transmitter*> transmitters) {
    streams.initialize(codelet, options, std::move(receivers), std::move(transmitters));
  }

  // --- what programs get -----------------------------------------------------------------------
  /// Where the program takes the messages of `queue`.
  static Tap make_tap(std::shared_ptr<TapQueue> queue) noexcept;
  /// The loop that `control` stands for.
  static ResidentGraph make_resident_graph(std::shared_ptr<ResidentControl> control) noexcept {
    return ResidentGraph(std::move(control));
  }
};

using QueueObserver = EngineAccess::QueueObserver;

}  // namespace gxr
