#include "object.hpp"

#include <algorithm>

#include <nanobind/stl/string.h>

#include "gil.hpp"
#include "gxr/scheduling_term.hpp"

namespace gxr::python {
namespace {

/// Another component of the application, which a parameter names.
using ComponentView = View<Component>;
/// A Boolean term: its codelet ends or wakes the entity.
using SwitchView = View<BooleanSchedulingTerm>;

nb::object view_of(Component& component, const std::shared_ptr<const bool>& alive) {
  if (auto* const other = dynamic_cast<HasPythonObject*>(&component)) {
    return other->instance();
  }
  if (auto* const term = dynamic_cast<BooleanSchedulingTerm*>(&component)) {
    return nb::cast(SwitchView(*term, alive));
  }
  return nb::cast(ComponentView(component, alive));
}

}  // namespace

const PortBinding* ComponentClass::port(std::string_view key) const noexcept {
  const auto found = std::ranges::find(ports, key, &PortBinding::key);
  return found != ports.end() ? &*found : nullptr;
}

ComponentClass::~ComponentClass() {
  const Gil gil;
  clear();
}

void ComponentClass::clear() noexcept {
  python.reset();
  converters.reset();
  defaults.reset();
}

int ComponentClass::traverse(visitproc visit, void* arg) const {
  for (const nb::handle each : {nb::handle(python), nb::handle(converters), nb::handle(defaults)}) {
    Py_VISIT(each.ptr());
  }
  return 0;
}

void PythonObject::construct(const nb::object& component) {
  const nb::object& python = type_->python;
  instance_ = python.attr("__new__")(python);
  instance_.attr("__dict__")["_gxr"] = component;
  instance_.attr("__init__")();
}

void PythonObject::declare(Interface& interface, const ParameterInfo& info) {
  interface.parameter(parameters_.emplace_back(info.type, info.default_value.has_value()), info.key,
                      info);
  infos_.push_back(&info);
}

nb::object PythonObject::value_of(const ParameterInfo& info, const PythonParameter& parameter) {
  if (const std::optional<Datum>& value = parameter.value()) {
    const nb::object attribute =
        to_python(*value, [this](Component& component) { return view_of(component, alive_); });
    return type_->converters.contains(info.key)
               ? nb::object(type_->converters[info.key.c_str()](attribute))
               : attribute;
  }
  return type_->defaults.contains(info.key) ? nb::object(type_->defaults[info.key.c_str()]())
                                            : nb::none();
}

void PythonObject::set_attribute(const std::string& key, const nb::object& value) {
  const bool is_word = nb::cast<bool>(nb::module_::import_("keyword").attr("iskeyword")(key));
  instance_.attr("__dict__")[(is_word ? key + '_' : key).c_str()] = value;
}

void PythonObject::set_attributes() {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].take_change()) {
      const ParameterInfo& info = *infos_[i];
      set_attribute(info.key, value_of(info, parameters_[i]));
    }
  }
}

nb::object PythonObject::method(const char* name) const {
  const nb::module_ package = nb::module_::import_("gxr");
  const nb::object own = nb::getattr(instance_.type(), name, nb::none());
  for (const char* const base : {"Operator", "Term"}) {
    if (own.is(nb::getattr(package.attr(base), name, nb::none()))) {
      return {};
    }
  }
  return own.is_none() ? nb::object() : nb::object(instance_.attr(name));
}

void PythonObject::let_go() noexcept {
  *alive_ = false;
  instance_.reset();
}

void bind_components(nb::module_& module) {
  nb::class_<ComponentView>(module, "Component")
      .def_prop_ro("name", [](const ComponentView& view) { return view.get().full_name(); })
      .def_prop_ro("type", [](const ComponentView& view) { return view.get().type(); });
  nb::class_<SwitchView>(module, "Switch")
      .def("enable_tick", [](const SwitchView& view) { view.get().enable_tick(); })
      .def("disable_tick", [](const SwitchView& view) { view.get().disable_tick(); })
      .def_prop_ro("tick_enabled",
                   [](const SwitchView& view) { return view.get().tick_enabled(); });
}

}  // namespace gxr::python
