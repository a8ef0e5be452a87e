#include "adapters.hpp"
#include "gxf/std/scheduling_term_combiner.hpp"
#include "gxf/std/scheduling_terms.hpp"
#include "gxr/driven_terms.hpp"
#include "gxr/message_terms.hpp"
#include "gxr/scheduling_term.hpp"
#include "native.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

constexpr std::int64_t kPollPeriod = 1'000'000;  // ns

gxr::ConditionType to_gxr(SchedulingConditionType type) noexcept {
  switch (type) {
    case SchedulingConditionType::NEVER:
      return gxr::ConditionType::Never;
    case SchedulingConditionType::READY:
      return gxr::ConditionType::Ready;
    case SchedulingConditionType::WAIT:
      return gxr::ConditionType::Wait;
    case SchedulingConditionType::WAIT_TIME:
      return gxr::ConditionType::WaitTime;
    case SchedulingConditionType::WAIT_EVENT:
      return gxr::ConditionType::WaitEvent;
  }
  return gxr::ConditionType::Wait;
}

SchedulingConditionType to_gxf(gxr::ConditionType type) noexcept {
  switch (type) {
    case gxr::ConditionType::Never:
      return SchedulingConditionType::NEVER;
    case gxr::ConditionType::Ready:
      return SchedulingConditionType::READY;
    case gxr::ConditionType::Wait:
      return SchedulingConditionType::WAIT;
    case gxr::ConditionType::WaitTime:
      return SchedulingConditionType::WAIT_TIME;
    case gxr::ConditionType::WaitEvent:
      return SchedulingConditionType::WAIT_EVENT;
  }
  return SchedulingConditionType::WAIT;
}

/// A term that a source wrote. GXF asks such a term all the time while it says WAIT, so gxr asks it
/// every millisecond.
class TermAdapter final : public AdapterOf<gxr::SchedulingTerm> {
 public:
  explicit TermAdapter(gxf::SchedulingTerm& term) noexcept : AdapterOf(term), term_(term) {}

  gxr::Condition check(std::int64_t now) override {
    const ComponentCall call = this->call();
    require_success(term_.update_state_abi(now), "update_state_abi");
    auto type = SchedulingConditionType::NEVER;
    std::int64_t target = 0;
    require_success(term_.check_abi(now, &type, &target), "check_abi");
    return {to_gxr(type), target};
  }
  void on_execute(std::int64_t now) override {
    const ComponentCall call = this->call();
    require_success(term_.onExecute_abi(now), "onExecute_abi");
  }
  void events(gxr::TermEvents& events) override {
    events.notification();
    events.poll_while_others_run(kPollPeriod);  // WAIT alone ends a run of GXF
  }

 private:
  gxf::SchedulingTerm& term_;
};

/// A combiner that a source wrote.
class CombinerAdapter final : public AdapterOf<gxr::SchedulingTermCombiner> {
 public:
  explicit CombinerAdapter(gxf::SchedulingTermCombiner& combiner) noexcept
      : AdapterOf(combiner), combiner_(combiner) {}

  [[nodiscard]] std::vector<gxr::SchedulingTerm*> terms() const override {
    std::vector<gxr::SchedulingTerm*> result;
    const auto terms = combiner_.getTermList();
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const Handle<gxf::SchedulingTerm> term = terms.at(i).value();
      auto* const native = dynamic_cast<gxr::SchedulingTerm*>(
          context_of(combiner_.context())->component(term.cid()));
      if (native == nullptr) {
        throw gxr::Error(gxr::ErrorCode::InvalidData,
                         "getTermList() has a handle that is no scheduling term");
      }
      result.push_back(native);
    }
    return result;
  }
  gxr::Condition combine(const gxr::Condition& a, const gxr::Condition& b) const override {
    const SchedulingCondition both =
        combiner_.combine({to_gxf(a.type), a.target}, {to_gxf(b.type), b.target});
    return {to_gxr(both.type), both.target_timestamp};
  }

 private:
  gxf::SchedulingTermCombiner& combiner_;
};

}  // namespace
}  // namespace layer

SchedulingTerm::~SchedulingTerm() = default;
gxf_result_t SchedulingTerm::update_state_abi(std::int64_t) { return GXF_SUCCESS; }
gxr::Component* SchedulingTerm::make_adapter() { return new layer::TermAdapter(*this); }

Expected<SchedulingCondition> SchedulingTerm::check(std::int64_t timestamp) const {
  SchedulingCondition condition{SchedulingConditionType::NEVER, 0};
  const gxf_result_t code = check_abi(timestamp, &condition.type, &condition.target_timestamp);
  return ExpectedOrCode(code, condition);
}

Expected<void> SchedulingTerm::onExecute(std::int64_t timestamp) {
  return ExpectedOrCode(onExecute_abi(timestamp));
}

SchedulingCondition AndCombine(SchedulingCondition a, SchedulingCondition b) {
  const gxr::Condition both = gxr::both({layer::to_gxr(a.type), a.target_timestamp},
                                        {layer::to_gxr(b.type), b.target_timestamp});
  return {layer::to_gxf(both.type), both.target};
}

const char* SchedulingConditionTypeStr(SchedulingConditionType type) {
  switch (type) {
    case SchedulingConditionType::NEVER:
      return "Never";
    case SchedulingConditionType::READY:
      return "Ready";
    case SchedulingConditionType::WAIT:
      return "Wait";
    case SchedulingConditionType::WAIT_TIME:
      return "WaitTime";
    case SchedulingConditionType::WAIT_EVENT:
      return "WaitEvent";
  }
  return "N/A";
}

// --- terms of gxr

NativeSchedulingTerm::~NativeSchedulingTerm() = default;

gxf_result_t NativeSchedulingTerm::check_abi(std::int64_t timestamp, SchedulingConditionType* type,
                                             std::int64_t* target_timestamp) const {
  return layer::guarded([&] {
    const gxr::Condition condition = term_.check(timestamp);
    *type = layer::to_gxf(condition.type);
    *target_timestamp = condition.target;
    return GXF_SUCCESS;
  });
}

gxf_result_t NativeSchedulingTerm::onExecute_abi(std::int64_t timestamp) {
  return layer::guarded([&] {
    term_.on_execute(timestamp);
    return GXF_SUCCESS;
  });
}

BooleanSchedulingTerm::~BooleanSchedulingTerm() = default;
Expected<void> BooleanSchedulingTerm::enable_tick() {
  static_cast<gxr::BooleanSchedulingTerm&>(term()).enable_tick();
  return Success;
}
Expected<void> BooleanSchedulingTerm::disable_tick() {
  static_cast<gxr::BooleanSchedulingTerm&>(term()).disable_tick();
  return Success;
}
bool BooleanSchedulingTerm::checkTickEnabled() const {
  return static_cast<gxr::BooleanSchedulingTerm&>(term()).tick_enabled();
}

AsynchronousSchedulingTerm::~AsynchronousSchedulingTerm() = default;
void AsynchronousSchedulingTerm::setEventState(AsynchronousEventState state) {
  static_cast<gxr::AsynchronousSchedulingTerm&>(term()).set_event_state(
      static_cast<gxr::AsynchronousEventState>(state));
}
AsynchronousEventState AsynchronousSchedulingTerm::getEventState() const {
  return static_cast<AsynchronousEventState>(
      static_cast<gxr::AsynchronousSchedulingTerm&>(term()).event_state());
}
static_assert(static_cast<int>(AsynchronousEventState::EVENT_NEVER) ==
              static_cast<int>(gxr::AsynchronousEventState::EventNever));

TargetTimeSchedulingTerm::~TargetTimeSchedulingTerm() = default;
gxf_result_t TargetTimeSchedulingTerm::setNextTargetTime(std::int64_t target_timestamp) {
  return layer::guarded([&] {
    static_cast<gxr::TargetTimeSchedulingTerm&>(term()).set_next_target_time(target_timestamp);
    return GXF_SUCCESS;
  });
}

BTSchedulingTerm::~BTSchedulingTerm() = default;
gxf_result_t BTSchedulingTerm::set_condition(SchedulingConditionType type) {
  static_cast<gxr::BTSchedulingTerm&>(term()).set_condition(layer::to_gxr(type));
  return GXF_SUCCESS;
}

PeriodicSchedulingTerm::~PeriodicSchedulingTerm() = default;
MessageAvailableSchedulingTerm::~MessageAvailableSchedulingTerm() = default;
MultiMessageAvailableSchedulingTerm::~MultiMessageAvailableSchedulingTerm() = default;
DownstreamReceptiveSchedulingTerm::~DownstreamReceptiveSchedulingTerm() = default;
CountSchedulingTerm::~CountSchedulingTerm() = default;
ExpiringMessageAvailableSchedulingTerm::~ExpiringMessageAvailableSchedulingTerm() = default;
MessageAvailableFrequencyThrottler::~MessageAvailableFrequencyThrottler() = default;
MemoryAvailableSchedulingTerm::~MemoryAvailableSchedulingTerm() = default;

// --- combiners

SchedulingTermCombiner::~SchedulingTermCombiner() = default;
gxr::Component* SchedulingTermCombiner::make_adapter() { return new layer::CombinerAdapter(*this); }

OrSchedulingTermCombiner::~OrSchedulingTermCombiner() = default;

SchedulingCondition OrSchedulingTermCombiner::combine(SchedulingCondition a,
                                                      SchedulingCondition b) {
  const gxr::Condition either = combiner_.combine({layer::to_gxr(a.type), a.target_timestamp},
                                                  {layer::to_gxr(b.type), b.target_timestamp});
  return {layer::to_gxf(either.type), either.target};
}

FixedVector<Handle<SchedulingTerm>, kMaxComponents> OrSchedulingTermCombiner::getTermList() const {
  FixedVector<Handle<SchedulingTerm>, kMaxComponents> result;
  for (gxr::SchedulingTerm* const term : combiner_.terms()) {
    static_cast<void>(result.push_back(
        Handle<SchedulingTerm>(context(), layer::context_of(context())->target_of(*term))));
  }
  return result;
}

}  // namespace nvidia::gxf
