#include "common/expected.hpp"

#include "common/panic.hpp"

namespace nvidia::detail {

void PanicNoValue(const char* error_name, long long error) {
  if (error_name != nullptr) {
    RaisePanic("Expected", 1, "the value of an Expected is used, but it has the error %s",
               error_name);
  }
  RaisePanic("Expected", 1, "the value of an Expected is used, but it has the error %lld", error);
}

void PanicNoError() {
  RaisePanic("Expected", 1, "the error of an Expected is used, but it has a value");
}

}  // namespace nvidia::detail
