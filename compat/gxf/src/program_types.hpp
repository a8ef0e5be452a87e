#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gxf/core/gxf.h"
#include "gxr/application.hpp"

namespace nvidia::gxf::layer {

/// The types that a program's application may name, whether the code of their extension was loaded
/// or not. Does not change.
class ProgramTypes {
 public:
  struct Type {
    std::string name;  ///< GXF's name where gxr's type has one
    gxf_tid_t tid{};
    const gxr::TypeInfo* info = nullptr;
  };
  struct Extension {
    gxf_tid_t tid{};  ///< made from its name
    gxr::ExtensionInfo info;
    std::vector<const Type*> types;
  };

  /// Of an application that was checked; keeps it.
  explicit ProgramTypes(std::shared_ptr<gxr::Application> application);

  [[nodiscard]] const std::vector<Extension>& extensions() const noexcept { return extensions_; }
  /// nullptr: there is none.
  [[nodiscard]] const Extension* extension(gxf_tid_t tid) const;
  [[nodiscard]] const Type* find(std::string_view name) const;  ///< by any of its names
  [[nodiscard]] const Type* find(gxf_tid_t tid) const;
  [[nodiscard]] const Type* base_of(const Type& type) const;
  /// Is it, or is one of its bases, the other one?
  [[nodiscard]] bool is_a(const Type* type, gxf_tid_t base) const;
  /// The name of a type that gxr calls `name`, as GXF has it.
  [[nodiscard]] std::string name_of(const std::string& name) const;

 private:
  std::shared_ptr<gxr::Application> application_;
  std::vector<Extension> extensions_;
  std::vector<std::unique_ptr<Type>> types_;
  std::unordered_map<std::string_view, const Type*> by_name_;
};

}  // namespace nvidia::gxf::layer
