#pragma once

#include <cstdint>

#include "controller.hpp"
#include "gxr/gxr.hpp"

namespace gxr::behavior_tree {

/// The first T of the entity that holds `component`, or nullptr.
template <class T>
T* find_sibling(const Component& component) {
  for (Component* sibling : component.context().siblings(component)) {
    if (auto* found = dynamic_cast<T*>(sibling)) {
      return found;
    }
  }
  return nullptr;
}

/// Tells a node which of its runs a tick belongs to: a parent may break a run off, and start the
/// node again, without a call of stop() or start() in between.
class Run {
 public:
  void attach(const Codelet& node) {
    controller_ = find_sibling<EntityCountFailureRepeatController>(node);
    number_ = current();
  }
  [[nodiscard]] EntityCountFailureRepeatController* controller() const noexcept {
    return controller_;
  }
  /// Is this the first tick of a run? Call at the beginning of each tick.
  bool is_new() noexcept {
    const std::uint32_t before = number_;
    number_ = current();
    return number_ != before;
  }
  /// Has the parent broken the run off since is_new()?
  [[nodiscard]] bool is_broken_off() const noexcept { return current() != number_; }

 private:
  [[nodiscard]] std::uint32_t current() const noexcept {
    return controller_ != nullptr ? controller_->outcome().runs : 0;
  }

  EntityCountFailureRepeatController* controller_ = nullptr;  // nullptr: one of another type
  std::uint32_t number_ = 0;
};

}  // namespace gxr::behavior_tree
