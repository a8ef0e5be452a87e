#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nanobind/nanobind.h>

#include "gxr/codelet.hpp"
#include "gxr/timestamp.hpp"
#include "message.hpp"
#include "object.hpp"

namespace gxr::python {

class PythonOperator;

/// An input of an operator.
class InputOfOperator {
 public:
  InputOfOperator(PythonOperator& owner, const PortBinding& binding)
      : owner_(&owner), binding_(&binding) {}

  Input<>& port() noexcept { return port_; }

  nb::object receive();
  nb::object receive_if_any();
  [[nodiscard]] std::size_t waiting();
  [[nodiscard]] bool is_connected() const noexcept { return static_cast<bool>(port_); }
  [[nodiscard]] const std::string& key() const noexcept { return binding_->key; }

 private:
  PythonOperator* owner_;
  const PortBinding* binding_;
  Input<> port_;
};

/// An output of an operator.
class OutputOfOperator {
 public:
  OutputOfOperator(PythonOperator& owner, const PortBinding& binding)
      : owner_(&owner), binding_(&binding) {}

  Output<>& port() noexcept { return port_; }

  /// A message as it is; of anything else a new message, with the time and number of the first
  /// message that the tick took.
  void publish(nb::handle value, std::optional<std::int64_t> acquired);
  [[nodiscard]] bool is_connected() const noexcept { return static_cast<bool>(port_); }
  [[nodiscard]] const std::string& key() const noexcept { return binding_->key; }

 private:
  PythonOperator* owner_;
  const PortBinding* binding_;
  Output<> port_;
  std::uint64_t published_ = 0;
};

/// The codelet behind an object of Python: calls its methods, with Python's lock held only there.
class PythonOperator : public Codelet, public HasPythonObject {
 public:
  /// Makes the object. Throws Error with what its constructor raises.
  explicit PythonOperator(std::shared_ptr<const ComponentClass> type);
  ~PythonOperator() override;

  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  void start() override;
  void tick() override;
  void stop() override;

  /// Counts who holds messages of the application.
  [[nodiscard]] const Holders& holders() const noexcept { return holders_; }
  /// Throws Error(InvalidState) outside of the calls of this operator: its ports are not for other
  /// threads.
  void require_own_call() const;
  /// The operator whose method the calling thread is in; nullptr: none.
  [[nodiscard]] static const PythonOperator* of_this_thread() noexcept;
  /// A new message that is named after this operator.
  Message new_message() { return context().new_message_for(*this); }
  /// The first message of a tick tells time and number of what the tick publishes.
  void took(const Message& message);
  /// Time and number for a message that is published; `published` counts those of a source.
  void set_time(Message& message, std::uint64_t& published) const;

  /// Logs as the codelet does. Any thread.
  void log(LogLevel level, std::string_view text) const;

 protected:
  /// The object has its ports and the values of its parameters. Python's lock is held.
  void update_object();
  /// Calls a method of the object, or what calls one. Python's lock is held.
  template <class F>
  void as_own_call(F&& function) {
    const Call call(*this);
    function();
  }

 private:
  struct Taken {
    std::int64_t source_time;
    std::uint64_t sequence;
    std::optional<Timestamp> timestamp;
  };

  /// The calling thread is in a method of the operator.
  class Call {
   public:
    explicit Call(const PythonOperator& caller) noexcept;
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    const PythonOperator* before_;
  };

  void call(const nb::object& method);
  void let_go() noexcept;

  nb::object initialize_, deinitialize_, start_, tick_, stop_;  // bound methods; may be invalid
  std::deque<InputOfOperator> inputs_;
  std::deque<OutputOfOperator> outputs_;
  std::optional<Taken> taken_;
  Holders holders_;
  bool has_ports_ = false;  // as attributes
};

/// Adds the classes of ports and components to the module.
void bind_operator(nb::module_& module);

}  // namespace gxr::python
