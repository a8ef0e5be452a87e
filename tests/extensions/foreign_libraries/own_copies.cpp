// The real fmt, spdlog and nlohmann-json, compiled into this library with settings of its own and
// visible to everybody, as static libraries often are.

#include "own_copies.hpp"

#include <memory>
#include <sstream>
#include <stdexcept>

namespace own_copies {

/// What nlohmann-json throws here in the place of its own exceptions.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace own_copies

#define JSON_THROW_USER(exception) throw own_copies::JsonError("own exception")
#include <nlohmann/json.hpp>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace own_copies {
namespace {

std::string ask_json() {
  const auto json = nlohmann::ordered_json::parse(R"({"b": [1, 2.5], "a": null})");
  try {
    static_cast<void>(json.at("c"));
  } catch (const JsonError& error) {
    return json.dump() + ", " + error.what();
  }
  return "nothing thrown";
}

std::string ask_spdlog() {
  std::ostringstream text;
  spdlog::set_default_logger(std::make_shared<spdlog::logger>(
      "own", std::make_shared<spdlog::sinks::ostream_sink_mt>(text)));
  spdlog::set_pattern("%n %v");
  spdlog::warn("{:>4}", 42);
  static_cast<void>(spdlog::stderr_color_mt("another sink"));
  spdlog::shutdown();  // of the own registry, not of gxr's
  return text.str().substr(0, text.str().find('\n'));
}

}  // namespace

std::vector<std::string> ask() {
  return {"fmt: " + fmt::format("{:.2f} {}", 1.5, std::string("text")), "spdlog: " + ask_spdlog(),
          "nlohmann-json: " + ask_json()};
}

}  // namespace own_copies
