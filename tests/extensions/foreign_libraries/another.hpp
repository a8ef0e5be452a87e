#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/detail/abi_macros.hpp>

// Another yaml-cpp, fmt, spdlog and nlohmann-json: symbols that the linker cannot tell from those
// of the libraries that gxr uses, with other layouts, other results and other behaviour. Whoever is
// bound to the wrong ones crashes or gets a wrong answer.

namespace YAML {

struct Mark {
  std::array<long, 32> fields;
};

class Exception : public std::runtime_error {
 public:
  Exception(const Mark& mark, const std::string& text);
  ~Exception() noexcept override;
  [[nodiscard]] const std::string& text() const noexcept { return texts_.back(); }

 private:
  std::array<std::string, 8> texts_;
};

class Emitter {
 public:
  Emitter();
  ~Emitter();
  Emitter& Write(const std::string& text);
  [[nodiscard]] const char* c_str() const;

 private:
  std::array<std::string, 8> parts_;
};

/// The text of what is wrong with `text`.
std::string Load(const std::string& text);

}  // namespace YAML

FMT_BEGIN_NAMESPACE
std::string report_system_error(int code, const char* text);
FMT_END_NAMESPACE

namespace spdlog {

std::string shutdown();

namespace details {

struct console_mutex {
  using mutex_t = std::array<long, 512>;
  /// One in the process, as far as the linker is concerned.
  static mutex_t& mutex() {
    static mutex_t s_mutex{4711};
    return s_mutex;
  }
};

}  // namespace details
}  // namespace spdlog

NLOHMANN_JSON_NAMESPACE_BEGIN
namespace detail::dtoa_impl {
std::string format_buffer(char* text, int length, int exponent, int least, int most);
}  // namespace detail::dtoa_impl
NLOHMANN_JSON_NAMESPACE_END

namespace another {

/// What the libraries above answer to whoever includes this: "yaml-cpp: another", …
inline std::vector<std::string> ask() {
  YAML::Emitter emitter;
  emitter.Write("another").Write("");
  std::string spdlog = spdlog::shutdown();
  spdlog::details::console_mutex::mutex_t& mutex = spdlog::details::console_mutex::mutex();
  if (mutex.front() != 4711) {
    spdlog = "mutex of somebody else";
  }
  mutex.fill(4711);
  char digits[8] = "";
  return {"yaml-cpp: " + std::string(emitter.c_str()) + ", " + YAML::Load("[1"),
          "fmt: " + fmt::report_system_error(1, ""), "spdlog: " + spdlog,
          "nlohmann-json: " + nlohmann::detail::dtoa_impl::format_buffer(digits, 1, 0, -4, 15)};
}

/// The same, asked by the library itself.
std::vector<std::string> ask_within();

}  // namespace another
