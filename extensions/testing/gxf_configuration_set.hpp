#pragma once

#include <cstdint>
#include <string>

#include "gxr/gxr.hpp"
#include "parameter_types.hpp"

namespace gxr::testing::gxf {

/// GXF's parameters to be set from outside while the application runs; logs their values in the
/// first tick and whenever they have changed.
class TestConfigurationSet final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  [[nodiscard]] std::string values() const;

  Parameter<bool> bool_value_;
  Parameter<std::uint64_t> uint64_value_;
  Parameter<std::string> string_value_;
  Parameter<FixedString<5>> string_5_value_;
  Parameter<FixedVector<std::int32_t, 4>> int_vector_4_value_;
  std::string logged_;  // values() when last logged
};

}  // namespace gxr::testing::gxf
