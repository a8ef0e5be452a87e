#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gxr/open_file.hpp"
#include "observe/growing_file.hpp"
#include "observe/trace_events.hpp"

namespace gxr {

/// Takes the events of a time line and writes them to a file as JSON, in pieces. One thread at a
/// time.
class TraceWriter {
 public:
  /// `events` must outlive this. Precondition: the file is open and empty.
  /// The process is called `name`, and `number` is its "pid".
  TraceWriter(TraceEvents& events, OpenFile file, std::string_view name, std::uint32_t number);

  /// Writes what has ended since the last piece. See error().
  void add_piece() noexcept;
  /// Writes the rest and closes the file. See error().
  void finish() noexcept;

  /// As errno has it; 0: none. Nothing is written any more after an error, but events are still
  /// taken.
  [[nodiscard]] int error() const noexcept { return error_; }
  /// Slices in the file, without those that have not ended.
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }

 private:
  using Track = TraceEvents::Track;
  using Event = TraceEvents::Event;

  /// Slices that the file has in its end only, until the next piece.
  struct LeftSlices {
    std::string text;
    std::uint64_t closed = 0;
  };

  void take_all();
  void take_from(Track& track);
  void add(const Track& track, const Event& event);
  bool add_slice(std::string& text, const Track& track, const Event& event);
  void add_arrow(const Track& track, const Event& event);
  void add_gap(const Track& track, const Event& event);
  void add_counter(std::size_t track, std::int64_t time, TraceEvents::Name name,
                   std::int64_t value);
  void add_head(std::string& text, char form, std::size_t track, std::int64_t time,
                TraceEvents::Name name, std::int64_t duration = Event::kGoesOn);
  void add_metadata(const char* what, std::size_t track, std::string_view arguments);
  void add_new_tracks(const std::vector<Track*>& tracks);
  void add_hidden_values();
  [[nodiscard]] LeftSlices left_slices();
  [[nodiscard]] std::string end(std::uint64_t closed) const;
  void flush(const LeftSlices& left);
  [[nodiscard]] const std::string& name(TraceEvents::Name number);

  TraceEvents& events_;
  GrowingFile file_;
  const std::uint64_t number_;  // of the process
  int error_ = 0;
  std::string piece_;               // is written next
  std::string last_end_;            // that was written
  std::vector<std::string> names_;  // as JSON
  std::size_t tracks_ = 0;          // of which the file has the names
  std::uint64_t written_ = 0;
  std::uint64_t arrows_ = 0;
};

}  // namespace gxr
