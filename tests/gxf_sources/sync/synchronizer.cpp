#include "synchronizer.hpp"

#include <cinttypes>
#include <cstdlib>

namespace acme {
namespace sync {

namespace {

using nvidia::gxf::Entity;
using nvidia::gxf::Expected;
using nvidia::gxf::ExpectedOrCode;
using nvidia::gxf::ForwardError;
using nvidia::gxf::Handle;
using nvidia::gxf::Receiver;
using nvidia::gxf::Success;
using nvidia::gxf::Timestamp;
using nvidia::gxf::Unexpected;

// Adds a number of a message to another message, under the name of the input.
Expected<void> copyNumber(const Entity& from, Entity& to, const char* name) {
  auto number = from.get<int64_t>("number");
  if (!number) {
    return ForwardError(number);
  }
  auto copy = to.add<int64_t>(name);
  if (!copy) {
    return ForwardError(copy);
  }
  *copy.value() = *number.value();
  return Success;
}

}  // namespace

gxf_result_t Synchronizer::registerInterface(nvidia::gxf::Registrar* registrar) {
  Expected<void> result;
  result &= registrar->parameter(left_, "left", "Left input", "Receiver of the left messages");
  result &= registrar->parameter(right_, "right", "Right input", "Receiver of the right messages");
  result &= registrar->parameter(output_, "output", "Output", "Transmitter of the pairs");
  result &= registrar->parameter(
      tolerance_, "tolerance", "Tolerance",
      "The largest difference of two acquisition times of a pair, in nanoseconds", 0L);
  return nvidia::gxf::ToResultCode(result);
}

gxf_result_t Synchronizer::start() {
  dropped_ = 0;
  if (tolerance_ < 0) {
    GXF_LOG_ERROR("The tolerance is negative: %" PRId64, tolerance_.get());
    return GXF_PARAMETER_OUT_OF_RANGE;
  }
  return GXF_SUCCESS;
}

gxf_result_t Synchronizer::stop() {
  GXF_LOG_INFO("sync: dropped %" PRId64 " messages", dropped_);
  return GXF_SUCCESS;
}

// What the oldest message of an input is; nothing when there is none.
Expected<std::optional<Synchronizer::Head>> Synchronizer::peekHead(const Handle<Receiver>& input) {
  if (input->size() == 0) {
    return std::optional<Head>{};
  }
  auto message = input->peek();
  if (!message) {
    return ForwardError(message);
  }
  Head head;
  if (message.value().get<nvidia::gxf::EndOfStream>()) {
    head.end = true;
    return std::optional<Head>{head};
  }
  auto timestamp = message.value().get<Timestamp>("timestamp");
  if (!timestamp) {
    GXF_LOG_ERROR("A message on '%s' has no timestamp", input.name());
    return Unexpected{GXF_INVALID_DATA_FORMAT};
  }
  head.acqtime = timestamp.value()->acqtime;
  return std::optional<Head>{head};
}

Expected<void> Synchronizer::drop(const Handle<Receiver>& input) {
  auto message = input->receive();
  if (!message) {
    return ForwardError(message);
  }
  ++dropped_;
  return Success;
}

Expected<void> Synchronizer::publishPair() {
  auto left = left_->receive();
  if (!left) {
    return ForwardError(left);
  }
  auto right = right_->receive();
  if (!right) {
    return ForwardError(right);
  }
  auto pair = Entity::New(context());
  if (!pair) {
    return ForwardError(pair);
  }
  Expected<void> result;
  result &= copyNumber(left.value(), pair.value(), "left");
  result &= copyNumber(right.value(), pair.value(), "right");
  if (!result) {
    return ForwardError(result);
  }
  const auto acqtime =
      left.value().get<Timestamp>("timestamp").map([](Handle<Timestamp> timestamp) {
        return timestamp->acqtime;
      });
  if (!acqtime) {
    return ForwardError(acqtime);
  }
  return output_->publish(pair.value(), acqtime.value());
}

gxf_result_t Synchronizer::tick() {
  // One tick empties the inputs as far as that is possible.
  while (true) {
    const auto left = peekHead(left_.get());
    if (!left) {
      return left.error();
    }
    const auto right = peekHead(right_.get());
    if (!right) {
      return right.error();
    }
    if (!left.value().has_value() || !right.value().has_value()) {
      return GXF_SUCCESS;
    }
    const Head& first = left.value().value();
    const Head& second = right.value().value();
    Expected<void> result;
    if (first.end && second.end) {
      auto end = left_->receive();
      auto other_end = right_->receive();
      if (!end || !other_end) {
        return GXF_CONTRACT_MESSAGE_NOT_AVAILABLE;
      }
      // Another reference to the same message, once by way of its number and once by way of the
      // object.
      auto shared = Entity::Shared(context(), end.value().eid());
      if (!shared || shared.value().eid() != end.value().clone().value().eid()) {
        return GXF_FAILURE;
      }
      return nvidia::gxf::ToResultCode(output_->publish(shared.value()));
    }
    // NOLINTBEGIN(bugprone-branch-clone)
    if (first.end) {
      result = drop(right_.get());
    } else if (second.end) {
      result = drop(left_.get());
    } else if (std::abs(first.acqtime - second.acqtime) <= tolerance_) {
      result = publishPair();
    } else if (first.acqtime < second.acqtime) {
      result = drop(left_.get());
    } else {
      result = drop(right_.get());
    }
    // NOLINTEND(bugprone-branch-clone)
    const auto code = nvidia::gxf::ToResultCode(result);
    if (auto done = ExpectedOrCode(code); !done) {
      GXF_LOG_ERROR("Failed to join messages: %s", GxfResultStr(code));
      return code;
    }
  }
}

}  // namespace sync
}  // namespace acme
