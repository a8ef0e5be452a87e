#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>

#include "gxf/core/component.hpp"
#include "gxf/serialization/endpoint.hpp"
#include "gxf/serialization/tid_hash.hpp"

namespace gxr {

class ComponentSerializer;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// Writes and reads the parts of some types. Sources derive from it and say in initialize(), with
/// setSerializer() and setDeserializer(), what is called for each type.
class GXR_GXF_API ComponentSerializer : public Component {
 public:
  ~ComponentSerializer() override;

  /// GXF_SUCCESS for the types that have both functions, else another code.
  virtual gxf_result_t is_supported_abi(gxf_tid_t tid);
  virtual gxf_result_t serialize_component_abi(gxf_uid_t cid, Endpoint* endpoint, uint64_t* size);
  virtual gxf_result_t deserialize_component_abi(gxf_uid_t cid, Endpoint* endpoint);

  bool isSupported(gxf_tid_t tid);
  /// Returns the bytes that were written.
  Expected<size_t> serializeComponent(UntypedHandle component, Endpoint* endpoint);
  /// Fills a part that has been added to a message.
  Expected<void> deserializeComponent(UntypedHandle component, Endpoint* endpoint);

  // Of the layer.
  gxr::Component* make_adapter() override;

 protected:
  using Serializer = std::function<Expected<size_t>(void* component, Endpoint* endpoint)>;
  using Deserializer = std::function<Expected<void>(void* component, Endpoint* endpoint)>;

  /// GXF_FAILURE when the type has a function already.
  Expected<void> setSerializer(gxf_tid_t tid, Serializer serializer);
  Expected<void> setDeserializer(gxf_tid_t tid, Deserializer deserializer);
  /// GXF_QUERY_NOT_FOUND when the type has none.
  Expected<Serializer> getSerializer(gxf_tid_t tid);
  Expected<Deserializer> getDeserializer(gxf_tid_t tid);
  Expected<void> clearSerializer(gxf_tid_t tid);
  Expected<void> clearDeserializer(gxf_tid_t tid);

  // The same for a type that is registered.
  template <typename T>
  Expected<void> setSerializer(Serializer serializer) {
    const auto tid = tid_of<T>();
    return tid ? setSerializer(tid.value(), std::move(serializer)) : ForwardError(tid);
  }
  template <typename T>
  Expected<void> setDeserializer(Deserializer deserializer) {
    const auto tid = tid_of<T>();
    return tid ? setDeserializer(tid.value(), std::move(deserializer)) : ForwardError(tid);
  }
  template <typename T>
  Expected<Serializer> getSerializer() {
    const auto tid = tid_of<T>();
    return tid ? getSerializer(tid.value()) : ForwardError(tid);
  }
  template <typename T>
  Expected<Deserializer> getDeserializer() {
    const auto tid = tid_of<T>();
    return tid ? getDeserializer(tid.value()) : ForwardError(tid);
  }
  template <typename T>
  Expected<void> clearSerializer() {
    const auto tid = tid_of<T>();
    return tid ? clearSerializer(tid.value()) : ForwardError(tid);
  }
  template <typename T>
  Expected<void> clearDeserializer() {
    const auto tid = tid_of<T>();
    return tid ? clearDeserializer(tid.value()) : ForwardError(tid);
  }

 private:
  template <typename T>
  static Expected<gxf_tid_t> tid_of() {
    const layer::TypeRecord* const type = layer::TypeOf<T>();
    if (type == nullptr) {
      return Unexpected{GXF_FACTORY_UNKNOWN_CLASS_NAME};
    }
    return type->tid;
  }

  std::unordered_map<gxf_tid_t, Serializer, TidHash> serializers_;
  std::unordered_map<gxf_tid_t, Deserializer, TidHash> deserializers_;
};

/// A component serializer that gxr has itself.
class GXR_GXF_API NativeComponentSerializer : public ComponentSerializer {
 public:
  explicit NativeComponentSerializer(gxr::ComponentSerializer& serializer) noexcept
      : serializer_(serializer) {}
  ~NativeComponentSerializer() override;

  gxf_result_t is_supported_abi(gxf_tid_t tid) override;
  gxf_result_t serialize_component_abi(gxf_uid_t cid, Endpoint* endpoint, uint64_t* size) override;
  gxf_result_t deserialize_component_abi(gxf_uid_t cid, Endpoint* endpoint) override;

 private:
  gxr::ComponentSerializer& serializer_;
};

}  // namespace gxf
}  // namespace nvidia
