#include "codelets.hpp"

#include <cinttypes>
#include <cstring>

#include "gxf/core/parameter_parser_std.hpp"
#include "gxf/std/memory_buffer.hpp"
#include "gxf/std/tensor.hpp"

namespace acme {
namespace terms {

using nvidia::gxf::AsynchronousEventState;
using nvidia::gxf::Expected;
using nvidia::gxf::MemoryStorageType;
using nvidia::gxf::ToResultCode;

gxf_result_t TickCounter::registerInterface(nvidia::gxf::Registrar* registrar) {
  Expected<void> result;
  result &= registrar->parameter(term_, "term", "Term", "The term that makes this codelet tick");
  result &= registrar->parameter(expected_ticks_, "expected_ticks", "Ticks",
                                 "How many ticks there must be");
  return ToResultCode(result);
}

gxf_result_t TickCounter::start() {
  ticks_ = 0;
  if (term_->eid() != eid()) {
    GXF_LOG_ERROR("The term '%s' belongs to another entity than '%s'", term_->name(),
                  entity().name());
    return GXF_ARGUMENT_INVALID;
  }
  return GXF_SUCCESS;
}

gxf_result_t TickCounter::tick() {
  ++ticks_;
  return ticks_ == getExecutionCount() ? GXF_SUCCESS : GXF_FAILURE;
}

gxf_result_t TickCounter::stop() {
  GXF_LOG_INFO("terms: %s ticked %" PRId64 " times", name(), ticks_);
  return GXF_SUCCESS;
}

gxf_result_t TickCounter::deinitialize() {
  if (ticks_ != expected_ticks_) {
    GXF_LOG_ERROR("%s: expected %" PRId64 " ticks, got %" PRId64, name(), expected_ticks_.get(),
                  ticks_);
    return GXF_FAILURE;
  }
  return GXF_SUCCESS;
}

gxf_result_t MemoryUser::registerInterface(nvidia::gxf::Registrar* registrar) {
  Expected<void> result;
  result &= registrar->parameter(allocator_, "allocator", "Allocator",
                                 "Gives system memory, but not a gigabyte");
  return ToResultCode(result);
}

gxf_result_t MemoryUser::tick() {
  if (!allocator_->is_available(256) || allocator_->is_available(1UL << 30) ||
      allocator_->block_size() == 0) {
    GXF_LOG_ERROR("The allocator does not know what it has");
    return GXF_FAILURE;
  }
  auto memory = allocator_->allocate(64, MemoryStorageType::kSystem);
  if (!memory) {
    return memory.error();
  }
  std::memset(memory.value(), 1, 64);
  auto freed = allocator_->free(memory.value());
  if (!freed) {
    return freed.error();
  }
  if (allocator_->allocate(1UL << 30, MemoryStorageType::kSystem)) {
    return GXF_FAILURE;
  }
  nvidia::gxf::MemoryBuffer buffer;
  auto resized = buffer.resize(allocator_, 128, MemoryStorageType::kSystem);
  if (!resized || buffer.size() != 128 || buffer.storage_type() != MemoryStorageType::kSystem) {
    return GXF_OUT_OF_MEMORY;
  }
  nvidia::gxf::Tensor tensor;
  auto reshaped =
      tensor.reshape<double>(nvidia::gxf::Shape{2, 3}, MemoryStorageType::kSystem, allocator_);
  return ToResultCode(reshaped);
}

gxf_result_t Squarer::registerInterface(nvidia::gxf::Registrar* registrar) {
  Expected<void> result;
  result &= registrar->parameter(done_, "done", "Done", "The term of the results");
  result &= registrar->parameter(more_, "more", "More", "The term that ends the codelet");
  result &= registrar->parameter(jobs_, "jobs", "Jobs", "How many numbers are squared",
                                 static_cast<int64_t>(4));
  return ToResultCode(result);
}

gxf_result_t Squarer::start() {
  stopping_ = false;
  next_ = -1;
  finished_ = 0;
  worker_ = std::thread([this] { work(); });
  order(0);
  return GXF_SUCCESS;
}

// The state changes before the thread hears of the order, as the thread may be faster than this
// function.
void Squarer::order(int64_t number) {
  done_->setEventState(AsynchronousEventState::EVENT_WAITING);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    next_ = number;
  }
  ordered_.notify_one();
}

void Squarer::work() {
  while (true) {
    int64_t number = 0;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      ordered_.wait(lock, [this] { return stopping_ || next_ >= 0; });
      if (stopping_) {
        return;
      }
      number = next_;
      next_ = -1;
      result_ = number * number;
    }
    if (number == jobs_) {
      // There is no result any more: the entity ends.
      if (!more_->disable_tick() || more_->checkTickEnabled()) {
        GXF_LOG_ERROR("The term cannot be switched off");
      }
    }
    done_->setEventState(AsynchronousEventState::EVENT_DONE);
  }
}

gxf_result_t Squarer::tick() {
  if (done_->getEventState() != AsynchronousEventState::EVENT_DONE) {
    GXF_LOG_ERROR("A tick without result");
    return GXF_FAILURE;
  }
  int64_t result = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    result = result_;
  }
  if (result != finished_ * finished_) {
    GXF_LOG_ERROR("The square of %" PRId64 " is not %" PRId64, finished_, result);
    return GXF_FAILURE;
  }
  order(++finished_);
  return GXF_SUCCESS;
}

gxf_result_t Squarer::stop() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  ordered_.notify_one();
  if (worker_.joinable()) {
    worker_.join();
  }
  done_->setEventState(AsynchronousEventState::EVENT_NEVER);
  GXF_LOG_INFO("terms: %" PRId64 " squares", finished_);
  return GXF_SUCCESS;
}

gxf_result_t Squarer::deinitialize() { return finished_ == jobs_ ? GXF_SUCCESS : GXF_FAILURE; }

gxf_result_t Alarm::registerInterface(nvidia::gxf::Registrar* registrar) {
  Expected<void> result;
  result &= registrar->parameter(target_, "target", "Target", "The term that waits for a time");
  result &= registrar->parameter(clock_, "clock", "Clock", "The clock of the scheduler");
  result &= registrar->parameter(delays_, "delays", "Delays", "Between the ticks, in nanoseconds");
  return ToResultCode(result);
}

gxf_result_t Alarm::start() {
  rings_ = 0;
  due_ = 0;
  return GXF_SUCCESS;
}

gxf_result_t Alarm::tick() {
  if (getExecutionTimestamp() < due_ || clock_->timestamp() < due_ || clock_->time() < 0.0) {
    GXF_LOG_ERROR("The alarm of %" PRId64 " came at %" PRId64, due_, getExecutionTimestamp());
    return GXF_FAILURE;
  }
  if (rings_ == delays_.get().size()) {
    ++rings_;
    return GXF_SUCCESS;
  }
  due_ = getExecutionTimestamp() + delays_.get()[rings_++];
  return target_->setNextTargetTime(due_);
}

gxf_result_t Alarm::stop() {
  GXF_LOG_INFO("terms: %zu alarms", rings_);
  return GXF_SUCCESS;
}

gxf_result_t Alarm::deinitialize() {
  return rings_ == delays_.get().size() + 1 ? GXF_SUCCESS : GXF_FAILURE;
}

}  // namespace terms
}  // namespace acme
