#pragma once

#include <cstdint>
#include <optional>

#include "gxr/gxr.hpp"
#include "serialization/playback.hpp"
#include "serialization/playback_parameters.hpp"

namespace gxr::stream_playback {

/// Publishes the messages of a recording at its own pace or at a fixed rate. A tick never sleeps:
/// it tells the boolean term of its entity from when on the next tick may come, so the scheduler's
/// clock is the pace (a ManualClock takes no real time).
class VideoStreamReplayer final : public Codelet, public KnownLength {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;
  void deinitialize() override;
  [[nodiscard]] std::optional<std::uint64_t> ticks_in_run() const override;

 private:
  /// Goes to the next record; false when there is none.
  [[nodiscard]] bool find_next();
  /// When the next record is due, from the one before. Called once for each record but the first.
  [[nodiscard]] std::int64_t advance_to_next();
  void announce(std::int64_t wait, std::int64_t gap);
  void rewind();
  void plan_next();

  serialization::PlaybackParameters parameters_;
  Parameter<float> frame_rate_;
  Parameter<bool> realtime_;
  Parameter<bool> repeat_;
  Parameter<std::uint64_t> count_;
  Parameter<Duration> max_gap_;
  serialization::Playback playback_{*this};

  std::uint64_t published_ = 0;
  std::uint64_t taken_ = 0;      // index records, over all repetitions
  std::int64_t start_ = 0;       // clock time of the first record of this repetition
  std::uint64_t first_log_ = 0;  // its log time
  std::int64_t last_planned_ = 0;
  std::uint64_t last_log_ = 0;  // of the record before
  std::int64_t last_wait_ = 0;  // for the record before
};

}  // namespace gxr::stream_playback
