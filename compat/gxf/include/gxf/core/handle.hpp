#pragma once

#include <string>
#include <type_traits>

#include "common/assert.hpp"
#include "common/panic.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/gxf.h"
#include "gxf/core/standard_headers.hpp"
#include "gxf/core/type_record.hpp"

namespace nvidia {
namespace gxf {

class Entity;

namespace layer {

/// The object of a handle: a component of the graph or a part of a message.
struct Target {
  void* pointer = nullptr;
  gxf_uid_t cid = kNullUid;  ///< 0: a part whose number nobody has asked for
  const TypeRecord* type = nullptr;
  const char* name = "";
  void* block = nullptr;  ///< of the message that has the part; nullptr: not known
};

/// The component or part of that number.
GXR_GXF_API gxf_result_t FindTarget(gxf_context_t context, gxf_uid_t cid, Target& target) noexcept;
/// The number of a part; the part gets one at the first call.
GXR_GXF_API gxf_uid_t NumberOf(gxf_context_t context, const Target& target) noexcept;
/// The component that "component" or "entity/component" names, as seen from component `cid`.
GXR_GXF_API gxf_result_t FindNamed(gxf_context_t context, gxf_uid_t cid, const char* name,
                                   const char* type, Target& target) noexcept;
[[noreturn]] GXR_GXF_API void PanicNullHandle(const char* type);

}  // namespace layer

/// A reference to a component or a part of a message that does not own it.
class UntypedHandle {
 public:
  static UntypedHandle Null() { return UntypedHandle(nullptr, layer::Target{}); }
  static Expected<UntypedHandle> Create(gxf_context_t context, gxf_uid_t cid) {
    layer::Target target;
    const gxf_result_t code = layer::FindTarget(context, cid, target);
    if (code != GXF_SUCCESS) {
      return Unexpected{code};
    }
    return UntypedHandle(context, target);
  }
  static Expected<UntypedHandle> Create(gxf_context_t context, gxf_uid_t cid, gxf_tid_t tid,
                                        void* pointer) {
    return UntypedHandle(context, {pointer, cid, layer::FindType(tid), ""});
  }
  UntypedHandle(gxf_context_t context, const layer::Target& target)
      : context_(context), target_(target) {}

  gxf_context_t context() const { return context_; }
  gxf_uid_t cid() const {
    if (target_.cid == kNullUid && target_.pointer != nullptr) {
      target_.cid = layer::NumberOf(context_, target_);
    }
    return target_.cid;
  }
  gxf_tid_t tid() const { return target_.type != nullptr ? target_.type->tid : GxfTidNull(); }
  void* get_ptr() const { return target_.pointer; }
  bool is_null() const { return context_ == kNullContext || target_.pointer == nullptr; }
  explicit operator bool() const { return !is_null(); }
  const char* name() const { return target_.name; }
  const layer::Target& target() const { return target_; }  ///< of the layer

 protected:
  gxf_context_t context_;
  mutable layer::Target target_;
};

template <typename T>
class Handle : public UntypedHandle {
 public:
  Handle(gxf_context_t context = kNullContext,
         gxf_uid_t uid = kNullUid)  // NOLINT(google-explicit-constructor)
      : UntypedHandle(context, layer::Target{}) {
    if (uid > kNullUid) {
      static_cast<void>(layer::FindTarget(context, uid, target_));
    }
    target_.cid = uid;
  }
  Handle(gxf_context_t context, gxf_uid_t uid, gxf_tid_t tid, void* pointer)
      : UntypedHandle(context, {pointer, uid, layer::FindType(tid), ""}) {}
  Handle(gxf_context_t context, const layer::Target& target) : UntypedHandle(context, target) {}
  template <typename Derived, typename = std::enable_if_t<!std::is_same_v<Derived, T> &&
                                                          std::is_convertible_v<Derived*, T*>>>
  Handle(const Handle<Derived>& other)  // NOLINT(google-explicit-constructor)
      : UntypedHandle(other.context(), other.target()) {}

  static Handle Null() { return Handle(); }
  static Handle Unspecified() { return Handle(kNullContext, kUnspecifiedUid); }
  static Expected<Handle> Create(gxf_context_t context, gxf_uid_t cid) {
    if (layer::TypeOf<T>() == nullptr) {
      return Unexpected{GXF_FACTORY_UNKNOWN_CLASS_NAME};
    }
    layer::Target target;
    const gxf_result_t code = layer::FindTarget(context, cid, target);
    if (code != GXF_SUCCESS) {
      return Unexpected{code};
    }
    return Handle(context, target);
  }
  static Expected<Handle> Create(gxf_context_t context, gxf_uid_t cid, gxf_tid_t tid,
                                 void* pointer) {
    return Handle(context, cid, tid, pointer);
  }
  static Expected<Handle> Create(const UntypedHandle& other) {
    return Handle(other.context(), other.target());
  }

  T* operator->() const { return get(); }
  operator T*() const { return get(); }  // NOLINT(google-explicit-constructor)
  T* get() const {
    if (target_.pointer == nullptr) {
      layer::PanicNullHandle(TypenameAsString<T>());
    }
    return static_cast<T*>(target_.pointer);
  }
  Expected<T*> try_get() const {
    if (target_.pointer == nullptr) {
      return Unexpected{GXF_FAILURE};
    }
    return static_cast<T*>(target_.pointer);
  }

  friend bool operator==(const Handle& a, const Handle& b) {
    return a.context_ == b.context_ && a.target_.pointer == b.target_.pointer &&
           (a.target_.pointer != nullptr || a.target_.cid == b.target_.cid);
  }
  friend bool operator!=(const Handle& a, const Handle& b) { return !(a == b); }
  friend bool operator<(const Handle& a, const Handle& b) {
    return a.context_ != b.context_ ? std::less<>()(a.context_, b.context_) : a.cid() < b.cid();
  }
};

template <typename S>
Expected<Handle<S>> CreateHandleFromString(gxf_context_t context, gxf_uid_t cid, const char* name) {
  layer::Target target;
  const gxf_result_t code = layer::FindNamed(context, cid, name, TypenameAsString<S>(), target);
  if (code != GXF_SUCCESS) {
    return Unexpected{code};
  }
  return Handle<S>(context, target);
}

}  // namespace gxf
}  // namespace nvidia
