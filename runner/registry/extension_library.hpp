#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "gxr/extension.hpp"
#include "gxr/type_info.hpp"

namespace gxr {

/// A type as its extension's factory registered it.
struct RegisteredType {
  TypeInfo info;
  Extension::Create create = nullptr;  ///< null for abstract and data types
};

/// What `factory` registers, in its order. Throws what it throws.
std::vector<RegisteredType> registered_types(const std::function<void(Extension&)>& factory);

/// Loads the library, runs its factory and returns what that registered, in its order. Runs code of
/// the library: its descriptor was checked before. The library stays loaded for the rest of the
/// process. Throws Error(Incompatible, NotFound or Failure) that names the file and says what is
/// missing, or what the factory threw.
std::vector<RegisteredType> load_extension_library(const std::filesystem::path& file);

}  // namespace gxr
