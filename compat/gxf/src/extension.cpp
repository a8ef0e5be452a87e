#include "gxr/extension.hpp"

#include "gxf/core/layer_fingerprint.hpp"
#include "gxf/std/default_extension.hpp"
#include "gxr/error.hpp"
#include "types.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

bool fits(const char* text, std::size_t most) noexcept {
  return text != nullptr && std::char_traits<char>::length(text) <= most;
}

gxr::TypeInfo to_gxr(const Registration& type) {
  gxr::TypeInfo info;
  info.name = type.name;
  info.base = type.base != nullptr ? gxr_name_of(type.base)
              : type.is_component  ? std::string("gxr::Component")
                                   : std::string();
  info.id = to_type_id(type.tid);
  const std::string description = type.description;
  const std::string brief = *type.brief != '\0' ? type.brief : type.description;
  info.headline = brief.substr(0, brief.find('\n'));
  if (info.headline.empty()) {
    info.headline = *type.display_name != '\0' ? type.display_name : "(no description)";
  }
  info.description = description != info.headline ? description : std::string();
  info.abstract = type.is_component && type.create == nullptr;
  info.component = type.is_component;
  return info;
}

}  // namespace

bool RegisterTypes(gxf_result_t (*factory)(void**)) noexcept {
  void* made = nullptr;
  return factory != nullptr && factory(&made) == GXF_SUCCESS;
}

void RegisterExtension(gxr::Extension& extension, gxf_result_t (*factory)(void**),
                       std::uint64_t fingerprint) {
  if (fingerprint != kLayerFingerprint) {
    throw gxr::Error(gxr::ErrorCode::Incompatible,
                     "the extension was built with other GXF headers than those of this gxr: "
                     "rebuild it");
  }
  if (factory == nullptr) {
    throw gxr::Error(gxr::ErrorCode::InvalidData,
                     "the library has no GxfExtensionFactory(): none of its sources has the "
                     "factory macros");
  }
  void* made = nullptr;
  const gxf_result_t code = factory(&made);
  if (code != GXF_SUCCESS || made == nullptr) {
    throw gxr::Error(gxr::ErrorCode::InvalidData,
                     std::string("GxfExtensionFactory() returned ") + GxfResultStr(code));
  }
  for (const Registration& type : static_cast<const DefaultExtension*>(made)->record().types) {
    extension.add(to_gxr(type), type.create);
  }
}

}  // namespace layer

DefaultExtension::DefaultExtension() : record_(std::make_unique<layer::ExtensionRecord>()) {}
DefaultExtension::~DefaultExtension() = default;

Expected<void> DefaultExtension::setInfo(gxf_tid_t tid, const char* name, const char* description,
                                         const char* author, const char* version,
                                         const char* license) {
  if (GxfTidIsNull(tid) != 0 || !layer::fits(name, kMaxEntityNameSize) ||
      !layer::fits(description, 256) || !layer::fits(author, 64) ||
      !layer::fits(version, kMaxEntityNameSize) || *version == '\0' || !layer::fits(license, 64)) {
    return Unexpected{GXF_FACTORY_INVALID_INFO};
  }
  record_->tid = tid;
  return Success;
}

Expected<void> DefaultExtension::setDisplayInfo(const char* display_name, const char* category,
                                                const char* brief) {
  if (!layer::fits(display_name, 30) || !layer::fits(category, 30) || !layer::fits(brief, 50)) {
    return Unexpected{GXF_FACTORY_INVALID_INFO};
  }
  return Success;
}

Expected<void> DefaultExtension::checkInfo() {
  return GxfTidIsNull(record_->tid) != 0 ? Expected<void>(Unexpected{GXF_FACTORY_INVALID_INFO})
                                         : Success;
}

gxf_tid_t DefaultExtension::tid() const { return record_->tid; }

gxf_result_t DefaultExtension::add_type(const layer::Registration& type) {
  const gxf_result_t code = layer::add_registered(type);
  if (code == GXF_SUCCESS) {
    record_->types.push_back(type);
  }
  return code;
}

}  // namespace nvidia::gxf
