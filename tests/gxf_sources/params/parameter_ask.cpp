#include "parameter_ask.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <numeric>

#include "gxf/core/parameter_parser_std.hpp"

namespace acme {
namespace params {

namespace {

// The first use of such a vector in this file writes its allocator out. GCC then spells the type
// with it wherever it is named here.
template <typename T, typename A>
T sum_of(const std::vector<T, A>& values) {
  return std::accumulate(values.begin(), values.end(), T{});
}
using Sum = double (*)(const std::vector<double, std::allocator<double>>&);
constexpr Sum kSum = &sum_of<double, std::allocator<double>>;

}  // namespace

gxf_result_t ParameterAsk::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(gauge_, "gauge", "Gauge", "Stands later in the file");
  result &= registrar->parameter(missing_, "missing", "Missing", "Never set",
                                 nvidia::gxf::Registrar::NoDefaultParameter(),
                                 GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(weights_, "weights", "Weights", "A list", {0.5, 2.0});
  result &= registrar->parameter(grid_, "grid", "Grid", "Rows", {{1, 2, 3}, {4, 5, 6}});
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t ParameterAsk::start() {
  // A macro of common/assert.hpp, which no file here includes.
  GXF_ASSERT(cid_ == cid() && eid_ == eid() && context_ == context(), "other numbers");
  // The gauge is made after this component, whose handle knows it all the same.
  gxf_tid_t tid = GxfTidNull();
  const gxf_result_t code = GxfComponentType(context(), gauge_->cid(), &tid);
  if (code != GXF_SUCCESS || gauge_.get().tid() != tid) {
    GXF_LOG_ERROR("The handle has another type");
    return GXF_FAILURE;
  }
  GXF_LOG_INFO("the handle leads to '%s'", gauge_.get().name());
  return GXF_SUCCESS;
}

nvidia::gxf::Expected<void> ParameterAsk::ask_lists() {
  std::array<double, 4> values{};
  uint64_t length = 1;
  gxf_result_t code =
      GxfParameterGet1DFloat64Vector(context(), cid(), "weights", values.data(), &length);
  if (code != GXF_QUERY_NOT_ENOUGH_CAPACITY || length != 2) {
    GXF_LOG_ERROR("Length of weights: %s, %lu", GxfResultStr(code), length);
    return nvidia::gxf::Unexpected{GXF_FAILURE};
  }
  code = GxfParameterGet1DFloat64Vector(context(), cid(), "weights", values.data(), &length);
  if (code != GXF_SUCCESS || values[1] != 2.0) {
    GXF_LOG_ERROR("Weights: %s", GxfResultStr(code));
    return nvidia::gxf::Unexpected{code};
  }
  std::array<double, 3> others{1.0, 2.0, 4.0};
  code = GxfParameterSet1DFloat64Vector(context(), cid(), "weights", others.data(), 3);
  const auto weights = getParameter<std::vector<double>>("weights");
  if (code != GXF_SUCCESS || !weights || kSum(weights.value()) != 7.0 ||
      weights_.get().size() != 3) {
    GXF_LOG_ERROR("Other weights: %s", GxfResultStr(code));
    return nvidia::gxf::Unexpected{GXF_FAILURE};
  }
  uint64_t height = 0;
  uint64_t width = 0;
  code = GxfParameterGet2DInt64VectorInfo(context(), cid(), "grid", &height, &width);
  if (code != GXF_SUCCESS || height != 2 || width != 3) {
    GXF_LOG_ERROR("Grid: %s, %lu x %lu", GxfResultStr(code), height, width);
    return nvidia::gxf::Unexpected{GXF_FAILURE};
  }
  code = GxfParameterGet1DInt64Vector(context(), cid(), "weights", nullptr, &length);
  return nvidia::gxf::ExpectedOrCode(code == GXF_PARAMETER_INVALID_TYPE ? GXF_SUCCESS
                                                                        : GXF_FAILURE);
}

nvidia::gxf::Expected<void> ParameterAsk::ask_handles() {
  gxf_uid_t gauge = kNullUid;
  const gxf_result_t code = GxfParameterGetHandle(context(), cid(), "gauge", &gauge);
  if (code != GXF_SUCCESS || gauge != gauge_->cid()) {
    GXF_LOG_ERROR("Gauge: %s, %ld", GxfResultStr(code), gauge);
    return nvidia::gxf::Unexpected{GXF_FAILURE};
  }
  const char* name = nullptr;
  if (GxfComponentName(context(), gauge, &name) != GXF_SUCCESS ||
      std::strcmp(name, gauge_.get().name()) != 0) {
    return nvidia::gxf::Unexpected{GXF_FAILURE};
  }
  const bool are_errors_right =
      GxfParameterGetHandle(context(), cid(), "missing", &gauge) == GXF_PARAMETER_NOT_INITIALIZED &&
      GxfParameterGetHandle(context(), cid(), "weights", &gauge) == GXF_PARAMETER_INVALID_TYPE &&
      GxfParameterGetHandle(context(), cid(), "nothing", &gauge) == GXF_PARAMETER_NOT_FOUND;
  return nvidia::gxf::ExpectedOrCode(are_errors_right ? GXF_SUCCESS : GXF_FAILURE);
}

// The entity of the scheduler has no component of an extension.
nvidia::gxf::Expected<void> ParameterAsk::ask_entities() {
  gxf_uid_t scheduler = kNullUid;
  gxf_result_t code = GxfEntityFind(context(), "scheduler", &scheduler);
  gxf_tid_t tid = GxfTidNull();
  gxf_uid_t clock = kNullUid;
  void* pointer = nullptr;
  if (code == GXF_SUCCESS) {
    code = GxfComponentTypeId(context(), "nvidia::gxf::Clock", &tid);
  }
  if (code == GXF_SUCCESS) {
    code = GxfComponentFindAndGetPtr(context(), scheduler, nullptr, tid, "clock", nullptr, &clock,
                                     &pointer);
  }
  gxf_uid_t entity = kNullUid;
  if (code != GXF_SUCCESS || pointer == nullptr ||
      GxfComponentEntity(context(), clock, &entity) != GXF_SUCCESS || entity != scheduler) {
    GXF_LOG_ERROR("The clock of the scheduler: %s", GxfResultStr(code));
    return nvidia::gxf::Unexpected{GXF_FAILURE};
  }
  std::array<gxf_uid_t, 16> entities{};
  uint64_t count = entities.size();
  code = GxfEntityFindAll(context(), &count, entities.data());
  if (code != GXF_SUCCESS || count != 6) {
    GXF_LOG_ERROR("Entities: %s, %lu", GxfResultStr(code), count);
    return nvidia::gxf::Unexpected{GXF_FAILURE};
  }
  return nvidia::gxf::ExpectedOrCode(
      GxfEntityFind(context(), "nobody", &entity) == GXF_ENTITY_NOT_FOUND ? GXF_SUCCESS
                                                                          : GXF_FAILURE);
}

gxf_result_t ParameterAsk::tick() {
  nvidia::gxf::Expected<void> result = ask_lists();
  result &= ask_handles();
  result &= ask_entities();
  if (result) {
    GXF_LOG_INFO("params: the C interface knows the parameters");
  }
  return nvidia::gxf::ToResultCode(result);
}

}  // namespace params
}  // namespace acme
