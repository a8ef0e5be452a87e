#include "commands/top_view.hpp"

#include <string>
#include <vector>

#include "catch.hpp"
#include "document/utf8.hpp"

namespace gxr::commands {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

EntityStatus entity(const std::string& name, std::uint64_t ticks, EntityState state,
                    std::vector<QueueStatus> queues = {}) {
  EntityStatus made;
  made.entity = name;
  made.ticks = ticks;
  made.state = state;
  made.queues = std::move(queues);
  return made;
}

QueueStatus queue(std::uint64_t messages, std::uint64_t capacity, std::uint64_t dropped) {
  QueueStatus made;
  made.queue = "a/in";
  made.messages = messages;
  made.capacity = capacity;
  made.dropped = dropped;
  return made;
}

ApplicationStatus at(std::int64_t elapsed_ns, std::vector<EntityStatus> entities) {
  ApplicationStatus status;
  status.application.process = 4711;
  status.application.name = "filter";
  status.phase = RunPhase::Running;
  status.elapsed_ns = elapsed_ns;
  status.run.executor = "one thread";
  status.run.entities = std::move(entities);
  return status;
}

ApplicationStatus first_moment() {
  return at(10 * kSecond, {entity("source", 100, EntityState::Ready),
                           entity("sink", 50, EntityState::Running, {queue(0, 4, 10)})});
}

ApplicationStatus second_moment() {
  EntityStatus waiting = entity("source", 1100, EntityState::Waiting, {queue(1, 1, 0)});
  waiting.reasons = {"waits for room for 1 message in 'sink/in' (holds 4 of 4)"};
  return at(12 * kSecond, {waiting, entity("sink", 60, EntityState::Running, {queue(2, 4, 30)})});
}

std::vector<std::string> names_in(const TopPage& page) {
  std::vector<std::string> names;
  for (std::size_t i = page.title + 1; i <= page.title + page.rows; ++i) {
    names.push_back(page.lines[i].substr(0, page.lines[i].find(' ')));
  }
  return names;
}

TEST_CASE("the table has rates between two moments, and bars") {
  const TopPage page = render_top(first_moment(), second_moment(), {});
  REQUIRE(page.lines.size() == 24);
  CHECK(page.lines[0] == "filter (process 4711): running for 12.0 s by one thread");
  CHECK(page.lines[1] == "2 entities, 505 ticks/s, 1160 ticks, 10.0 drops/s");
  CHECK(page.lines[3] == "entity ticks/s   ticks  fullest queue     drops/s  state");
  CHECK(page.lines[4] ==
        "source     500    1100  [######] 1/1          0.0  waits for room for 1 message");
  CHECK(page.lines[5] == "sink       5.0      60  [###   ] 2/4         10.0  is running");
  CHECK(page.lines[23].ends_with("quit: q"));
}

TEST_CASE("the table has the times of ticks where they were measured") {
  ApplicationStatus now = second_moment();
  now.run.entities[1].times.count = 5;  // of 10 ticks
  now.run.entities[1].times.total_ns = 500'000'000;
  now.run.entities[1].times.p99_ns = 120'000'000;
  TopLook look;
  look.order = TopOrder::Time;
  const TopPage page = render_top(first_moment(), now, look);
  CHECK(page.lines[3] ==
        "entity ticks/s   ticks  busy       p99  fullest queue     drops/s  state");
  CHECK(page.lines[4] ==
        "sink       5.0      60   50% 120.00 ms  [###   ] 2/4         10.0  is running");
  CHECK(page.lines[5].starts_with("source     500    1100    0%         -  [######] 1/1"));
}

TEST_CASE("without an earlier moment, the rates are those since the start") {
  const TopPage page = render_top({}, first_moment(), {});
  CHECK(page.lines[1] == "2 entities, 15.0 ticks/s, 150 ticks, 1.0 drops/s");
}

TEST_CASE("every order of the table") {
  const auto order = [](TopOrder by) {
    TopLook look;
    look.order = by;
    return names_in(render_top(first_moment(), second_moment(), look));
  };
  using Names = std::vector<std::string>;
  CHECK(order(TopOrder::Start) == Names{"source", "sink"});
  CHECK(order(TopOrder::Name) == Names{"sink", "source"});
  CHECK(order(TopOrder::Rate) == Names{"source", "sink"});
  CHECK(order(TopOrder::Fill) == Names{"source", "sink"});
  CHECK(order(TopOrder::Drops) == Names{"sink", "source"});
}

TEST_CASE("the table scrolls, at most to its last page") {
  std::vector<EntityStatus> entities;
  for (int i = 0; i < 100; ++i) {
    entities.push_back(entity("e" + std::to_string(i), 1, EntityState::Ready));
  }
  TopLook look;
  look.height = 15;
  look.first = 40;
  TopPage page = render_top({}, at(kSecond, entities), look);
  CHECK(page.rows == 10);
  CHECK(names_in(page).front() == "e40");
  CHECK(page.lines[1].ends_with("(41 to 50 are shown)"));
  look.first = 1000;
  page = render_top({}, at(kSecond, entities), look);
  CHECK(page.first == 90);
  CHECK(names_in(page).back() == "e99");
}

TEST_CASE("the table fits each terminal, whatever names and states are") {
  ApplicationStatus now = second_moment();
  now.application.name = std::string(300, 'x');
  now.run.entities.push_back(entity("ünïcode 猫\x1b[2J and far too long a name for a column",
                                    18'446'744'073'709'551'615U, EntityState::Unknown,
                                    {queue(123'456'789, 1'000'000'000, 5)}));
  for (const std::size_t width : {1U, 5U, 20U, 40U, 80U, 81U, 200U}) {
    for (const std::size_t height : {1U, 2U, 4U, 5U, 6U, 24U, 100U}) {
      TopLook look;
      look.width = width;
      look.height = height;
      look.note = "the application does not answer";
      const TopPage page = render_top(first_moment(), now, look);
      CAPTURE(width, height);
      CHECK(page.lines.size() == height);
      for (const std::string& line : page.lines) {
        CHECK(fit_columns(line, width).size() >= line.size());
        CHECK(line.find('\x1b') == std::string::npos);
      }
    }
  }
  CHECK(render_top({}, at(0, {}), {}).rows == 0);
}

TEST_CASE("lines have as many entities as there are, and no keys") {
  TopLook look;
  look.height = 0;
  const TopPage page = render_top(first_moment(), second_moment(), look);
  CHECK(page.lines.size() == 6);
}

TEST_CASE("short numbers") {
  CHECK(short_number(0) == "0.0");
  CHECK(short_number(99.94) == "99.9");
  CHECK(short_number(99.96) == "100");
  CHECK(short_number(98765) == "98765");
  CHECK(short_number(99999.6) == "100k");
  CHECK(short_number(1.25e7) == "12.5M");
  CHECK(short_number(9.9996e8) == "1.0G");
  CHECK(short_count(99999) == "99999");
  CHECK(short_count(100000) == "100k");
}

TEST_CASE("columns count what a terminal shows") {
  CHECK(fit_columns("abc", 5) == "abc  ");
  CHECK(fit_columns("abcdef", 3) == "abc");
  CHECK(fit_columns("猫猫", 3) == "猫 ");
  CHECK(fit_columns("a\x1b", 9) == "a\\x1b    ");
}

}  // namespace
}  // namespace gxr::commands
