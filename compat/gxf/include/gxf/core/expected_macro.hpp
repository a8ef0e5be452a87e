#pragma once

#include <string>
#include <type_traits>

#include "gxf/core/common_expected_macro.hpp"
#include "gxf/core/expected.hpp"

namespace nvidia {
namespace expected_macro {

template <>
struct IsStatus<gxf_result_t> : std::true_type {};

template <>
constexpr gxf_result_t DefaultError<gxf_result_t>() {
  return GXF_FAILURE;
}

template <>
constexpr bool IsValid<gxf_result_t>(const gxf_result_t& checked) {
  return checked == GXF_SUCCESS;
}

template <>
struct StatusName<gxf_result_t> {
  static std::string Get(gxf_result_t status) { return GxfResultStr(status); }
};

}  // namespace expected_macro
}  // namespace nvidia
