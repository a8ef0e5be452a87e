#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nanobind/nanobind.h>

#include "gxr/codelet.hpp"
#include "gxr/error.hpp"
#include "gxr/timestamp.hpp"
#include "gxr/type_info.hpp"
#include "message.hpp"
#include "values.hpp"

namespace gxr::python {

class PythonOperator;

/// A reference of Python to a port, a component or a codelet. It ends with the run.
template <class T>
class View {
 public:
  View(T& shown, std::shared_ptr<const bool> alive) noexcept
      : shown_(&shown), alive_(std::move(alive)) {}

  /// Throws Error(InvalidState) when the run has ended.
  [[nodiscard]] T& get() const {
    if (!*alive_) {
      throw Error(ErrorCode::InvalidState, "the run of this operator has ended");
    }
    return *shown_;
  }

 private:
  T* shown_;
  std::shared_ptr<const bool> alive_;
};

/// How a class of Python meets its type: what its ports take and give, in the order of the type.
struct PortBinding {
  std::string key;
  Content content = Content::Message;
  std::string value_type;  ///< of an output with Content::Value: "int64", …; empty: of the value
};

/// A class of Python that is a codelet, and, with capture(), a GraphOperator.
struct OperatorClass {
  nb::object python;  ///< the class
  TypeInfo info;
  std::vector<PortBinding> ports;
  nb::dict converters;  ///< by key of a parameter: makes the attribute of what YAML gives
  nb::dict defaults;    ///< by key of a parameter: makes the attribute where YAML gives nothing

  OperatorClass() = default;
  OperatorClass(const OperatorClass&) = delete;
  OperatorClass& operator=(const OperatorClass&) = delete;
  ~OperatorClass();

  /// The port of that key, or nullptr.
  [[nodiscard]] const PortBinding* port(std::string_view key) const noexcept;
};

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

/// A parameter whose type Python has declared.
class PythonParameter final : public ParameterBase {
 public:
  PythonParameter(const ParameterType& type, bool has_default) noexcept
      : type_(&type), has_default_(has_default) {}

  [[nodiscard]] bool has_value() const noexcept override { return value_ || has_default_; }
  /// The value that the engine has set; nothing where the default counts.
  [[nodiscard]] const std::optional<Datum>& value() const noexcept { return value_; }
  /// True once after each change.
  [[nodiscard]] bool take_change() noexcept { return std::exchange(changed_, false); }

 private:
  void read(const Value& value, ParameterContext& context) override {
    value_ = read_datum(*type_, value, context);
    changed_ = true;
  }
  [[nodiscard]] std::unique_ptr<ParameterBase> make_another() const override {
    return std::make_unique<PythonParameter>(*type_, has_default_);
  }
  void swap_value(ParameterBase& other) override {
    value_.swap(static_cast<PythonParameter&>(other).value_);
    changed_ = true;
  }

  const ParameterType* type_;
  bool has_default_;
  std::optional<Datum> value_;
  bool changed_ = true;
};

/// The codelet behind an object of Python: calls its methods, with Python's lock held only there.
class PythonOperator : public Codelet {
 public:
  /// Makes the object. Throws Error with what its constructor raises.
  explicit PythonOperator(std::shared_ptr<const OperatorClass> type);
  ~PythonOperator() override;

  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  void start() override;
  void tick() override;
  void stop() override;

  [[nodiscard]] nb::object instance() const { return instance_; }
  [[nodiscard]] const std::shared_ptr<bool>& alive() const noexcept { return alive_; }
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
  void set_attributes();
  // Whoever keeps the object has no ports and no codelet behind it any more.
  void let_go() noexcept;

  std::shared_ptr<const OperatorClass> type_;
  nb::object instance_;
  nb::object initialize_, deinitialize_, start_, tick_, stop_;  // bound methods; may be invalid
  std::deque<InputOfOperator> inputs_;
  std::deque<OutputOfOperator> outputs_;
  std::deque<PythonParameter> parameters_;
  std::vector<const ParameterInfo*> parameter_infos_;
  std::optional<Taken> taken_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  Holders holders_;
  bool has_ports_ = false;  // as attributes
};

/// Adds the classes of ports and components to the module.
void bind_operator(nb::module_& module);

}  // namespace gxr::python
