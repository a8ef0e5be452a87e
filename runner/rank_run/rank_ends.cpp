#include "rank_run/rank_ends.hpp"

#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gxr/codelet.hpp"
#include "gxr/error.hpp"
#include "gxr/extension.hpp"
#include "gxr/message_account.hpp"
#include "gxr/queue.hpp"
#include "gxr/scheduling_term.hpp"
#include "ipc/message_codec.hpp"
#include "rank_run/device_data.hpp"
#include "rank_run/rank_session.hpp"

namespace gxr {
namespace ranks {

/// A component of one channel.
class OfChannel {
 public:
  OfChannel() = default;
  explicit OfChannel(RankSession& session) : session_(&session) {}

 protected:
  void declare_channel(Interface& interface) {
    interface.parameter(channel_, "channel", "Number of the connection between ranks");
  }
  [[nodiscard]] RankSession& session() const noexcept { return *session_; }
  [[nodiscard]] std::size_t channel() const { return *channel_; }

 private:
  RankSession* session_ = nullptr;
  Parameter<std::uint64_t> channel_;
};

/// It stands before each message.
RankTrail read_trail(std::span<const std::byte> bytes) {
  RankTrail trail;
  if (bytes.size() < sizeof(trail)) {
    throw Error(ErrorCode::InvalidData, "it is too short");
  }
  std::memcpy(&trail, bytes.data(), sizeof(trail));
  return trail;
}

/// Sends messages to another rank, as long as it has credits.
class Sender final : public Codelet, private OfChannel {
 public:
  Sender() = default;
  explicit Sender(RankSession& session) : OfChannel(session) {}

  void declare(Interface& interface) override {
    declare_channel(interface);
    interface.input(in_, "in", "Messages for another rank");
  }
  void initialize() override {
    codec_ =
        std::make_unique<MessageCodec>(*this, nullptr, std::vector<Handle<ComponentSerializer>>());
  }
  void deinitialize() override { codec_.reset(); }
  void tick() override {
    while (session().outlook(channel()).credits > 0) {
      const Message message = in_.receive_if_any();
      if (!message) {
        break;
      }
      session().send(channel(), encode(message));
    }
  }

 private:
  RankBytes encode(const Message& message) {
    try {
      const RankTrail trail = session().trails().of(message);
      return codec_->encode(message, nullptr, std::as_bytes(std::span(&trail, 1)));
    } catch (const Error& error) {
      throw Error(error.code(), "a message to '" + name_of_target() + "': " + error.message());
    }
  }
  [[nodiscard]] std::string name_of_target() const {
    const std::size_t number = std::string("gxr.send.").size();
    return entity_name().substr(entity_name().find('.', number) + 1);
  }

  Input<> in_;
  std::unique_ptr<MessageCodec> codec_;
};

/// Waits for a credit when a message is there.
class CreditTerm final : public SchedulingTerm, private OfChannel {
 public:
  CreditTerm() = default;
  explicit CreditTerm(RankSession& session) : OfChannel(session) {}

  void declare(Interface& interface) override {
    declare_channel(interface);
    interface.parameter(receiver_, "receiver", "Where the messages come in");
  }
  void initialize() override { session().watch(channel(), this); }
  void deinitialize() override { session().watch(channel(), nullptr); }
  Condition check(std::int64_t /*now*/) override {
    const RankSession::Outlook outlook = session().outlook(channel());
    if (!outlook.open) {
      return {ConditionType::Never, 0};
    }
    const bool waits = outlook.credits == 0 && receiver_->size() + receiver_->back_size() > 0;
    return {waits ? ConditionType::WaitEvent : ConditionType::Ready, 0};
  }
  void events(TermEvents& events) override {
    events.notification();
    events.message(*receiver_.get());
  }
  [[nodiscard]] std::string explain() const override {
    return "waits for another rank to take messages";
  }

 private:
  Parameter<Handle<gxr::Receiver>> receiver_;
};

/// Passes on the messages of another rank.
class Receiver final : public Codelet, public MessageAccount, private OfChannel {
 public:
  Receiver() = default;
  explicit Receiver(RankSession& session) : OfChannel(session) {}

  void declare(Interface& interface) override {
    declare_channel(interface);
    interface.output(out_, "out", "Messages of another rank");
  }
  void initialize() override {
    codec_ =
        std::make_unique<MessageCodec>(*this, nullptr, std::vector<Handle<ComponentSerializer>>());
  }
  void deinitialize() override { codec_.reset(); }
  void tick() override {
    if (const std::optional<RankBytes> bytes = session().take(channel())) {
      out_.publish(decode(*bytes));
    }
  }
  [[nodiscard]] std::vector<Discard> discards() const override { return {}; }
  [[nodiscard]] std::size_t unread() const override {
    return session().arrivals(channel()).messages;
  }

 private:
  Message decode(std::span<const std::byte> bytes) {
    try {
      const RankTrail trail = read_trail(bytes);
      Message message = codec_->decode(bytes.subspan(sizeof(trail)), nullptr);
      session().trails().put(message, trail);
      put_back_on_device(message, context().device_id(*this));
      return message;
    } catch (const Error& error) {
      throw Error(error.code(), "a message of another rank: " + error.message());
    }
  }

  Output<> out_;
  std::unique_ptr<MessageCodec> codec_;
};

/// Waits for a message of another rank.
class ArrivalTerm final : public SchedulingTerm, private OfChannel {
 public:
  ArrivalTerm() = default;
  explicit ArrivalTerm(RankSession& session) : OfChannel(session) {}

  void declare(Interface& interface) override { declare_channel(interface); }
  void initialize() override { session().watch(channel(), this); }
  void deinitialize() override { session().watch(channel(), nullptr); }
  Condition check(std::int64_t /*now*/) override {
    const RankSession::Arrivals arrivals = session().arrivals(channel());
    if (!arrivals.open) {
      return {ConditionType::Never, 0};
    }
    return {arrivals.messages > 0 ? ConditionType::Ready : ConditionType::WaitEvent, 0};
  }
  void events(TermEvents& events) override { events.notification(); }
  [[nodiscard]] std::string explain() const override {
    return "waits for messages of another rank";
  }
};

}  // namespace ranks

namespace {

/// Components of T find their session.
template <class T>
void bind(TypeProvider& provider, RankSession& session) {
  for (ProvidedType& type : provider.types) {
    if (type.info.name == type_name<T>()) {
      type.create = [&session] { return std::make_unique<T>(session); };
    }
  }
}

}  // namespace

TypeProvider rank_end_types(RankSession& session) {
  TypeProvider provider = provide_types("ranks", [](Extension& extension) {
    extension.add<ranks::Sender>("Sends messages to another rank");
    extension.add<ranks::CreditTerm>("Waits for another rank to take messages");
    extension.add<ranks::Receiver>("Passes on the messages of another rank");
    extension.add<ranks::ArrivalTerm>("Waits for a message of another rank");
  });
  provider.description = "Stands for other ranks in an application";
  bind<ranks::Sender>(provider, session);
  bind<ranks::CreditTerm>(provider, session);
  bind<ranks::Receiver>(provider, session);
  bind<ranks::ArrivalTerm>(provider, session);
  return provider;
}

}  // namespace gxr
