#pragma once

#include <memory>
#include <string>
#include <utility>

#include <dds/dds.h>

namespace gxr::dds {

/// An entity of Cyclone DDS, deleted with this object.
class Entity {
 public:
  Entity() = default;
  explicit Entity(dds_entity_t handle) noexcept : handle_(handle) {}
  Entity(Entity&& other) noexcept : handle_(std::exchange(other.handle_, 0)) {}
  Entity& operator=(Entity&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Entity() {
    if (handle_ > 0) {
      dds_delete(handle_);
    }
  }

  [[nodiscard]] dds_entity_t get() const noexcept { return handle_; }

 private:
  dds_entity_t handle_ = 0;
};

struct DeleteQualities {
  void operator()(dds_qos_t* qualities) const noexcept { dds_delete_qos(qualities); }
};
using QualitiesHandle = std::unique_ptr<dds_qos_t, DeleteQualities>;

struct DeleteListener {
  void operator()(dds_listener_t* listener) const noexcept { dds_delete_listener(listener); }
};
using ListenerHandle = std::unique_ptr<dds_listener_t, DeleteListener>;

/// `result` of a call that did `action`, if that is no error. Throws Error(InputOutput) otherwise.
dds_entity_t check(dds_return_t result, const std::string& action);

}  // namespace gxr::dds
