#include "document/read_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <new>
#include <system_error>
#include <vector>

#include <sys/stat.h>

#include "document/utf8.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {

namespace {

std::string reason(int error) { return system_error_text(error); }

/// Why a file was not read.
struct ReadFailure {
  int error = 0;       ///< as errno has it; 0: nothing is wrong
  std::string reason;  ///< for a message
};

std::string bytes_text(std::size_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; }

ReadFailure read_to_end(std::FILE* file, std::size_t most_bytes, std::string& text) {
  std::array<char, std::size_t{8} * 1024> buffer;
  for (;;) {
    errno = 0;
    const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), file);
    if (size > most_bytes - text.size()) {
      return {EFBIG, "it has more than " + bytes_text(most_bytes)};
    }
    text.append(buffer.data(), size);
    if (size < buffer.size()) {
      const int error = std::ferror(file) != 0 ? errno : 0;
      return {error, reason(error)};
    }
  }
}

ReadFailure read_path(const std::string& path, const FileRules& rules, std::string& text) {
  OpenFile opened = rules.only_regular ? open_regular(path) : open_named(path);
  struct stat status {};
  if (opened && ::fstat(opened.descriptor(), &status) == 0 && S_ISREG(status.st_mode)) {
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > rules.most_bytes) {
      return {EFBIG, "it has more than " + bytes_text(rules.most_bytes)};
    }
    text.reserve(size);
  }
  const StdioFile stream = opened.stream("rb");
  return stream != nullptr ? read_to_end(stream.get(), rules.most_bytes, text)
                           : ReadFailure{opened.error(), opened.reason()};
}

/// A file of the same folder that `path` may mean: of the same ending or one of YAML, and with the
/// same stem or a similar one. The ending alone does not make names similar.
std::string similar_file(const std::string& path) {
  const std::filesystem::path wanted(path);
  const std::filesystem::path folder = wanted.has_parent_path() ? wanted.parent_path() : ".";
  std::map<std::string, std::string> names;  // by stem
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::filesystem::path file = it->path().filename();
    const std::filesystem::path ending = file.extension();
    if (ending == ".yaml" || ending == ".yml" || ending == wanted.extension()) {
      std::string& name = names[file.stem().string()];
      name = name.empty() ? file.string() : std::min(name, file.string());
    }
  }
  const std::string stem = wanted.stem().string();
  std::vector<std::string_view> stems;
  for (const auto& [candidate, name] : names) {
    stems.push_back(candidate);
  }
  const std::string meant = names.contains(stem) ? stem : did_you_mean(stem, stems);
  return meant.empty() ? meant : (wanted.parent_path() / names[meant]).string();
}

void report_missing(const std::string& path, const std::string& what, Location where,
                    Diagnostics& diagnostics) {
  const std::string similar = similar_file(path);
  diagnostics.add(DiagnosticCode::FileNotFound, where, 1,
                  what + " " + quote_text(path) + " does not exist",
                  similar.empty() ? "" : "did you mean " + quote_text(similar) + "?");
}

void report_failure(const std::string& path, const std::string& what, const ReadFailure& failure,
                    SourceMap& sources, Diagnostics& diagnostics) {
  const Location where{0, 0, sources.add({Source::Kind::File, path, {}})};
  if (failure.error == ENOENT || failure.error == ENOTDIR) {
    report_missing(path, what, where, diagnostics);
    return;
  }
  diagnostics.add(DiagnosticCode::FileUnreadable, where, 1,
                  "cannot read " + what + " " + quote_text(path) + ": " + failure.reason,
                  failure.error == EISDIR ? "name a file in that folder" : "");
}

void report_second_reading(const std::string& what, SourceMap& sources, Diagnostics& diagnostics) {
  const Location where{0, 0, sources.add({Source::Kind::File, "-", {}})};
  diagnostics.add(
      DiagnosticCode::FileUnreadable, where, 1,
      "cannot read " + what + " '-': standard input was read already, and can be read only once",
      "name '-' once, and files for the rest");
}

}  // namespace

bool has_standard_input(const SourceMap& sources) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources.at(static_cast<std::uint16_t>(i)).kind == Source::Kind::StandardInput) {
      return true;
    }
  }
  return false;
}

std::optional<std::string> read_file(const std::string& path, const std::string& what,
                                     const FileRules& rules, SourceMap& sources,
                                     Diagnostics& diagnostics) {
  if (path == "-" && has_standard_input(sources)) {
    report_second_reading(what, sources, diagnostics);
    return std::nullopt;
  }
  std::string text;
  ReadFailure failure;
  try {
    failure =
        path == "-" ? read_to_end(stdin, rules.most_bytes, text) : read_path(path, rules, text);
  } catch (const std::bad_alloc&) {
    throw no_memory_for(path, what);
  }
  if (failure.error != 0) {
    report_failure(path, what, failure, sources, diagnostics);
    return std::nullopt;
  }
  return text;
}

Error no_memory_for(const std::string& path, const std::string& what) {
  return {ErrorCode::OutOfMemory, "there is not enough memory to read " + what + " " +
                                      (path == "-" ? "'-'" : quote_text(path))};
}

}  // namespace gxr
