#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "gxr/gxr.hpp"

namespace gxr {

/// Passes messages on while something happens, from some time before it until some time after it.
/// Keeps the newest messages for that; the messages themselves, no copies.
///
/// A tick publishes one message at most. The message that opens the gate stays in its receiver
/// until those before it are published, so the entity ticks as often as that needs.
class Gate final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  struct Kept {
    Message message;
    std::int64_t time;  ///< ns
  };
  /// Does the tensor say that something happens?
  [[nodiscard]] bool happens(const Message& message) const;
  /// Is the gate open at that time, given what happens then?
  bool is_open(std::int64_t time, bool something_happens);
  /// Forgets what is too old at that time.
  void forget_before(std::int64_t time);
  void keep(Message message, std::int64_t time);
  void take(std::int64_t time, bool open);

  Input<> in_;
  Input<Tensor> trigger_;
  Output<> out_;
  Parameter<std::string> tensor_name_;
  Parameter<Duration> before_;
  Parameter<Duration> after_;
  Parameter<std::uint64_t> max_messages_;

  std::deque<Kept> kept_;  // oldest first
  bool open_ = false;
  std::int64_t until_ = 0;   // of an open gate: when it closes unless something happens again
  std::int64_t latest_ = 0;  // time of the last message
  bool warned_ = false;      // that `max_messages` is less than `before` needs
  std::uint64_t passed_ = 0;
  std::uint64_t received_ = 0;
  std::uint64_t openings_ = 0;
};

}  // namespace gxr
