#pragma once

namespace gxr {

class Component;

/// Non-owning reference to another component of the application, set by the engine from YAML
/// (`component` or `entity/component`). Null when an optional parameter was left out.
template <class T>
class Handle {
 public:
  Handle() = default;
  /// Refers to `target`, which must outlive the handle; may be null.
  explicit Handle(T* target) noexcept : target_(target) {}

  /// The component, or nullptr.
  [[nodiscard]] T* get() const noexcept { return target_; }
  /// The component. Precondition: there is one.
  T* operator->() const noexcept { return target_; }
  /// The component. Precondition: there is one.
  T& operator*() const noexcept { return *target_; }
  /// Is there a component?
  explicit operator bool() const noexcept { return target_ != nullptr; }

 private:
  T* target_ = nullptr;
};

}  // namespace gxr
