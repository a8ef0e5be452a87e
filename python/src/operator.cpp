#include "operator.hpp"

#include <algorithm>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "failure.hpp"
#include "gil.hpp"
#include "gxr/scheduling_term.hpp"

namespace gxr::python {
namespace {

/// Another component of the application, which a parameter names.
struct ComponentView {
  Component* component;
};

/// A Boolean term: its codelet ends or wakes the entity.
struct SwitchView {
  BooleanSchedulingTerm* term;
};

nb::object view_of(Component& component) {
  if (auto* const other = dynamic_cast<PythonOperator*>(&component)) {
    return other->instance();
  }
  if (auto* const term = dynamic_cast<BooleanSchedulingTerm*>(&component)) {
    return nb::cast(SwitchView{term});
  }
  return nb::cast(ComponentView{&component});
}

/// A bound method that the class itself has, not gxr.Operator.
nb::object method_of(nb::handle instance, const char* name) {
  const nb::object base = nb::module_::import_("gxr").attr("Operator");
  const nb::object own = nb::getattr(instance.type(), name, nb::none());
  if (own.is_none() || own.is(nb::getattr(base, name, nb::none()))) {
    return {};
  }
  return instance.attr(name);
}

bool is_port(const TypeInfo& info, const std::string& key, PortInfo::Direction direction) {
  return std::ranges::any_of(info.ports, [&](const PortInfo& port) {
    return port.key == key && port.direction == direction;
  });
}

}  // namespace

const PortBinding* OperatorClass::port(std::string_view key) const noexcept {
  const auto found = std::ranges::find(ports, key, &PortBinding::key);
  return found != ports.end() ? &*found : nullptr;
}

OperatorClass::~OperatorClass() {
  const Gil gil;
  python.reset();
  converters.reset();
  defaults.reset();
}

// --- ports -------------------------------------------------------------------------------------

nb::object InputOfOperator::receive() {
  Message message = port_.receive();
  owner_->took(message);
  return from_message(std::move(message), binding_->content);
}

nb::object InputOfOperator::receive_if_any() {
  Message message = port_.receive_if_any();
  if (!message) {
    return nb::none();
  }
  owner_->took(message);
  return from_message(std::move(message), binding_->content);
}

std::size_t InputOfOperator::waiting() const { return port_.receiver().size(); }

void OutputOfOperator::publish(nb::handle value, std::optional<std::int64_t> acquired) {
  Message message;
  if (const MessageView* const view = as_message(value)) {
    message = view->message;
  } else {
    message = owner_->new_message();
    add_part(message, value, {}, binding_->value_type);
    owner_->set_time(message, published_);
  }
  if (acquired) {
    port_.publish(std::move(message), *acquired);
  } else {
    port_.publish(std::move(message));
  }
}

// --- the codelet -------------------------------------------------------------------------------

PythonOperator::PythonOperator(std::shared_ptr<const OperatorClass> type) : type_(std::move(type)) {
  const Gil gil;
  calling_python([&] {
    const nb::object& python = type_->python;
    instance_ = python.attr("__new__")(python);
    instance_.attr("__dict__")["_gxr"] = nb::cast(this, nb::rv_policy::reference);
    instance_.attr("__init__")();
    initialize_ = method_of(instance_, "initialize");
    deinitialize_ = method_of(instance_, "deinitialize");
    start_ = method_of(instance_, "start");
    tick_ = method_of(instance_, "tick");
    stop_ = method_of(instance_, "stop");
  });
}

PythonOperator::~PythonOperator() {
  const Gil gil;
  let_go();
  for (nb::object* const object :
       {&initialize_, &deinitialize_, &start_, &tick_, &stop_, &instance_}) {
    object->reset();
  }
}

void PythonOperator::let_go() noexcept {
  PyObject* const attributes =
      instance_.is_valid() ? PyObject_GenericGetDict(instance_.ptr(), nullptr) : nullptr;
  if (attributes != nullptr) {
    for (InputOfOperator& input : inputs_) {
      PyDict_DelItemString(attributes, input.key().c_str());
    }
    for (OutputOfOperator& output : outputs_) {
      PyDict_DelItemString(attributes, output.key().c_str());
    }
    PyDict_DelItemString(attributes, "_gxr");
    Py_DECREF(attributes);
  }
  PyErr_Clear();
}

void PythonOperator::declare(Interface& interface) {
  for (const ParameterInfo& info : type_->info.parameters) {
    const PortBinding* const binding = type_->port(info.key);
    if (binding != nullptr && is_port(type_->info, info.key, PortInfo::Direction::Input)) {
      interface.input(inputs_.emplace_back(*this, *binding).port(), info.key, info.headline);
    } else if (binding != nullptr) {
      interface.output(outputs_.emplace_back(*this, *binding).port(), info.key, info.headline);
    } else {
      interface.parameter(parameters_.emplace_back(info.type, info.default_value.has_value()),
                          info.key, info);
      parameter_infos_.push_back(&info);
    }
  }
}

void PythonOperator::set_attributes() {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].take_change()) {
      const ParameterInfo& info = *parameter_infos_[i];
      nb::object attribute = nb::none();
      if (const std::optional<Datum>& value = parameters_[i].value()) {
        attribute = to_python(*value, &view_of);
        if (type_->converters.contains(info.key)) {
          attribute = type_->converters[info.key.c_str()](attribute);
        }
      } else if (type_->defaults.contains(info.key)) {
        attribute = type_->defaults[info.key.c_str()]();
      }
      instance_.attr("__dict__")[info.key.c_str()] = attribute;
    }
  }
}

void PythonOperator::call(const nb::object& method) {
  if (!method.is_valid()) {
    return;
  }
  const nb::object result = nb::steal(PyObject_CallNoArgs(method.ptr()));
  if (!result.is_valid()) {
    throw nb::python_error();
  }
}

void PythonOperator::initialize() {
  const Gil gil;
  calling_python([&] {
    nb::object attributes = instance_.attr("__dict__");
    for (InputOfOperator& input : inputs_) {
      attributes[input.key().c_str()] = nb::cast(&input, nb::rv_policy::reference);
    }
    for (OutputOfOperator& output : outputs_) {
      attributes[output.key().c_str()] = nb::cast(&output, nb::rv_policy::reference);
    }
    set_attributes();
    call(initialize_);
  });
}

void PythonOperator::deinitialize() {
  const Gil gil;
  calling_python([&] { call(deinitialize_); });
  let_go();
}

void PythonOperator::start() {
  const Gil gil;
  taken_.reset();
  calling_python([&] {
    set_attributes();
    call(start_);
  });
}

void PythonOperator::tick() {
  const Gil gil;
  taken_.reset();
  calling_python([&] {
    set_attributes();
    call(tick_);
  });
}

void PythonOperator::stop() {
  if (stop_.is_valid()) {
    const Gil gil;
    taken_.reset();
    calling_python([&] { call(stop_); });
  }
}

void PythonOperator::took(const Message& message) {
  if (taken_) {
    return;
  }
  taken_ = Taken{message.source_time(), message.sequence(), {}};
  if (const Timestamp* const time = message.find<Timestamp>()) {
    taken_->timestamp = *time;
  }
}

void PythonOperator::set_time(Message& message, std::uint64_t& published) const {
  if (!taken_) {
    message.set_source_time(execution_timestamp());
    message.set_sequence(published++);
    return;
  }
  message.set_source_time(taken_->source_time);
  message.set_sequence(taken_->sequence);
  if (taken_->timestamp) {
    message.add<Timestamp>("timestamp", *taken_->timestamp);
  }
}

void PythonOperator::log(LogLevel level, std::string_view text) const {
  context().log(level, *this, text);
}

// --- what Python sees --------------------------------------------------------------------------

void bind_operator(nb::module_& module) {
  nb::class_<InputOfOperator>(module, "InputPort")
      .def("receive", &InputOfOperator::receive)
      .def("receive_if_any", &InputOfOperator::receive_if_any)
      .def_prop_ro("waiting", &InputOfOperator::waiting)
      .def_prop_ro("name", &InputOfOperator::key)
      .def("__bool__", &InputOfOperator::is_connected);
  nb::class_<OutputOfOperator>(module, "OutputPort")
      .def("publish", &OutputOfOperator::publish, nb::arg("value"),
           nb::arg("acquired") = nb::none())
      .def_prop_ro("name", &OutputOfOperator::key)
      .def("__bool__", &OutputOfOperator::is_connected);
  nb::class_<ComponentView>(module, "Component")
      .def_prop_ro("name", [](const ComponentView& view) { return view.component->full_name(); })
      .def_prop_ro("type", [](const ComponentView& view) { return view.component->type(); });
  nb::class_<SwitchView>(module, "Switch")
      .def("enable_tick", [](SwitchView& view) { view.term->enable_tick(); })
      .def("disable_tick", [](SwitchView& view) { view.term->disable_tick(); })
      .def_prop_ro("tick_enabled",
                   [](const SwitchView& view) { return view.term->tick_enabled(); });
  nb::class_<PythonOperator>(module, "Codelet")
      .def("new_message", [](PythonOperator& self) { return MessageView(self.new_message()); })
      .def("log", [](const PythonOperator& self, int level,
                     std::string_view text) { self.log(static_cast<LogLevel>(level), text); })
      .def("interrupt", [](PythonOperator& self) { self.context().interrupt(); })
      .def_prop_ro("name", [](const PythonOperator& self) { return self.full_name(); })
      .def_prop_ro("entity", [](const PythonOperator& self) { return self.entity_name(); })
      .def_prop_ro("time", [](const PythonOperator& self) { return self.execution_timestamp(); })
      .def_prop_ro("delta", [](const PythonOperator& self) { return self.delta_time(); })
      .def_prop_ro("count", [](const PythonOperator& self) { return self.execution_count(); });
}

}  // namespace gxr::python
