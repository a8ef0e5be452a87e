#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/document.hpp"
#include "gxr/gxr.hpp"
#include "sdk/engine_access.hpp"
#include "sdk/message_pool.hpp"

namespace gxr::harness {

inline constexpr auto kSystem = MemoryStorageType::System;

/// The code of the Error that `call` throws. Throws std::logic_error if it throws none.
template <class F>
ErrorCode code_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  throw std::logic_error("no error was thrown");
}

/// One line that a component logged.
struct LogLine {
  LogLevel level;
  std::string component;
  std::string text;
};

/// Runs single components without an application: makes them, sets their parameters as YAML would,
/// connects queues and ticks codelets. One thread, but for Context::notify and interrupt.
///
///   Harness harness;
///   auto& in = harness.add<DoubleBufferReceiver>("forward/in");
///   auto& out = harness.add<DoubleBufferTransmitter>("forward/out");
///   auto& forward = harness.add<Forward>("forward/codelet", {{"in", "in"}, {"out", "out"}});
///   harness.initialize();
///   in.push(harness.new_message());
///   harness.tick(forward);
class Harness final : public Context, private ParameterContext {
 public:
  using Parameters = std::vector<std::pair<std::string_view, std::string_view>>;

  ~Harness() override {
    deinitialize();
    while (!members_.empty()) {
      members_.pop_back();
    }
  }

  /// A new component `path` = "entity/name" with parameters as YAML text; handles name components
  /// that were added before.
  template <class T>
  T& add(std::string_view path, const Parameters& parameters = {}) {
    auto component = std::make_unique<T>();
    T& result = *component;
    configure(path, std::string(type_name<T>()), std::move(component), parameters);
    return result;
  }

  /// initialize() of all components that were added since the last call, in that order.
  void initialize() {
    while (initialized_ < members_.size()) {
      members_[initialized_].component->initialize();
      ++initialized_;
    }
  }

  /// deinitialize() of all, last first.
  void deinitialize() {
    while (initialized_ > 0) {
      members_[--initialized_].component->deinitialize();
    }
  }

  /// One tick of a codelet at time `now`, with what the scheduler does around it: its entity's
  /// receivers take in what arrived, and what its transmitters got goes on to the connected
  /// receivers.
  void tick(Codelet& codelet, std::int64_t now = 0) {
    each_sibling<Receiver>(codelet, [](Receiver& receiver) { receiver.sync(); });
    EngineAccess::begin_tick(codelet, now);
    codelet.tick();
    each_sibling<Transmitter>(codelet, distribute);
  }

  [[nodiscard]] const std::vector<LogLine>& logged() const noexcept { return logged_; }
  /// Components that notify() was called for, in order.
  [[nodiscard]] const std::vector<const Component*>& notified() const noexcept { return notified_; }
  [[nodiscard]] bool interrupted() const noexcept { return interrupted_; }
  [[nodiscard]] MessagePool& pool() noexcept { return pool_; }

  // Context
  Message new_message() override { return pool_.make(); }
  void interrupt() override { interrupted_ = true; }
  void notify(const Component& component) override { notified_.push_back(&component); }
  void log(LogLevel level, const Component& component, std::string_view text) override {
    const std::lock_guard lock(logged_mutex_);
    logged_.push_back({level, component.full_name(), std::string(text)});
  }
  [[nodiscard]] Behavior behavior(std::uint32_t) const override { return Behavior::Unknown; }
  [[nodiscard]] std::int64_t clock_time() const override { return 0; }
  [[nodiscard]] int device_id(const Component&) const override { return 0; }
  [[nodiscard]] std::vector<Component*> siblings(const Component& component) const override {
    std::vector<Component*> result;
    for (const Member& member : members_) {
      if (member.entity == component.entity_name()) {
        result.push_back(member.component.get());
      }
    }
    return result;
  }

 private:
  struct Member {
    std::string entity;
    std::string name;
    std::string type;
    std::unique_ptr<Component> component;
  };

  void configure(std::string_view path, std::string type, std::unique_ptr<Component> component,
                 const Parameters& parameters) {
    const std::size_t slash = path.find('/');
    members_.push_back({std::string(path.substr(0, slash)), std::string(path.substr(slash + 1)),
                        std::move(type), std::move(component)});
    const Member& member = members_.back();
    EngineAccess::attach(*member.component, {this, &member.name, &member.entity, &member.type,
                                             static_cast<std::uint32_t>(members_.size() - 1), 0});
    Interface interface = EngineAccess::make_interface();
    member.component->declare(interface);
    for (const auto& [key, yaml] : parameters) {
      EngineAccess::read(find(interface, key), document_.make_value(yaml), *this);
    }
  }

  static ParameterBase& find(const Interface& interface, std::string_view key) {
    for (const auto& binding : EngineAccess::bindings(interface)) {
      if (binding.key == key) {
        return *binding.member;
      }
    }
    throw Error(ErrorCode::NotFound, "the component has no parameter '" + std::string(key) + "'");
  }

  Component* resolve(const Value& value) override {
    const std::string text(value.text());
    const Member& owner = members_.back();
    for (const Member& member : members_) {
      if (member.entity + "/" + member.name == text ||
          (member.entity == owner.entity && member.name == text)) {
        return member.component.get();
      }
    }
    throw Error(ErrorCode::NotFound, "no component '" + text + "'");
  }

  template <class T, class F>
  void each_sibling(const Component& component, F&& call) {
    for (Component* sibling : siblings(component)) {
      if (auto* found = dynamic_cast<T*>(sibling)) {
        call(*found);
      }
    }
  }

  static void distribute(Transmitter& transmitter) {
    transmitter.sync();
    while (Message message = transmitter.pop()) {
      for (Receiver* receiver : transmitter.receivers()) {
        receiver->push(message);
      }
    }
  }

  MessagePool pool_;
  Document document_;
  std::deque<Member> members_;
  std::size_t initialized_ = 0;
  std::mutex logged_mutex_;  // held by log(), which threads of components may call
  std::vector<LogLine> logged_;
  std::vector<const Component*> notified_;
  bool interrupted_ = false;
};

}  // namespace gxr::harness
