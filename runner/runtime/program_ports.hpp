#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/document.hpp"
#include "gxr/component.hpp"
#include "gxr/message.hpp"
#include "gxr/program_ports.hpp"
#include "gxr/type_provider.hpp"

namespace gxr {

/// The scheduling term of an entity that stands for the program: it is told when what the program
/// does may have changed its answer. Used with the lock of the queue held.
class ToldTerm {
 public:
  void set(const Component* term) noexcept { term_ = term; }
  void tell() const {
    if (term_ != nullptr) {
      term_->context().notify(*term_);
    }
  }

 private:
  const Component* term_ = nullptr;
};

/// Messages on their way from the program into the application. Thread-safe.
class PushQueue {
 public:
  /// What the application may expect.
  enum class Outlook : std::uint8_t { Message, MoreToCome, Nothing };

  explicit PushQueue(InputOptions options) : options_(std::move(options)) {}

  // For the program; see Application. A null message is an error only while messages are taken.
  PushResult push(Message&& message, std::chrono::nanoseconds timeout);
  void end();

  // For the application.
  void tell(const Component* term);  ///< of whatever changes outlook(); nullptr: nobody
  [[nodiscard]] Outlook outlook() const;
  [[nodiscard]] std::size_t waiting() const;
  /// The oldest; null when there is none.
  Message take();
  /// Drops what waits; nothing is taken from the program any more.
  void close();

 private:
  const InputOptions options_;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<Message> messages_;
  bool open_ = true;
  ToldTerm term_;
};

/// Messages on their way from the application to the program. Thread-safe.
class TapQueue {
 public:
  explicit TapQueue(TapOptions options) : options_(std::move(options)) {}
  [[nodiscard]] const TapOptions& options() const noexcept { return options_; }

  // For the program; see Tap.
  Message take(std::chrono::nanoseconds timeout);
  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] bool ended() const;
  /// The program takes nothing any more: what waits and what comes is dropped.
  void leave();

  // For the application.
  void tell(const Component* term);  ///< of room; nullptr: nobody
  [[nodiscard]] bool has_room() const;
  /// Adds a message. True when it, or with TapPolicy::DropOldest another one, found no room.
  bool put(Message message);
  /// The run has ended: no more messages come.
  void close();
  /// close(), and what waits is dropped: the memory of messages goes.
  void clear();

 private:
  [[nodiscard]] bool is_full() const { return messages_.size() >= options_.capacity; }

  const TapOptions options_;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<Message> messages_;
  bool left_ = false;
  bool closed_ = false;
  ToldTerm term_;
};

/// The receivers into which a program pushes, and the transmitters that it taps. Each is an entity
/// of the application, so that all stages and schedulers see an ordinary connection. Added to by
/// one thread; the rest is for any.
class ProgramPorts : public std::enable_shared_from_this<ProgramPorts> {
 public:
  void add_input(std::string_view port, const InputOptions& options);
  Tap add_tap(std::string_view port, const TapOptions& options);

  [[nodiscard]] bool empty() const noexcept { return ports_.empty(); }
  /// Adds the entities to `document`, as the last ones: they name ports of the others, which are
  /// found when the graph is built.
  void add_to(Document& document, Diagnostics& diagnostics) const;
  /// The types of their components.
  [[nodiscard]] TypeProvider types();

  /// Lives on while a call waits in it. Throws Error(NotFound) when add_input() did not name it.
  [[nodiscard]] std::shared_ptr<PushQueue> input(std::string_view port) const;
  [[nodiscard]] PushQueue& push_queue(std::size_t number) const { return *ports_[number].push; }
  [[nodiscard]] TapQueue& tap_queue(std::size_t number) const { return *ports_[number].tap; }
  /// The run has ended, or there will be none.
  void close() const;
  /// The memory of messages goes.
  void clear() const;

 private:
  struct Port {
    std::string name;    ///< as the program spells it
    std::string entity;  ///< that stands for the program
    std::shared_ptr<PushQueue> push;
    std::shared_ptr<TapQueue> tap;  ///< one of the two is null
  };
  std::string new_entity(const char* kind, std::string_view port) const;

  std::vector<Port> ports_;
};

}  // namespace gxr
