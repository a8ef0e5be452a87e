#include "registry/python_interpreter.hpp"

#include <cstdlib>
#include <system_error>

#include <unistd.h>

#include "document/utf8.hpp"
#include "registry/extension_path.hpp"
#include "registry/python_error.hpp"
#include "registry/python_host.hpp"

namespace gxr {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

/// The folder without links; the file as it is.
fs::path in_canonical_folder(const fs::path& file) {
  std::error_code error;
  const fs::path absolute = fs::absolute(file, error);
  const fs::path folder = fs::canonical(absolute.parent_path(), error);
  return error ? absolute : folder / absolute.filename();
}

/// Empty when no folder of PATH has it.
fs::path find_on_path(const std::string& name) {
  for (const std::string& folder : path_list_of("PATH")) {
    if (is_program(fs::path(folder) / name)) {
      return fs::path(folder) / name;
    }
  }
  return {};
}

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

[[noreturn]] void throw_no_python(const std::string& text, const std::string& hint) {
  throw PythonError(DiagnosticCode::PythonPackage, ErrorCode::NotFound, text, hint);
}

/// What GXR_PYTHON names, by path or as a program of PATH.
fs::path named_python(const std::string& name) {
  const fs::path found = name.find('/') == std::string::npos ? find_on_path(name) : fs::path(name);
  if (!is_program(found)) {
    throw_no_python("GXR_PYTHON names " + quote_text(name) + ", which is no program",
                    "set it to the Python interpreter that has the package gxr");
  }
  return found;
}

fs::path choose_python() {
  if (const PythonHost* const host = python_host(); host != nullptr && !host->interpreter.empty()) {
    return host->interpreter;
  }
  if (const char* const name = variable("GXR_PYTHON")) {
    return named_python(name);
  }
  if (const char* const environment = variable("VIRTUAL_ENV")) {
    const fs::path python = fs::path(environment) / "bin/python";
    if (!is_program(python)) {
      throw_no_python("VIRTUAL_ENV names " + quote_text(environment) +
                          ", which has no Python interpreter 'bin/python'",
                      "make the virtual environment again, or set GXR_PYTHON to an interpreter");
    }
    return python;
  }
  fs::path python = find_on_path("python3");
  if (python.empty()) {
    throw_no_python(
        "there is no Python interpreter: no folder of PATH has a program 'python3'",
        "install Python 3 and its package gxr, or set GXR_PYTHON to an interpreter that has it");
  }
  return python;
}

}  // namespace

fs::path find_python() { return in_canonical_folder(choose_python()); }

bool is_python_file(const fs::path& file) { return file.extension() == ".py"; }

bool is_python_module(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  bool begins = true;  // a name between two dots
  std::size_t names = 1;
  for (const char c : name) {
    if (c == '.') {
      if (begins) {
        return false;
      }
      begins = true;
      ++names;
    } else if (is_letter(c) || (!begins && c >= '0' && c <= '9')) {
      begins = false;
    } else {
      return false;
    }
  }
  const std::string_view last = name.substr(name.rfind('.') + 1);
  return names > 1 && !begins && last != "so" && last != "py";
}

}  // namespace gxr
