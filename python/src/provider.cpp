#include "provider.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>
#include <unistd.h>

#include "capture.hpp"
#include "failure.hpp"
#include "gil.hpp"
#include "registry/python_host.hpp"
#include "registry/type_json.hpp"
#include "signals.hpp"
#include "term.hpp"

namespace gxr::python {
namespace {

Content content_of(const std::string& name) {
  return name == "tensor"    ? Content::Tensor
         : name == "value"   ? Content::Value
         : name == "picture" ? Content::Picture
         : name == "sound"   ? Content::Sound
                             : Content::Message;
}

GraphTraits traits_of(const nb::tuple& told) {
  GraphTraits traits;
  traits.dependent_launch = nb::cast<bool>(told[0]);
  traits.repeatable = nb::cast<bool>(told[1]);
  traits.priority = nb::cast<int>(told[2]);
  traits.kept_in_l2 = static_cast<KeptInL2>(nb::cast<std::uint8_t>(told[3]));
  traits.pass_through = nb::cast<bool>(told[4]);
  return traits;
}

std::shared_ptr<ComponentClass> read_class(const nb::tuple& declaration) {
  auto made = std::make_shared<ComponentClass>();
  made->python = declaration[0];
  made->info = type_from_json(nb::cast<std::string>(declaration[1]));
  for (const nb::handle port : nb::list(declaration[2])) {
    const nb::tuple parts(port);
    made->ports.push_back({nb::cast<std::string>(parts[0]),
                           content_of(nb::cast<std::string>(parts[1])),
                           nb::cast<std::string>(parts[2])});
  }
  made->converters = nb::dict(declaration[3]);
  made->defaults = nb::dict(declaration[4]);
  made->traits = traits_of(nb::tuple(declaration[5]));
  return made;
}

std::function<std::unique_ptr<Component>()> factory_of(
    const std::shared_ptr<const ComponentClass>& type) {
  return [type]() -> std::unique_ptr<Component> {
    if (type->info.base == "gxr::SchedulingTerm") {
      return std::make_unique<PythonTerm>(type);
    }
    if (type->info.capturable) {
      return std::make_unique<CapturablePythonOperator>(type);
    }
    return std::make_unique<PythonOperator>(type);
  };
}

std::vector<std::shared_ptr<ComponentClass>> read_classes(const nb::list& declarations) {
  std::vector<std::shared_ptr<ComponentClass>> classes;
  for (const nb::handle declaration : declarations) {
    classes.push_back(read_class(nb::tuple(declaration)));
  }
  return classes;
}

pid_t fork_python() {
  const Gil gil;
  PyOS_BeforeFork();
  const pid_t child = ::fork();
  if (child == 0) {
    PyOS_AfterFork_Child();
  } else {
    PyOS_AfterFork_Parent();
  }
  return child;
}

void leave_python() {
  const Gil gil;
  calling_python([] { nb::module_::import_("gxr._host").attr("leave")(); });
}

}  // namespace

TypeProvider provider_of(std::string name, const nb::list& declarations,
                         std::vector<std::shared_ptr<ComponentClass>>& classes) {
  TypeProvider provider{std::move(name)};
  for (const auto& type : read_classes(declarations)) {
    provider.types.push_back({type->info, factory_of(type)});
    classes.push_back(type);
  }
  return provider;
}

std::string types_text(const nb::list& declarations) {
  std::vector<TypeInfo> types;
  for (const auto& type : read_classes(declarations)) {
    types.push_back(type->info);
  }
  return types_to_json(types);
}

void host_python(const std::string& interpreter, const nb::object& classes_of) {
  static PyObject* const function = Py_NewRef(classes_of.ptr());  // as long as the process
  set_python_host({interpreter,
                   [](const std::filesystem::path& file, const std::vector<TypeInfo>& types) {
                     const Gil gil;
                     std::vector<ComponentFactory> factories;
                     calling_python([&] {
                       nb::list names;
                       for (const TypeInfo& type : types) {
                         names.append(type.name);
                       }
                       const nb::object found = nb::handle(function)(file.string(), names);
                       for (const auto& type : read_classes(nb::list(found))) {
                         factories.push_back(factory_of(type));
                       }
                     });
                     return factories;
                   },
                   fork_python, leave_python, is_interrupted});
}

}  // namespace gxr::python
