#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gxr/error.hpp"
#include "gxr/export.hpp"
#include "gxr/message.hpp"
#include "gxr/report.hpp"

namespace gxr {
class Allocator;
}

/// A kit to test one operator alone, with any test framework. Link gxr::gxr.
namespace gxr::testing {

/// What stands around the operator in its test.
struct OperatorOptions {
  /// Files (.so) of extensions, in front of those of GXR_EXTENSION_PATH and of gxr's own.
  std::vector<std::string> extensions = {};
  /// A YAML list of further components of the operator's entity, which the operator's parameters
  /// may name: scheduling terms, queues for a parameter that is a list of them, allocators.
  std::string components = {};
  /// Optional ports that stay without a queue.
  std::vector<std::string> unconnected = {};
  /// True: each port whose queue the kit makes also gets a scheduling term. An input waits for a
  /// message, an output for room for one. False: the kit adds no terms.
  bool default_terms = true;
  /// Messages that wait at an input at most, from 1 to 2^24.
  std::size_t input_capacity = 64;
  /// Messages that an output keeps for the test at most, likewise; also those of one tick.
  std::size_t output_capacity = 64;
  /// Time of the clock at the beginning.
  std::chrono::nanoseconds start_time{0};
};

/// May the operator tick? The answer of all scheduling terms of its entity together.
enum class OperatorState : std::uint8_t {
  Ready,            ///< the next tick() ticks
  Waiting,          ///< for messages or room, see SchedulingState::ports
  WaitingForTime,   ///< see SchedulingState::until
  WaitingForEvent,  ///< for something outside the application (WaitEvent)
  Finished,         ///< never again: a term said Never
  Failed,           ///< it threw, so it does not tick any more
  Stopped,          ///< stop() was called
};
/// "ready", "waiting", "waiting for a time", …
GXR_API const char* to_string(OperatorState state) noexcept;

/// The same with what it waits for.
struct SchedulingState {
  OperatorState state = OperatorState::Ready;  ///< the answer
  /// WaitingForTime: until then.
  std::chrono::nanoseconds until{0};
  /// Ports on which the terms that are not ready wait, in the order of the terms: an input for
  /// messages, an output for room.
  std::vector<std::string> ports = {};
  /// What these terms say in their own words, "waits for 1 message on 'test/in' (has 0)"; "is
  /// ready".
  std::string text = {};
};

/// One operator in an application of its own, without a YAML file, under a clock that the test
/// moves. It lives as in a run: it is checked as by `gxr validate`, gets its parameters, is
/// initialised, started, ticked when its scheduling terms allow, stopped and deinitialised, and
/// what it publishes in a tick leaves when the tick has ended.
///
///   gxr::testing::OperatorTest blur("mine::Blur", "radius: 3", {.extensions = {"blur.so"}});
///   gxr::Message picture = blur.new_message();
///   blur.push("in", picture);
///   REQUIRE(blur.tick());
///   const gxr::Message out = blur.pop("out");
///
/// A port is an Input<T>, an Output<T>, or a parameter of type Handle<Receiver> or
/// Handle<Transmitter>. The key of the parameter is its name. The kit makes a queue for each port.
/// If `parameters` gives a port a queue of OperatorOptions::components instead, the port has the
/// name of that queue. The parameters may also name `kit/clock`, the clock, and `kit/memory`, an
/// UnboundedAllocator. The entity is called `test`, the operator in it `operator`.
///
/// One thread. Destroy the messages that the test holds before the object. Memory that they have
/// from a pool of the operator is valid until stop(). All functions that throw Error(InvalidState)
/// do so after stop(), and to an object that was moved from.
class GXR_API OperatorTest {
 public:
  /// `type` is the name or alias of a codelet. `parameters` is a YAML map; empty: all defaults.
  ///
  /// Throws Error(NotFound) when there is no such type or no optional port of a name in
  /// `options.unconnected`, Error(InvalidArgument) when the type is no codelet, Error(InvalidData)
  /// with the text of `gxr validate` for what that finds wrong, and what the operator throws in its
  /// constructor or initialize().
  explicit OperatorTest(std::string_view type, std::string_view parameters = {},
                        const OperatorOptions& options = {});
  /// Calls stop() if the test did not; what that throws is in the log then.
  ~OperatorTest();
  /// The other object throws Error(InvalidState) from then on.
  OperatorTest(OperatorTest&&) noexcept;
  /// Likewise; stop() is called for what this object held.
  OperatorTest& operator=(OperatorTest&&) noexcept;

  /// A new empty message of this application.
  Message new_message();
  /// Gives tensors of the test system memory: `kit/memory`.
  [[nodiscard]] Allocator& allocator();

  /// Puts a message onto an input port. Throws Error(NotFound) when there is no such port,
  /// Error(InvalidArgument) for a null message, Error(Overflow) when the queue is full.
  void push(std::string_view port, Message message);
  /// Messages on an input port that the operator has not taken. Throws Error(NotFound).
  [[nodiscard]] std::size_t unread(std::string_view port) const;

  /// Calls the operator's start(), once; tick() does so if the test did not. Throws like tick().
  void start();
  /// Ticks the operator once if it is ready; else does nothing and returns false. When a term says
  /// Never, the operator is stopped.
  ///
  /// What the operator throws comes as an Error of its code, whose text says entity, component,
  /// type and method and ends with the operator's own; see failures(). As a run would end, the
  /// operator does not tick again: Error(InvalidState).
  bool tick();
  /// Ticks until the operator is not ready, `most` times at most; returns how often.
  std::size_t tick_all(std::size_t most = 1000);
  /// Calls the operator's stop(), and deinitialises all. Messages that were not popped are gone.
  /// Throws what that threw, like tick(). A second call does nothing.
  void stop();
  /// Calls of the operator's tick() so far, that one included which threw.
  [[nodiscard]] std::size_t ticks() const;

  /// Messages that wait on an output port. Throws Error(NotFound) when there is no such port.
  [[nodiscard]] std::size_t published(std::string_view port) const;
  /// Takes the oldest message of an output port, when its device work is done. Throws
  /// Error(NotFound) when there is no such port, Error(NotAvailable) when there is no message.
  Message pop(std::string_view port);

  /// What the scheduling terms say now; asks them, and may be called at any time. Throws what a
  /// term throws.
  [[nodiscard]] SchedulingState state();
  /// The clock's time.
  [[nodiscard]] std::chrono::nanoseconds now() const;
  /// Moves the clock. Throws Error(InvalidArgument) for a negative duration.
  void advance(std::chrono::nanoseconds duration);
  /// Gives a dynamic parameter of the operator a new value, YAML text, before the next tick. Throws
  /// like Application::set_all() while an application runs.
  void set(std::string_view parameter, std::string_view value);

  /// All failures so far, the first is the cause: method, code, and text in the operator's own
  /// words.
  [[nodiscard]] const std::vector<Failure>& failures() const;

 private:
  struct State;
  [[nodiscard]] State& alive() const;

  std::unique_ptr<State> state_;
};

}  // namespace gxr::testing
