#include <utility>

#include <gxr/plain_text.hpp>

#include "driver.hpp"

namespace driver {
namespace {

std::string at(const gxr::Codelet& codelet) {
  return "at " + std::to_string(codelet.execution_timestamp()) + " ns";
}

}  // namespace

void Source::declare(Interface& interface) {
  interface.output(signal_, "signal", "The messages");
  interface.parameter(times_, "times", "Times of acquisition").default_value({});
  interface.parameter(burst_, "burst", "Messages in a tick").default_value(1);
}

void Source::tick() {
  for (int i = 0; i < *burst_; ++i) {
    gxr::Message message = context().new_message();
    message.add<std::int32_t>("number", ++number_);
    const auto index = static_cast<std::size_t>(number_ - 1);
    if (index < times_->size()) {
      signal_.publish(std::move(message), (*times_)[index]);
    } else {
      signal_.publish(std::move(message));
    }
  }
}

void Sink::declare(Interface& interface) {
  interface.parameter(signals_, "signals", "Where to take messages");
  interface.parameter(most_, "most", "Messages to take from each in a tick").default_value(100);
}

void Sink::tick() {
  std::string text = at(*this);
  for (const auto& signal : *signals_) {
    text += " |" + take(*signal);
  }
  log_info(text);
}

std::string Sink::take(gxr::Receiver& receiver) const {
  std::string text;
  const std::size_t waiting = receiver.size();
  for (std::size_t i = 0; i < waiting && i < static_cast<std::size_t>(*most_); ++i) {
    const gxr::Message message = receiver.receive_if_any();
    if (!message) {
      text += " null";
      continue;
    }
    text += " " + std::to_string(message.get<std::int32_t>("number"));
    if (const auto* timestamp = message.find<gxr::Timestamp>()) {
      text += "@" + std::to_string(timestamp->acqtime);
    }
  }
  return text;
}

void TensorSource::declare(Interface& interface) {
  interface.output(signal_, "signal", "Messages with one tensor");
  interface.parameter(pool_, "pool", "Gives the memory");
  interface.parameter(storage_type_, "storage_type", "What the tensors say of their memory")
      .default_value(2);
}

void TensorSource::tick() {
  gxr::Message message = context().new_message();
  auto& tensor = message.add<gxr::Tensor>("tensor");
  if (*storage_type_ == 2) {
    tensor.allocate<std::uint8_t>(*pool_.get().get(), {2, 3});
  } else {
    static std::uint8_t memory[8] = {1, 2, 3, 0, 4, 5, 6, 0};
    const gxr::Strides strides{4, 1};
    tensor.wrap(memory, {2, 3}, gxr::ElementType::UInt8,
                static_cast<gxr::MemoryStorageType>(*storage_type_), nullptr, nullptr, 1, &strides);
  }
  log_info("publishes " + at(*this));
  signal_.publish(std::move(message));
}

void TensorSink::declare(Interface& interface) {
  interface.input(signal_, "signal", "Messages with one tensor");
  interface.parameter(keep_, "keep", "Messages to keep before all are dropped").default_value(1);
}

void TensorSink::tick() {
  kept_.push_back(signal_.receive());
  const auto& tensor = kept_.back().get<gxr::Tensor>("tensor");
  std::string text = std::string(gxr::to_string(tensor.storage_type())) + " " +
                     tensor.shape().to_string() + ", stride " + std::to_string(tensor.stride(0));
  if (tensor.stride(0) == 4) {
    text += ", last " + std::to_string(tensor.data<std::uint8_t>()[6]);
  }
  if (kept_.size() == static_cast<std::size_t>(*keep_)) {
    kept_.clear();
    text += ", drops all";
  }
  log_info(text);
}

void Sampler::declare(Interface& interface) {
  interface.parameter(metric_, "metric", "Gets the samples");
  interface.parameter(samples_, "samples", "The samples");
}

void Sampler::tick() {
  for (const double sample : *samples_) {
    metric_->record(sample);
  }
  const std::optional<double> value = metric_->aggregated_value();
  log_info("value " + (value ? gxr::fixed_text(*value, 6) : "none") +
           (metric_->evaluate_success() ? ", success" : ", no success"));
  metric_->reset();
}

}  // namespace driver
