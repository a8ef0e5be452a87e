#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gxr/component.hpp"
#include "gxr/export.hpp"
#include "gxr/extension.hpp"
#include "gxr/type_info.hpp"

namespace gxr {

/// A type that no extension file holds.
struct ProvidedType {
  /// What an extension's list of types says of the type: name, base, parameters, ports, …
  TypeInfo info;
  /// Makes a component, whose declare() binds the parameters of `info`. Called once for each
  /// component of a run, and again when a plan failed; by any thread; throws what a constructor
  /// throws. Empty for abstract types and data types.
  std::function<std::unique_ptr<Component>()> create;
};

/// Types from elsewhere than an extension file: of the program that embeds the engine, of another
/// language, of a layer for the files of another system. They count like those of an extension that
/// is named by -x: `gxr validate`, descriptions, schemas and runs know them, and a type that such
/// an extension holds as well is an error when it is used.
struct TypeProvider {
  /// Stands in messages for the name of an extension. Not empty.
  std::string name;
  std::vector<ProvidedType> types = {};  ///< each name once
  std::string version = "0.0.0";         ///< as of an extension, for people
  std::string description = {};          ///< one line, for people
};

/// The types that `declare` registers, as gxr_extension() would. Each needs a default constructor;
/// replace ProvidedType::create to make its components otherwise. Makes a component of each to ask
/// what it declares. Throws Error(InvalidData) that says what is wrong with their declarations, and
/// what `declare` throws.
///
///   const auto types = gxr::provide_types("viewer", [&](gxr::Extension& extension) {
///     extension.add<viewer::Window>("Shows pictures in the program's window");
///   });
GXR_API TypeProvider provide_types(std::string name,
                                   const std::function<void(Extension&)>& declare);

}  // namespace gxr
