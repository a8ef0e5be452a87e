#include "registry/python_error.hpp"

#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "document/read_file.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

/// Sources of one error, each file once.
class PythonSources {
 public:
  PythonSources(const PythonMention& mention, SourceMap& sources)
      : mention_(mention), sources_(sources) {}

  /// The begin of the line's code, and the length to mark. Unknown when the file cannot be read.
  Diagnostic place_of(const PythonProblem& problem);

 private:
  std::optional<std::uint16_t> source_of(const std::string& file);

  const PythonMention& mention_;
  SourceMap& sources_;
  std::map<std::string, std::optional<std::uint16_t>> known_;
};

/// The name by which the user knows the file.
std::string name_of(const std::string& file, const PythonMention& mention) {
  std::error_code ignored;
  return fs::equivalent(file, mention.path, ignored) ? mention.path.string() : file;
}

std::optional<std::string> text_of(const std::string& file) {
  constexpr FileRules kFileRules{.only_regular = true, .most_bytes = std::size_t{4} << 20U};
  SourceMap unused;
  Diagnostics ignored;
  return read_file(file, "Python file", kFileRules, unused, ignored);
}

std::optional<std::uint16_t> PythonSources::source_of(const std::string& file) {
  const auto [found, fresh] = known_.try_emplace(file);
  if (fresh && !file.empty()) {
    if (std::optional<std::string> text = text_of(file)) {
      found->second = sources_.add({Source::Kind::File, name_of(file, mention_), *std::move(text)});
    }
  }
  return found->second;
}

Diagnostic PythonSources::place_of(const PythonProblem& problem) {
  Diagnostic place{DiagnosticCode::PythonModule, Severity::Error, {}, {}, 1, {}, {}};
  const std::optional<std::uint16_t> source = source_of(problem.file);
  if (!source) {
    return place;
  }
  place.where = {problem.line, problem.line == 0 ? 0U : 1U, *source};
  std::string_view line = sources_.line(*source, problem.line);
  if (const std::size_t begin = line.find_first_not_of(" \t"); begin != std::string_view::npos) {
    line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    place.where.column = static_cast<std::uint32_t>(begin + 1);
    place.length = static_cast<std::uint32_t>(count_characters(line));
  }
  return place;
}

bool is_of_file(Location where) { return where.source != 0; }

}  // namespace

void report_python_error(const PythonError& error, const PythonMention& mention, SourceMap& sources,
                         Diagnostics& diagnostics) {
  std::vector<PythonProblem> problems = error.problems;
  if (problems.empty()) {
    problems.push_back({{}, 0, error.message(), error.hint});
  }
  std::string output = error.output;
  PythonSources files(mention, sources);
  for (PythonProblem& problem : problems) {
    const Diagnostic place = files.place_of(problem);
    const bool is_in_file = is_of_file(place.where);
    Diagnostic& added = diagnostics.add(error.diagnostic, is_in_file ? place.where : mention.where,
                                        is_in_file ? place.length : mention.length,
                                        std::move(problem.text), std::move(problem.hint));
    if (is_in_file && is_of_file(mention.where)) {
      added.related.push_back({mention.where, "the extension is named here"});
    }
    if (!output.empty()) {
      added.related.push_back({{}, "Python wrote:\n" + std::exchange(output, {})});
    }
  }
}

}  // namespace gxr
