#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace gxr::commands {

/// Writes to stdout.
void print(const std::string& text);
/// Indented by two; bytes that are no UTF-8 are replaced.
void print(const nlohmann::ordered_json& json);

/// Into the file, or to stdout where none is named. Throws Error(InputOutput).
void write_output(const std::string& text, const std::string& file);

}  // namespace gxr::commands
