#pragma once

#include "gxf/core/handle.hpp"

namespace nvidia {
namespace gxf {

namespace layer {

/// The first resource of the type (and name, if given) in the entity group of component `cid`.
GXR_GXF_API gxf_result_t FindResource(gxf_context_t context, gxf_uid_t cid, const char* type,
                                      const char* name, Target& target) noexcept;

}  // namespace layer

template <typename T>
class Resource;

/// A resource of the entity group that the component belongs to; found when it is first asked for.
template <typename S>
class Resource<Handle<S>> {
 public:
  const Expected<Handle<S>>& try_get(const char* name = nullptr) const {
    if (!handle_) {
      layer::Target target;
      const gxf_result_t code =
          layer::FindResource(context_, cid_, TypenameAsString<S>(), name, target);
      if (code == GXF_SUCCESS) {
        handle_ = Handle<S>(context_, target);
      } else {
        handle_ = Unexpected{code};
      }
    }
    return handle_;
  }

  // Of the layer.
  void attach(gxf_context_t context, gxf_uid_t cid) noexcept {
    context_ = context;
    cid_ = cid;
  }

 private:
  gxf_context_t context_ = kNullContext;
  gxf_uid_t cid_ = kNullUid;
  mutable Expected<Handle<S>> handle_ = Unexpected{GXF_UNINITIALIZED_VALUE};
};

}  // namespace gxf
}  // namespace nvidia
