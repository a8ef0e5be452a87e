#pragma once

#include <cstdint>

#include "gxr/component.hpp"

namespace gxr {

/// Something of the machine that the components of an entity group share: threads, a GPU. A
/// component finds the resources of its own group; YAML does not refer to them by handles.
class GXR_API ResourceBase : public Component {
 public:
  ~ResourceBase() override;
};

/// Lets entities of its group have threads of their own: those with a CPUThread that pins them.
class GXR_API ThreadPool final : public ResourceBase {
 public:
  ~ThreadPool() override;
  void declare(Interface& interface) override;

  /// Threads that are made at the start; more are made as entities are pinned.
  [[nodiscard]] std::int64_t initial_size() const { return initial_size_.get(); }
  /// Without effect, as in GXF.
  [[nodiscard]] std::int64_t priority() const { return priority_.get(); }

 private:
  Parameter<std::int64_t> initial_size_;
  Parameter<std::int64_t> priority_;
};

/// The GPU that components of its group use; without one they use device 0.
class GXR_API GPUDevice final : public ResourceBase {
 public:
  ~GPUDevice() override;
  void declare(Interface& interface) override;

  [[nodiscard]] std::int32_t device_id() const { return dev_id_.get(); }

 private:
  Parameter<std::int32_t> dev_id_;
};

/// Says whether its entity gets a thread of its own from the ThreadPool of its group.
class GXR_API CPUThread final : public Component {
 public:
  ~CPUThread() override;
  void declare(Interface& interface) override;

  [[nodiscard]] bool pin_entity() const { return pin_entity_.get(); }

 private:
  Parameter<bool> pin_entity_;
};

}  // namespace gxr
