#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>

#include "gxr/gxr.hpp"

namespace gxr::testing {

/// The one stage of a mock queue: what is pushed is there at once. Thread-safe.
class SingleStage {
 public:
  /// Throws Error(Overflow) when `capacity` messages are there.
  /// `queue` is whose stage it is, for messages.
  void push(Message message, std::size_t capacity, const Component& queue);
  Message pop();
  /// Stays valid until the message is taken.
  [[nodiscard]] const Message* peek(std::size_t index) const;
  [[nodiscard]] std::size_t size() const;
  /// Drops and counts what is left.
  void clear();
  /// What clear() dropped, and what is there.
  [[nodiscard]] std::size_t left_over() const;
  /// Empty again, nothing counted.
  void reset();
  static std::size_t greatest_capacity() { return std::deque<Message>().max_size(); }

 private:
  mutable std::mutex mutex_;
  std::deque<Message> messages_;
  std::size_t dropped_ = 0;
};

/// A receiver without stages that fails when told to, and after the run when messages are left.
class MockReceiver final : public Receiver {
 public:
  void declare(Interface& interface) override;
  void initialize() override { stage_.reset(); }
  void deinitialize() override;
  void push(Message message) override;
  Message pop() override;
  [[nodiscard]] const Message* peek(std::size_t index) const override { return stage_.peek(index); }
  [[nodiscard]] std::size_t capacity() const override { return *max_capacity_; }
  [[nodiscard]] std::size_t size() const override { return stage_.size(); }
  [[nodiscard]] std::size_t back_size() const override { return 0; }
  void sync() override;
  void clear() override { stage_.clear(); }
  [[nodiscard]] bool is_concurrent() const noexcept override { return true; }

 private:
  Parameter<bool> ignore_unreceived_entities_;
  Parameter<bool> fail_on_receive_;
  Parameter<bool> fail_on_sync_;
  Parameter<std::size_t> max_capacity_;
  SingleStage stage_;
};

/// A transmitter without stages that fails when told to, and after the run when messages are left.
class MockTransmitter final : public Transmitter {
 public:
  void declare(Interface& interface) override;
  void initialize() override { stage_.reset(); }
  void deinitialize() override;
  void push(Message message) override;
  Message pop() override { return stage_.pop(); }
  [[nodiscard]] const Message* peek(std::size_t index) const override { return stage_.peek(index); }
  [[nodiscard]] std::size_t capacity() const override { return *max_capacity_; }
  [[nodiscard]] std::size_t size() const override { return stage_.size(); }
  [[nodiscard]] std::size_t back_size() const override { return 0; }
  void sync() override;
  void clear() override { stage_.clear(); }

 private:
  Parameter<bool> ignore_unpublished_entities_;
  Parameter<bool> fail_on_publish_;
  Parameter<bool> fail_on_sync_;
  Parameter<std::size_t> max_capacity_;
  SingleStage stage_;
};

}  // namespace gxr::testing
