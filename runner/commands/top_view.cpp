#include "commands/top_view.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "document/utf8.hpp"
#include "observe/facts_text.hpp"
#include "observe/status_text.hpp"

namespace gxr::commands {
namespace {

constexpr std::size_t kWidestEntity = 24;
constexpr std::size_t kNarrowestEntity = 6;
constexpr std::size_t kBar = 6;
/// Of a row, between the name and what is behind: " ticks/s   ticks  [######] 12/100".
constexpr std::size_t kNumbers = 33;
constexpr std::size_t kTimes = 16;  // "   85%   3.00 ms"
constexpr std::size_t kDrops = 9;

/// An entity as the table has it.
struct TopRow {
  const EntityStatus* entity = nullptr;
  double rate = 0;                       // ticks a second
  double drops = 0;                      // messages a second
  double busy = 0;                       // part of the time in ticks
  double fill = 0;                       // of its fullest queue
  const QueueStatus* fullest = nullptr;  // nullptr: it has none that tells
};

std::uint64_t dropped_by(const EntityStatus& entity) {
  return std::accumulate(
      entity.queues.begin(), entity.queues.end(), std::uint64_t{0},
      [](std::uint64_t sum, const QueueStatus& queue) { return sum + queue.dropped.value_or(0); });
}

double fill_of(const QueueStatus& queue) {
  return queue.messages && queue.capacity.value_or(0) > 0
             ? static_cast<double>(*queue.messages) / static_cast<double>(*queue.capacity)
             : -1.0;
}

const QueueStatus* fullest_of(const EntityStatus& entity) {
  const auto found = std::ranges::max_element(entity.queues, {}, fill_of);
  return found == entity.queues.end() || fill_of(*found) < 0 ? nullptr : &*found;
}

/// Counters of one that has been put in the place of another may be smaller.
double rate_between(std::uint64_t before, std::uint64_t now, double seconds) {
  return seconds > 0 && now > before ? static_cast<double>(now - before) / seconds : 0.0;
}

std::vector<TopRow> rows_of(const ApplicationStatus& before, const ApplicationStatus& now) {
  std::unordered_map<std::string_view, const EntityStatus*> earlier;
  for (const EntityStatus& entity : before.run.entities) {
    earlier.emplace(entity.entity, &entity);
  }
  const std::int64_t since = earlier.empty() ? 0 : before.elapsed_ns;
  const double seconds = static_cast<double>(now.elapsed_ns - since) * 1e-9;
  std::vector<TopRow> rows;
  for (const EntityStatus& entity : now.run.entities) {
    const auto found = earlier.find(entity.entity);
    const EntityStatus none;
    const EntityStatus& then = found == earlier.end() ? none : *found->second;
    TopRow row{&entity,
               rate_between(then.ticks, entity.ticks, seconds),
               rate_between(dropped_by(then), dropped_by(entity), seconds),
               busy_share(then, entity, seconds),
               0,
               fullest_of(entity)};
    row.fill = row.fullest != nullptr ? fill_of(*row.fullest) : -1.0;
    rows.push_back(row);
  }
  return rows;
}

void sort_rows(std::vector<TopRow>& rows, TopOrder order) {
  const auto by = [&rows](const auto& is_before) {
    std::stable_sort(rows.begin(), rows.end(), is_before);
  };
  switch (order) {
    case TopOrder::Start:
      break;
    case TopOrder::Name:
      by([](const TopRow& a, const TopRow& b) { return a.entity->entity < b.entity->entity; });
      break;
    case TopOrder::Rate:
      by([](const TopRow& a, const TopRow& b) { return a.rate > b.rate; });
      break;
    case TopOrder::Fill:
      by([](const TopRow& a, const TopRow& b) { return a.fill > b.fill; });
      break;
    case TopOrder::Time:
      by([](const TopRow& a, const TopRow& b) { return a.busy > b.busy; });
      break;
    case TopOrder::Drops:
      by([](const TopRow& a, const TopRow& b) { return a.drops > b.drops; });
      break;
  }
}

/// "[###   ] 12/24"; both stages of a queue may hold more than the capacity of one.
std::string bar_of(const QueueStatus* queue) {
  if (queue == nullptr) {
    return {};
  }
  const double part = std::clamp(fill_of(*queue), 0.0, 1.0) * static_cast<double>(kBar);
  const auto full = *queue->messages == 0
                        ? std::size_t{0}
                        : std::max<std::size_t>(static_cast<std::size_t>(part), 1);
  return fmt::format("[{}{}] {}/{}", std::string(full, '#'), std::string(kBar - full, ' '),
                     short_count(*queue->messages), short_count(*queue->capacity));
}

/// The widths of the columns that differ.
struct TopColumns {
  std::size_t name = 0;
  bool times = false;
  bool drops = false;
  std::size_t state = 0;
};

TopColumns columns_of(const std::vector<TopRow>& rows, std::size_t width) {
  TopColumns columns;
  columns.name = kNarrowestEntity;
  for (const TopRow& row : rows) {
    columns.name = std::max(columns.name, count_characters(row.entity->entity));
    columns.times = columns.times || row.entity->times.count > 0;
    columns.drops = columns.drops || dropped_by(*row.entity) > 0;
  }
  // A name gives way before what its entity waits for does.
  const std::size_t numbers =
      kNumbers + (columns.times ? kTimes : 0) + (columns.drops ? kDrops : 0);
  const std::size_t room = width > numbers ? width - numbers : 0;
  columns.name = std::min({columns.name, kWidestEntity, std::max(kNarrowestEntity, room / 2)});
  columns.state = room > columns.name + 2 ? room - columns.name - 2 : 0;
  return columns;
}

std::string title_of(const TopColumns& columns) {
  return fmt::format("{} {:>7} {:>7}{}  {:<16}{}  state", fit_columns("entity", columns.name),
                     "ticks/s", "ticks", columns.times ? "  busy       p99" : "", "fullest queue",
                     columns.drops ? "  drops/s" : "");
}

std::string times_of(const TopRow& row) {
  const TimeFacts& times = row.entity->times;
  return fmt::format("{:>5.0f}%{:>10}", row.busy * 100, time_cell(times, times.p99_ns));
}

std::string state_of(const EntityStatus& entity, RunPhase run_phase) {
  if (entity.state == EntityState::Unknown) {
    return run_phase == RunPhase::Running ? "not known: in a call" : "";
  }
  return state_text(entity);
}

std::string line_of(const TopRow& row, const TopColumns& columns, RunPhase run_phase) {
  return fmt::format("{} {:>7} {:>7}{}  {}{}  {}", fit_columns(row.entity->entity, columns.name),
                     short_number(row.rate), short_count(row.entity->ticks),
                     columns.times ? times_of(row) : std::string(),
                     fit_columns(bar_of(row.fullest), 16),
                     columns.drops ? fmt::format("{:>9}", short_number(row.drops)) : std::string(),
                     fit_columns(state_of(*row.entity, run_phase), columns.state));
}

std::string head_of(const ApplicationStatus& status) {
  return fmt::format("{} (process {}): {} for {}{}{}", status.application.name,
                     status.application.process, phase_text(status.phase),
                     elapsed_text(status.elapsed_ns), status.run.executor.empty() ? "" : " by ",
                     status.run.executor);
}

std::string summary_of(const std::vector<TopRow>& rows, const ApplicationStatus& now) {
  double rate = 0;
  double drops = 0;
  for (const TopRow& row : rows) {
    rate += row.rate;
    drops += row.drops;
  }
  return fmt::format("{} {}, {} ticks/s, {} ticks, {} drops/s", rows.size(),
                     rows.size() == 1 ? "entity" : "entities", short_number(rate),
                     short_count(ticks_of(now.run)), short_number(drops));
}

/// Which part of the table is to be seen; empty when it is all of it.
std::string part_of(const TopPage& page, std::size_t all) {
  return page.rows < all
             ? fmt::format(" ({} to {} are shown)", page.first + 1, page.first + page.rows)
             : std::string();
}

constexpr const char* kKeys =
    "sort: n name, r rate, t time, f fill, d drops, o start  scroll: arrows  quit: q";

}  // namespace

double busy_share(const EntityStatus& before, const EntityStatus& now, double seconds) {
  if (seconds <= 0 || now.times.count <= before.times.count || now.ticks <= before.ticks) {
    return 0;
  }
  const double mean = static_cast<double>(now.times.total_ns - before.times.total_ns) /
                      static_cast<double>(now.times.count - before.times.count);
  const auto ticks = static_cast<double>(now.ticks - before.ticks);
  return std::clamp(mean * ticks * 1e-9 / seconds, 0.0, 1.0);
}

std::string short_number(double number) {
  constexpr std::array<char, 4> kUnits{'k', 'M', 'G', 'T'};
  if (number < 99.95) {
    return fmt::format("{:.1f}", number);
  }
  if (number < 99999.5) {
    return fmt::format("{:.0f}", number);
  }
  std::size_t unit = 0;
  for (number /= 1000; number >= 999.95 && unit + 1 < kUnits.size(); ++unit) {
    number /= 1000;
  }
  return fmt::format("{:.{}f}{}", number, number < 99.95 ? 1 : 0, kUnits[unit]);
}

std::string short_count(std::uint64_t count) {
  return count < 100000 ? std::to_string(count) : short_number(static_cast<double>(count));
}

std::string fit_columns(const std::string& text, std::size_t columns) {
  const std::string shown = printable(text);
  std::string result;
  std::size_t used = 0;
  std::string_view rest = shown;
  for (Utf8Character next = first_character(rest); next.size > 0; next = first_character(rest)) {
    const auto width = static_cast<std::size_t>(display_width(next.code));
    if (used + width > columns) {
      break;
    }
    result += rest.substr(0, next.size);
    used += width;
    rest.remove_prefix(next.size);
  }
  return result + std::string(columns - used, ' ');
}

TopPage render_top(const ApplicationStatus& before, const ApplicationStatus& now,
                   const TopLook& look) {
  std::vector<TopRow> rows = rows_of(before, now);
  sort_rows(rows, look.order);
  TopPage page;
  constexpr std::size_t kAround = 5;  // lines that are no entity
  const std::size_t room = look.height == 0        ? rows.size()
                           : look.height > kAround ? look.height - kAround
                                                   : 1;
  page.rows = std::min(room, rows.size());
  page.first = std::min(look.first, rows.size() - page.rows);
  const TopColumns columns = columns_of(rows, look.width);
  page.lines = {head_of(now), summary_of(rows, now) + part_of(page, rows.size()), look.note,
                title_of(columns)};
  page.title = page.lines.size() - 1;
  for (std::size_t i = 0; i < page.rows; ++i) {
    page.lines.push_back(line_of(rows[page.first + i], columns, now.phase));
  }
  if (look.height > 0) {
    page.lines.resize(std::max<std::size_t>(look.height, 1) - 1);
    page.lines.emplace_back(kKeys);
  }
  for (std::string& line : page.lines) {
    line = fit_columns(line, look.width);
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return page;
}

}  // namespace gxr::commands
