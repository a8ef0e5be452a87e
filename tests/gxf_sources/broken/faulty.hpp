#pragma once

#include <string>

#include "gxf/core/parameter.hpp"
#include "gxf/std/codelet.hpp"

namespace acme {
namespace broken {

// A number that must be even.
struct Even {
  int value = 0;
};

// Does something wrong, at the place that `where` names.
class Faulty : public nvidia::gxf::Codelet {
 public:
  gxf_result_t registerInterface(nvidia::gxf::Registrar* registrar) override;
  gxf_result_t initialize() override;
  gxf_result_t start() override;
  gxf_result_t tick() override;
  gxf_result_t stop() override;
  gxf_result_t deinitialize() override;

 private:
  nvidia::gxf::Parameter<std::string> where_;
  nvidia::gxf::Parameter<int32_t> level_;
  nvidia::gxf::Parameter<Even> even_;
  nvidia::gxf::Parameter<double> unset_;
};

}  // namespace broken
}  // namespace acme

template <>
struct nvidia::gxf::ParameterParser<acme::broken::Even> {
  static Expected<acme::broken::Even> Parse(gxf_context_t, gxf_uid_t, const char* key,
                                            const YAML::Node& node, const std::string&) {
    const int value = node.as<int>(1);
    if (value % 2 != 0) {
      GXF_LOG_ERROR("Parameter '%s' must be even", key);
      return Unexpected{GXF_PARAMETER_OUT_OF_RANGE};
    }
    return acme::broken::Even{value};
  }
};

template <>
struct nvidia::gxf::ParameterWrapper<acme::broken::Even> {
  static Expected<YAML::Node> Wrap(gxf_context_t, const acme::broken::Even& value) {
    return YAML::Node(value.value);
  }
};
