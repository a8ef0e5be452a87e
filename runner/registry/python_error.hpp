#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "document/diagnostics.hpp"
#include "gxr/error.hpp"

namespace gxr {

/// A mistake in a Python file, as the package gxr tells it.
struct PythonProblem {
  std::string file;        ///< empty: not known
  std::uint32_t line = 0;  ///< from 1; 0: not known
  std::string text;
  std::string hint;
};

/// The types of an extension written in Python cannot be had.
class PythonError final : public Error {
 public:
  PythonError(DiagnosticCode kind, ErrorCode code, std::string message, std::string help = {})
      : Error(code, std::move(message)), diagnostic(kind), hint(std::move(help)) {}

  DiagnosticCode diagnostic;
  std::string hint;
  std::vector<PythonProblem> problems;  ///< empty: the message is all
  std::string output;                   ///< the end of what Python wrote on standard error
  /// Files and folders without whose change it will be so again; empty: it depends on other things,
  /// too.
  std::vector<std::filesystem::path> files;
};

/// An extension in Python, and where it was named.
struct PythonMention {
  std::filesystem::path path;  ///< as it was written
  Location where;              ///< unknown: outside of files
  std::uint32_t length = 1;
};

/// Adds the error to the diagnostics. A mistake in a file is at its line, and the file becomes one
/// of `sources`; what is of no file is at the mention.
void report_python_error(const PythonError& error, const PythonMention& mention, SourceMap& sources,
                         Diagnostics& diagnostics);

}  // namespace gxr
