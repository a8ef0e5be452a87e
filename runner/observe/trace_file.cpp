#include "observe/trace_file.hpp"

#include <cerrno>
#include <chrono>
#include <ctime>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "observe/log.hpp"

namespace gxr {
namespace {

constexpr std::size_t kBuffer = 64 * 1024;

[[noreturn]] void throw_cannot_write(const std::string& file, const std::string& reason) {
  throw Error(ErrorCode::InputOutput, "cannot write the trace '" + file + "': " + reason);
}

[[noreturn]] void throw_cannot_write(const std::string& file, int error) {
  throw_cannot_write(file, system_error_text(error));
}

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

/// ns as the microseconds of the format, with three digits behind the point.
std::string microseconds(std::int64_t ns) {
  constexpr std::int64_t kNsPerUs = 1000;
  std::string fraction = std::to_string(std::abs(ns % kNsPerUs));
  fraction.insert(0, 3 - fraction.size(), '0');
  return (ns < 0 ? "-" : "") + std::to_string(std::abs(ns / kNsPerUs)) + "." + fraction;
}

/// Writes one time line. Texts go to the file in pieces of kBuffer.
class Writer {
 public:
  Writer(const TraceEvents& events, const std::string& file_name, std::FILE* file)
      : events_(events), file_name_(file_name), file_(file) {
    for (const std::string& name : events.names()) {
      names_.push_back(json_text(name));
    }
  }

  void write(const std::string& process) {
    put("{\"traceEvents\":[\n");
    metadata("process_name", 0, "\"name\":" + json_text(process));
    for (const TraceEvents::Track* track : events_.tracks()) {
      metadata("thread_name", track->number(), "\"name\":" + json_text(track->name()));
      metadata("thread_sort_index", track->number(),
               "\"sort_index\":" + std::to_string(track->number()));
    }
    for (const TraceEvents::Track* track : events_.tracks()) {
      track->each([&](const TraceEvents::Event& event) { complete(*track, event); });
    }
    put("\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"begin\":\"" +
        utc(events_.begin_of_day()) + "\",\"events\":" + std::to_string(written_) +
        ",\"events_left_out\":" + std::to_string(events_.left_out()) + "}}\n");
    flush();
  }
  [[nodiscard]] std::uint64_t written() const noexcept { return written_; }

 private:
  void metadata(const char* what, std::size_t track, const std::string& args) {
    put(std::exchange(separator_, ",\n"));
    put(std::string("{\"ph\":\"M\",\"pid\":1,\"tid\":") + std::to_string(track) +
        ",\"ts\":0,\"name\":\"" + what + "\",\"args\":{" + args + "}}");
  }

  void complete(const TraceEvents::Track& track, const TraceEvents::Event& event) {
    put(std::exchange(separator_, ",\n"));
    put("{\"ph\":\"X\",\"pid\":1,\"tid\":" + std::to_string(track.number()) + ",\"ts\":" +
        microseconds(event.begin - events_.begin()) + ",\"dur\":" + microseconds(event.duration) +
        ",\"name\":" + names_[event.name] + ",\"cat\":\"" + event.kind->category + "\",\"args\":{");
    if (event.kind->number != nullptr) {
      put(std::string("\"") + event.kind->number + "\":" + std::to_string(event.number));
    }
    if (event.text != 0) {
      put(event.kind->number != nullptr ? ",\"failure\":" : "\"failure\":");
      put(json_text(track.text(event.text)));
    }
    put("}}");
    ++written_;
  }

  void put(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kBuffer) {
      flush();
    }
  }
  void flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) {
      throw_cannot_write(file_name_, errno);
    }
    buffer_.clear();
  }

  const TraceEvents& events_;
  const std::string& file_name_;
  std::FILE* file_;
  std::vector<std::string> names_;  // as JSON
  std::string buffer_;
  const char* separator_ = "";
  std::uint64_t written_ = 0;
};

}  // namespace

TraceFile::TraceFile(std::string file, std::string process, std::uint64_t limit)
    : name_(std::move(file)), process_(std::move(process)), events_(limit) {
  OpenFile opened = open_to_write(name_, WriteMode::Anew);
  file_ = opened.stream("w");
  if (file_ == nullptr) {
    throw_cannot_write(name_, opened.reason());
  }
}

void TraceFile::write() {
  Writer writer(events_, name_, file_.get());
  writer.write(process_);
  if (std::fclose(file_.release()) != 0) {
    throw_cannot_write(name_, errno);
  }
  if (const std::uint64_t left_out = events_.left_out(); left_out > 0) {
    Log::write(LogLevel::Warn,
               "the trace '" + name_ + "' is full: " + std::to_string(writer.written()) +
                   " events are in it, " + std::to_string(left_out) + " were left out");
  }
}

}  // namespace gxr
