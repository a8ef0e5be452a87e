#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "document/json_text.hpp"

namespace gxr {

/// A text from elsewhere, read by read_foreign_json(), which needs no memory to go.
struct ForeignJson {
  ForeignJson(std::string_view text, const JsonLimits& limits)
      : json(read_foreign_json(text, limits)) {}
  ForeignJson(const ForeignJson&) = delete;
  ForeignJson& operator=(const ForeignJson&) = delete;
  ~ForeignJson() { take_apart(json); }

  nlohmann::json json;

 private:
  /// The library's destructor needs memory for what is nested, and ends the process when there is
  /// none. The limit of depth holds.
  static void take_apart(nlohmann::json& json) noexcept {
    if (json.is_structured()) {
      for (nlohmann::json& each : json) {
        take_apart(each);
      }
      json.clear();
    }
  }
};

}  // namespace gxr
