#include "executors/run_facts.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>

#include "gxr/allocator.hpp"
#include "gxr/driven_terms.hpp"
#include "gxr/known_length.hpp"
#include "gxr/scheduling_term.hpp"
#include "sdk/device_wait.hpp"
#include "system/nanoseconds.hpp"

namespace gxr {
namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

/// Most ticks from one measured tick to the next.
constexpr std::uint32_t kSparse = 64;
/// Ticks that come so many counts one after the other, on average, are all measured, or one in 8.
constexpr std::uint64_t kSlow = 60'000;
constexpr std::uint64_t kFast = 6'000;

std::size_t possible_paths(const EntityTimes* times, std::size_t count, std::size_t elsewhere) {
  const auto number = [&](bool EntityTimes::*kind) {
    return static_cast<std::size_t>(std::count_if(
        times, times + count, [kind](const EntityTimes& each) { return each.*kind; }));
  };
  return (number(&EntityTimes::is_source) + elsewhere) * number(&EntityTimes::is_sink);
}

using SendersOf = std::unordered_map<const Receiver*, std::vector<std::uint32_t>>;

SendersOf all_senders(const std::vector<LiveEntity>& entities) {
  SendersOf senders;
  for (std::uint32_t i = 0; i < entities.size(); ++i) {
    for (const Transmitter* transmitter : entities[i].transmitters) {
      for (const Receiver* receiver : transmitter->receivers()) {
        senders[receiver].push_back(i);
      }
    }
  }
  return senders;
}

void set_up(EntityTimes& times, const LiveEntity& entity, const SendersOf& senders) {
  times.inlet_count = entity.receivers.size();
  times.inlets = std::make_unique<EntityTimes::Inlet[]>(times.inlet_count);
  times.is_source = true;
  for (std::size_t i = 0; i < times.inlet_count; ++i) {
    times.inlets[i].ring = EngineAccess::ring(*entity.receivers[i]);
    if (const auto found = senders.find(entity.receivers[i]); found != senders.end()) {
      times.inlets[i].senders = found->second;
      times.is_source = false;
    }
  }
  times.is_sink = true;
  for (const Transmitter* transmitter : entity.transmitters) {
    times.is_sink = times.is_sink && transmitter->receivers().empty();
    if (StagedRing* const ring = EngineAccess::ring(*transmitter); ring != nullptr) {
      times.outlets.push_back(ring);
    }
  }
}

bool names_times(const LiveEntity& entity) {
  return std::ranges::any_of(entity.terms, [](const SchedulingTerm* term) {
    return dynamic_cast<const PeriodicSchedulingTerm*>(term) != nullptr ||
           dynamic_cast<const TargetTimeSchedulingTerm*>(term) != nullptr;
  });
}

/// The least of what its terms and codelets say.
std::optional<std::uint64_t> most_ticks_of(const LiveEntity& entity) {
  std::optional<std::uint64_t> most;
  const auto limit = [&most](std::uint64_t ticks) { most = std::min(most.value_or(ticks), ticks); };
  for (SchedulingTerm* term : entity.terms) {
    const std::int64_t* const left = term->question().ticks_left;
    if (left != nullptr && *left < std::numeric_limits<std::int64_t>::max()) {
      limit(static_cast<std::uint64_t>(std::max<std::int64_t>(*left, 0)));
    }
  }
  for (const Codelet* codelet : entity.codelets) {
    const auto* const known = dynamic_cast<const KnownLength*>(codelet);
    if (const auto ticks = known != nullptr ? known->ticks_in_run() : std::nullopt) {
      limit(*ticks);
    }
  }
  return most;
}

/// By EntityId; kNone for entities without codelets.
std::vector<std::uint32_t> indices_by_id(const std::vector<LiveEntity>& entities,
                                         std::size_t count) {
  std::vector<std::uint32_t> indices(count, kNone);
  for (std::uint32_t i = 0; i < entities.size(); ++i) {
    indices[entities[i].id] = i;
  }
  return indices;
}

void add_deadlines(EntityTimes* times, const Instance& instance, const DataSources& sources,
                   bool checks_ages) {
  const std::vector<LiveEntity>& entities = instance.entities();
  const std::vector<std::uint32_t> indices =
      indices_by_id(entities, instance.graph().entities.size());
  bool ages = checks_ages;
  for (std::size_t i = 0; i < entities.size(); ++i) {
    if (const auto& rule = entities[i].graph->deadline) {
      times[i].deadlines = std::make_unique<Deadlines>(*rule, indices, sources);
      times[i].is_dense = true;
      ages = ages || times[i].deadlines->wants_ages();
    }
  }
  for (std::size_t i = 0; i < entities.size(); ++i) {
    times[i].is_dense = times[i].is_dense || (ages && times[i].is_source);
  }
}

std::unique_ptr<EntityTimes[]> times_of(const Instance& instance, bool clock_runs,
                                        const DataSources& sources, const RestWatch* rest) {
  const std::vector<LiveEntity>& entities = instance.entities();
  auto times = std::make_unique<EntityTimes[]>(entities.size());
  const SendersOf senders = all_senders(entities);
  for (std::uint32_t i = 0; i < entities.size(); ++i) {
    times[i].entity = i;
    set_up(times[i], entities[i], senders);
    if (rest != nullptr && rest->is_end(entities[i].id)) {
      times[i].sends_trails = true;
      times[i].is_source = times[i].is_sink = false;
    }
    if (entities[i].sends_trails && !times[i].is_source) {
      times[i].sends_trails = times[i].is_dense = true;
    }
    times[i].most_ticks = most_ticks_of(entities[i]);
    if (clock_runs && names_times(entities[i])) {
      times[i].lateness = std::make_unique<TimeHistogram>();
    }
  }
  add_deadlines(times.get(), instance, sources, rest != nullptr && rest->checks_ages());
  return times;
}

/// Those that stand for entities; they are not exchanged.
std::vector<const RunningGraph*> graphs_in(const std::vector<LiveEntity>& entities) {
  std::vector<const RunningGraph*> graphs;
  for (const LiveEntity& entity : entities) {
    for (const Codelet* codelet : entity.codelets) {
      if (const auto* const graph = dynamic_cast<const RunningGraph*>(codelet)) {
        graphs.push_back(graph);
      }
    }
  }
  return graphs;
}

}  // namespace

// --- PathAges ----------------------------------------------------------------------------------

PathAges::PathAges(std::size_t paths)
    : room_(std::min(paths, kMost)), paths_(std::make_unique<Path[]>(room_)) {}

void PathAges::add(OfSink& mine, std::uint32_t source, std::uint32_t sink,
                   std::uint64_t age) noexcept {
  std::uint32_t number = mine.first;
  while (number != 0 && paths_[number - 1].source != source) {
    number = paths_[number - 1].next;
  }
  if (number == 0) {
    std::uint32_t taken = taken_.load(kRelaxed);
    do {
      if (taken == room_) {
        left_out_.fetch_add(1, kRelaxed);
        return;
      }
    } while (!taken_.compare_exchange_weak(taken, taken + 1, kRelaxed));
    number = taken + 1;
    Path& path = paths_[taken];
    path.source = source;
    path.sink = sink;
    path.next = mine.first;
    mine.first = number;
    path.is_known.store(true, std::memory_order_release);
  }
  paths_[number - 1].ages.add(age);
}

void PathAges::tell(RunStatus& status, const DataSources& sources, double ns_per_count) const {
  const std::uint32_t taken = taken_.load(kRelaxed);
  status.paths.reserve(taken);
  for (std::uint32_t i = 0; i < taken; ++i) {
    if (const Path& path = paths_[i]; path.is_known.load(std::memory_order_acquire)) {
      status.paths.push_back(
          {sources.name(path.source), sources.name(path.sink), path.ages.facts(ns_per_count)});
    }
  }
  status.ages_left_out = left_out_.load(kRelaxed);
}

// --- RunFacts ----------------------------------------------------------------------------------

RunFacts::RunFacts(const Instance& instance, const Clock& clock, RestWatch* rest)
    : instance_(instance),
      clock_(clock),
      sources_(instance.entities(), rest != nullptr ? rest->other_sources(instance.entities())
                                                    : std::vector<std::string>()),
      times_(times_of(instance, clock.runs(), sources_, rest)),
      ages_(possible_paths(times_.get(), instance.entities().size(), sources_.elsewhere())),
      previews_(instance),
      graphs_(graphs_in(instance.entities())) {}

void RunFacts::add_lateness(EntityTimes& times, std::int64_t target) noexcept {
  const std::int64_t late = std::max<std::int64_t>(clock_.timestamp() - target, 0);
  times.lateness->add(static_cast<std::uint64_t>(late));
}

double RunFacts::ns_per_count(std::uint64_t now) noexcept {
  if (now >= scale_ends_.load(kRelaxed)) {
    ns_per_count_.store(counter_.ns_per_count(), kRelaxed);
    scale_ends_.store(now + (now - counter_.begin()), kRelaxed);
  }
  return ns_per_count_.load(kRelaxed);
}

std::int64_t RunFacts::nanoseconds(std::uint64_t counts, std::uint64_t now) noexcept {
  return static_cast<std::int64_t>(static_cast<double>(counts) * ns_per_count(now));
}

void RunFacts::tell(EntityStatus& status, std::size_t index) const {
  const EntityTimes& times = times_[index];
  const double ns_per_count = counter_.ns_per_count();
  const ExchangeFacts& exchanges = instance_.exchange_facts(instance_.entities()[index].id);
  const std::string* const type = exchanges.type.load();
  status.type = type != nullptr ? *type : std::string();
  status.swaps = exchanges.swaps.load(std::memory_order_relaxed);
  status.restarts = exchanges.restarts.load(std::memory_order_relaxed);
  status.lost = exchanges.lost.load(std::memory_order_relaxed);
  status.times = times.ticks.facts(ns_per_count);
  status.most_ticks = times.most_ticks;
  if (times.lateness != nullptr) {
    status.lateness = times.lateness->facts(1.0);
  }
  if (times.deadlines != nullptr) {
    status.deadlines = times.deadlines->status(sources_);
  }
  for (std::size_t i = 0; i < times.inlet_count && i < status.queues.size(); ++i) {
    status.queues[i].waiting = times.inlets[i].waiting.facts(ns_per_count);
  }
}

void RunFacts::tell(RunStatus& status) const {
  ages_.tell(status, sources_, counter_.ns_per_count());
  for (const RunningGraph* graph : graphs_) {
    if (auto known = graph->graph_status()) {
      status.graphs.push_back(std::move(*known));
    }
  }
  for (const Allocator* allocator : instance_.allocators()) {
    if (const std::optional<MemoryUse> use = allocator->memory_use()) {
      status.allocators.push_back({allocator->full_name(), use->bytes, use->peak_bytes});
    }
  }
}

// --- MeasuredTick ------------------------------------------------------------------------------

MeasuredTick::MeasuredTick(RunFacts& facts, EntityTimes& times) noexcept
    : facts_(facts), times_(times), begin_(facts.counter_.now()) {
  if (times.inlet_count != 0) {
    times.turn = (times.turn + 1) % static_cast<std::uint32_t>(times.inlet_count);
  }
  for (std::size_t i = 0; i < times.inlet_count; ++i) {
    follow(times.inlets[(times.turn + i) % times.inlet_count]);
  }
}

/// Remembers its first message, and follows the message's trail if there is no other one.
void MeasuredTick::follow(EntityTimes::Inlet& inlet) noexcept {
  const Message* const first = inlet.ring != nullptr ? inlet.ring->peek(0) : nullptr;
  inlet.trail = first != nullptr ? trail_of(*first) : DataTrail{};
  if (inlet.trail.source == 0) {
    inlet.first = nullptr;
    return;
  }
  inlet.first = EngineAccess::block(*first);
  inlet.is_from_device = first->has_device_work();
  inlet.trail.acquired = std::min(inlet.trail.acquired, begin_);
  const std::uint32_t publisher = inlet.first->trail.publisher.load(kRelaxed);
  // Else a codelet has kept the message for a while and then sent it in a tick without a trail.
  const bool is_marked = std::ranges::find(inlet.senders, publisher - 1) != inlet.senders.end();
  inlet.published =
      is_marked ? std::optional(std::min(inlet.first->trail.published.load(kRelaxed), begin_))
                : std::nullopt;
  if (trail_.source == 0) {
    trail_ = inlet.trail;
  }
}

/// Adds the ages and the waiting of the messages that the tick has taken.
void MeasuredTick::note_taken(std::uint64_t now) noexcept {
  bool is_first = true;
  for (std::size_t i = 0; i < times_.inlet_count; ++i) {
    EntityTimes::Inlet& inlet = times_.inlets[(times_.turn + i) % times_.inlet_count];
    const Message* const first = inlet.first != nullptr ? inlet.ring->peek(0) : nullptr;
    if (inlet.first == nullptr ||
        (first != nullptr && EngineAccess::block(*first) == inlet.first)) {
      continue;
    }
    if (inlet.published) {
      inlet.waiting.add(begin_ - *inlet.published);
    }
    const std::uint64_t seen = inlet.is_from_device ? data_seen(now) : begin_;
    const std::uint64_t age = seen - inlet.trail.acquired;
    if (times_.deadlines != nullptr) {
      times_.deadlines->add_age(inlet.trail.source - 1, facts_.nanoseconds(age, now));
    }
    if (is_first && times_.is_sink) {
      facts_.ages_.add(times_.paths, inlet.trail.source - 1, times_.entity, age);
    }
    is_first = false;
  }
}

/// When the tick had its data: as it began, or when it had waited for the GPU that makes them.
std::uint64_t MeasuredTick::data_seen(std::uint64_t now) noexcept {
  const std::int64_t waited = last_device_wait();
  if (waited == 0) {
    return begin_;
  }
  const auto since = static_cast<double>(steady_now() - waited) / facts_.ns_per_count(now);
  const auto whole = static_cast<double>(now - begin_);
  return now - static_cast<std::uint64_t>(std::clamp(since, 0.0, whole));
}

std::uint32_t MeasuredTick::end() noexcept {
  const std::uint64_t now = facts_.counter_.now();
  times_.ticks.add(now - begin_);
  note_taken(now);
  if (times_.deadlines != nullptr) {
    times_.deadlines->add_tick(facts_.nanoseconds(now - begin_, now));
  }
  if (trail_.source != 0 || times_.is_source || times_.sends_trails) {
    for (const StagedRing* ring : times_.outlets) {
      for (std::size_t i = 0; i < ring->total(); ++i) {
        mark(*ring->at(i), now);
      }
    }
  }
  if (facts_.previews_.is_wanted(times_.entity)) {
    facts_.previews_.take(times_.entity);
  }
  if (times_.is_dense) {
    return 1;
  }
  choose_spacing();
  // A tick with a trail comes before the next one that is measured for itself.
  return trail_.source != 0 ? 2 * times_.spacing : times_.spacing;
}

void MeasuredTick::mark(const Message& message, std::uint64_t now) noexcept {
  detail::MessageBlock* const block = EngineAccess::block(message);
  if (block == nullptr) {
    return;
  }
  block->trail.publisher.store(times_.entity + 1, kRelaxed);
  block->trail.published.store(now, kRelaxed);
  if (!times_.sends_trails) {
    set_trail(message, trail_.source == 0 ? DataTrail{times_.entity + 1, begin_} : trail_);
  }
}

/// By how fast ticks follow each other now.
void MeasuredTick::choose_spacing() noexcept {
  const std::uint64_t since = begin_ - times_.measured_at;
  times_.measured_at = begin_;
  const std::uint64_t each = since / times_.spacing;
  times_.spacing = each > kSlow ? 1 : each > kFast ? 8 : kSparse;
}

}  // namespace gxr
