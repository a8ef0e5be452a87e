#include "registry/python_extension.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "document/classic_locale.hpp"
#include "document/foreign_json.hpp"
#include "document/utf8.hpp"
#include "gxr/open_file.hpp"
#include "gxr/plain_text.hpp"
#include "gxr/version.hpp"
#include "registry/child_process.hpp"
#include "registry/declaration.hpp"
#include "registry/file_stamp.hpp"
#include "registry/python_cache.hpp"
#include "registry/python_error.hpp"
#include "registry/python_host.hpp"
#include "registry/python_interpreter.hpp"
#include "registry/type_json.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

/// The types are in a map.
constexpr JsonLimits kAnswerLimits{.most_bytes = kMostBytesOfTypes, .deepest = kDeepestTypes + 1};
constexpr std::size_t kMostErrorLines = 20;
constexpr double kUsualSeconds = 30;

/// The file, and the interpreter that reads it.
struct Place {
  fs::path written;  ///< as the user wrote it
  fs::path file;     ///< canonical
  fs::path python;
};

PythonError module_error(const Place& place, const std::string& what, std::string hint = {}) {
  return {DiagnosticCode::PythonModule, ErrorCode::InvalidData,
          quote_text(place.written.string()) + " " + what, std::move(hint)};
}

std::string own_version() {
  return std::to_string(kSdkVersionMajor) + "." + std::to_string(kSdkVersionMinor) + "." +
         std::to_string(kSdkVersionPatch);
}

/// A word for a command line that a user may copy.
std::string command_word(const fs::path& path) {
  const std::string text = path.string();
  if (text.find_first_of(" '\"\\$`&;()<>|*?[]#~!") == std::string::npos) {
    return text;
  }
  std::string word = "'";
  for (const char c : text) {
    word += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return word + "'";
}

// --- the process -------------------------------------------------------------------------------

std::chrono::nanoseconds time_limit() {
  const char* const value = std::getenv("GXR_PYTHON_TIMEOUT");
  if (value == nullptr || *value == '\0') {
    return std::chrono::seconds(static_cast<int>(kUsualSeconds));
  }
  const std::string_view text(value);
  double seconds = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !(seconds > 0) ||
      seconds > 1e6) {
    throw PythonError(
        DiagnosticCode::PythonModule, ErrorCode::InvalidArgument,
        "GXR_PYTHON_TIMEOUT must be a number of seconds greater than 0, not " + quote_text(text));
  }
  return std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

/// The last lines of a text, for a terminal.
std::string last_lines(std::string_view text) {
  while (!text.empty() && text.back() == '\n') {
    text.remove_suffix(1);
  }
  std::size_t begin = text.size();
  for (std::size_t i = 0; i < kMostErrorLines && begin != std::string_view::npos; ++i) {
    begin = begin == 0 ? std::string_view::npos : text.rfind('\n', begin - 1);
  }
  return printable_lines(begin == std::string_view::npos ? text : text.substr(begin + 1), "");
}

/// Python itself found no module `gxr.declare`: it has run nothing, and said so last.
bool lacks_package(const ProcessEnd& end) {
  const std::string line = end.errors.substr(end.errors.rfind('\n', end.errors.size() - 2) + 1);
  return end.reason == ProcessEnd::Reason::Exited && end.status == 1 && end.output.empty() &&
         (line.find("No module named 'gxr'") != std::string::npos ||
          line.find("No module named gxr") != std::string::npos);
}

[[noreturn]] void throw_package_missing(const Place& place) {
  throw PythonError(DiagnosticCode::PythonPackage, ErrorCode::NotFound,
                    "the Python interpreter " + quote_text(place.python.string()) +
                        " has no package gxr, which " + quote_text(place.written.string()) +
                        " needs",
                    "run " + command_word(place.python) +
                        " -m pip install gxr, or set GXR_PYTHON to an interpreter that has it");
}

ProcessEnd ask_python(const Place& place) {
  ProcessLimits limits{time_limit(), kAnswerLimits.most_bytes};
  if (const PythonHost* const host = python_host()) {
    limits.is_interrupted = host->is_interrupted;
  }
  try {
    return run_child_process({place.python.string(), "-m", "gxr.declare", place.file.string()},
                             limits);
  } catch (const Error& error) {
    throw PythonError(DiagnosticCode::PythonPackage, error.code(), error.message(),
                      "set GXR_PYTHON to a Python interpreter that has the package gxr");
  }
}

/// How it ended, but for an answer.
std::string end_text(const ProcessEnd& end) {
  switch (end.reason) {
    case ProcessEnd::Reason::TooLong:
      return "was not read within " +
             general_text(std::chrono::duration<double>(time_limit()).count()) +
             " s, and Python was killed";
    case ProcessEnd::Reason::TooLarge:
      return "declares more than " + std::to_string(kAnswerLimits.most_bytes >> 20U) +
             " MiB, and Python was killed";
    case ProcessEnd::Reason::Signal:
      return "cannot be used: signal " + std::to_string(end.status) +
             " ended Python while it was read";
    case ProcessEnd::Reason::Exited:
      break;
  }
  return "cannot be used: Python ended with exit code " + std::to_string(end.status) +
         (end.output.empty() ? " and declared nothing" : "");
}

std::string end_hint(const ProcessEnd& end) {
  return end.reason == ProcessEnd::Reason::TooLong
             ? "importing a module should only define things; GXR_PYTHON_TIMEOUT=SECONDS gives it "
               "more time"
             : "";
}

// --- the answer --------------------------------------------------------------------------------

std::string text_in(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// One line that a terminal does not obey.
std::string line_in(const nlohmann::json& json, const char* key) {
  std::string text = text_in(json, key);
  if (printable(text) != text) {
    throw Error(ErrorCode::InvalidData, std::string("its ") + key + " is " + quote_text(text));
  }
  return text;
}

PythonProblem problem_in(const nlohmann::json& json) {
  if (!json.is_object()) {
    throw Error(ErrorCode::InvalidData, "an error is no map");
  }
  PythonProblem problem{text_in(json, "file"), 0, printable_lines(text_in(json, "text"), ""),
                        printable_lines(text_in(json, "hint"), "")};
  if (const auto line = json.find("line"); line != json.end() && line->is_number_unsigned()) {
    problem.line = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(line->get<std::uint64_t>(), 1'000'000'000));
  }
  return problem;
}

std::vector<fs::path> files_in(const nlohmann::json& json, const fs::path& file) {
  std::vector<fs::path> files{file};
  const auto listed = json.find("files");
  if (listed == json.end() || !listed->is_array()) {
    throw Error(ErrorCode::InvalidData, "it has no list of files");
  }
  for (const nlohmann::json& each : *listed) {
    fs::path named = each.is_string() ? each.get<std::string>() : std::string();
    if (named != file) {
      files.push_back(std::move(named));
    }
  }
  return files;
}

[[noreturn]] void throw_problems(const Place& place, const nlohmann::json& answer,
                                 const nlohmann::json& errors) {
  PythonError error = module_error(place, "cannot be used");
  for (const nlohmann::json& each : errors) {
    error.problems.push_back(problem_in(each));
  }
  if (answer.contains("files")) {
    error.files = files_in(answer, place.file);
  }
  throw PythonError(error);
}

void require_fitting_package(const Place& place, const nlohmann::json& json) {
  const std::string version = printable(text_in(json, "gxr"));
  const std::string sdk = printable(text_in(json, "sdk"));
  if (version == own_version() && sdk == kSdkFingerprint) {
    return;
  }
  throw PythonError(
      DiagnosticCode::PythonPackage, ErrorCode::Incompatible,
      "the package gxr of the Python interpreter " + quote_text(place.python.string()) +
          " belongs to gxr " + version + " (fingerprint " + sdk + "); this is gxr " +
          own_version() + " (fingerprint " + std::string(kSdkFingerprint) + ")",
      "run " + command_word(place.python) + " -m pip install --force-reinstall gxr==" +
          own_version() + ", or use the command gxr that the package brings");
}

struct Answer {
  ExtensionFile extension;
  std::vector<fs::path> files;
};

void require_declarations(const Place& place, const Answer& answer) {
  PythonError error = module_error(place, "cannot be used");
  error.files = answer.files;
  for (std::string& problem : check_declarations(answer.extension.types)) {
    error.problems.push_back({place.file.string(), 0, std::move(problem), {}});
  }
  if (!error.problems.empty()) {
    throw PythonError(error);
  }
}

/// Throws PythonError, and Error(InvalidData) for a text that is no answer.
Answer read_answer(const Place& place, std::string_view text) {
  const ClassicLocale locale;
  const ForeignJson foreign(text, kAnswerLimits);
  const nlohmann::json& json = foreign.json;
  if (!json.is_object()) {
    throw Error(ErrorCode::InvalidData, "it is no map");
  }
  if (const auto errors = json.find("errors"); errors != json.end() && errors->is_array()) {
    throw_problems(place, json, *errors);
  }
  require_fitting_package(place, json);
  const auto types = json.find("types");
  if (types == json.end()) {
    throw Error(ErrorCode::InvalidData, "it has no types");
  }
  Answer answer;
  answer.files = files_in(json, place.file);
  ExtensionFile& extension = answer.extension;
  extension.path = place.written;
  extension.is_python = true;
  extension.types = types_from_parsed_json(*types);
  const std::string name = line_in(json, "name");
  extension.descriptor =
      make_extension_descriptor(name.empty() ? place.file.stem().string() : name,
                                line_in(json, "version"), "", line_in(json, "description"));
  for (TypeInfo& type : extension.types) {
    type.extension = extension.descriptor.name;
  }
  require_declarations(place, answer);
  return answer;
}

/// The answer of a process that has ended. Throws like read_answer().
Answer take_answer(const Place& place, const ProcessEnd& end) {
  if (lacks_package(end)) {
    throw_package_missing(place);
  }
  const bool answered = end.reason == ProcessEnd::Reason::Exited && !end.output.empty();
  if (!answered) {
    throw module_error(place, end_text(end), end_hint(end));
  }
  Answer answer = read_answer(place, end.output);
  if (end.status != 0) {
    throw module_error(place, end_text(end));
  }
  return answer;
}

Answer answer_of(const Place& place, const ProcessEnd& end) {
  try {
    try {
      return take_answer(place, end);
    } catch (const PythonError&) {
      throw;
    } catch (const Error& error) {
      throw module_error(place, "cannot be used: what the package gxr of the interpreter " +
                                    quote_text(place.python.string()) +
                                    " says of it cannot be read: " + error.message());
    }
  } catch (PythonError& error) {
    if (error.diagnostic == DiagnosticCode::PythonModule) {
      error.output = last_lines(end.errors);
    }
    throw;
  }
}

std::optional<ExtensionFile> cached_extension(const Place& place, const PythonCache& cache) {
  const std::optional<std::string> known = cache.find();
  if (!known) {
    return std::nullopt;
  }
  try {
    return read_answer(place, *known).extension;
  } catch (const Error&) {
    return std::nullopt;  // of another gxr
  }
}

/// A module is found by the interpreter.
fs::path canonical_file(const fs::path& path) {
  if (is_python_module(path.string())) {
    return path;
  }
  if (const OpenFile opened = open_regular(path.string()); !opened) {
    const std::string text = quote_text(path.string()) + " cannot be opened: " + opened.reason();
    if (opened.error() == ENOENT) {
      throw Error(ErrorCode::NotFound, text);
    }
    throw PythonError(DiagnosticCode::PythonModule, ErrorCode::InvalidData, text);
  }
  std::error_code error;
  fs::path file = fs::canonical(path, error);
  return error ? path : file;
}

}  // namespace

ExtensionFile read_python_extension(const fs::path& path) {
  Place place{path, canonical_file(path), {}};
  place.python = find_python();
  try {
    const PythonCache cache(place.file, place.python);
    if (std::optional<ExtensionFile> known = cached_extension(place, cache)) {
      return *std::move(known);
    }
    const std::int64_t begin = now_nanoseconds();
    const ProcessEnd end = ask_python(place);
    Answer answer = answer_of(place, end);
    cache.store(answer.files, end.output, begin);
    return std::move(answer.extension);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::OutOfMemory,
                "there is not enough memory to read extension " + quote_text(path.string()));
  }
}

std::vector<ComponentFactory> python_factories(const ExtensionFile& file) {
  const PythonHost* const host = python_host();
  if (host == nullptr) {
    throw Error(ErrorCode::NotSupported,
                "the types of " + quote_text(file.path.string()) +
                    " are written in Python, which does not run in this process: use them in a "
                    "Python program that imports gxr, or with 'gxr run'");
  }
  std::vector<ComponentFactory> factories = host->factories(canonical_file(file.path), file.types);
  if (factories.size() != file.types.size()) {
    throw Error(ErrorCode::Incompatible,
                quote_text(file.path.string()) + " declares " + std::to_string(file.types.size()) +
                    " types, but Python made factories of " + std::to_string(factories.size()));
  }
  return factories;
}

}  // namespace gxr
