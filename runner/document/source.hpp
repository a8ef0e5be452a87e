#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "gxr/value.hpp"
#include "internal_api.hpp"

namespace gxr {

/// A text that values come from: an app file, a parameter file, standard input, or one command-line
/// argument.
struct Source {
  enum class Kind : std::uint8_t {
    File,
    StandardInput,
    Argument,
    Launch,  ///< the line of gxr launch
    Program,
    ProgramPort,  ///< an entity that stands for the program at one of its ports
  };
  Kind kind = Kind::Program;
  std::string name;  ///< as the user wrote it: "app.yaml", "-", "--param", "<launch>"
  std::string text;
};

/// All sources of a document; Location::source is an index into it.
class SourceMap {
 public:
  GXR_INTERNAL_API SourceMap();  ///< source 0 is the program itself, for values that nobody wrote

  /// Returns the index of the new source. Throws Error(OutOfRange) beyond 65,535 sources.
  std::uint16_t add(Source source);
  [[nodiscard]] const Source& at(std::uint16_t index) const { return sources_[index]; }
  [[nodiscard]] std::size_t size() const noexcept { return sources_.size(); }
  /// Line `line` (from 1) without its line end, or "" when there is none.
  [[nodiscard]] std::string_view line(std::uint16_t index, std::uint32_t line) const;
  /// "app.yaml:12:9"; only the name where the location is unknown.
  [[nodiscard]] GXR_INTERNAL_API std::string describe(Location where) const;

 private:
  std::deque<Source> sources_;                         // a deque: texts stay where they are
  std::vector<std::vector<std::size_t>> line_starts_;  // of every 64th line, for each source
};

}  // namespace gxr
