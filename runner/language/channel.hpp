#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace gxr::language {

/// The two ends of a connection with an editor: JSON texts, each behind a header that says how long
/// it is ("Content-Length: 17", an empty line). For one thread.
class Channel {
 public:
  /// Descriptors that somebody else closes.
  Channel(int input, int output) noexcept : input_(input), output_(output) {}

  /// The next text; waits for it. Nothing at the end of the input. Throws Error: InvalidData for a
  /// header without a length, or a text that is too long, behind which nothing can be read any
  /// more; InputOutput.
  [[nodiscard]] std::optional<std::string> read();
  /// Has anything come that was not read, within that time?
  [[nodiscard]] bool has_input(std::chrono::milliseconds within) const;
  /// Throws Error(InputOutput).
  void write(const nlohmann::json& message) const;

 private:
  [[nodiscard]] bool read_more();
  [[nodiscard]] std::optional<std::size_t> read_header();

  int input_;
  int output_;
  std::string read_;  // and not taken yet
};

}  // namespace gxr::language
