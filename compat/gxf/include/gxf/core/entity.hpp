#pragma once

#include <cstdint>
#include <utility>

#include "common/fixed_vector.hpp"
#include "gxf/core/expected_macro.hpp"
#include "gxf/core/handle.hpp"

namespace nvidia {
namespace gxf {

namespace layer {

/// The bytes of a gxr::Message; all are 0 in a null one.
struct MessageBytes {
  void* block = nullptr;
  std::uint64_t work_number = 0;
  void* work_stream = nullptr;
};

GXR_GXF_API void CopyMessage(const MessageBytes& from, MessageBytes& to) noexcept;
GXR_GXF_API void DropMessage(MessageBytes& message) noexcept;

}  // namespace layer

/// A counted reference to a message, or a reference to an entity of the graph. A message is a
/// gxr::Message whose parts all holders may change.
class Entity {
 public:
  Entity() = default;
  Entity(const Entity& other) noexcept : context_(other.context_), eid_(other.eid_) {
    if (other.message_.block != nullptr) {
      layer::CopyMessage(other.message_, message_);
    }
  }
  Entity(Entity&& other) noexcept
      : context_(std::exchange(other.context_, kNullContext)),
        message_(std::exchange(other.message_, layer::MessageBytes{})),
        eid_(std::exchange(other.eid_, kNullUid)) {}
  Entity& operator=(const Entity& other) noexcept {
    if (this != &other) {
      *this = Entity(other);
    }
    return *this;
  }
  Entity& operator=(Entity&& other) noexcept {
    if (this != &other) {
      drop();
      context_ = std::exchange(other.context_, kNullContext);
      message_ = std::exchange(other.message_, layer::MessageBytes{});
      eid_ = std::exchange(other.eid_, kNullUid);
    }
    return *this;
  }
  ~Entity() { drop(); }

  /// A new message. The name is not used.
  static GXR_GXF_API Expected<Entity> New(gxf_context_t context, const char* name = nullptr);
  /// Another reference to the entity of that number.
  static GXR_GXF_API Expected<Entity> Shared(gxf_context_t context, gxf_uid_t eid,
                                             void* item = nullptr);
  /// Takes over a reference that GxfEntityRefCountInc() added.
  static GXR_GXF_API Expected<Entity> Own(gxf_context_t context, gxf_uid_t eid,
                                          void* item = nullptr);
  /// Another reference to the same entity.
  Expected<Entity> clone() const {
    if (is_null()) {
      return Unexpected{GXF_FAILURE};
    }
    return *this;
  }
  GXR_GXF_API Expected<void> activate();
  GXR_GXF_API Expected<void> deactivate();

  /// Adds a part. Holders of a message that a native operator made do not see parts that are added
  /// later; all others do.
  template <typename T>
  Expected<Handle<T>> add(const char* name = nullptr) {
    layer::Target target;
    const gxf_result_t code = add_part(layer::TypeOf<T>(), TypenameAsString<T>(), name, target);
    if (code != GXF_SUCCESS) {
      return Unexpected{code};
    }
    return Handle<T>(context_, target);
  }
  GXR_GXF_API Expected<UntypedHandle> add(gxf_tid_t tid, const char* name = nullptr);
  template <typename T>
  Expected<void> remove(const char* name = nullptr) {
    return remove_part(layer::TypeOf<T>(), name);
  }
  GXR_GXF_API Expected<void> remove(gxf_tid_t tid, const char* name = nullptr);
  GXR_GXF_API Expected<void> remove(const gxf_uid_t& cid);

  /// The first part or component of type T, or of one derived from it.
  template <typename T>
  Expected<Handle<T>> get(const char* name = nullptr) const {
    layer::Target target;
    const gxf_result_t code = find(layer::TypeOf<T>(), TypenameAsString<T>(), name, target);
    if (code != GXF_SUCCESS) {
      return Unexpected{code};
    }
    return Handle<T>(context_, target);
  }
  GXR_GXF_API Expected<UntypedHandle> get(gxf_tid_t tid, const char* name = nullptr) const;

  template <std::size_t N = kMaxComponents>
  Expected<FixedVector<UntypedHandle, N>> findAll() const {
    FixedVector<UntypedHandle, N> all;
    collect(nullptr, [&](const layer::Target& target) {
      return all.push_back(UntypedHandle(context_, target)).has_value();
    });
    return all;
  }
  template <typename T, std::size_t N = kMaxComponents>
  Expected<FixedVector<Handle<T>, N>> findAll() const {
    const layer::TypeRecord* const type = layer::TypeOf<T>();
    if (type == nullptr) {
      return Unexpected{unknown_type(TypenameAsString<T>())};
    }
    FixedVector<Handle<T>, N> all;
    collect(type, [&](const layer::Target& target) {
      return all.push_back(Handle<T>(context_, target)).has_value();
    });
    return all;
  }
  /// Appends to `all`; a full vector is an error.
  Expected<void> findAll(FixedVectorBase<UntypedHandle>& all) const {
    return collect(nullptr, [&](const layer::Target& target) {
      return all.push_back(UntypedHandle(context_, target)).has_value();
    });
  }
  template <typename T>
  Expected<void> findAll(FixedVectorBase<Handle<T>>& all) const {
    const layer::TypeRecord* const type = layer::TypeOf<T>();
    if (type == nullptr) {
      return Unexpected{unknown_type(TypenameAsString<T>())};
    }
    return collect(type, [&](const layer::Target& target) {
      return all.push_back(Handle<T>(context_, target)).has_value();
    });
  }
  template <std::size_t N = kMaxComponents>
  Expected<FixedVector<UntypedHandle>> findAllHeap() const {
    FixedVector<UntypedHandle> all;
    static_cast<void>(all.reserve(N));
    collect(nullptr, [&](const layer::Target& target) {
      return all.push_back(UntypedHandle(context_, target)).has_value();
    });
    return Expected<FixedVector<UntypedHandle>>(std::move(all));
  }
  template <typename T, std::size_t N = kMaxComponents>
  Expected<FixedVector<Handle<T>>> findAllHeap() const {
    const layer::TypeRecord* const type = layer::TypeOf<T>();
    if (type == nullptr) {
      return Unexpected{unknown_type(TypenameAsString<T>())};
    }
    FixedVector<Handle<T>> all;
    static_cast<void>(all.reserve(N));
    collect(type, [&](const layer::Target& target) {
      return all.push_back(Handle<T>(context_, target)).has_value();
    });
    return Expected<FixedVector<Handle<T>>>(std::move(all));
  }

  gxf_context_t context() const { return context_; }
  /// A message gets a number when it is asked for one.
  GXR_GXF_API gxf_uid_t eid() const;
  bool is_null() const { return message_.block == nullptr && eid_ == kNullUid; }
  GXR_GXF_API const char* name() const;
  void* entity_item_ptr() const { return message_.block; }

  // Of the layer.
  /// An entity of the graph.
  Entity(gxf_context_t context, gxf_uid_t eid) noexcept : context_(context), eid_(eid) {}
  /// Takes over the reference in `message`.
  Entity(gxf_context_t context, layer::MessageBytes&& message) noexcept
      : context_(context), message_(std::exchange(message, layer::MessageBytes{})) {}
  const layer::MessageBytes& message() const { return message_; }
  layer::MessageBytes& message() { return message_; }
  /// The next one of the type (any for nullptr) from `index` on, which is moved behind it.
  GXR_GXF_API bool next(const layer::TypeRecord* type, std::size_t& index,
                        layer::Target& target) const noexcept;

 private:
  void drop() noexcept {
    if (message_.block != nullptr) {
      layer::DropMessage(message_);
    }
  }
  GXR_GXF_API gxf_result_t add_part(const layer::TypeRecord* type, const char* type_name,
                                    const char* name, layer::Target& target) noexcept;
  GXR_GXF_API gxf_result_t find(const layer::TypeRecord* type, const char* type_name,
                                const char* name, layer::Target& target) const noexcept;
  GXR_GXF_API Expected<void> remove_part(const layer::TypeRecord* type, const char* name);
  static GXR_GXF_API gxf_result_t unknown_type(const char* type_name) noexcept;

  template <typename F>
  Expected<void> collect(const layer::TypeRecord* type, F&& append) const {
    layer::Target target;
    for (std::size_t index = 0; next(type, index, target);) {
      if (!append(target)) {
        return Unexpected{GXF_EXCEEDING_PREALLOCATED_SIZE};
      }
    }
    return Success;
  }

  gxf_context_t context_ = kNullContext;
  layer::MessageBytes message_;
  gxf_uid_t eid_ = kNullUid;  // of an entity of the graph
};

}  // namespace gxf
}  // namespace nvidia
