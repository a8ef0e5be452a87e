#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>

#include "gxr/component.hpp"
#include "gxr/error.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/interface.hpp"
#include "gxr/parameter.hpp"
#include "gxr/type_info.hpp"
#include "message.hpp"
#include "values.hpp"

namespace gxr::python {

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

/// A class of Python that is a type of components: a codelet, with capture() a GraphOperator as
/// well, or a scheduling term.
struct ComponentClass {
  nb::object python;  ///< the class
  TypeInfo info;
  std::vector<PortBinding> ports;
  nb::dict converters;  ///< by key of a parameter: makes the attribute of what YAML gives
  nb::dict defaults;    ///< by key of a parameter: makes the attribute where YAML gives nothing
  GraphTraits traits;   ///< of a class with capture()

  ComponentClass() = default;
  ComponentClass(const ComponentClass&) = delete;
  ComponentClass& operator=(const ComponentClass&) = delete;
  ~ComponentClass();

  /// For Python's collector: what it refers to.
  int traverse(visitproc visit, void* arg) const;
  /// Lets go of that. Nothing may use the class any more.
  void clear() noexcept;
  /// The port of that key, or nullptr.
  [[nodiscard]] const PortBinding* port(std::string_view key) const noexcept;
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

/// The object of Python behind a component, with parameters as attributes. All but declare() needs
/// Python's lock.
class PythonObject {
 public:
  explicit PythonObject(std::shared_ptr<const ComponentClass> type) : type_(std::move(type)) {}

  /// Makes the object, whose attribute `_gxr` leads back to the component. Throws Error with what
  /// its constructor raises.
  template <class T>
  void make(T& component) {
    construct(nb::cast(View<T>(component, alive_)));
  }
  /// Declares a parameter that is no port.
  void declare(Interface& interface, const ParameterInfo& info);
  /// Gives the object the parameters that have changed.
  void set_attributes();
  /// Sets the attribute of a port or parameter; that of `in` is `in_`, as `in` is a word of Python.
  void set_attribute(const std::string& key, const nb::object& value);
  /// A bound method that the class itself has, not its base class in the package; else null.
  [[nodiscard]] nb::object method(const char* name) const;
  /// Whoever keeps the object has no component behind it any more.
  void let_go() noexcept;

  [[nodiscard]] const ComponentClass& type() const noexcept { return *type_; }
  [[nodiscard]] const nb::object& get() const noexcept { return instance_; }
  [[nodiscard]] const std::shared_ptr<bool>& alive() const noexcept { return alive_; }

 private:
  void construct(const nb::object& component);
  [[nodiscard]] nb::object value_of(const ParameterInfo& info, const PythonParameter& parameter);

  std::shared_ptr<const ComponentClass> type_;
  nb::object instance_;
  std::deque<PythonParameter> parameters_;
  std::vector<const ParameterInfo*> infos_;  // of parameters_
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

/// A component with an object of Python.
class HasPythonObject {
 public:
  explicit HasPythonObject(std::shared_ptr<const ComponentClass> type) : object_(std::move(type)) {}
  virtual ~HasPythonObject() = default;
  HasPythonObject(const HasPythonObject&) = delete;
  HasPythonObject& operator=(const HasPythonObject&) = delete;

  [[nodiscard]] const nb::object& instance() const noexcept { return object_.get(); }

 protected:
  [[nodiscard]] PythonObject& object() noexcept { return object_; }
  [[nodiscard]] const PythonObject& object() const noexcept { return object_; }

 private:
  PythonObject object_;
};

/// Adds the classes of components to the module.
void bind_components(nb::module_& module);

}  // namespace gxr::python
