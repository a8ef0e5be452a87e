#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/interface.hpp"
#include "gxr/parameter.hpp"
#include "gxr/queue.hpp"

namespace gxr {

/// Answer of a scheduling term.
enum class ConditionType : std::uint8_t {
  Never,      ///< the entity has finished
  Ready,      ///< the entity may tick
  Wait,       ///< not yet; an event that the term named will say when to ask again
  WaitTime,   ///< at `target`
  WaitEvent,  ///< when Context::notify is called for the entity, by something outside the
              ///< application
};

/// Answer of a scheduling term with its time.
struct Condition {
  ConditionType type = ConditionType::Ready;  ///< the answer
  std::int64_t target = 0;  ///< ns, for WaitTime; time since when it is ready, for Ready
};

/// The terms of one entity taken together (AND): Never, then WaitEvent, Wait, WaitTime (latest
/// target), Ready.
GXR_API Condition both(const Condition& a, const Condition& b) noexcept;

/// What can change the answer of a term. A term that waits for something not named here is asked
/// again only when another event reaches its entity.
class GXR_API TermEvents {
 public:
  virtual ~TermEvents();
  /// A message arrives at this receiver, or one is taken from it.
  virtual void message(Receiver& receiver) = 0;
  /// A receiver that is connected to this transmitter gets room.
  virtual void space(Transmitter& transmitter) = 0;
  /// Context::notify(*this) will be called.
  virtual void notification() = 0;
  /// Nothing tells; ask every `period` ns.
  virtual void poll(std::int64_t period) = 0;
  /// The same for an answer that only the application's own ticks change: when all other entities
  /// have finished or wait, the term is asked once more, and then these polls do not keep the run
  /// alive.
  virtual void poll_while_others_run(std::int64_t period) = 0;
};

/// All that a term asks, if it is one of these. A scheduler then finds the answer itself.
struct TermQuestion {
  Receiver* receiver = nullptr;        ///< does it hold `messages`?
  Transmitter* transmitter = nullptr;  ///< is there room for `messages` in all receivers behind it?
  std::size_t messages = 0;            ///< how many; with a receiver or transmitter
  /// Are ticks left? Never when it is not above 0. Whoever asks also counts it down, once in each
  /// tick, in the place of on_execute().
  std::int64_t* ticks_left = nullptr;
};

/// Decides when the codelets of its entity may tick.
class GXR_API SchedulingTerm : public Component {
 public:
  ~SchedulingTerm() override;

  /// May the entity tick at `now` (ns)? Called often; without lasting side effects.
  virtual Condition check(std::int64_t now) = 0;
  /// The entity ticked at `now`.
  virtual void on_execute(std::int64_t now);
  /// Names the events that can change the answer of check(). A term whose answer changes only by
  /// on_execute() or by time (WaitTime) names none.
  virtual void events(TermEvents& events) = 0;
  /// What check() asks, when it asks nothing else; schedulers then call neither check() nor
  /// on_execute(). Called after the parameters are set, possibly before initialize(); the answer
  /// stays true for the run. Terms that declare waits_for_messages() or waits_for_room() say the
  /// same here: CUDA graphs depend on it.
  virtual TermQuestion question();
  /// Why the entity waits now, for people: "0 of 1 message on rx/signal".
  [[nodiscard]] virtual std::string explain() const;
};

/// Takes some terms of its entity together in its own way; the result is one term among the rest.
/// The terms are asked, and told of executions, through the combiner only.
class GXR_API SchedulingTermCombiner : public Component {
 public:
  ~SchedulingTermCombiner() override;

  /// The terms that it takes together, of its own entity.
  [[nodiscard]] virtual std::vector<SchedulingTerm*> terms() const = 0;
  /// The answer that two answers give together. Without side effects.
  virtual Condition combine(const Condition& a, const Condition& b) const = 0;
};

/// Ready when one of its terms is: the earliest answer counts. Never only when all are Never (in
/// GXF one is enough).
class GXR_API OrSchedulingTermCombiner final : public SchedulingTermCombiner {
 public:
  ~OrSchedulingTermCombiner() override;
  void declare(Interface& interface) override;
  [[nodiscard]] std::vector<SchedulingTerm*> terms() const override;
  Condition combine(const Condition& a, const Condition& b) const override;

 private:
  Parameter<std::vector<Handle<SchedulingTerm>>> terms_;
};

/// Ready when `receiver` holds at least `min_size` messages.
class GXR_API MessageAvailableSchedulingTerm final : public SchedulingTerm {
 public:
  ~MessageAvailableSchedulingTerm() override;
  void declare(Interface& interface) override;
  void initialize() override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;
  TermQuestion question() override;
  [[nodiscard]] std::string explain() const override;

  /// Whose messages are counted.
  [[nodiscard]] Receiver& receiver() const { return *receiver_.get(); }
  /// How many messages are enough.
  [[nodiscard]] std::size_t min_size() const { return min_size_.get(); }
  /// Most messages on the main stage for which it is Ready; empty: no limit.
  [[nodiscard]] const std::optional<std::size_t>& front_stage_max_size() const {
    return front_stage_max_size_.try_get();
  }

 private:
  Parameter<Handle<Receiver>> receiver_;
  Parameter<std::uint64_t> min_size_;
  Parameter<std::size_t> front_stage_max_size_;
};

/// Ready when every receiver behind `transmitter` has room for `min_size` messages.
class GXR_API DownstreamReceptiveSchedulingTerm final : public SchedulingTerm {
 public:
  ~DownstreamReceptiveSchedulingTerm() override;
  void declare(Interface& interface) override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;
  TermQuestion question() override;
  [[nodiscard]] std::string explain() const override;

  /// Behind which there must be room.
  [[nodiscard]] Transmitter& transmitter() const { return *transmitter_.get(); }
  /// For how many messages there must be room.
  [[nodiscard]] std::size_t min_size() const { return min_size_.get(); }

 private:
  friend class EngineAccess;

  Parameter<Handle<Transmitter>> transmitter_;
  Parameter<std::uint64_t> min_size_;
};

/// Ready for `count` ticks, then Never.
class GXR_API CountSchedulingTerm final : public SchedulingTerm {
 public:
  ~CountSchedulingTerm() override;
  void declare(Interface& interface) override;
  void initialize() override;
  Condition check(std::int64_t now) override;
  void on_execute(std::int64_t now) override { --remaining_, static_cast<void>(now); }
  void events(TermEvents& events) override;
  TermQuestion question() override;

 private:
  Parameter<std::int64_t> count_;
  std::int64_t remaining_ = 0;
};

/// When the next tick is due.
enum class PeriodicSchedulingPolicy : std::uint8_t {
  CatchUpMissedTicks,    ///< a period after the last one was due: late ticks follow at once
  MinTimeBetweenTicks,   ///< a period after the last tick
  NoCatchUpMissedTicks,  ///< at the next multiple of the period: late ticks are left out
};
template <>
struct EnumNames<PeriodicSchedulingPolicy> {
  static constexpr std::pair<PeriodicSchedulingPolicy, const char*> values[] = {
      {PeriodicSchedulingPolicy::CatchUpMissedTicks, "CatchUpMissedTicks"},
      {PeriodicSchedulingPolicy::MinTimeBetweenTicks, "MinTimeBetweenTicks"},
      {PeriodicSchedulingPolicy::NoCatchUpMissedTicks, "NoCatchUpMissedTicks"},
  };
};

/// Ready once per period.
class GXR_API PeriodicSchedulingTerm final : public SchedulingTerm {
 public:
  ~PeriodicSchedulingTerm() override;
  void declare(Interface& interface) override;
  void initialize() override;
  Condition check(std::int64_t now) override;
  void on_execute(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

 private:
  Parameter<Duration> recess_period_;
  Parameter<PeriodicSchedulingPolicy> policy_;
  std::int64_t next_ = 0;
  bool started_ = false;
};

/// Ready while switched on, Never while switched off; a component that paces its entity can also
/// say from when on.
class GXR_API BooleanSchedulingTerm final : public SchedulingTerm {
 public:
  ~BooleanSchedulingTerm() override;
  void declare(Interface& interface) override;
  void initialize() override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;

  /// Callable from any thread, and before the run by components that are initialized earlier or
  /// later than the term: then the call counts, not the parameter.
  void enable_tick();
  /// Switches it off for good: the term answers Never. Any thread.
  void disable_tick();
  /// Switched on, but Ready only from `target` (ns of the scheduler's clock) on.
  void enable_tick_at(std::int64_t target);
  /// Is it switched on? Any thread.
  [[nodiscard]] bool tick_enabled() const noexcept {
    return enabled_.load(std::memory_order_acquire);
  }

 private:
  Parameter<bool> enable_tick_;
  bool told_ = true;  // by the parameter
  std::atomic<bool> enabled_{true};
  std::atomic<bool> decided_{false};  // by a call
  std::atomic<std::int64_t> target_{kAtOnce};

  static constexpr std::int64_t kAtOnce = std::numeric_limits<std::int64_t>::min();
  void set(bool enabled, std::int64_t target);
};

}  // namespace gxr
