#include "registry/type_provider.hpp"

#include <utility>

#include "gxr/error.hpp"
#include "registry/declaration.hpp"
#include "registry/extension_library.hpp"

namespace gxr {
namespace {

void require_none(const std::string& provider, const std::vector<std::string>& problems) {
  if (problems.empty()) {
    return;
  }
  std::string text = "the types of '" + provider + "' cannot be used:";
  for (const std::string& problem : problems) {
    text += "\n  " + problem;
  }
  throw Error(ErrorCode::InvalidData, text);
}

/// Can a component of the type be made?
bool is_made(const TypeInfo& info) { return info.component && !info.abstract; }

}  // namespace

void check_provider(const TypeProvider& provider) {
  std::vector<TypeInfo> infos;
  std::vector<std::string> problems;
  if (provider.name.empty()) {
    problems.emplace_back("the provider has no name");
  }
  for (const ProvidedType& type : provider.types) {
    infos.push_back(type.info);
    if (is_made(type.info) && !type.create) {
      problems.push_back("type '" + type.info.name + "' has no function that makes a component");
    }
  }
  const std::vector<std::string> found = check_declarations(infos);
  problems.insert(problems.end(), found.begin(), found.end());
  require_none(provider.name, problems);
}

TypeProvider provide_types(std::string name, const std::function<void(Extension&)>& declare) {
  std::vector<RegisteredType> registered = registered_types(declare);
  require_none(name, declare_interfaces(registered));
  TypeProvider provider{std::move(name)};
  for (RegisteredType& type : registered) {
    ProvidedType& provided = provider.types.emplace_back();
    provided.info = std::move(type.info);
    if (type.create != nullptr) {
      provided.create = [create = type.create] { return std::unique_ptr<Component>(create()); };
    }
  }
  check_provider(provider);
  return provider;
}

}  // namespace gxr
