#include <memory>
#include <optional>
#include <string>

#include "catch.hpp"
#include "gxf/core/expected_macro.hpp"
#include "log_lines.hpp"

namespace {

namespace G = nvidia::gxf;
using nvidia::Severity;

enum class Foreign { kFine, kBroken, kUnknown };

G::Expected<int> value(gxf_result_t code) { return G::ExpectedOrCode(code, 5); }
G::Expected<void> nothing(gxf_result_t code) { return G::ExpectedOrCode(code); }
gxf_result_t result(gxf_result_t code) { return code; }

}  // namespace

// As a third-party library adds a status.
namespace nvidia::expected_macro {

template <>
struct IsStatus<Foreign> : std::true_type {};
template <>
constexpr Foreign DefaultError<Foreign>() {
  return Foreign::kUnknown;
}
template <>
constexpr bool IsValid<Foreign>(const Foreign& checked) {
  return checked == Foreign::kFine;
}
template <>
struct StatusName<Foreign> {
  static std::string Get(Foreign status) {
    return status == Foreign::kBroken ? "broken" : "unknown";
  }
};

}  // namespace nvidia::expected_macro

namespace {

/// Checks something of each kind, of which the one with this number is an error.
template <class R>
R check(int failing, R good) {
  const auto code = [&](int number) { return number == failing ? GXF_OUT_OF_MEMORY : GXF_SUCCESS; };
  GXF_RETURN_IF_ERROR(result(code(0)));
  RETURN_IF_ERROR(value(code(1)));
  GXF_RETURN_IF_ERROR(nothing(code(2)));
  RETURN_IF_ERROR(failing != 3);
  RETURN_IF_ERROR(failing == 4 ? 17 : 0);
  RETURN_IF_ERROR(failing == 5 ? std::optional<int>() : std::optional<int>(1));
  RETURN_IF_FALSE(failing != 6);
  RETURN_IF_ERROR(failing == 7 ? Foreign::kBroken : Foreign::kFine);
  return good;
}

int sum_of(gxf_result_t first, gxf_result_t second, G::Expected<int>& sum) {
  sum = GXF_UNWRAP_OR_RETURN(value(first)) + UNWRAP_OR_RETURN(value(second), "second");
  return 0;
}

G::Expected<std::unique_ptr<int>> moved(bool there) {
  auto made = G::Expected<std::unique_ptr<int>>(std::make_unique<int>(3));
  if (!there) {
    made = G::Unexpected{GXF_FAILURE};
  }
  auto pointer = GXF_UNWRAP_OR_RETURN(made);
  GXF_UNWRAP_OR_RETURN(nothing(GXF_SUCCESS));
  return pointer;
}

gxf_result_t nested(gxf_result_t inner) {
  const auto more = [](int number) { return G::Expected<int>(number + 1); };
  return GXF_UNWRAP_OR_RETURN(more(GXF_UNWRAP_OR_RETURN(value(inner)))) == 6 ? GXF_SUCCESS
                                                                             : GXF_FAILURE;
}

template <int kForm>
gxf_result_t log_form() {
  if constexpr (kForm == 0) {
    GXF_RETURN_IF_ERROR(result(GXF_FAILURE));
  }
  if constexpr (kForm == 1) {
    GXF_RETURN_IF_ERROR(result(GXF_FAILURE), "of %s %d", "form", 1);
  }
  if constexpr (kForm == 2) {
    GXF_RETURN_IF_ERROR(result(GXF_FAILURE), Severity::WARNING);
  }
  if constexpr (kForm == 3) {
    GXF_RETURN_IF_ERROR(result(GXF_FAILURE), Severity::INFO, "%d", 3);
  }
  if constexpr (kForm == 4) {
    static_cast<void>(GXF_UNWRAP_OR_RETURN(value(GXF_FAILURE), Severity::DEBUG, "four"));
  }
  if constexpr (kForm == 5) {
    RETURN_IF_FALSE(kForm < 5, "100%% %s", "sure");
  }
  if constexpr (kForm == 6) {
    RETURN_IF_ERROR(Foreign::kBroken);
  }
  return GXF_SUCCESS;
}

}  // namespace

TEST_CASE("return macros return what the function returns", "[gxf_layer]") {
  gxr::test::LogLines log;
  for (int failing = 0; failing < 8; ++failing) {
    INFO(failing);
    const gxf_result_t own = failing < 3 ? GXF_OUT_OF_MEMORY : GXF_FAILURE;
    CHECK(check<gxf_result_t>(failing, GXF_SUCCESS) == own);
    CHECK(check<G::Expected<std::string>>(failing, "x").error() == own);
    CHECK(check<G::Expected<int>>(failing, 1).error() == own);
    CHECK(check<G::Expected<bool>>(failing, true).error() == own);
    CHECK(check<G::Expected<void>>(failing, {}).error() == own);
    CHECK_FALSE(check<bool>(failing, true));
    CHECK(check<int>(failing, 0) == (failing == 4 ? 17 : 1));
    CHECK_FALSE(check<std::optional<std::string>>(failing, "x").has_value());
    CHECK(check<Foreign>(failing, Foreign::kFine) ==
          (failing == 7 ? Foreign::kBroken : Foreign::kUnknown));
  }
  CHECK(log.lines.size() == 8 * 9);
  CHECK(check<gxf_result_t>(-1, GXF_SUCCESS) == GXF_SUCCESS);
  CHECK(check<bool>(-1, true));
  CHECK(log.lines.size() == 8 * 9);
}

TEST_CASE("return macros unwrap values", "[gxf_layer]") {
  gxr::test::LogLines log;
  G::Expected<int> sum = G::Unexpected{GXF_UNINITIALIZED_VALUE};
  CHECK(sum_of(GXF_SUCCESS, GXF_SUCCESS, sum) == 0);
  CHECK(sum.value() == 10);
  CHECK(sum_of(GXF_SUCCESS, GXF_FAILURE, sum) == 1);
  CHECK(*moved(true).value() == 3);
  CHECK(moved(false).error() == GXF_FAILURE);
  CHECK(nested(GXF_SUCCESS) == GXF_SUCCESS);
  CHECK(nested(GXF_NOT_FINISHED) == GXF_NOT_FINISHED);
  CHECK(log.text() ==
        "value(second): GXF_FAILURE: second\n"
        "made: GXF_FAILURE\n"
        "value(inner): GXF_NOT_FINISHED\n");
}

TEST_CASE("return macros log an error", "[gxf_layer]") {
  gxr::test::LogLines log;
  CHECK(log_form<0>() == GXF_FAILURE);
  CHECK(log_form<1>() == GXF_FAILURE);
  CHECK(log_form<2>() == GXF_FAILURE);
  CHECK(log_form<3>() == GXF_FAILURE);
  CHECK(log_form<4>() == GXF_FAILURE);
  CHECK(log_form<5>() == GXF_FAILURE);
  CHECK(log_form<6>() == GXF_FAILURE);
  CHECK(log.text() ==
        "result(GXF_FAILURE): GXF_FAILURE\n"
        "result(GXF_FAILURE): GXF_FAILURE: of form 1\n"
        "result(GXF_FAILURE): GXF_FAILURE\n"
        "result(GXF_FAILURE): GXF_FAILURE: 3\n"
        "value(GXF_FAILURE): GXF_FAILURE: four\n"
        "kForm < 5: false: 100% sure\n"
        "Foreign::kBroken: broken\n");
  const Severity severities[] = {Severity::ERROR, Severity::ERROR, Severity::WARNING,
                                 Severity::INFO, Severity::DEBUG};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(log.lines[i].severity == severities[i]);
  }
  CHECK(log.lines[0].file.find("macros_test.cpp") != std::string::npos);
}
