#include "commands/progress_text.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "commands/top_view.hpp"
#include "document/utf8.hpp"
#include "observe/status_text.hpp"

namespace gxr::commands {
namespace {

bool is_full(const QueueStatus& queue) {
  return queue.is_input && queue.messages && queue.capacity.value_or(0) > 0 &&
         *queue.messages >= *queue.capacity;
}

/// The last of the entities for which the others wait.
int rank_of(const EntityStatus& entity) noexcept {
  switch (entity.state) {
    case EntityState::Running:
      return 3;
    case EntityState::Ready:
    case EntityState::Queued:
      return 2;
    case EntityState::Waiting:
      return 1;
    default:
      return 0;
  }
}

std::string rate_text(const ProgressFacts& facts) { return short_number(facts.rate) + " ticks/s"; }

std::string dropped_text(const ProgressFacts& facts) {
  return facts.dropped > 0 ? short_count(facts.dropped) + " dropped" : std::string();
}

/// "25%, 37 s left"; empty when nothing is known, or too little for an estimate.
std::string done_text(const ProgressFacts& facts) {
  constexpr double kLeast = 0.001;
  if (facts.done < kLeast) {
    return {};
  }
  const double left = static_cast<double>(facts.elapsed_ns) * (1 - facts.done) / facts.done;
  return fmt::format("{:.0f}%, {} left", std::floor(facts.done * 100),
                     elapsed_text(static_cast<std::int64_t>(left)));
}

std::string join_parts(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() || part.empty() ? "" : between) + part;
  }
  return text;
}

/// Empty when none spent a part of the time that is worth a word.
std::string busiest_stage(const RunStatus& before, const RunStatus& now, double seconds) {
  constexpr double kWorthAWord = 0.01;
  const EntityStatus* busiest = nullptr;
  double most = kWorthAWord;
  const bool same = before.entities.size() == now.entities.size();
  for (std::size_t i = 0; same && i < now.entities.size(); ++i) {
    if (const double busy = busy_share(before.entities[i], now.entities[i], seconds); busy > most) {
      busiest = &now.entities[i];
      most = busy;
    }
  }
  return busiest == nullptr
             ? std::string()
             : fmt::format("{} busy {:.0f}%", quote_text(busiest->entity), most * 100);
}

}  // namespace

std::string slowest_stage(const RunStatus& before, const RunStatus& now, double seconds) {
  if (std::string busiest = busiest_stage(before, now, seconds); !busiest.empty()) {
    return busiest;
  }
  const EntityStatus* slowest = nullptr;
  const QueueStatus* queue = nullptr;
  for (const EntityStatus& entity : now.entities) {
    const auto full = std::ranges::find_if(entity.queues, is_full);
    if (full != entity.queues.end() &&
        (slowest == nullptr || rank_of(entity) >= rank_of(*slowest))) {
      slowest = &entity;
      queue = &*full;
    }
  }
  if (slowest != nullptr) {
    return fmt::format("{}, queue full {}/{}", quote_text(slowest->entity),
                       short_count(*queue->messages), short_count(*queue->capacity));
  }
  const auto running = std::ranges::find(now.entities, EntityState::Running, &EntityStatus::state);
  return running != now.entities.end() ? quote_text(running->entity) + " runs" : std::string();
}

double share_done(const RunStatus& status) noexcept {
  double least = 1;
  bool any = false;
  for (const EntityStatus& entity : status.entities) {
    if (entity.most_ticks.value_or(0) > 0) {
      any = true;
      least = std::min(least,
                       static_cast<double>(entity.ticks) / static_cast<double>(*entity.most_ticks));
    }
  }
  return any ? least : 0;
}

std::uint64_t dropped_in(const RunStatus& status) noexcept {
  std::uint64_t dropped = 0;
  for (const EntityStatus& entity : status.entities) {
    for (const QueueStatus& queue : entity.queues) {
      dropped += queue.dropped.value_or(0);
    }
  }
  return dropped;
}

std::string progress_line(const ProgressFacts& facts, std::size_t columns) {
  const std::string time = elapsed_text(facts.elapsed_ns);
  const std::string slowest = facts.slowest.empty() ? "" : "slowest: " + facts.slowest;
  const std::string done = done_text(facts);
  const std::vector<std::vector<std::string>> forms = {
      {time, done, rate_text(facts), dropped_text(facts), slowest},
      {time, done, rate_text(facts), dropped_text(facts)},
      {time, done, rate_text(facts)},
      {time, done}};
  for (const std::vector<std::string>& form : forms) {
    if (std::string text = join_parts(form, "  "); count_characters(text) <= columns) {
      return text;
    }
  }
  return count_characters(time) <= columns ? time : std::string();
}

std::string progress_words(const ProgressFacts& facts, bool with_time) {
  const std::string time = with_time ? elapsed_text(facts.elapsed_ns) : std::string();
  const std::string slowest = facts.slowest.empty() ? "" : "slowest: " + facts.slowest;
  return join_parts({time, done_text(facts), short_count(facts.ticks) + " ticks", rate_text(facts),
                     dropped_text(facts), slowest},
                    ", ");
}

}  // namespace gxr::commands
