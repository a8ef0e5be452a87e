#include "dds/publisher.hpp"

#include <chrono>
#include <string>
#include <utility>

#include "dds/message_codec.hpp"
#include "dds/parts.hpp"
#include "dds/ros_times.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::dds {
namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

}  // namespace

void Publisher::declare(Interface& interface) {
  interface.input(in_, "in", "Receiver of messages to publish")
      .description(
          "With gxr/v1/Message: tensors, pictures, timestamps, numbers and texts. With a "
          "type of ROS 2: a gxr::dds::Sample of that type.");
  topic_.declare(interface);
  interface.parameter(lifespan_, "lifespan", "Time after which a sample is of no use; 0: any")
      .default_value({});
  interface.parameter(strength_, "strength", "With 'ownership: exclusive', the greatest is heard")
      .default_value(0);
  interface
      .parameter(max_blocking_, "max_blocking",
                 "How long a tick may wait for reliable subscribers to take what was sent",
                 "With 'depth: 0' and 4000 messages under way, or with more than 1 GiB. After that, "
                 "the message is dropped, counted, and reported.")
      .minimum(0)
      .default_value({100 * kMillisecond});
  interface
      .parameter(drain_timeout_, "drain_timeout",
                 "How long the end of the run waits until reliable subscribers have everything")
      .minimum(0)
      .default_value({1000 * kMillisecond});
}

void Publisher::initialize() {
  EndpointOptions options = topic_.options(full_name());
  Qualities& qualities = options.qualities;
  qualities.lifespan = std::chrono::nanoseconds(lifespan_.get().nanoseconds);
  qualities.strength = strength_.get();
  qualities.max_blocking = std::chrono::nanoseconds(max_blocking_.get().nanoseconds);
  if (strength_.get() != 0 && qualities.ownership == Ownership::Shared) {
    throw Error(ErrorCode::InvalidParameter,
                "'strength' has an effect only with 'ownership: exclusive'");
  }
  published_ = 0;
  refused_ = 0;
  missed_ = 0;
  participation_ = topic_.join(*this);
  acquaintances_.emplace(TopicParameters::endpoint(options, true),
                         [this](const std::string& text) { log_warning(text); });
  writer_ = participation_->make_writer(options, *this);
}

void Publisher::start() { participation_->watch(*acquaintances_); }

SharedBytes Publisher::encode(const Message& message) const {
  if (!topic_.type().is_ros()) {
    return encode_message(message);
  }
  const auto* const sample = message.find<Sample>();
  if (sample == nullptr) {
    throw Error(ErrorCode::NotFound,
                "the message has no gxr::dds::Sample to be published as " + topic_.type().name +
                    ": put a gxr::dds::ToRos before this publisher, or leave 'type' out");
  }
  if (sample->type != &topic_.type()) {
    throw Error(ErrorCode::WrongType, "the message has a sample of " + sample->type->name +
                                          ", and this publisher sends " + topic_.type().name);
  }
  return sample->bytes;
}

void Publisher::tick() {
  const Message message = in_.receive();
  message.wait_for_device();
  if (writer_->write(encode(message), time_of_day())) {
    ++published_;
  } else if (refused_++ == 0) {
    log_warning(
        "a message was dropped, because reliable subscribers did not take those before it "
        "within 'max_blocking'; more may follow");
  }
}

void Publisher::on_deadline_missed(std::uint32_t count) {
  if (missed_.fetch_add(count) == 0) {
    log_warning("no message was published within 'deadline'; that may happen again");
  }
}

void Publisher::on_matched(std::uint32_t count) {
  readers_ = count;
  log_debug("subscribers: " + std::to_string(count));
}

void Publisher::report() const {
  std::string text =
      "published " + std::to_string(published_) + (published_ == 1 ? " message" : " messages");
  if (refused_ > 0) {
    text += ", dropped " + std::to_string(refused_);
  }
  if (missed_ > 0) {
    text +=
        ", missed its deadline " + std::to_string(missed_) + (missed_ == 1 ? " time" : " times");
  }
  log_info(text);
}

void Publisher::stop() {
  const std::chrono::nanoseconds limit(drain_timeout_.get().nanoseconds);
  if (readers_ > 0 && !writer_->wait_for_readers(limit)) {
    log_warning("some subscribers did not get everything within 'drain_timeout' (" +
                general_text(std::chrono::duration<double>(limit).count()) + " s)");
  }
  participation_->unwatch(*acquaintances_);
  report();
}

void Publisher::deinitialize() {
  writer_.reset();
  acquaintances_.reset();
  participation_.reset();
}

}  // namespace gxr::dds
