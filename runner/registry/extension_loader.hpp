#pragma once

#include <memory>

#include "gxr/type_info.hpp"
#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Loads the libraries of the types that an application uses and gives their constructors, those
/// of providers, or those that a PythonHost makes.
/// Libraries are loaded on demand, once per process, and never unloaded. Refers to the catalog.
class ExtensionLoader {
 public:
  GXR_INTERNAL_API explicit ExtensionLoader(const TypeCatalog& catalog);
  GXR_INTERNAL_API ~ExtensionLoader();

  /// Constructor of a type; runs the extension's factory at its first use. Throws
  /// Error(Incompatible, NotFound or Failure) that names the file when it cannot be loaded, has no
  /// factory, the factory throws, or it does not register the type that its section announced;
  /// Error(NotSupported) for a type of Python without a PythonHost.
  GXR_INTERNAL_API ComponentFactory creator(const TypeInfo& type);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gxr
