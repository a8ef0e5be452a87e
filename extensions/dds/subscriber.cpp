#include "dds/subscriber.hpp"

#include <new>
#include <utility>

#include "dds/cdr_reader.hpp"
#include "dds/discontinuity.hpp"
#include "dds/message_codec.hpp"
#include "dds/parts.hpp"
#include "dds/ros_times.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"

namespace gxr::dds {

void Subscriber::declare(Interface& interface) {
  interface.output(out_, "out", "Transmitter of the messages that come")
      .description(
          "With gxr/v1/Message: what was published. With a type of ROS 2: a "
          "gxr::dds::Sample. After a gap, a message has a part 'discontinuity', too.");
  topic_.declare(interface);
  interface.parameter(count_, "count", "Messages after which the subscriber ends; 0: none")
      .default_value(0);
  interface
      .parameter(lost_, "lost", "Metric that gets the number of samples that each gap lost",
                 "Lost on the network, or dropped by the subscriber because the entity did not take them "
                 "in time.")
      .optional();
  interface.parameter(term_, "asynchronous_scheduling_term",
                      "Term of this entity: waits for samples, and ends the entity");
}

void Subscriber::initialize() {
  const EndpointOptions options = topic_.options(full_name());
  published_ = 0;
  shared_ = 0;
  lost_any_ = false;
  missed_ = 0;
  bad_.clear();
  if (const auto& metric = lost_.try_get()) {
    (*metric)->set_aggregation_policy("sum");
  }
  participation_ = topic_.join(*this);
  acquaintances_.emplace(TopicParameters::endpoint(options, false),
                         [this](const std::string& text) { log_warning(text); });
  reader_ = participation_->make_reader(options, *this);
}

void Subscriber::start() {
  participation_->watch(*acquaintances_);
  queue_.open(*term_.get(), *reader_, topic_.options({}).qualities,
              [this](const Received& sample) { on_bad_sample(sample.writer, sample.flaw); });
  reader_->listen();
}

std::optional<std::uint64_t> Subscriber::ticks_in_run() const {
  return *count_ > 0 ? std::optional<std::uint64_t>(*count_) : std::nullopt;
}

void Subscriber::tick() {
  if (std::optional<SampleQueue::Entry> entry = queue_.take(time_of_day())) {
    publish(std::move(*entry));
  }
}

/// False: it is no sample of the type.
bool Subscriber::fill_message(Message& message, SampleQueue::Entry& entry) {
  try {
    if (topic_.type().is_ros()) {
      const Sample sample{&topic_.type(), std::move(entry.sample.bytes)};
      check_sample(topic_.type(), sample.body());
      message.add<Sample>("sample", sample);
      message.set_source_time(entry.sample.time);
      message.set_sequence(published_);
    } else {
      decode_message(take_bytes(std::move(entry.sample.bytes)), message);
    }
    return true;
  } catch (const Error& error) {
    on_bad_sample(entry.sample.writer, error.message());
  } catch (const std::bad_alloc&) {
    on_bad_sample(entry.sample.writer, "there is no memory for what it holds");
  }
  return false;
}

void Subscriber::publish(SampleQueue::Entry entry) {
  const bool was_shared = entry.sample.was_shared;
  Message message = context().new_message();
  if (!fill_message(message, entry)) {
    queue_.add_to_next(entry.sample.writer, entry.lost);
    return;
  }
  note_loss(entry);
  if (entry.lost > 0) {
    mark_gap(message);
  }
  out_.publish(std::move(message));
  shared_ += was_shared ? 1 : 0;
  if (++published_ == count_.get()) {
    queue_.end();
  }
}

void Subscriber::note_loss(const SampleQueue::Entry& entry) {
  if (entry.lost == 0) {
    return;
  }
  if (const auto& metric = lost_.try_get()) {
    (*metric)->record(static_cast<double>(entry.lost));
  }
  if (!std::exchange(lost_any_, true)) {
    log_warning(std::to_string(entry.lost) + (entry.lost == 1 ? " sample of " : " samples of ") +
                acquaintances_->called(entry.sample.writer) + " got lost; more may follow");
  }
}

void Subscriber::on_deadline_missed(std::uint32_t count) {
  if (missed_.fetch_add(count) == 0) {
    log_warning("no sample came within 'deadline'; that may happen again");
  }
}

void Subscriber::on_matched(std::uint32_t count) {
  log_debug("publishers: " + std::to_string(count));
}

void Subscriber::on_bad_sample(const Guid& writer, const std::string& reason) {
  if (bad_.add(writer, reason)) {
    log_warning("a sample of " + acquaintances_->called(writer) + " was dropped: " + reason +
                "; more may follow");
  }
}

void Subscriber::report() const {
  const auto counted = [](std::uint64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
  };
  std::string text = "received " + counted(published_, "message");
  if (shared_ > 0) {
    text += ", " + std::to_string(shared_) + " of them through shared memory";
  }
  for (const Losses::Writer& writer : queue_.losses().writers()) {
    if (writer.lost + writer.dropped > 0) {
      text += "; of " + acquaintances_->called(writer.guid) + ", " + std::to_string(writer.lost) +
              " were lost on the network and " + std::to_string(writer.dropped) +
              " dropped by this subscriber";
    }
  }
  if (bad_.count() > 0) {
    text += "; dropped " + counted(bad_.count(), "bad sample");
  }
  if (missed_ > 0) {
    text += "; missed the deadline " + counted(missed_, "time");
  }
  log_info(text);
}

void Subscriber::stop() {
  report();
  participation_->unwatch(*acquaintances_);
  queue_.close();
  reader_.reset();
}

void Subscriber::deinitialize() {
  reader_.reset();
  acquaintances_.reset();
  participation_.reset();
}

}  // namespace gxr::dds
