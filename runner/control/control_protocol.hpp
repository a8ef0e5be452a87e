#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "internal_api.hpp"

namespace gxr {

// What a client, such as `gxr set` or `gxr status`, and an application that runs say to each other,
// through a Unix stream socket:
//
//   client:  {"gxr-control": 1, "set": ["tone/gamma=1.8", "balance/gains=[1, 1, 1.5]"]}\n
//        or  {"gxr-control": 1, "enable": "sharpen"}\n
//        or  {"gxr-control": 1, "disable": "sharpen"}\n
//        or  {"gxr-control": 1, "swap": "tone", "type": "my::Tone", "extension": "/build/tone.so",
//             "keep_for_ns": 5000000000}\n              the last two may be left out
//        or  {"gxr-control": 1, "about": ""}\n          which application is it?
//        or  {"gxr-control": 1, "status": ""}\n         what do its entities do?
//        or  {"gxr-control": 1, "status": "sharpen"}\n  all about one
//        or  {"gxr-control": 1, "status-text": ""}\n    the status for people, as a text
//        or  {"gxr-control": 1, "get": "tone/gamma"}\n
//   answer:  {"gxr-control": 1, "ok": true}\n
//        or  {"gxr-control": 1, "ok": true, "result": {…}}\n  of a question; see ControlAnswers
//        or  {"gxr-control": 1, "ok": true, "result": 5}\nabout  a text of so many bytes follows
//        or  {"gxr-control": 1, "ok": false, "code": "not-found", "error": "there is no …"}\n
//
// The answer to "swap" comes when the exchange has taken place, or not, its probation included. A
// line of JSON each, in UTF-8, and then the connection ends. The number is the version: a side
// that does not know it refuses. Keys that are not named here are refused, too, as whoever sends
// them expects something. "set" is one set of assignments as -p takes them: all of them or none. A
// request has at most kLongestRequest bytes, its line end included, an answer kLongestAnswer.

inline constexpr std::size_t kLongestRequest = std::size_t{1} << 20;
inline constexpr std::size_t kLongestAnswer = std::size_t{1} << 28;

/// What a client asks for: assignments, one entity to be switched on or off, or an answer.
struct ControlRequest {
  enum class Question : std::uint8_t {
    None,        ///< it wants something changed
    About,       ///< which application is it?
    Status,      ///< what do all entities do, or the one that is named?
    StatusText,  ///< what do all entities do, for people
    Get,         ///< a parameter
    Swap,        ///< it wants an operator exchanged, and to know what became of it
  };

  std::vector<std::string> assignments;
  std::string entity;  ///< empty: assignments; of a Question the entity, operator or parameter
  bool on = true;      ///< of entity
  Question question = Question::None;
  // Of Swap.
  std::string type = {};
  std::string extension = {};    ///< an absolute path; empty: none
  std::int64_t keep_for_ns = 0;  ///< probation
};

/// One line. Throws Error(InvalidArgument) for what is not UTF-8.
GXR_INTERNAL_API std::string to_line(const ControlRequest& request);
/// Throws Error(InvalidData) for what is no request. No text is too long or nested too deeply for
/// it.
GXR_INTERNAL_API ControlRequest read_request(std::string_view line);

/// The answer as a line; the text of a failure is cut after some ten thousand bytes.
std::string success_line();
/// `result` is JSON.
GXR_INTERNAL_API std::string success_line(const std::string& result);
/// With a text behind it, which is not escaped: that would take most of the time of a long one.
std::string success_text(const std::string& text);
std::string failure_line(const char* code, const std::string& text);
/// The result, null without one. Throws Error with the text of a failure, or Error(InvalidData) for
/// what is no answer. Whoever prints texts escapes them: the other side may be anybody.
GXR_INTERNAL_API nlohmann::json require_success(std::string_view line);

}  // namespace gxr
