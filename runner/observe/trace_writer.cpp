#include "observe/trace_writer.hpp"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <utility>

#include <nlohmann/json.hpp>

#include "observe/trace_frame.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

constexpr std::size_t kPiece = 64 * 1024;
/// Slices of a track that go on contain each other, which is rare.
constexpr std::size_t kMostOpen = 16;
/// Numbers of arrows are unique over all processes, and no larger than JavaScript's.
constexpr unsigned kArrowBits = 36;

/// With quotes; invalid UTF-8 is replaced.
std::string json_text(std::string_view text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// "2026-01-31T12:30:01.250000000Z"
std::string utc(std::chrono::system_clock::time_point time) {
  const auto second = std::chrono::floor<std::chrono::seconds>(time);
  const std::time_t seconds = std::chrono::system_clock::to_time_t(second);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[48];
  const std::size_t length = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
  const std::int64_t ns = std::chrono::nanoseconds(time - second).count();
  std::string fraction = std::to_string(ns);
  fraction.insert(0, 9 - fraction.size(), '0');
  return std::string(text, length) + "." + fraction + "Z";
}

template <class Number>
void append_number(std::string& text, Number number) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof(digits), number);
  text.append(digits, static_cast<std::size_t>(end - digits));
}

/// ns as the microseconds of the format, with three digits behind the point.
void append_microseconds(std::string& text, std::int64_t ns) {
  constexpr std::int64_t kNsPerUs = 1000;
  if (ns < 0) {
    text += '-';
  }
  append_number(text, std::abs(ns / kNsPerUs));
  const auto rest = static_cast<int>(std::abs(ns % kNsPerUs));
  const char fraction[] = {'.', static_cast<char>('0' + rest / 100),
                           static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10)};
  text.append(fraction, sizeof(fraction));
}

}  // namespace

TraceWriter::TraceWriter(TraceEvents& events, OpenFile file, std::string_view name,
                         std::uint32_t number)
    : events_(events), file_(std::move(file)), number_(number) {
  piece_ = kTraceHead;
  add_metadata("process_name", 0, "\"name\":" + json_text(name));
}

void TraceWriter::add_piece() noexcept {
  try {
    take_all();
    add_hidden_values();
    flush(left_slices());
  } catch (const std::exception&) {
    error_ = ENOMEM;
  }
}

void TraceWriter::finish() noexcept {
  try {
    take_all();
    add_hidden_values();
    const LeftSlices left = left_slices();
    const std::string last = left.text + end(left.closed);
    if (error_ == 0) {
      error_ = file_.finish(std::exchange(piece_, {}), last);
    }
  } catch (const std::exception&) {
    error_ = ENOMEM;
  }
}

void TraceWriter::take_all() {
  const std::vector<Track*> tracks = events_.tracks();
  add_new_tracks(tracks);
  for (Track* track : tracks) {
    take_from(*track);
  }
}

void TraceWriter::take_from(Track& track) {
  track.take([&](const Event& event) {
    add(track, event);
    if (piece_.size() >= kPiece) {
      flush({});
    }
  });
}

void TraceWriter::add_new_tracks(const std::vector<Track*>& tracks) {
  for (; tracks_ < tracks.size(); ++tracks_) {
    const Track& track = *tracks[tracks_];
    add_metadata("thread_name", track.number(), "\"name\":" + json_text(track.name()));
    add_metadata("thread_sort_index", track.number(),
                 "\"sort_index\":" + std::to_string(track.number()));
  }
}

void TraceWriter::add_metadata(const char* what, std::size_t track, std::string_view arguments) {
  piece_ += piece_.ends_with('[') ? "\n" : ",\n";
  piece_ += "{\"ph\":\"M\",\"pid\":" + std::to_string(number_) +
            ",\"tid\":" + std::to_string(track) + ",\"ts\":0,\"name\":\"" + what + "\",\"args\":{";
  piece_ += arguments;
  piece_ += "}}";
}

void TraceWriter::add(const Track& track, const Event& event) {
  switch (event.kind->form) {
    case TraceKind::Form::Slice:
      add_slice(piece_, track, event);
      ++written_;
      break;
    case TraceKind::Form::Arrow:
      add_arrow(track, event);
      break;
    case TraceKind::Form::Counter:
      add_counter(track.number(), event.begin, event.name, event.number);
      break;
    case TraceKind::Form::Gap:
      add_gap(track, event);
      break;
  }
}

/// Up to the name, with a comma in front. An event that goes on, or has none, gets no duration.
void TraceWriter::add_head(std::string& text, char form, std::size_t track, std::int64_t time,
                           TraceEvents::Name name, std::int64_t duration) {
  text += ",\n{\"ph\":\"";
  text += form;
  text += "\",\"pid\":";
  append_number(text, number_);
  text += ",\"tid\":";
  append_number(text, track);
  text += ",\"ts\":";
  append_microseconds(text, time - events_.begin());
  if (duration != Event::kGoesOn) {
    text += ",\"dur\":";
    append_microseconds(text, duration);
  }
  text += ",\"name\":";
  text += this->name(name);
}

/// One that goes on has a begin alone; true: it does not.
bool TraceWriter::add_slice(std::string& text, const Track& track, const Event& event) {
  const std::int64_t duration = event.duration.load(std::memory_order_acquire);
  const bool goes_on = duration == Event::kGoesOn;
  add_head(text, goes_on ? 'B' : 'X', track.number(), event.begin, event.name, duration);
  text += ",\"cat\":\"";
  text += event.kind->category;
  text += "\",\"args\":{";
  if (event.kind->number != nullptr) {
    text += '"';
    text += event.kind->number;
    text += "\":";
    append_number(text, event.number);
  }
  if (!goes_on && event.text != nullptr) {
    text += event.kind->number != nullptr ? ",\"failure\":" : "\"failure\":";
    text += json_text(*event.text);
  }
  text += "}}";
  return !goes_on;
}

/// The beginning and the end, which viewers join by their number.
void TraceWriter::add_arrow(const Track& track, const Event& event) {
  ++arrows_;
  for (const char form : {'s', 'f'}) {
    const bool begins = form == 's';
    add_head(piece_, form, begins ? event.from : track.number(),
             begins ? event.number : event.begin, event.name);
    piece_ += begins ? ",\"cat\":\"" : ",\"bp\":\"e\",\"cat\":\"";
    piece_ += event.kind->category;
    piece_ += "\",\"id\":";
    append_number(piece_, (number_ << kArrowBits) + arrows_);
    piece_ += '}';
  }
}

void TraceWriter::add_counter(std::size_t track, std::int64_t time, TraceEvents::Name name,
                              std::int64_t value) {
  add_head(piece_, 'C', track, time, name);
  piece_ += ",\"args\":{\"messages\":";
  append_number(piece_, value);
  piece_ += "}}";
}

void TraceWriter::add_gap(const Track& track, const Event& event) {
  add_head(piece_, 'i', track.number(), event.begin, event.name);
  piece_ += ",\"s\":\"t\",\"args\":{\"";
  piece_ += event.kind->number;
  piece_ += "\":";
  append_number(piece_, event.number);
  piece_ += "}}";
}

/// Of counters whose last changes were too many to be shown.
void TraceWriter::add_hidden_values() {
  const std::int64_t now = steady_now();
  for (TraceEvents::Counter* counter : events_.counters()) {
    if (std::int64_t value = 0; counter->is_behind(value)) {
      add_counter(counter->track(), now, counter->name(), value);
    }
  }
}

/// What a killed process was in, and what has ended since its track was read, for the end of the
/// file.
TraceWriter::LeftSlices TraceWriter::left_slices() {
  LeftSlices left;
  for (const Track* track : events_.tracks()) {
    track->each(
        [&](const Event& event) {
          if (track->number() <= tracks_ && event.kind->form == TraceKind::Form::Slice &&
              add_slice(left.text, *track, event)) {
            ++left.closed;
          }
        },
        kMostOpen);
  }
  return left;
}

std::string TraceWriter::end(std::uint64_t closed) const {
  return trace_tail({utc(events_.begin_of_day()), written_ + closed, events_.left_out()});
}

void TraceWriter::flush(const LeftSlices& left) {
  std::string last = left.text + end(left.closed);
  if (error_ == 0 && (!piece_.empty() || last != last_end_)) {
    error_ = file_.add(piece_, last);
    last_end_ = std::move(last);
  }
  piece_.clear();
}

const std::string& TraceWriter::name(TraceEvents::Name number) {
  if (number >= names_.size()) {
    for (const std::string& added : events_.names(names_.size())) {
      names_.push_back(json_text(added));
    }
  }
  return names_[number];
}

}  // namespace gxr
