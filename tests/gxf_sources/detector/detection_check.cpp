#include "detection_check.hpp"

#include <cinttypes>

#include "boxes.hpp"
#include "gxf/std/parameter_parser_std.hpp"
#include "gxf/std/tensor.hpp"
#include "gxf/std/timestamp.hpp"

namespace nvidia {
namespace meadow {

gxf_result_t DetectionCheck::registerInterface(gxf::Registrar* registrar) {
  gxf::Expected<void> result;
  result &=
      registrar->parameter(detections_, "detections", "Detections", "Receiver of the results");
  result &= registrar->parameter(expected_, "expected", "Expected",
                                 "Class, score, x, y, width, height of each box");
  result &= registrar->parameter(expected_count_, "expected_count", "Count",
                                 "How many results must come");
  return gxf::ToResultCode(result);
}

gxf_result_t DetectionCheck::initialize() {
  count_ = 0;
  return GXF_SUCCESS;
}

gxf_result_t DetectionCheck::tick() {
  auto message = detections_->receive();
  if (!message) {
    return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
  }
  ++count_;
  auto list = message.value().get<BoxList>();
  auto tensor = message.value().get<gxf::Tensor>("detections");
  auto count = message.value().get<gxf::Tensor>("count").map(
      [](gxf::Handle<gxf::Tensor> handle) { return handle->data<int64_t>(); });
  auto timestamp = message.value().get<gxf::Timestamp>("timestamp");
  if (!list || !tensor || !count || !timestamp) {
    GXF_LOG_ERROR("A result lacks parts");
    return GXF_INVALID_DATA_FORMAT;
  }
  const auto& expected = expected_.get();
  if (list.value()->boxes.size() != expected.size() ||
      **count != static_cast<int64_t>(expected.size()) ||
      tensor.value()->shape().dimension(1) != 6 || timestamp.value()->acqtime != count_ * 1000) {
    GXF_LOG_ERROR("Result %" PRId64 " of time %" PRId64 " has %zu boxes", count_,
                  timestamp.value()->acqtime, list.value()->boxes.size());
    return GXF_FAILURE;
  }
  auto data = tensor.value()->data<float>();
  if (!data) {
    return data.error();
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    const Box& box = list.value()->boxes[i];
    const std::vector<float> row(data.value() + 6 * i, data.value() + 6 * (i + 1));
    const std::vector<float> fields{
        static_cast<float>(box.label), box.score, box.x, box.y, box.width, box.height};
    if (row != expected[i] || fields != expected[i]) {
      GXF_LOG_ERROR("Box %zu has class %d, score %g, and is at %g, %g", i, box.label,
                    static_cast<double>(box.score), static_cast<double>(box.x),
                    static_cast<double>(box.y));
      return GXF_FAILURE;
    }
  }
  return GXF_SUCCESS;
}

gxf_result_t DetectionCheck::deinitialize() {
  if (count_ != expected_count_) {
    GXF_LOG_ERROR("Expected %" PRId64 " results, got %" PRId64, expected_count_.get(), count_);
    return GXF_FAILURE;
  }
  GXF_LOG_INFO("detector: %" PRId64 " results are right", count_);
  return GXF_SUCCESS;
}

}  // namespace meadow
}  // namespace nvidia
