#pragma once

#include <string>

#include "gxf/core/entity.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/core/parameter.hpp"
#include "gxf/core/registrar.hpp"

namespace gxr {

class Component;

}  // namespace gxr

namespace nvidia {
namespace gxf {

namespace layer {

/// The parameter of that key of component `cid`; nullptr: there is none.
GXR_GXF_API ParameterSlot* FindParameter(gxf_context_t context, gxf_uid_t cid,
                                         const char* key) noexcept;

}  // namespace layer

/// Base of everything that YAML can name under `components:`. An adapter holds it: the gxr
/// component that the engine sees.
class GXR_GXF_API Component {
 public:
  virtual ~Component();
  Component(const Component&) = delete;
  Component(Component&&) = delete;
  Component& operator=(const Component&) = delete;
  Component& operator=(Component&&) = delete;

  virtual gxf_result_t registerInterface(Registrar* registrar);
  virtual gxf_result_t initialize();
  virtual gxf_result_t deinitialize();

  gxf_context_t context() const noexcept { return context_; }
  gxf_uid_t eid() const noexcept { return eid_; }
  gxf_uid_t cid() const noexcept { return cid_; }
  gxf_tid_t tid() const noexcept { return tid_; }
  const char* name() const noexcept { return name_; }
  const char* type_name() const noexcept { return type_name_; }
  Entity entity() const noexcept { return Entity(context_, eid_); }

  template <typename T>
  Expected<T> getParameter(const char* key) const {
    layer::ParameterSlot* const slot = layer::FindParameter(context_, cid_, key);
    if (slot == nullptr) {
      return Unexpected{GXF_PARAMETER_NOT_FOUND};
    }
    if (!slot->has_value()) {
      return Unexpected{GXF_PARAMETER_NOT_INITIALIZED};
    }
    const void* const value = slot->value_if(detail::TypeKey<T>());
    if (value == nullptr) {
      return Unexpected{GXF_PARAMETER_INVALID_TYPE};
    }
    return *static_cast<const T*>(value);
  }
  template <typename T>
  Expected<void> setParameter(const char* key, T value) {
    layer::ParameterSlot* const slot = layer::FindParameter(context_, cid_, key);
    if (slot == nullptr) {
      return Unexpected{GXF_PARAMETER_NOT_FOUND};
    }
    return ExpectedOrCode(slot->assign(detail::TypeKey<T>(), &value) ? GXF_SUCCESS
                                                                     : GXF_PARAMETER_INVALID_TYPE);
  }
  /// The value as YAML.
  Expected<YAML::Node> wrapParameter(const char* key) const {
    const layer::ParameterSlot* const slot = layer::FindParameter(context_, cid_, key);
    if (slot == nullptr) {
      return Unexpected{GXF_PARAMETER_NOT_FOUND};
    }
    return YAML::Load(slot->text());
  }

  /// Of the layer: the gxr component that owns this one from now on.
  virtual gxr::Component* make_adapter();
  /// Called by the engine only.
  void internalSetup(gxf_context_t context, gxf_uid_t eid, gxf_uid_t cid, Registrar* registrar);
  /// Of the layer: what the component is called.
  void set_identity(gxf_tid_t tid, const char* type_name, const char* name) noexcept {
    tid_ = tid;
    type_name_ = type_name;
    name_ = name;
  }

 protected:
  Component() = default;

  gxf_context_t context_ = kNullContext;
  gxf_uid_t eid_ = kNullUid;
  gxf_uid_t cid_ = kNullUid;
  gxf_tid_t tid_ = GxfTidNull();

 private:
  const char* type_name_ = "";
  const char* name_ = "";
};

}  // namespace gxf
}  // namespace nvidia
