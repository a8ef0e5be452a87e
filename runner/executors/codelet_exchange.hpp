#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "document/document.hpp"
#include "executors/live_changes.hpp"
#include "gxr/codelet.hpp"
#include "runtime/instance.hpp"

namespace gxr {

/// A codelet that is not in its place, with what it is made of: a new one, and behind the exchange
/// the old one.
struct NewCodelet {
  SpareCodelet spare;
  std::shared_ptr<const Graph> graph;  ///< with its type and values
  std::uint64_t seen = 0;              ///< the last change of values that it has got
};

/// What a codelet has handed over.
struct SavedState {
  std::uint32_t version = 0;
  std::vector<std::byte> bytes;
};

/// Makes codelets beside those of an application that runs, and puts them in their place, in turns
/// of their entities. One thread at a time, which has locked mutex(); end() is for any other.
class CodeletExchange {
 public:
  /// Refers to all of them.
  CodeletExchange(const TypeCatalog& catalog, LiveChanges& changes, ExtensionLoader& loader,
                  Context& context)
      : catalog_(catalog), changes_(changes), loader_(loader), context_(context) {}

  /// Those of the graph, which must outlive the run. Call before begin().
  void set_sources(const SourceMap& sources) noexcept { sources_ = &sources; }

  /// Entities tick now, or will. `tell` says that an entity has a turn to take; any thread.
  void begin(Instance& instance, std::function<void(EntityId)> tell);
  /// begin() will not be called, for this reason.
  void refuse(std::string reason);
  /// Entities do not tick any more: who waits for a turn is told so. Returns when all exchanges are
  /// settled. Any thread, several times.
  void end() noexcept;

  /// Keeps end() from returning. Throws Error(InvalidState) when it was called.
  class Use {
   public:
    explicit Use(CodeletExchange& exchange);
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use();

   private:
    CodeletExchange& exchange_;
  };
  /// Waits until begin() was called. Throws like Use, and Error(NotSupported) behind refuse().
  void wait_for_begin();
  [[nodiscard]] bool has_ended();
  [[nodiscard]] std::mutex& mutex() noexcept { return mutex_; }

  [[nodiscard]] Instance& instance() noexcept { return *instance_; }
  [[nodiscard]] LiveChanges& changes() noexcept { return changes_; }
  [[nodiscard]] CallSite site(const NewCodelet& made, const char* method) const {
    return instance_->site(*made.spare.component, method);
  }

  /// Checks and makes a codelet of this type for that place, with the values that are set there.
  /// Throws like check_swap() and Instance::make_spare().
  [[nodiscard]] NewCodelet make(ComponentId id, const TypeInfo& type);
  /// initialize() and start(). `beside` another one that still ticks: it must not make messages.
  /// Throws ComponentFailure; then it is deinitialised.
  void start(const NewCodelet& made, bool beside);
  /// stop() and deinitialize() of a codelet that does not tick any more, likewise. What fails is in
  /// the log.
  void stop(Component& component, bool beside) noexcept;

  /// Does the work in a turn of the entity, and waits for that. Throws what it throws, and
  /// Error(InvalidState) when the entity has no turn in time, or the application ends.
  void in_turn(EntityId entity, std::function<void(Turn&)> work,
               std::optional<std::chrono::nanoseconds> patience);
  /// The same for an entity that LiveEntity::hold keeps from ticking: when the application ends,
  /// the work is done on this thread.
  void in_turn_of_held(EntityId entity, const std::function<void(Turn&)>& work);
  /// Puts the codelet into its place, in a turn; followed by settle() on the thread that made it,
  /// which leaves the old one in `made`.
  void put(Turn& turn, NewCodelet& made) { instance_->exchange(turn, made.spare); }
  void settle(NewCodelet& made);

  [[nodiscard]] std::int64_t now() const { return context_.clock_time(); }

 private:
  std::shared_ptr<TurnTask> post(EntityId entity, std::function<void(Turn&)> work);
  void forget(const std::shared_ptr<TurnTask>& task);

  const TypeCatalog& catalog_;
  LiveChanges& changes_;
  ExtensionLoader& loader_;
  Context& context_;
  const SourceMap* sources_ = nullptr;
  Document document_;  // of values in the graphs
  Instance* instance_ = nullptr;
  std::function<void(EntityId)> tell_;
  std::mutex mutex_;  // of who exchanges

  std::mutex state_mutex_;  // guards the members below
  std::condition_variable changed_;
  bool has_begun_ = false;
  bool has_ended_ = false;
  std::string refusal_;
  std::size_t users_ = 0;
  std::vector<std::shared_ptr<TurnTask>> tasks_;
};

/// Lets a held entity go on.
void release(Turn& turn);

/// The state of a codelet for one of this type; nothing when one of them hands nothing over, or
/// they do not fit. Throws ComponentFailure.
std::optional<SavedState> save_state(const Instance& instance, const Codelet& from,
                                     const StateType& type);
void load_state(const Instance& instance, Codelet& into, const SavedState& state);

}  // namespace gxr
