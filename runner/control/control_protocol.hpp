#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gxr {

// What `gxr set` and an application that runs say to each other, through a Unix stream socket:
//
//   client:  {"gxr-control": 1, "set": ["tone/gamma=1.8", "balance/gains=[1, 1, 1.5]"]}\n
//        or  {"gxr-control": 1, "enable": "sharpen"}\n
//        or  {"gxr-control": 1, "disable": "sharpen"}\n
//   answer:  {"gxr-control": 1, "ok": true}\n
//        or  {"gxr-control": 1, "ok": false, "code": "not-found", "error": "there is no …"}\n
//
// A line of JSON each, in UTF-8, and then the connection ends. The number is the version: a side
// that does not know it refuses. Keys that are not named here are refused, too, as whoever sends
// them expects something. "set" is one set of assignments as -p takes them: all of them or none. A
// request has at most kLongestRequest bytes, its line end included.

inline constexpr std::size_t kLongestRequest = std::size_t{1} << 20;

/// What a client asks for: assignments, or one entity to be switched on or off.
struct ControlRequest {
  std::vector<std::string> assignments;
  std::string entity;  ///< empty: assignments
  bool on = true;      ///< of entity
};

/// One line. Throws Error(InvalidArgument) for what is not UTF-8.
std::string to_line(const ControlRequest& request);
/// Throws Error(InvalidData) for what is no request. No text is too long or nested too deeply for
/// it.
ControlRequest read_request(std::string_view line);

/// The answer as a line; `text` is cut after some ten thousand bytes.
std::string success_line();
std::string failure_line(const char* code, const std::string& text);
/// Throws Error with the text of a failure, or Error(InvalidData) for what is no answer. Whoever
/// prints the text escapes it: the other side may be anybody.
void require_success(std::string_view line);

}  // namespace gxr
