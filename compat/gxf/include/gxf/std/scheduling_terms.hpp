#pragma once

#include <cstddef>
#include <cstdint>
#include <set>

#include "gxf/core/parameter_parser_std.hpp"
#include "gxf/std/allocator.hpp"
#include "gxf/std/clock.hpp"
#include "gxf/std/receiver.hpp"
#include "gxf/std/scheduling_term.hpp"
#include "gxf/std/transmitter.hpp"

namespace gxr {

class SchedulingTerm;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// A scheduling term that gxr has itself.
class GXR_GXF_API NativeSchedulingTerm : public SchedulingTerm {
 public:
  explicit NativeSchedulingTerm(gxr::SchedulingTerm& term) noexcept : term_(term) {}
  ~NativeSchedulingTerm() override;
  gxf_result_t check_abi(std::int64_t timestamp, SchedulingConditionType* type,
                         std::int64_t* target_timestamp) const override;
  gxf_result_t onExecute_abi(std::int64_t timestamp) override;

 protected:
  gxr::SchedulingTerm& term() const noexcept { return term_; }

 private:
  gxr::SchedulingTerm& term_;
};

/// Ready while it is switched on. Any thread.
class GXR_GXF_API BooleanSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~BooleanSchedulingTerm() override;
  Expected<void> enable_tick();
  /// For good: the entity has finished.
  Expected<void> disable_tick();
  bool checkTickEnabled() const;
};

enum class AsynchronousEventState {
  READY = 0,
  WAIT = 1,
  EVENT_WAITING = 2,
  EVENT_DONE = 3,
  EVENT_NEVER = 4,
};

/// Waits for something outside the application. Any thread.
class GXR_GXF_API AsynchronousSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~AsynchronousSchedulingTerm() override;
  void setEventState(AsynchronousEventState state);
  AsynchronousEventState getEventState() const;
};

/// Ticks at times that somebody sets.
class GXR_GXF_API TargetTimeSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~TargetTimeSchedulingTerm() override;
  gxf_result_t setNextTargetTime(std::int64_t target_timestamp);
};

enum class PeriodicSchedulingPolicy : std::int32_t {
  kCatchUpMissedTicks = 0,
  kMinTimeBetweenTicks = 1,
  kNoCatchUpMissedTicks = 2,
};

class GXR_GXF_API PeriodicSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~PeriodicSchedulingTerm() override;
};

/// Sets the condition that a behaviour tree's node waits for.
class GXR_GXF_API BTSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~BTSchedulingTerm() override;
  gxf_result_t set_condition(SchedulingConditionType type);
};

enum struct SamplingMode { kSumOfAll = 0, kPerReceiver = 1 };

// These have nothing that sources call; handles may name them.
class GXR_GXF_API MessageAvailableSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~MessageAvailableSchedulingTerm() override;
};
class GXR_GXF_API MultiMessageAvailableSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~MultiMessageAvailableSchedulingTerm() override;
};
class GXR_GXF_API DownstreamReceptiveSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~DownstreamReceptiveSchedulingTerm() override;
};
class GXR_GXF_API CountSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~CountSchedulingTerm() override;
};
class GXR_GXF_API ExpiringMessageAvailableSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~ExpiringMessageAvailableSchedulingTerm() override;
};
class GXR_GXF_API MessageAvailableFrequencyThrottler : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~MessageAvailableFrequencyThrottler() override;
};
class GXR_GXF_API MemoryAvailableSchedulingTerm : public NativeSchedulingTerm {
 public:
  using NativeSchedulingTerm::NativeSchedulingTerm;
  ~MemoryAvailableSchedulingTerm() override;
};

}  // namespace gxf
}  // namespace nvidia
