#include "document/read_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "document/utf8.hpp"

namespace gxr {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

std::string reason(int error) { return std::generic_category().message(error); }

/// errno, or 0 when everything was read.
int read_to_end(std::FILE* file, std::string& text) {
  std::array<char, std::size_t{64} * 1024> buffer;
  for (;;) {
    errno = 0;
    const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), file);
    text.append(buffer.data(), size);
    if (size < buffer.size()) {
      return std::ferror(file) != 0 ? errno : 0;
    }
  }
}

int read_path(const std::string& path, std::string& text) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rbe"));
  if (!file) {
    return errno;
  }
  std::error_code ignored;
  const std::uintmax_t size = std::filesystem::file_size(path, ignored);
  if (!ignored) {
    text.reserve(size);
  }
  return read_to_end(file.get(), text);
}

/// A file of the same folder whose name is like that of `path`.
std::string similar_file(const std::string& path) {
  const std::filesystem::path wanted(path);
  const std::filesystem::path folder = wanted.has_parent_path() ? wanted.parent_path() : ".";
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string name = did_you_mean(wanted.filename().string(), candidates);
  return name.empty() ? name : (wanted.parent_path() / name).string();
}

void report_missing(const std::string& path, const std::string& what, Location where,
                    Diagnostics& diagnostics) {
  const std::string similar = similar_file(path);
  diagnostics.add(DiagnosticCode::FileNotFound, where, 1,
                  what + " " + quote_text(path) + " does not exist",
                  similar.empty() ? "" : "did you mean " + quote_text(similar) + "?");
}

void report_failure(const std::string& path, const std::string& what, int error, SourceMap& sources,
                    Diagnostics& diagnostics) {
  const Location where{0, 0, sources.add({Source::Kind::File, path, {}})};
  if (error == ENOENT || error == ENOTDIR) {
    report_missing(path, what, where, diagnostics);
    return;
  }
  diagnostics.add(DiagnosticCode::FileUnreadable, where, 1,
                  "cannot read " + what + " " + quote_text(path) + ": " + reason(error),
                  error == EISDIR ? "name a file in that folder" : "");
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
                                     SourceMap& sources, Diagnostics& diagnostics) {
  if (path == "-" && has_standard_input(sources)) {
    report_second_reading(what, sources, diagnostics);
    return std::nullopt;
  }
  std::string text;
  const int error = path == "-" ? read_to_end(stdin, text) : read_path(path, text);
  if (error != 0) {
    report_failure(path, what, error, sources, diagnostics);
    return std::nullopt;
  }
  return text;
}

}  // namespace gxr
