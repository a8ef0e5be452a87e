#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/clock.hpp"
#include "gxr/scheduling_term.hpp"

namespace gxr {

// Scheduling terms that ask for messages of several receivers, for messages or time, and for
// memory.

/// How messages on several receivers are counted.
enum class SamplingMode : std::uint8_t {
  SumOfAll,     ///< together
  PerReceiver,  ///< each receiver for itself
};
template <>
struct EnumNames<SamplingMode> {
  static constexpr std::pair<SamplingMode, const char*> values[] = {
      {SamplingMode::SumOfAll, "SumOfAll"},
      {SamplingMode::PerReceiver, "PerReceiver"},
  };
};

/// How many messages on some receivers are enough.
class GXR_API MessageThreshold {
 public:
  /// `min_sum` counts with SumOfAll, `min_sizes` with PerReceiver. Throws Error(InvalidParameter)
  /// when the one that counts is missing or has not one number for each receiver.
  void configure(const std::vector<Handle<Receiver>>& receivers, SamplingMode mode,
                 std::optional<std::size_t> min_sum,
                 const std::optional<std::vector<std::size_t>>& min_sizes);
  /// Are there enough messages?
  [[nodiscard]] bool reached() const;
  /// For SchedulingTerm::events(): names the messages of the receivers.
  void events(TermEvents& events) const;
  /// "waits for 3 messages on 'a/in' and 'b/in' together (have 1)"
  [[nodiscard]] std::string explain() const;

 private:
  std::vector<Receiver*> receivers_;
  std::vector<std::size_t> min_sizes_;  // one for each receiver; empty: they are summed
  std::size_t min_sum_ = 0;
};

/// READY when several receivers hold enough messages, together or each.
class GXR_API MultiMessageAvailableSchedulingTerm final : public SchedulingTerm {
 public:
  ~MultiMessageAvailableSchedulingTerm() override;
  void declare(Interface& interface) override;
  void initialize() override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

 private:
  Parameter<std::vector<Handle<Receiver>>> receivers_;
  Parameter<std::size_t> min_size_;
  Parameter<SamplingMode> sampling_mode_;
  Parameter<std::vector<std::size_t>> min_sizes_;
  Parameter<std::size_t> min_sum_;
  MessageThreshold threshold_;
};

/// READY when `receiver` holds a full batch, or when its oldest message has waited long enough.
class GXR_API ExpiringMessageAvailableSchedulingTerm final : public SchedulingTerm {
 public:
  ~ExpiringMessageAvailableSchedulingTerm() override;
  void declare(Interface& interface) override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

 private:
  Parameter<std::int64_t> max_batch_size_;
  Parameter<std::int64_t> max_delay_ns_;
  Parameter<Handle<Receiver>> receiver_;
  Parameter<Handle<Clock>> clock_;
};

/// READY when several receivers hold enough messages, and at least once in every period.
class GXR_API MessageAvailableFrequencyThrottler final : public SchedulingTerm {
 public:
  ~MessageAvailableFrequencyThrottler() override;
  void declare(Interface& interface) override;
  void initialize() override;
  Condition check(std::int64_t now) override;
  void on_execute(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

 private:
  Parameter<Duration> execution_frequency_;
  Parameter<std::vector<Handle<Receiver>>> receivers_;
  Parameter<SamplingMode> sampling_mode_;
  Parameter<std::vector<std::size_t>> min_sizes_;
  Parameter<std::size_t> min_sum_;
  MessageThreshold threshold_;
  std::int64_t next_ = 0;  // when it is ready without messages
};

/// READY while an allocator has enough free memory. The allocator tells when memory comes back.
class GXR_API MemoryAvailableSchedulingTerm final : public SchedulingTerm {
 public:
  ~MemoryAvailableSchedulingTerm() override;
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

 private:
  Parameter<Handle<Allocator>> allocator_;
  Parameter<std::uint64_t> min_bytes_;
  Parameter<std::uint64_t> min_blocks_;
  std::size_t needed_ = 0;  // bytes
};

}  // namespace gxr
