#pragma once

#include "common/fixed_vector.hpp"
#include "gxf/std/scheduling_condition.hpp"
#include "gxf/std/scheduling_term.hpp"

namespace gxr {

class SchedulingTermCombiner;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// Takes some terms of its entity together. Sources may derive from it.
class GXR_GXF_API SchedulingTermCombiner : public Component {
 public:
  ~SchedulingTermCombiner() override;

  virtual SchedulingCondition combine(SchedulingCondition a, SchedulingCondition b) = 0;
  virtual FixedVector<Handle<SchedulingTerm>, kMaxComponents> getTermList() const = 0;

  // Of the layer.
  gxr::Component* make_adapter() override;
};

/// gxr's combiner: ready when one of its terms is.
class GXR_GXF_API OrSchedulingTermCombiner final : public SchedulingTermCombiner {
 public:
  using OnlyOfGxr = void;

  explicit OrSchedulingTermCombiner(gxr::SchedulingTermCombiner& combiner) noexcept
      : combiner_(combiner) {}
  ~OrSchedulingTermCombiner() override;

  SchedulingCondition combine(SchedulingCondition a, SchedulingCondition b) override;
  FixedVector<Handle<SchedulingTerm>, kMaxComponents> getTermList() const override;

 private:
  gxr::SchedulingTermCombiner& combiner_;
};

}  // namespace gxf
}  // namespace nvidia
