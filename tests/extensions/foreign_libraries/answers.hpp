#pragma once

#include <string>
#include <vector>

#include <gxr/gxr.hpp>

namespace foreign {

/// Logs what the libraries of its extension answer, in each tick.
class Answers : public gxr::Codelet {
 public:
  void tick() final {
    for (const std::string& line : answers()) {
      log_info(line);
      if (line.find(expected()) == std::string::npos) {
        throw gxr::Error(gxr::ErrorCode::Failure, line);
      }
    }
  }

 protected:
  virtual std::vector<std::string> answers() = 0;
  /// What every answer has in it when it comes from the right library.
  virtual std::string expected() { return "another"; }
};

}  // namespace foreign
