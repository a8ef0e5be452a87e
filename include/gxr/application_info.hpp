#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gxr/type_info.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// A parameter of a component, as the files and settings of an application have it.
struct ParameterSetting {
  const ParameterInfo* info = nullptr;  ///< what its type says of it
  const Value* value = nullptr;         ///< its default where nobody set it; null: it has no value
  bool is_set = false;                  ///< by a file or a setting
  /// The components that handles in `value` name, by number, in the order of the text; kNoComponent
  /// for `<Unspecified>`.
  std::vector<std::uint32_t> handles;

  /// The number of no component.
  static constexpr std::uint32_t kNoComponent = 0xffffffffU;
};

/// A component of an application.
struct ComponentInfo {
  std::uint32_t id = 0;                      ///< Component::component_id()
  std::string name;                          ///< may be empty
  const TypeInfo* type = nullptr;            ///< null: no extension has it, which is a Problem
  std::string type_name;                     ///< as the file writes it
  std::vector<ParameterSetting> parameters;  ///< those of its type, in the order of declare()
};

/// An entity of an application.
struct EntityInfo {
  std::uint32_t id = 0;                   ///< Component::entity_id()
  std::string name;                       ///< "__entity_N" where the file gives none
  std::vector<ComponentInfo> components;  ///< in the order of the files
};

/// An extension that an application may use.
struct ExtensionInfo {
  std::string name;                    ///< of the extension
  std::string file;                    ///< empty: the program gave the types itself
  std::string version;                 ///< as of the extension
  std::string license;                 ///< SPDX identifier, may be empty
  std::string description;             ///< one line
  std::vector<const TypeInfo*> types;  ///< those that can be read
};

}  // namespace gxr
