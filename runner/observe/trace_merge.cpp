#include "observe/trace_merge.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"
#include "observe/trace_frame.hpp"

namespace gxr {
namespace {

/// The end of a trace is no longer than this.
constexpr std::size_t kLongestEnd = 4096;
constexpr std::size_t kCopied = 1024UL * 1024;

[[noreturn]] void throw_errno(const char* what, const std::string& file, int error) {
  throw Error(ErrorCode::InputOutput, std::string("cannot ") + what + " the trace '" + file +
                                          "': " + system_error_text(error));
}

std::size_t read_at(int descriptor, std::span<char> room, std::uint64_t place,
                    const std::string& file) {
  std::size_t have = 0;
  while (have < room.size()) {
    const ssize_t got = ::pread(descriptor, room.data() + have, room.size() - have,
                                static_cast<off_t>(place + have));
    if (got < 0 && errno != EINTR) {
      throw_errno("read", file, errno);
    }
    if (got == 0) {
      break;
    }
    have += got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  return have;
}

void write_at(int descriptor, std::string_view text, std::uint64_t place, const std::string& file) {
  while (!text.empty()) {
    const ssize_t put = ::pwrite(descriptor, text.data(), text.size(), static_cast<off_t>(place));
    if (put < 0 && errno != EINTR) {
      throw_errno("write", file, errno);
    }
    if (put > 0) {
      text.remove_prefix(static_cast<std::size_t>(put));
      place += static_cast<std::uint64_t>(put);
    }
  }
}

/// A trace that is complete.
struct WholeTrace {
  std::string name;
  OpenFile file;
  std::uint64_t size = 0;
  std::uint64_t events_end = 0;  // its events are behind kTraceHead, up to here
  TraceFacts facts;
};

/// Nothing when it is no trace of gxr.
std::optional<WholeTrace> read_trace(const std::string& name, OpenFile file) {
  struct stat facts {};
  if (::fstat(file.descriptor(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return std::nullopt;
  }
  WholeTrace trace{name, std::move(file), static_cast<std::uint64_t>(facts.st_size), 0, {}};
  std::array<char, kTraceHead.size()> head{};
  const std::uint64_t end = trace.size - std::min<std::uint64_t>(trace.size, kLongestEnd);
  std::string last(trace.size - end, '\0');
  if (read_at(trace.file.descriptor(), head, 0, name) < head.size() ||
      std::string_view(head.data(), head.size()) != kTraceHead ||
      read_at(trace.file.descriptor(), last, end, name) < last.size()) {
    return std::nullopt;
  }
  const std::size_t tail = last.rfind(kTraceTail);
  if (tail == std::string::npos) {
    return std::nullopt;
  }
  trace.events_end = end + tail;
  try {
    const std::size_t begin = tail + kTraceTail.size();
    const auto told = nlohmann::json::parse(last.substr(begin, last.rfind('}') - begin));
    trace.facts = {told.at("begin").get<std::string>(), told.at("events").get<std::uint64_t>(),
                   told.at("events_left_out").get<std::uint64_t>()};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  return trace;
}

/// Writes the events of `from` at `place`; returns where they end.
std::uint64_t copy_events(const WholeTrace& from, const WholeTrace& to, std::uint64_t place) {
  write_at(to.file.descriptor(), ",", place++, to.name);
  std::string piece(kCopied, '\0');
  for (std::uint64_t at = kTraceHead.size(); at < from.events_end;) {
    const std::size_t wanted = std::min<std::uint64_t>(piece.size(), from.events_end - at);
    const std::size_t got =
        read_at(from.file.descriptor(), std::span(piece).first(wanted), at, from.name);
    if (got < wanted) {
      throw_errno("read", from.name, EIO);
    }
    write_at(to.file.descriptor(), std::string_view(piece).substr(0, got), place, to.name);
    at += got;
    place += got;
  }
  return place;
}

}  // namespace

std::string trace_tail(const TraceFacts& facts) {
  return std::string(kTraceTail) + "{\"begin\":\"" + facts.begin +
         "\",\"events\":" + std::to_string(facts.events) +
         ",\"events_left_out\":" + std::to_string(facts.left_out) + "}}\n";
}

std::vector<std::string> merge_traces(const std::string& trace,
                                      const std::vector<std::string>& others) {
  OpenFile opened = open_to_write(trace, WriteMode::Exist, true);
  if (!opened) {
    throw Error(ErrorCode::InputOutput,
                "cannot write the trace '" + trace + "': " + opened.reason());
  }
  const std::optional<WholeTrace> whole = read_trace(trace, std::move(opened));
  if (!whole) {
    throw Error(ErrorCode::InvalidData, "'" + trace + "' is no trace of gxr any more");
  }
  std::vector<std::string> left;
  std::vector<std::string> moved;
  TraceFacts facts = whole->facts;
  std::uint64_t place = whole->events_end;
  const int descriptor = whole->file.descriptor();
  try {
    for (const std::string& name : others) {
      OpenFile file = open_regular(name);
      const std::optional<WholeTrace> other =
          file ? read_trace(name, std::move(file)) : std::nullopt;
      if (!other || other->facts.begin != facts.begin) {
        left.push_back(name);
        continue;
      }
      place = copy_events(*other, *whole, place);
      facts.events += other->facts.events;
      facts.left_out += other->facts.left_out;
      write_at(descriptor, trace_tail(facts), place, trace);  // should this process be killed
      moved.push_back(name);
    }
  } catch (const Error&) {
    if (::ftruncate(descriptor, static_cast<off_t>(whole->events_end)) == 0) {
      write_at(descriptor, trace_tail(whole->facts), whole->events_end, trace);
    }
    throw;
  }
  for (const std::string& name : moved) {
    ::unlink(name.c_str());
  }
  return left;
}

}  // namespace gxr
