#include "parameter_checks.hpp"

#include <algorithm>

namespace gxr::testing {

void ParameterCheck::declare_expectation(Interface& interface) {
  interface
      .parameter(expect_, "expect", "Values that the parameters must have",
                 "A map from keys to values, as YAML text on one line. Other keys are not "
                 "checked; `<unset>` stands for no value.")
      .default_value({});
}

void ParameterCheck::require_known(const std::vector<std::string_view>& keys) const {
  for (const auto& [key, value] : *expect_) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      throw Error(ErrorCode::InvalidParameter,
                  "parameter 'expect' names '" + key + "', which is no parameter of this type");
    }
  }
}

void ParameterCheck::require(std::string_view key, const std::string& value) const {
  const auto expected = expect_->find(std::string(key));
  if (expected != expect_->end() && expected->second != value) {
    throw Error(ErrorCode::InvalidParameter, "parameter '" + std::string(key) + "' is " + value +
                                                 ", expected " + expected->second);
  }
}

void RegisterParameterInterfaceTest::declare(Interface& interface) {
  interface.parameter(with_default_, "checked_with_default", "Has a default")
      .default_value(42)
      .unit("pieces");
  interface.parameter(in_range_, "checked_in_range", "Has a least and a greatest value")
      .default_value(0.5)
      .range(0.0, 1.0)
      .step(0.25);
  interface.parameter(choice_, "checked_choice", "Is one of some words")
      .default_value("small")
      .choices({{"small", "little"}, {"large", "much"}});
  interface.parameter(policy_, "checked_policy", "Is one name of an enumeration").optional();
  interface.parameter(dynamic_, "checked_dynamic", "May change while the application runs")
      .optional()
      .dynamic();
  declare_expectation(interface);
}

}  // namespace gxr::testing
