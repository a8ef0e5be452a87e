// Types of a third party, with parameters that are called otherwise than those of gxr's own types
// of their kind. What they declare makes every pass treat them as gxr's own.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gxr/gxr.hpp>
#include <gxr/outside_queue.hpp>

namespace third {

// --- queues ------------------------------------------------------------------------------------

/// A remote queue; the other process has sent `sent` messages before the run and ended.
class Inbox final : public gxr::Receiver, public gxr::OutsideQueue {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(endpoint_, "endpoint", "Where the other process is");
    interface.parameter(sent_, "sent", "Messages that it has sent").default_value(0);
    interface.remote_queue("endpoint");
  }
  void initialize() override { arrived_ = *sent_; }
  void push(gxr::Message) override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "messages come from another process only");
  }
  gxr::Message pop() override {
    if (messages_.empty()) {
      return {};
    }
    gxr::Message message = std::move(messages_.front());
    messages_.pop_front();
    return message;
  }
  [[nodiscard]] const gxr::Message* peek(std::size_t index) const override {
    return index < messages_.size() ? &messages_[index] : nullptr;
  }
  [[nodiscard]] std::size_t capacity() const override { return 16; }
  [[nodiscard]] std::size_t size() const override { return messages_.size(); }
  [[nodiscard]] std::size_t back_size() const override { return arrived_; }
  void sync() override {
    for (; arrived_ > 0; --arrived_) {
      messages_.push_back(context().new_message());
    }
  }
  void clear() override { messages_.clear(); }
  bool is_open() override { return false; }
  void watch(const gxr::Component&) override {}

 private:
  gxr::Parameter<std::string> endpoint_;
  gxr::Parameter<std::uint64_t> sent_;
  std::size_t arrived_ = 0;
  std::deque<gxr::Message> messages_;
};

/// A remote queue whose other end takes everything at once. It is one by its base class alone.
class Outbox final : public gxr::Transmitter, public gxr::OutsideQueue {
 public:
  void push(gxr::Message message) override { require_message(message); }
  gxr::Message pop() override { return {}; }
  [[nodiscard]] const gxr::Message* peek(std::size_t) const override { return nullptr; }
  [[nodiscard]] std::size_t capacity() const override { return 16; }
  [[nodiscard]] std::size_t size() const override { return 0; }
  [[nodiscard]] std::size_t back_size() const override { return 0; }
  void sync() override {}
  bool is_open() override { return true; }
  void watch(const gxr::Component&) override {}
};

/// The usual queues, connected by a name.
template <class Base>
class ChannelQueue : public gxr::StagedQueue<Base> {
 public:
  ChannelQueue() noexcept { this->use_ring(this->staged_ring()); }
  void declare(gxr::Interface& interface) override {
    gxr::StagedQueue<Base>::declare(interface);
    interface.parameter(channel_, "channel", "What both ends have in common");
    interface.plain_queue("capacity", "policy");
    interface.joins_topic("channel");
  }

 private:
  gxr::Parameter<std::string> channel_;
};
class ChannelReceiver final : public ChannelQueue<gxr::Receiver> {};
class ChannelTransmitter final : public ChannelQueue<gxr::Transmitter> {};

// --- scheduling terms ----------------------------------------------------------------------------

/// READY for some ticks.
class Budget final : public gxr::SchedulingTerm {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(ticks_, "ticks", "Ticks after which the entity has finished");
    interface.parameter(answers_, "answers", "Whether the scheduler counts in its place")
        .default_value(true);
    interface.limits_ticks("ticks");
  }
  void initialize() override {
    left_ = *ticks_ < 0 ? std::numeric_limits<std::int64_t>::max() : *ticks_;
  }
  gxr::Condition check(std::int64_t) override {
    return {left_ > 0 ? gxr::ConditionType::Ready : gxr::ConditionType::Never, 0};
  }
  void on_execute(std::int64_t) override { --left_; }
  void events(gxr::TermEvents&) override {}
  gxr::TermQuestion question() override {
    return *answers_ ? gxr::TermQuestion{.ticks_left = &left_} : gxr::TermQuestion{};
  }

 private:
  gxr::Parameter<std::int64_t> ticks_;
  gxr::Parameter<bool> answers_;
  std::int64_t left_ = 0;
};

/// READY when there are messages, and few are left of earlier ticks.
class Arrivals final : public gxr::SchedulingTerm {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(queue_, "queue", "Where messages are waited for");
    interface.parameter(least_, "least", "Messages that must be there").default_value(1);
    interface.parameter(left_, "left", "Messages that may be left").default_value(16);
    interface.waits_for_messages("queue", "least", "left");
  }
  gxr::Condition check(std::int64_t) override {
    const gxr::ConditionType otherwise = gxr::answer_while_waiting(*queue_.get(), *least_);
    const bool there = queue_->size() + queue_->back_size() >= *least_;
    const bool clear = queue_->size() <= *left_;
    return {!there ? otherwise : clear ? gxr::ConditionType::Ready : gxr::ConditionType::Wait, 0};
  }
  void events(gxr::TermEvents& events) override { events.message(*queue_.get()); }
  gxr::TermQuestion question() override {
    return *left_ < queue_->capacity()
               ? gxr::TermQuestion{}
               : gxr::TermQuestion{.receiver = queue_.get().get(), .messages = *least_};
  }

 private:
  gxr::Parameter<gxr::Handle<gxr::Receiver>> queue_;
  gxr::Parameter<std::uint64_t> least_;
  gxr::Parameter<std::uint64_t> left_;
};

/// READY while it is open.
class Gate final : public gxr::SchedulingTerm {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(open_, "open", "Whether the entity may tick").default_value(true);
    interface.switches_ticks("open");
  }
  gxr::Condition check(std::int64_t) override {
    return {*open_ ? gxr::ConditionType::Ready : gxr::ConditionType::Never, 0};
  }
  void events(gxr::TermEvents&) override {}

 private:
  gxr::Parameter<bool> open_;
};

/// READY once in each beat.
class Beat final : public gxr::SchedulingTerm {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(beat_, "beat", "Time from one tick to the next");
    interface.paces_ticks("beat");
  }
  gxr::Condition check(std::int64_t now) override {
    return {now >= next_ ? gxr::ConditionType::Ready : gxr::ConditionType::WaitTime, next_};
  }
  void on_execute(std::int64_t now) override { next_ = now + beat_->nanoseconds; }
  void events(gxr::TermEvents&) override {}

 private:
  gxr::Parameter<gxr::Duration> beat_;
  std::int64_t next_ = 0;
};

/// READY when it has been asked three times since the last tick: nothing else tells.
class Probe final : public gxr::SchedulingTerm {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(pause_, "pause", "Time from one question to the next");
    interface.polls("pause");
  }
  gxr::Condition check(std::int64_t) override {
    ++asked_;
    return {asked_ < 3 ? gxr::ConditionType::Wait : gxr::ConditionType::Ready, 0};
  }
  void on_execute(std::int64_t) override { asked_ = 0; }
  void events(gxr::TermEvents& events) override { events.poll(pause_->nanoseconds); }

 private:
  gxr::Parameter<gxr::Duration> pause_;
  int asked_ = 0;
};

// --- codelets ------------------------------------------------------------------------------------

class Source final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.output(out_, "out", "Empty messages");
  }
  void tick() override { out_.publish(context().new_message()); }

 private:
  gxr::Output<> out_;
};

class Sink final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Messages that are not needed");
  }
  void tick() override { in_.receive(); }

 private:
  gxr::Input<> in_;
};

class Relay final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(from_, "from", "Messages to pass on");
    interface.output(to_, "to", "The same messages");
    interface.passes_each_message();
  }
  void tick() override { to_.publish(from_->receive_unfinished()); }

 private:
  gxr::Input<> from_;
  gxr::Output<> to_;
};

class Burst final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.output(to_, "to", "Empty messages");
    interface.parameter(number_, "number", "Messages in one tick").default_value(3);
    interface.publishes("to", "number");
  }
  void tick() override {
    for (std::uint32_t i = 0; i < *number_; ++i) {
      to_.publish(context().new_message());
    }
  }

 private:
  gxr::Output<> to_;
  gxr::Parameter<std::uint32_t> number_;
};

/// Takes from all receivers of its entity, whatever `some` says.
class Collector final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(some_, "some", "Receivers to take from").default_value({});
    interface.takes_all_messages("some");
  }
  void tick() override {
    for (gxr::Component* component : context().siblings(*this)) {
      if (auto* receiver = dynamic_cast<gxr::Receiver*>(component)) {
        while (receiver->receive_if_any()) {
        }
      }
    }
  }

 private:
  gxr::Parameter<std::vector<gxr::Handle<gxr::Receiver>>> some_;
};

// --- what the planner of CUDA graphs reads
// --------------------------------------------------------

class Choose final : public gxr::Component {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(by_, "by", "What decides");
    interface.parameter(yes_, "yes", "Entities that run when it is not 0");
    interface.parameter(no_, "no", "Entities that run when it is 0").default_value({});
    interface.branch_if("by", "yes", "no");
  }

 private:
  gxr::Parameter<gxr::Handle<gxr::Transmitter>> by_;
  gxr::Parameter<std::vector<std::string>> yes_;
  gxr::Parameter<std::vector<std::string>> no_;
};

/// How Seldom runs its entities.
enum class Way : std::uint8_t { Beside, Within };

}  // namespace third

namespace gxr {
template <>
struct EnumNames<third::Way> {
  static constexpr std::pair<third::Way, const char*> values[] = {
      {third::Way::Beside, "sibling"}, {third::Way::Within, "in_iteration"}};
};
}  // namespace gxr

namespace third {

class Seldom final : public gxr::Component {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(each_, "each", "Iterations from one in which they run to the next");
    interface.parameter(who_, "who", "Entities that run");
    interface.parameter(start_, "start", "The first iteration in which they run").default_value(0);
    interface.parameter(way_, "way", "How they run").default_value(Way::Beside);
    interface.branch_every("each", "who", "start", "way");
  }

 private:
  gxr::Parameter<std::uint64_t> each_;
  gxr::Parameter<std::vector<std::string>> who_;
  gxr::Parameter<std::uint64_t> start_;
  gxr::Parameter<Way> way_;
};

}  // namespace third

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<third::Inbox>("Messages of another process");
  extension.add<third::Outbox>("Messages to another process");
  extension.add<third::ChannelReceiver>("Gets what is sent on a channel");
  extension.add<third::ChannelTransmitter>("Sends on a channel");
  extension.add<third::Budget>("Lets its entity tick so many times");
  extension.add<third::Arrivals>("Waits for messages");
  extension.add<third::Gate>("Lets its entity tick, or not");
  extension.add<third::Beat>("Lets its entity tick now and then");
  extension.add<third::Probe>("Lets its entity tick when it was asked often enough");
  extension.add<third::Source>("Sends empty messages");
  extension.add<third::Sink>("Takes messages");
  extension.add<third::Relay>("Passes messages on");
  extension.add<third::Burst>("Publishes several messages in one tick");
  extension.add<third::Collector>("Takes all messages of its entity");
  extension.add<third::Choose>("Decides in a CUDA graph");
  extension.add<third::Seldom>("Runs entities of a CUDA graph now and then");
}
