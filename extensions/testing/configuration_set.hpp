#pragma once

#include <cstdint>
#include <string>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// Parameters to be set from outside while the application runs; logs their values in the first
/// tick and whenever they have changed.
class TestConfigurationSet final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  [[nodiscard]] std::string values() const;

  Parameter<bool> flag_value_;
  Parameter<std::int64_t> integer_value_;
  Parameter<double> number_value_;
  Parameter<std::string> text_value_;
  std::string logged_;  // values() when last logged
};

}  // namespace gxr::testing
