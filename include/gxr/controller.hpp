#pragma once

#include <cstdint>

#include "gxr/component.hpp"
#include "gxr/interface.hpp"

namespace gxr {

/// What became of an entity's last tick, as behaviour trees see it; GXF's numbers.
enum class Behavior : std::uint8_t {
  Initial = 0,
  Success = 1,
  Running = 2,
  Failure = 3,
  Unknown = 4
};

/// Decides after every tick how its entity goes on; at most one an entity. Without one, a failed
/// tick ends the run.
class GXR_API Controller : public Component {
 public:
  ~Controller() override;

  /// How the codelets' ticks ended together.
  enum class Result : std::uint8_t {
    Success,
    NotFinished,  ///< Error(NotFinished): the codelets' way to say "running"
    Failure,      ///< anything else was thrown
  };
  /// The entity's next step.
  enum class Action : std::uint8_t {
    Continue,    ///< go on when Behavior::Running, else the entity has finished
    Repeat,      ///< after a failure: go on
    Deactivate,  ///< after a failure: stop this entity, leave the others alone
    Fail,        ///< the run ends with the failure
  };
  /// The answer of control().
  struct Decision {
    Behavior behavior;  ///< what Context::behavior() answers from now on
    Action action;      ///< what happens next
  };

  /// Called on the thread of the tick.
  virtual Decision control(Result result) = 0;
};

}  // namespace gxr
