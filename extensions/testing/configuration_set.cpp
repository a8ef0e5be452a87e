#include "configuration_set.hpp"

namespace gxr::testing {

void TestConfigurationSet::declare(Interface& interface) {
  interface.parameter(flag_value_, "flag_value", "true or false").default_value(false).dynamic();
  interface.parameter(integer_value_, "integer_value", "An integer").default_value(0).dynamic();
  interface.parameter(number_value_, "number_value", "A number").default_value(0.0).dynamic();
  interface.parameter(text_value_, "text_value", "Text").default_value("").dynamic();
}

void TestConfigurationSet::start() { logged_.clear(); }

void TestConfigurationSet::tick() {
  if (std::string now = values(); now != logged_) {
    log_info(now);
    logged_ = std::move(now);
  }
}

std::string TestConfigurationSet::values() const {
  return "flag_value " + ParameterTraits<bool>::to_yaml(*flag_value_) + ", integer_value " +
         ParameterTraits<std::int64_t>::to_yaml(*integer_value_) + ", number_value " +
         ParameterTraits<double>::to_yaml(*number_value_) + ", text_value '" + *text_value_ + "'";
}

}  // namespace gxr::testing
