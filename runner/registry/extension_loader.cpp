#include "registry/extension_loader.hpp"

#include <map>
#include <string>
#include <unordered_map>

#include "gxr/error.hpp"
#include "observe/log.hpp"
#include "registry/extension_library.hpp"
#include "registry/python_extension.hpp"

namespace gxr {
namespace {

using Creators = std::unordered_map<std::string, ComponentFactory>;

void tell_of(const ExtensionFile& file) {
  if (!Log::enabled(LogLevel::Debug)) {
    return;
  }
  const ExtensionDescriptor& about = file.descriptor;
  std::string text = "loads extension '" + std::string(about.name) + "'";
  text += about.version[0] != '\0' ? " " + std::string(about.version) : std::string();
  Log::write(LogLevel::Debug,
             text + (file.provided ? " of the program" : " from '" + file.path.string() + "'"));
}

Creators creators_of(const ExtensionFile& file) {
  tell_of(file);
  Creators creators;
  if (file.provided) {
    for (std::size_t i = 0; i < file.types.size(); ++i) {
      creators.emplace(file.types[i].name, file.factories[i]);
    }
    return creators;
  }
  if (file.is_python) {
    std::vector<ComponentFactory> factories = python_factories(file);
    for (std::size_t i = 0; i < file.types.size(); ++i) {
      creators.emplace(file.types[i].name, std::move(factories[i]));
    }
    return creators;
  }
  for (RegisteredType& type : load_extension_library(file.path)) {
    if (type.create != nullptr) {
      creators.emplace(std::move(type.info.name),
                       [create = type.create] { return std::unique_ptr<Component>(create()); });
    }
  }
  return creators;
}

[[noreturn]] void throw_without_file(const TypeInfo& type) {
  throw Error(ErrorCode::NotFound, "type '" + type.name + "' belongs to no extension file");
}

[[noreturn]] void throw_not_registered(const ExtensionFile& file, const TypeInfo& type) {
  throw Error(ErrorCode::Incompatible,
              "'" + file.path.string() + "' lists the type '" + type.name +
                  "', but its factory does not register it: its type list is from "
                  "another build; build the extension again");
}

}  // namespace

struct ExtensionLoader::State {
  const TypeCatalog* catalog;
  std::map<const ExtensionFile*, Creators> loaded;

  const Creators& load(const ExtensionFile& file) {
    if (const auto found = loaded.find(&file); found != loaded.end()) {
      return found->second;
    }
    return loaded.emplace(&file, creators_of(file)).first->second;
  }
};

ExtensionLoader::ExtensionLoader(const TypeCatalog& catalog) : state_(new State{&catalog, {}}) {}
ExtensionLoader::~ExtensionLoader() = default;

ComponentFactory ExtensionLoader::creator(const TypeInfo& type) {
  const ExtensionFile* file = state_->catalog->file_of(type);
  if (file == nullptr) {
    throw_without_file(type);
  }
  const Creators& creators = state_->load(*file);
  const auto found = creators.find(type.name);
  if (found == creators.end() || !found->second) {
    throw_not_registered(*file, type);
  }
  return found->second;
}

}  // namespace gxr
