#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace gxr::commands {

/// Keeps standard output for print(), as `--format json` promises: what components and libraries
/// write there from now on goes to standard error. Call it before code of any extension runs; it
/// holds until the process ends.
void reserve_standard_output();
/// Undoes it, for a program that takes the place of this one. Was it reserved?
bool restore_standard_output();
/// The descriptor that reserve_standard_output() keeps, for those who write by themselves; below 0:
/// standard output is closed.
int reserved_descriptor();

/// Writes to standard output.
void print(const std::string& text);
/// The same for people: what a terminal would obey is escaped, but line ends.
void print_text(std::string_view text);
/// "error: TEXT" on standard error, escaped in the same way.
void print_error(std::string_view text);
/// "warning: TEXT", likewise.
void print_warning(std::string_view text);
/// Indented by two; bytes that are no UTF-8 are replaced, controls escaped.
void print(const nlohmann::ordered_json& json);

/// JSON that is text already, and a line end; controls escaped.
void print_json(const std::string& json);

/// Into the file, or to standard output where none is named. Throws Error(InputOutput).
void write_output(const std::string& text, const std::string& file);

/// Whether all that was printed has reached standard output; standard error says so when it has
/// not.
bool finish_output();
/// The exit code of a command that has ended with this one. What did not reach standard output was
/// asked for, so a full disk must not look like success.
int with_output_written(int exit_code);

}  // namespace gxr::commands
