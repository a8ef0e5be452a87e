#pragma once

#include <cstddef>
#include <cstdint>

#include "composite.hpp"

namespace gxr::behavior_tree {

/// Runs its children one after the other; fails with the first that fails.
class SequenceBehavior final : public Composite {
 protected:
  void begin() override;
  Behavior proceed() override;

 private:
  std::size_t current_ = 0;
};

/// Runs its children one after the other until one succeeds; fails when none does.
class SelectorBehavior final : public Composite {
 protected:
  void begin() override;
  Behavior proceed() override;

 private:
  std::size_t current_ = 0;
};

/// Runs all its children at once until enough have succeeded or failed.
class ParallelBehavior final : public Composite {
 public:
  void declare(Interface& interface) override;

 protected:
  void begin() override;
  Behavior proceed() override;

 private:
  [[nodiscard]] std::size_t threshold(std::int64_t parameter) const noexcept;

  Parameter<std::int64_t> success_threshold_;
  Parameter<std::int64_t> failure_threshold_;
};

/// Runs one of its children and ends like it.
class SwitchBehavior final : public Composite {
 public:
  void declare(Interface& interface) override;

 protected:
  void begin() override;
  Behavior proceed() override;

 private:
  Parameter<std::size_t> desired_behavior_;
  std::size_t chosen_ = 0;
};

/// Runs its only child again and again.
class RepeatBehavior final : public Composite {
 public:
  void declare(Interface& interface) override;

 protected:
  void begin() override;
  Behavior proceed() override;

 private:
  Parameter<bool> repeat_after_failure_;
};

}  // namespace gxr::behavior_tree
