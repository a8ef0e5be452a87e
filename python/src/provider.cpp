#include "provider.hpp"

#include <utility>

#include <nanobind/stl/string.h>

#include "failure.hpp"
#include "gil.hpp"
#include "registry/type_json.hpp"

namespace gxr::python {
namespace {

Content content_of(const std::string& name) {
  return name == "tensor" ? Content::Tensor : name == "value" ? Content::Value : Content::Message;
}

std::shared_ptr<const OperatorClass> read_class(const nb::tuple& declaration) {
  auto made = std::make_shared<OperatorClass>();
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
  return made;
}

std::function<std::unique_ptr<Component>()> factory_of(
    const std::shared_ptr<const OperatorClass>& type) {
  return [type] { return std::make_unique<PythonOperator>(type); };
}

}  // namespace

std::vector<std::shared_ptr<const OperatorClass>> read_classes(const nb::list& declarations) {
  std::vector<std::shared_ptr<const OperatorClass>> classes;
  for (const nb::handle declaration : declarations) {
    classes.push_back(read_class(nb::tuple(declaration)));
  }
  return classes;
}

TypeProvider provider_of(std::string name, const nb::list& declarations) {
  TypeProvider provider{std::move(name)};
  for (const auto& type : read_classes(declarations)) {
    provider.types.push_back({type->info, factory_of(type)});
  }
  return provider;
}

}  // namespace gxr::python
