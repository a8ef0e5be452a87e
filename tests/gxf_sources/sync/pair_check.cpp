#include "pair_check.hpp"

#include <cinttypes>

#include "gxf/core/parameter_parser_std.hpp"
#include "gxf/std/eos.hpp"
#include "gxf/std/timestamp.hpp"

namespace acme {
namespace sync {

gxf_result_t PairCheck::registerInterface(nvidia::gxf::Registrar* registrar) {
  nvidia::gxf::Expected<void> result;
  result &= registrar->parameter(input_, "input", "Input", "Receiver of the pairs");
  result &= registrar->parameter(expected_, "expected", "Expected pairs",
                                 "For each pair: left number, right number, acquisition time");
  result &=
      registrar->parameter(stream_, "stream", "Stream", "The number in the end of the stream", -1L);
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t PairCheck::initialize() {
  next_ = 0;
  ended_ = false;
  return GXF_SUCCESS;
}

gxf_result_t PairCheck::tick() {
  const auto message = input_->receive();
  if (!message || message.value().is_null()) {
    return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
  }
  const auto end = message.value().get<nvidia::gxf::EndOfStream>();
  if (end) {
    ended_ = true;
    if (end.value()->stream_id() != stream_) {
      GXF_LOG_ERROR("The end of stream %" PRId64 " came, expected %" PRId64,
                    end.value()->stream_id(), stream_.get());
      return GXF_FAILURE;
    }
    GXF_LOG_INFO("sync: %zu pairs, then the end of stream %" PRId64, next_,
                 end.value()->stream_id());
    return GXF_SUCCESS;
  }
  const auto left = message.value().get<int64_t>("left");
  const auto right = message.value().get<int64_t>("right");
  const auto timestamp = message.value().get<nvidia::gxf::Timestamp>("timestamp");
  if (!left || !right || !timestamp) {
    GXF_LOG_ERROR("Parts are missing");
    return GXF_INVALID_DATA_FORMAT;
  }
  if (next_ >= expected_.get().size()) {
    GXF_LOG_ERROR("Too many pairs");
    return GXF_FAILURE;
  }
  const std::vector<int64_t> pair{*left.value(), *right.value(), timestamp.value()->acqtime};
  if (pair != expected_.get()[next_] || timestamp.value()->pubtime != 0) {
    GXF_LOG_ERROR("Pair %zu is %" PRId64 ", %" PRId64 " at %" PRId64, next_, pair[0], pair[1],
                  pair[2]);
    return GXF_FAILURE;
  }
  ++next_;
  return GXF_SUCCESS;
}

gxf_result_t PairCheck::deinitialize() {
  if (!ended_ || next_ != expected_.get().size()) {
    GXF_LOG_ERROR("Got %zu of %zu pairs, %s", next_, expected_.get().size(),
                  ended_ ? "and the end" : "but no end");
    return GXF_FAILURE;
  }
  return GXF_SUCCESS;
}

}  // namespace sync
}  // namespace acme
