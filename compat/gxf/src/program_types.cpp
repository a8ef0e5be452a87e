#include "program_types.hpp"

#include <algorithm>
#include <utility>

#include "gxf/core/type_record.hpp"
#include "gxr/type_id.hpp"
#include "types.hpp"

namespace nvidia::gxf::layer {
namespace {

std::string gxf_name(const gxr::TypeInfo& type) {
  const auto found =
      std::find_if(type.aliases.begin(), type.aliases.end(),
                   [](const std::string& alias) { return alias.compare(0, 8, "nvidia::") == 0; });
  return found != type.aliases.end() ? *found : type.name;
}

/// Types that the layer knows have the ids of the layer.
gxf_tid_t tid_of(const gxr::TypeInfo& type, const std::string& name) {
  const TypeRecord* const record = FindType(name);
  return record != nullptr ? record->tid : to_tid(type.id);
}

}  // namespace

ProgramTypes::ProgramTypes(std::shared_ptr<gxr::Application> application)
    : application_(std::move(application)) {
  for (gxr::ExtensionInfo& info : application_->extensions()) {
    Extension& extension = extensions_.emplace_back();
    extension.tid = to_tid(gxr::type_id_of_name(info.name));
    extension.info = std::move(info);
    for (const gxr::TypeInfo* const type : extension.info.types) {
      const std::string name = gxf_name(*type);
      Type& added =
          *types_.emplace_back(std::make_unique<Type>(Type{name, tid_of(*type, name), type}));
      extension.types.push_back(&added);
      by_name_.emplace(type->name, &added);
      for (const std::string& alias : type->aliases) {
        by_name_.emplace(alias, &added);
      }
    }
  }
}

const ProgramTypes::Extension* ProgramTypes::extension(gxf_tid_t tid) const {
  const auto found = std::find_if(extensions_.begin(), extensions_.end(),
                                  [&](const Extension& extension) { return extension.tid == tid; });
  return found != extensions_.end() ? &*found : nullptr;
}

const ProgramTypes::Type* ProgramTypes::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found != by_name_.end() ? found->second : nullptr;
}

const ProgramTypes::Type* ProgramTypes::find(gxf_tid_t tid) const {
  const auto found = std::find_if(types_.begin(), types_.end(),
                                  [&](const auto& type) { return type->tid == tid; });
  return found != types_.end() ? found->get() : nullptr;
}

const ProgramTypes::Type* ProgramTypes::base_of(const Type& type) const {
  return type.info->base.empty() ? nullptr : find(std::string_view(type.info->base));
}

bool ProgramTypes::is_a(const Type* type, gxf_tid_t base) const {
  for (; type != nullptr; type = base_of(*type)) {
    // The root of all components is in no extension.
    const TypeRecord* const root =
        type->info->base == "gxr::Component" ? FindType("nvidia::gxf::Component") : nullptr;
    if (type->tid == base || (root != nullptr && root->tid == base)) {
      return true;
    }
  }
  return false;
}

std::string ProgramTypes::name_of(const std::string& name) const {
  const Type* const type = find(std::string_view(name));
  if (type != nullptr) {
    return type->name;
  }
  return name == "gxr::Component" ? "nvidia::gxf::Component" : name;
}

}  // namespace nvidia::gxf::layer
