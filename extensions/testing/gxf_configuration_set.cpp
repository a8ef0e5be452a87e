#include "gxf_configuration_set.hpp"

namespace gxr::testing::gxf {
namespace {

template <class T>
std::string fact(const Parameter<T>& parameter) {
  return std::string(parameter.key()) + " " + ParameterTraits<T>::to_yaml(parameter.get());
}

}  // namespace

void TestConfigurationSet::declare(Interface& interface) {
  interface.parameter(bool_value_, "bool_value", "true or false").default_value(false).dynamic();
  interface.parameter(uint64_value_, "uint64_value", "An integer without sign").dynamic();
  interface.parameter(string_value_, "string_value", "Text").dynamic();
  interface.parameter(string_5_value_, "string_5_value", "Text of at most 5 characters").dynamic();
  interface.parameter(int_vector_4_value_, "int_vector_4_value", "At most 4 integers").dynamic();
}

void TestConfigurationSet::start() { logged_.clear(); }

void TestConfigurationSet::tick() {
  if (std::string now = values(); now != logged_) {
    log_info(now);
    logged_ = std::move(now);
  }
}

std::string TestConfigurationSet::values() const {
  return fact(bool_value_) + ", " + fact(uint64_value_) + ", " + fact(string_value_) + ", " +
         fact(string_5_value_) + ", " + fact(int_vector_4_value_);
}

}  // namespace gxr::testing::gxf
