#include <string>

#include "gxr/error.hpp"
#include "gxr/message_terms.hpp"

namespace gxr {
namespace {

/// How often an allocator is asked that does not say when memory comes back.
constexpr std::int64_t kPollPeriod = 1'000'000;

}  // namespace

MemoryAvailableSchedulingTerm::~MemoryAvailableSchedulingTerm() = default;

void MemoryAvailableSchedulingTerm::declare(Interface& interface) {
  interface.parameter(allocator_, "allocator", "Allocator whose memory is waited for");
  interface
      .parameter(min_bytes_, "min_bytes", "Bytes that must be free",
                 "Either this or min_blocks is given.")
      .optional()
      .unit("bytes");
  interface
      .parameter(min_blocks_, "min_blocks", "Blocks that must be free",
                 "Of an allocator without blocks: bytes.")
      .optional()
      .unit("blocks");
}

void MemoryAvailableSchedulingTerm::initialize() {
  if (min_bytes_.has_value() == min_blocks_.has_value()) {
    throw Error(ErrorCode::InvalidParameter,
                min_bytes_.has_value()
                    ? "both 'min_bytes' and 'min_blocks' are given; remove one"
                    : "one of the parameters 'min_bytes' and 'min_blocks' is needed");
  }
  if (min_bytes_.has_value()) {
    needed_ = *min_bytes_;
  } else if (__builtin_mul_overflow(*min_blocks_, allocator_->block_size(), &needed_)) {
    throw Error(ErrorCode::OutOfRange, "parameter 'min_blocks': " + std::to_string(*min_blocks_) +
                                           " blocks are more than any memory");
  }
  allocator_->watch(*this);
}

void MemoryAvailableSchedulingTerm::deinitialize() { allocator_->unwatch(*this); }

Condition MemoryAvailableSchedulingTerm::check(std::int64_t) {
  return {allocator_->has_free(needed_) ? ConditionType::Ready : ConditionType::Wait, 0};
}

void MemoryAvailableSchedulingTerm::events(TermEvents& events) {
  if (allocator_->announces_free()) {
    events.notification();
  } else {
    events.poll(kPollPeriod);
  }
}

std::string MemoryAvailableSchedulingTerm::explain() const {
  const std::string amount = min_blocks_.has_value() ? std::to_string(*min_blocks_) + " free blocks"
                                                     : std::to_string(needed_) + " free bytes";
  return "waits for " + amount + " in '" + allocator_->full_name() + "'";
}

}  // namespace gxr
