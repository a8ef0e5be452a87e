#pragma once

#include <cstdint>
#include <string>

#include "gxr/component.hpp"
#include "gxr/error.hpp"
#include "gxr/interface.hpp"

namespace gxr {

class Codelet;

/// Watches the executions of all entities of its application. The calls come from the threads that
/// run the entities, several at a time with a multi-threaded scheduler; never two for one entity.
class GXR_API Monitor : public Component {
 public:
  ~Monitor() override;

  /// One execution of an entity. Times in ns.
  struct Execution {
    std::uint32_t entity_id;         ///< number of the entity
    const std::string& entity_name;  ///< its name
    std::int64_t timestamp;          ///< of this execution, on the scheduler's clock
    std::int64_t ready_at;           ///< likewise, when it could have run; timestamp when unknown
    std::int64_t begin;              ///< on the machine's steady clock
    std::int64_t end;                ///< likewise
    bool succeeded;                  ///< no codelet threw
    ErrorCode error;                 ///< when it did not succeed
  };
  /// Called after each execution.
  virtual void on_execute(const Execution& execution) = 0;
  /// One codelet's tick inside an execution, between `begin` and `end` of the steady clock; called
  /// only when wants_ticks().
  virtual void on_tick(const Codelet& codelet, std::int64_t begin, std::int64_t end);
  /// Shall on_tick() be called? Asked once, before the run.
  [[nodiscard]] virtual bool wants_ticks() const;
  /// The codelets of an entity have started; its executions follow, if there are any. Called again
  /// for a node of a behaviour tree that is started anew.
  virtual void on_start(std::uint32_t entity_id, const std::string& entity_name);
};

}  // namespace gxr
