#include "control/watched_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include "document/number_text.hpp"
#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "observe/log.hpp"

namespace gxr {
namespace {

constexpr std::uint32_t kWritten = IN_CLOSE_WRITE | IN_MOVED_TO;
/// A new regular file is read after it was written; anything else is reported at once.
constexpr std::uint32_t kMade = IN_CREATE;
constexpr std::uint32_t kFolderGone = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED;

std::string address_text(const Override& setting) {
  return setting.entity + "/" + (setting.component.empty() ? "" : setting.component + "/") +
         setting.parameter;
}

/// At most `most` lines of a text, and how many more there are.
void warn_lines(std::string_view text, std::size_t most) {
  for (std::size_t line = 0; !text.empty(); ++line) {
    if (line == most) {
      const auto left = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
      Log::write(LogLevel::Warn, counted(left, "more line is", "more lines are") +
                                     " not shown; --max-diagnostics 0 shows all");
      return;
    }
    const std::size_t end = std::min(text.find('\n'), text.size());
    Log::write(LogLevel::Warn, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// True, too, when the path does not exist any more.
bool is_regular(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

/// Editors that replace a file may take it away first.
bool is_missing(const Diagnostics& diagnostics) {
  return !diagnostics.all().empty() &&
         diagnostics.all().front().code == DiagnosticCode::FileNotFound;
}

}  // namespace

void add_watched_file(const std::string& path, Document& document, Diagnostics& diagnostics) {
  const std::size_t before = document.parts().size();
  document.add_watched_file(path, diagnostics);
  for (std::size_t i = before; i < document.parts().size(); ++i) {
    diagnostics.add(DiagnosticCode::ParameterFile, *document.parts()[i].root,
                    "this document is an entity, which a watched parameter file cannot have",
                    "write ENTITY/COMPONENT/PARAMETER or ENTITY/PARAMETER and values");
  }
}

WatchedFile::WatchedFile(std::string path, std::size_t most_problems)
    : path_(std::move(path)),
      most_problems_(most_problems == 0 ? std::numeric_limits<std::size_t>::max() : most_problems) {
  const std::filesystem::path file(path_);
  name_ = file.filename().string();
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  events_ = FileDescriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!events_.is_open() || ::inotify_add_watch(events_.get(), folder.c_str(),
                                                kWritten | kMade | kFolderGone | IN_ONLYDIR) < 0) {
    throw Error(ErrorCode::InputOutput,
                "cannot watch folder " + quote_text(folder) + ": " + system_error_text(errno));
  }
}

WatchedFile::Event WatchedFile::take() const {
  alignas(inotify_event) std::array<char, 4096> buffer;
  Event found = Event::Nothing;
  for (;;) {
    const ssize_t size = ::read(events_.get(), buffer.data(), buffer.size());
    if (size <= 0) {
      return found;
    }
    for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
      const auto& event = *reinterpret_cast<const inotify_event*>(buffer.data() + at);
      at += sizeof(event) + event.len;
      if ((event.mask & kFolderGone) != 0) {
        return Event::FolderGone;
      }
      if ((event.mask & kMade) != 0 && is_regular(path_)) {
        continue;
      }
      // Too many events at once: this one may be among those that were dropped.
      if ((event.mask & IN_Q_OVERFLOW) != 0 || (event.len > 0 && name_ == event.name)) {
        found = Event::Written;
      }
    }
  }
}

ParameterWatcher::ParameterWatcher(const WatchedFile& file, const Document& read,
                                   LiveChanges& changes)
    : file_(file),
      changes_(changes),
      values_(values_in(read)),
      thread_("the thread that watches " + quote_text(file.path()),
              [this](int stop) { watch(stop); }) {}

ParameterWatcher::Values ParameterWatcher::values_in(const Document& document) const {
  Values values;
  for (const Override& setting : document.overrides()) {
    if (document.sources().at(setting.where.source).name == file_.path()) {
      values[{setting.entity, setting.component, setting.parameter}] = setting.value->to_yaml();
    }
  }
  return values;
}

void ParameterWatcher::watch(int stop) {
  read_again();  // it may have changed before it was watched
  std::array<pollfd, 2> events = {{{stop, POLLIN, 0}, {file_.descriptor(), POLLIN, 0}}};
  for (;;) {
    static_cast<void>(::poll(events.data(), events.size(), -1));
    if (events[0].revents != 0) {
      return;
    }
    switch (file_.take()) {
      case WatchedFile::Event::Nothing:
        break;
      case WatchedFile::Event::Written:
        read_again();
        break;
      case WatchedFile::Event::FolderGone:
        Log::write(LogLevel::Warn, file_.path() + ": its folder has gone; not watched any more");
        events[1].fd = -1;  // poll() passes over it
        break;
    }
  }
}

void ParameterWatcher::read_again() {
  try {
    Document document;
    Diagnostics diagnostics;
    add_watched_file(file_.path(), document, diagnostics);
    if (is_missing(diagnostics)) {
      return;
    }
    const Values values = values_in(document);
    std::erase_if(document.overrides(), [&](const Override& setting) {
      const Address address{setting.entity, setting.component, setting.parameter};
      const auto known = values_.find(address);
      return known != values_.end() && known->second == values.at(address);
    });
    if (!document.overrides().empty() || diagnostics.errors() > 0) {
      set(document, diagnostics);
    }
    for (const auto& [address, value] : values) {
      values_[address] = value;
    }
    problems_.clear();
  } catch (const std::exception& error) {
    if (!changes_.has_ended()) {
      refuse(error.what());
    }
  }
}

void ParameterWatcher::set(Document& document, Diagnostics& diagnostics) {
  changes_.set(document, diagnostics);
  std::string names;
  for (const Override& setting : document.overrides()) {
    names += (names.empty() ? "" : ", ") + address_text(setting);
  }
  Log::write(LogLevel::Info, file_.path() + ": set " + names);
}

/// Once, however often the file is written as it is.
void ParameterWatcher::refuse(const std::string& problems) {
  if (std::exchange(problems_, problems) != problems) {
    warn_lines(problems, file_.most_problems());
    Log::write(LogLevel::Warn, file_.path() + ": nothing is set, the values before stay");
  }
}

}  // namespace gxr
