#include "runtime/program_ports.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "gxr/codelet.hpp"
#include "gxr/error.hpp"
#include "gxr/extension.hpp"
#include "gxr/message_account.hpp"
#include "gxr/queue.hpp"
#include "gxr/scheduling_term.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

/// Keeps deadlines far from the end of the steady clock.
constexpr std::chrono::nanoseconds kLongestWait = std::chrono::hours(24 * 365);

std::chrono::steady_clock::time_point deadline_after(std::chrono::nanoseconds timeout) {
  return std::chrono::steady_clock::now() +
         std::clamp(timeout, std::chrono::nanoseconds::zero(), kLongestWait);
}

/// Wakes the program at the end of a function, behind the lock that comes after it.
class TellsAtEnd {
 public:
  explicit TellsAtEnd(const std::function<void()>& program) noexcept : program_(program) {}
  ~TellsAtEnd() {
    if (program_) {
      program_();
    }
  }
  TellsAtEnd(const TellsAtEnd&) = delete;
  TellsAtEnd& operator=(const TellsAtEnd&) = delete;

 private:
  const std::function<void()>& program_;
};

}  // namespace

// --- queues ------------------------------------------------------------------------------------

PushResult PushQueue::push(Message&& message, std::chrono::nanoseconds timeout) {
  const auto deadline = deadline_after(timeout);
  std::unique_lock lock(mutex_);
  if (open_ && !message) {
    throw Error(ErrorCode::InvalidArgument,
                "a null message was pushed; make one with Application::new_message()");
  }
  const bool in_time = changed_.wait_until(
      lock, deadline, [this] { return !open_ || messages_.size() < options_.capacity; });
  if (!open_) {
    return PushResult::Ended;
  }
  if (!in_time) {
    return PushResult::TimedOut;
  }
  messages_.push_back(std::move(message));
  if (messages_.size() == 1) {
    term_.tell();
  }
  return PushResult::Taken;
}

void PushQueue::end() {
  const TellsAtEnd telling(options_.on_change);
  const std::lock_guard lock(mutex_);
  open_ = false;
  changed_.notify_all();
  term_.tell();
}

void PushQueue::tell(const Component* term) {
  const std::lock_guard lock(mutex_);
  term_.set(term);
}

PushQueue::Outlook PushQueue::outlook() const {
  const std::lock_guard lock(mutex_);
  return !messages_.empty() ? Outlook::Message : open_ ? Outlook::MoreToCome : Outlook::Nothing;
}

std::size_t PushQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return messages_.size();
}

Message PushQueue::take() {
  const TellsAtEnd telling(options_.on_change);
  const std::lock_guard lock(mutex_);
  if (messages_.empty()) {
    return {};
  }
  Message message = std::move(messages_.front());
  messages_.pop_front();
  changed_.notify_all();
  return message;
}

void PushQueue::close() {
  std::deque<Message> left;  // destroyed without the lock
  const TellsAtEnd telling(options_.on_change);
  const std::lock_guard lock(mutex_);
  open_ = false;
  left.swap(messages_);
  changed_.notify_all();
}

Message TapQueue::take(std::chrono::nanoseconds timeout) {
  const auto deadline = deadline_after(timeout);
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, deadline, [this] { return closed_ || !messages_.empty(); });
  if (messages_.empty()) {
    return {};
  }
  const bool was_full = is_full();
  Message message = std::move(messages_.front());
  messages_.pop_front();
  if (was_full) {
    term_.tell();
  }
  return message;
}

std::size_t TapQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return messages_.size();
}

bool TapQueue::ended() const {
  const std::lock_guard lock(mutex_);
  return closed_ && messages_.empty();
}

void TapQueue::leave() {
  std::deque<Message> left;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  left_ = true;
  left.swap(messages_);
  term_.tell();
}

void TapQueue::tell(const Component* term) {
  const std::lock_guard lock(mutex_);
  term_.set(term);
}

bool TapQueue::has_room() const {
  const std::lock_guard lock(mutex_);
  return left_ || options_.policy == TapPolicy::DropOldest || !is_full();
}

bool TapQueue::put(Message message) {
  Message dropped;  // destroyed without the lock
  const TellsAtEnd telling(options_.on_change);
  const std::lock_guard lock(mutex_);
  if (left_ || closed_) {
    dropped = std::move(message);
    return false;  // nobody wants it
  }
  const bool lacks_room = is_full();
  if (lacks_room) {
    dropped = std::move(messages_.front());
    messages_.pop_front();
  }
  messages_.push_back(std::move(message));
  changed_.notify_one();
  return lacks_room;
}

void TapQueue::close() {
  const TellsAtEnd telling(options_.on_change);
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

void TapQueue::clear() {
  std::deque<Message> left;  // destroyed without the lock
  const TellsAtEnd telling(options_.on_change);
  const std::lock_guard lock(mutex_);
  closed_ = true;
  left.swap(messages_);
  changed_.notify_all();
}

Tap EngineAccess::make_tap(std::shared_ptr<TapQueue> queue) noexcept {
  return Tap(std::move(queue));
}

Tap::Tap() noexcept = default;
Tap::Tap(std::shared_ptr<TapQueue> queue) noexcept : queue_(std::move(queue)) {}
Tap::Tap(Tap&& other) noexcept = default;

Tap& Tap::operator=(Tap&& other) noexcept {
  if (this != &other) {
    leave();
    queue_ = std::move(other.queue_);
  }
  return *this;
}

Tap::~Tap() { leave(); }

void Tap::leave() noexcept {
  if (queue_ != nullptr) {
    queue_->leave();
  }
}

Message Tap::take(std::chrono::nanoseconds timeout) {
  return queue_ != nullptr ? queue_->take(timeout) : Message();
}

std::size_t Tap::waiting() const { return queue_ != nullptr ? queue_->waiting() : 0; }

bool Tap::ended() const { return queue_ == nullptr || queue_->ended(); }

// --- components --------------------------------------------------------------------------------

namespace program {

using Ports = std::shared_ptr<const ProgramPorts>;

/// Sends what the program pushes.
class Pusher final : public Codelet, public MessageAccount {
 public:
  Pusher() = default;
  explicit Pusher(Ports ports) : ports_(std::move(ports)) {}

  void declare(Interface& interface) override {
    interface.parameter(number_, "number", "Number of the program's port");
    interface.output(out_, "out", "What the program pushes");
  }
  void deinitialize() override { queue().close(); }
  void tick() override {
    if (Message message = queue().take()) {
      out_.publish(std::move(message));
    }
  }
  void stop() override { queue().end(); }
  [[nodiscard]] std::vector<Discard> discards() const override { return {}; }
  [[nodiscard]] std::size_t unread() const override { return queue().waiting(); }

 private:
  [[nodiscard]] PushQueue& queue() const { return ports_->push_queue(*number_); }

  Ports ports_;
  Parameter<std::uint64_t> number_;
  Output<> out_;
};

/// Waits for the program to push.
class PushTerm final : public SchedulingTerm {
 public:
  PushTerm() = default;
  explicit PushTerm(Ports ports) : ports_(std::move(ports)) {}

  void declare(Interface& interface) override {
    interface.parameter(number_, "number", "Number of the program's port");
  }
  void initialize() override { queue().tell(this); }
  void deinitialize() override { queue().tell(nullptr); }
  Condition check(std::int64_t /*now*/) override {
    switch (queue().outlook()) {
      case PushQueue::Outlook::Message:
        return {ConditionType::Ready, 0};
      case PushQueue::Outlook::MoreToCome:
        return {ConditionType::WaitEvent, 0};
      case PushQueue::Outlook::Nothing:
        break;
    }
    return {ConditionType::Never, 0};
  }
  void events(TermEvents& events) override { events.notification(); }
  [[nodiscard]] std::string explain() const override {
    return "waits for messages that the program pushes";
  }

 private:
  [[nodiscard]] PushQueue& queue() const { return ports_->push_queue(*number_); }

  Ports ports_;
  Parameter<std::uint64_t> number_;
};

/// Keeps messages for the program.
class Tapper final : public Codelet {
 public:
  Tapper() = default;
  explicit Tapper(Ports ports) : ports_(std::move(ports)) {}

  void declare(Interface& interface) override {
    interface.parameter(number_, "number", "Number of the program's port");
    interface.input(in_, "in", "What the program takes");
  }
  void tick() override {
    TapQueue& queue = ports_->tap_queue(*number_);
    while (queue.has_room()) {
      Message message = in_.receive_if_any();
      if (!message) {
        break;
      }
      if (queue.put(std::move(message))) {
        EngineAccess::count_lost(in_.receiver());
      }
    }
  }

 private:
  Ports ports_;
  Parameter<std::uint64_t> number_;
  Input<> in_;
};

/// Waits for the program to take messages, if there is one for which it must make room.
class TapTerm final : public SchedulingTerm {
 public:
  TapTerm() = default;
  explicit TapTerm(Ports ports) : ports_(std::move(ports)) {}

  void declare(Interface& interface) override {
    interface.parameter(number_, "number", "Number of the program's port");
    interface.parameter(receiver_, "receiver", "Where the messages come in");
  }
  void initialize() override { queue().tell(this); }
  void deinitialize() override { queue().tell(nullptr); }
  Condition check(std::int64_t /*now*/) override {
    const bool waits = !queue().has_room() && receiver_->size() + receiver_->back_size() > 0;
    return {waits ? ConditionType::WaitEvent : ConditionType::Ready, 0};
  }
  void events(TermEvents& events) override {
    events.notification();
    events.message(*receiver_.get());
  }
  [[nodiscard]] std::string explain() const override {
    return "waits for the program to take messages (" + std::to_string(queue().waiting()) +
           " are there)";
  }

 private:
  [[nodiscard]] TapQueue& queue() const { return ports_->tap_queue(*number_); }

  Ports ports_;
  Parameter<std::uint64_t> number_;
  Parameter<Handle<Receiver>> receiver_;
};

}  // namespace program

// --- entities ----------------------------------------------------------------------------------

namespace {

constexpr std::size_t kGreatestPortCapacity = StagedRing::kGreatestCapacity;

void require_port(std::string_view port, std::size_t capacity) {
  const std::size_t slash = port.rfind('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == port.size()) {
    throw Error(ErrorCode::InvalidArgument,
                "'" + std::string(port) + "' is no port; write 'ENTITY/COMPONENT'");
  }
  if (capacity == 0 || capacity > kGreatestPortCapacity) {
    throw Error(ErrorCode::InvalidArgument, "the capacity for '" + std::string(port) +
                                                "' must be from 1 to " +
                                                std::to_string(kGreatestPortCapacity));
  }
}

/// In single quotes of YAML.
std::string yaml_text(std::string_view text) {
  std::string result = "'";
  for (const char character : text) {
    result += character == '\'' ? std::string("''") : std::string(1, character);
  }
  return result + "'";
}

/// An entity that stands for the program, and the port at its other end.
struct PortEntity {
  std::string name;
  std::string port;
  std::size_t number;
};

std::string component(const char* name, const char* type, const std::string& parameters) {
  return std::string("- {name: ") + name + ", type: " + type + ", parameters: {" + parameters +
         "}}\n";
}

std::string pushing_entity(const PortEntity& entity) {
  const std::string number = "number: " + std::to_string(entity.number);
  return "name: " + yaml_text(entity.name) + "\ncomponents:\n" +
         component("out", "gxr::DoubleBufferTransmitter", "") +
         component("pushed", "gxr::program::PushTerm", number) +
         component("out_free", "gxr::DownstreamReceptiveSchedulingTerm",
                   "transmitter: out, min_size: 1") +
         component("program", "gxr::program::Pusher", number + ", out: out") +
         component("connection", "gxr::Connection",
                   "source: out, target: " + yaml_text(entity.port));
}

std::string tapping_entity(const PortEntity& entity, const TapOptions& options) {
  const std::string number = "number: " + std::to_string(entity.number);
  const std::string queue = options.policy == TapPolicy::DropOldest
                                ? "capacity: " + std::to_string(options.capacity) + ", policy: 0"
                                : "";
  return "name: " + yaml_text(entity.name) + "\ncomponents:\n" +
         component("in", "gxr::DoubleBufferReceiver", queue) +
         component("in_available", "gxr::MessageAvailableSchedulingTerm",
                   "receiver: in, min_size: 1") +
         component("room", "gxr::program::TapTerm", number + ", receiver: in") +
         component("program", "gxr::program::Tapper", number + ", in: in") +
         component("connection", "gxr::Connection",
                   "source: " + yaml_text(entity.port) + ", target: in");
}

/// Components of T find their queue in `ports`.
template <class T>
void bind(TypeProvider& provider, const program::Ports& ports) {
  for (ProvidedType& type : provider.types) {
    if (type.info.name == type_name<T>()) {
      type.create = [ports] { return std::make_unique<T>(ports); };
    }
  }
}

}  // namespace

std::string ProgramPorts::new_entity(const char* kind, std::string_view port) const {
  std::string name = std::string("gxr.") + kind + "." + std::string(port);
  std::ranges::replace(name, '/', '.');
  const auto is_taken = [&](const std::string& candidate) {
    return std::ranges::find(ports_, candidate, &Port::entity) != ports_.end();
  };
  std::string free = name;
  for (std::size_t number = 2; is_taken(free); ++number) {
    free = name + "." + std::to_string(number);
  }
  return free;
}

void ProgramPorts::add_input(std::string_view port, const InputOptions& options) {
  require_port(port, options.capacity);
  const auto is_input = [&](const Port& known) {
    return known.push != nullptr && known.name == port;
  };
  if (std::ranges::any_of(ports_, is_input)) {
    throw Error(ErrorCode::InvalidState,
                "the program pushes into '" + std::string(port) + "' already");
  }
  ports_.push_back(
      {std::string(port), new_entity("push", port), std::make_shared<PushQueue>(options), nullptr});
}

Tap ProgramPorts::add_tap(std::string_view port, const TapOptions& options) {
  require_port(port, options.capacity);
  ports_.push_back(
      {std::string(port), new_entity("tap", port), nullptr, std::make_shared<TapQueue>(options)});
  return EngineAccess::make_tap(ports_.back().tap);
}

void ProgramPorts::add_to(Document& document, Diagnostics& diagnostics) const {
  for (std::size_t number = 0; number < ports_.size(); ++number) {
    const Port& port = ports_[number];
    const PortEntity entity{port.entity, port.name, number};
    const std::string call = port.push != nullptr ? "input" : "tap";
    document.add_text({Source::Kind::ProgramPort, call + "(\"" + port.name + "\")",
                       port.push != nullptr ? pushing_entity(entity)
                                            : tapping_entity(entity, port.tap->options())},
                      diagnostics);
  }
}

TypeProvider ProgramPorts::types() {
  TypeProvider provider = provide_types("program", [](Extension& extension) {
    extension.add<program::Pusher>("Sends what the program pushes");
    extension.add<program::PushTerm>("Waits for the program to push");
    extension.add<program::Tapper>("Keeps messages for the program");
    extension.add<program::TapTerm>("Waits for the program to take messages");
  });
  provider.description = "Stands for the program in its application";
  const program::Ports ports = shared_from_this();
  bind<program::Pusher>(provider, ports);
  bind<program::PushTerm>(provider, ports);
  bind<program::Tapper>(provider, ports);
  bind<program::TapTerm>(provider, ports);
  return provider;
}

std::shared_ptr<PushQueue> ProgramPorts::input(std::string_view port) const {
  for (const Port& known : ports_) {
    if (known.push != nullptr && known.name == port) {
      return known.push;
    }
  }
  throw Error(ErrorCode::NotFound, "the program did not say that it pushes into '" +
                                       std::string(port) + "': call input() before the run");
}

void ProgramPorts::close() const {
  for (const Port& port : ports_) {
    if (port.push != nullptr) {
      port.push->close();
    } else {
      port.tap->close();
    }
  }
}

void ProgramPorts::clear() const {
  close();
  for (const Port& port : ports_) {
    if (port.tap != nullptr) {
      port.tap->clear();
    }
  }
}

}  // namespace gxr
