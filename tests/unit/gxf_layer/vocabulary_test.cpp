#include <set>
#include <string>
#include <type_traits>

#include "catch.hpp"
#include "common/byte.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/gxf.h"

namespace {

static_assert(std::is_same_v<decltype(GXF_PARAMETER_FLAGS_OPTIONAL), gxf_parameter_flags_t_>);
static_assert(std::is_same_v<gxf_uid_t, int64_t> && std::is_same_v<gxf_context_t, void*>);
static_assert(std::is_same_v<gxf_parameter_flags_t, uint32_t>);
static_assert(GXF_SUCCESS == 0 && GXF_FAILURE == 1 && GXF_IPC_SERVICE_NOT_FOUND == 61);
static_assert(GXF_ENTITY_COMPONENT_NOT_FOUND == 25 && GXF_CONTRACT_MESSAGE_NOT_AVAILABLE == 41);
static_assert(std::is_same_v<nvidia::gxf::Expected<int>, nvidia::Expected<int, gxf_result_t>>);
static_assert(std::is_same_v<nvidia::gxf::Unexpected, nvidia::Unexpected<gxf_result_t>>);
static_assert(std::is_same_v<::byte, unsigned char> && std::is_same_v<nvidia::byte, unsigned char>);
static_assert(kMaxComponents == 1024 && kNullUid == 0 && kUnspecifiedUid == -1);
static_assert(GXF_ENTITY_STATUS_STOP_PENDING == 6 && GXF_ENTITY_MAX == 7);
static_assert(GXF_BEHAVIOR_UNKNOWN == 4 && GXF_EVENT_STATE_UPDATE == 5);
static_assert(GXF_PARAMETER_TYPE_COMPLEX128 == 16 && GXF_SEVERITY_VERBOSE == 5);
static_assert(std::is_same_v<GxfEntityCreateFlags, uint32_t> && GXF_ENTITY_CREATE_PROGRAM_BIT == 1);

enum Fruit { kApple, kPear };
const char* text_of(Fruit fruit) {
  switch (fruit) {
    GXF_ENUM_TO_STR(kApple, Apple)
    GXF_ENUM_TO_STR(kPear, Pear)
  }
  return "";
}

}  // namespace

TEST_CASE("result codes have the texts of GXF", "[gxf_layer]") {
  CHECK(std::string(GxfResultStr(GXF_SUCCESS)) == "GXF_SUCCESS");
  CHECK(std::string(GxfResultStr(GXF_CONNECTION_ATTEMPTS_EXCEEDED)) ==
        "GXF_CONNECTION_ATTEMPTS_EXCEEDED");
  std::set<std::string> texts;
  std::set<int> without;
  for (int i = -1; i < 63; ++i) {
    const std::string text = GxfResultStr(static_cast<gxf_result_t>(i));
    if (text == "N/A") {
      without.insert(i);
    } else {
      CHECK(text.rfind("GXF_", 0) == 0);
      texts.insert(text);
    }
  }
  CHECK(without == std::set<int>{-1, 24, 28, 29, 59, 60, 61, 62});
  CHECK(texts.size() == 56);
  CHECK(isSuccessful(GXF_SUCCESS));
  CHECK_FALSE(isSuccessful(GXF_FAILURE));
}

TEST_CASE("other enumerations have texts, too", "[gxf_layer]") {
  CHECK(std::string(GxfEntityStatusStr(GXF_ENTITY_STATUS_NOT_STARTED)) == "NotStarted");
  CHECK(std::string(GxfEntityStatusStr(GXF_ENTITY_STATUS_STOP_PENDING)) == "StopPending");
  CHECK(std::string(GxfEntityStatusStr(GXF_ENTITY_MAX)) == "N/A");
  CHECK(std::string(GxfEventStr(GXF_EVENT_EXTERNAL)) == "GXF_EVENT_EXTERNAL");
  CHECK(std::string(GxfParameterTypeStr(GXF_PARAMETER_TYPE_INT64)) == "GXF_PARAMETER_TYPE_INT64");
  CHECK(std::string(GxfParameterFlagTypeStr(GXF_PARAMETER_FLAGS_DYNAMIC)) ==
        "GXF_PARAMETER_FLAGS_DYNAMIC");
  CHECK(std::string(text_of(kPear)) == "Pear");
}

TEST_CASE("type ids compare as their two numbers", "[gxf_layer]") {
  const gxf_tid_t small = {1, 9};
  const gxf_tid_t large = {2, 3};
  CHECK(small < large);
  CHECK_FALSE(large < small);
  CHECK(gxf_tid_t{1, 8} < small);
  CHECK(small != large);
  CHECK(small == gxf_tid_t{1, 9});
  CHECK(GxfTidIsNull(GxfTidNull()) == 1);
  CHECK(GxfTidIsNull(gxf_tid_t{0, 1}) == 0);
  CHECK(GxfTidIsNull(gxf_tid_t{1, 0}) == 0);
}

TEST_CASE("structures have their members in the order of GXF", "[gxf_layer]") {
  // NOLINTNEXTLINE(modernize-use-nullptr)
  const GxfEntityCreateInfo nothing = {0, 0};
  CHECK(nothing.entity_name == nullptr);
  CHECK(nothing.flags == 0);
  const GxfEntityCreateInfo entity = {"name", GXF_ENTITY_CREATE_PROGRAM_BIT};
  CHECK(entity.flags == 1);
  const char* const files[] = {"a", "b"};
  const GxfLoadExtensionsInfo load = {files, 2, nullptr, 0, "folder"};
  CHECK(load.base_directory == std::string("folder"));
  CHECK(std::string(kGxfCoreVersion) == "4.1.0");
  CHECK(std::string(kInternalNameParameterKey) == "__name");
}
