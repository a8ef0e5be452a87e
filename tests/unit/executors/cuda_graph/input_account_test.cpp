// What a loop was given, by numbers, without a loop.

#include "executors/cuda_graph/input_account.hpp"

#include <map>
#include <optional>
#include <vector>

#include "catch.hpp"

namespace {

using namespace gxr;
using Given = InputAccount::Given;

std::uint64_t no_work() { return 0; }

InputAccount account_of(const LoopRules& rules, std::uint64_t limit = kEndless) {
  InputAccount account(rules, [](std::size_t, std::uint64_t) -> std::uint64_t { throw 0; });
  account.launch(limit);
  return account;
}

/// A loop for which one of two inputs is enough; what its iterations have taken the test says.
struct AnyLoop {
  std::map<std::uint64_t, std::vector<std::uint64_t>> taken_by;  // by finished iterations
  InputAccount account{{.inputs = 2, .any = true, .timestamp_from = 1},
                       [this](std::size_t input, std::uint64_t finished) {
                         return finished == 0 ? 0 : taken_by.at(finished).at(input);
                       }};

  void give(std::size_t input) { account.give(input, true, no_work); }
};

}  // namespace

TEST_CASE("An input has room for as many messages as there are slots", "[input_account]") {
  InputAccount account = account_of({.inputs = 2, .slots = 2});
  CHECK(account.has_room(0, 0));
  account.give(0, true, no_work);
  account.give(0, true, no_work);
  CHECK_FALSE(account.has_room(0, 0));
  CHECK(account.has_room(1, 0));
  CHECK(account.has_room(0, 1));
  CHECK(account.count(0) == 2);
  CHECK(account.count(1) == 0);
}

TEST_CASE("No input has room for more iterations than there will be", "[input_account]") {
  InputAccount account = account_of({.inputs = 1, .slots = 4}, 2);
  account.give(0, true, no_work);
  CHECK(account.has_room(0, 0));
  account.give(0, true, no_work);
  CHECK_FALSE(account.has_room(0, 0));
  CHECK_FALSE(account.has_room(0, 2));
  account = account_of({.inputs = 1, .slots = 4});
  account.give(0, true, no_work);
  account.end_at(1);
  CHECK(account.limit() == 1);
  CHECK_FALSE(account.has_room(0, 1));
  account.end_at(5);
  CHECK(account.limit() == 1);
}

TEST_CASE("An iteration needs all inputs, or any", "[input_account]") {
  const InputAccount all = account_of({.inputs = 2});
  CHECK_FALSE(all.is_enough(0));
  CHECK_FALSE(all.is_enough(1));
  CHECK(all.is_enough(2));
  const InputAccount any = account_of({.inputs = 2, .any = true});
  CHECK_FALSE(any.is_enough(0));
  CHECK(any.is_enough(1));
  CHECK_FALSE(account_of({}).is_enough(0));  // nothing is ever given
}

TEST_CASE("A loop works until its scarcest input is used up", "[input_account]") {
  InputAccount account = account_of({.inputs = 2, .slots = 4}, 10);
  CHECK(account.works_until(0) == 0);
  account.give(0, true, no_work);
  account.give(0, true, no_work);
  CHECK(account.works_until(0) == 0);
  account.give(1, true, no_work);
  CHECK(account.works_until(0) == 1);
  CHECK(account.works_until(1) == 1);
  CHECK(account.iterations_given() == 2);
  CHECK(account_of({}, 10).works_until(3) == 10);  // by itself
  CHECK(account_of({}, 10).works_until(12) == 12);
}

TEST_CASE("A program asks for iterations, of which the loop may be told later", "[input_account]") {
  InputAccount account = account_of({.host_driven = true});
  CHECK(account.works_until(0) == 0);
  account.ring();
  account.tell();
  account.ring();
  CHECK(account.rung() == 2);
  CHECK(account.has_untold());
  CHECK(account.iterations_given() == 2);
  CHECK(account.iterations_told() == 1);
  CHECK(account.works_until(0) == 2);
  account.tell();
  CHECK_FALSE(account.has_untold());
  account.launch(kEndless);
  CHECK(account.rung() == 0);
  CHECK(account.works_until(0) == 0);
}

TEST_CASE("With any input a loop works until all are used up", "[input_account]") {
  AnyLoop loop;
  CHECK(loop.account.works_until(0) == 0);
  loop.give(0);
  loop.give(1);
  CHECK(loop.account.works_until(0) == 2);  // at most
  loop.taken_by[1] = {1, 1};
  CHECK(loop.account.works_until(1) == 1);  // both at once
  loop.give(1);
  CHECK(loop.account.works_until(1) == 2);
  CHECK(loop.account.has_room(1, 1));
  loop.give(1);
  CHECK_FALSE(loop.account.has_room(1, 1));
  loop.account.end_at(2);
  CHECK(loop.account.works_until(1) == 2);
}

TEST_CASE("With handlers the GPU may always find work", "[input_account]") {
  InputAccount account({.inputs = 1, .handlers = 1, .any = true},
                       [](std::size_t, std::uint64_t) { return std::uint64_t{0}; });
  CHECK(account.works_until(5) == kEndless);
  account.launch(7);
  CHECK(account.works_until(5) == 7);
  CHECK(account.works_until(9) == 9);
}

TEST_CASE("A result is of the message that its iteration took", "[input_account]") {
  InputAccount account = account_of({.inputs = 2, .slots = 1, .timestamp_from = 1});
  REQUIRE(account.remembered() == 3);
  for (std::uint64_t i = 0; i < 5; ++i) {
    CHECK(account.next_place(1) == i % 3);
    account.give(0, true, no_work);
    account.give(1, true, no_work);
    CHECK(account.origin_of_next(i) == Given{1, i % 3});
  }
}

TEST_CASE("A result is of the named input if that is new, or of the first that is",
          "[input_account]") {
  AnyLoop loop;
  loop.taken_by = {{1, {1, 0}}, {2, {2, 1}}, {3, {2, 1}}};
  loop.give(0);
  loop.give(0);
  loop.give(1);
  CHECK(loop.account.origin_of_next(0) == Given{0, 0});
  CHECK(loop.account.origin_of_next(1) == Given{1, 0});
  CHECK(loop.account.origin_of_next(2) == std::nullopt);
}

TEST_CASE("Behind a message that a stream copies, all wait for the stream", "[input_account]") {
  InputAccount account = account_of({.inputs = 1, .slots = 3});
  std::uint64_t work = 0;
  std::uint64_t done = 0;
  const auto give = [&](bool is_read) { account.give(0, is_read, [&] { return ++work; }); };
  const auto waits = [&](std::uint64_t finished) {
    return account.awaits_copies(finished, [&](std::uint64_t number) { return number <= done; });
  };
  CHECK_FALSE(waits(0));
  give(true);
  CHECK(work == 0);
  CHECK_FALSE(waits(0));
  give(false);
  give(true);
  CHECK(work == 2);
  CHECK_FALSE(waits(0));
  CHECK(waits(1));
  done = 1;
  CHECK_FALSE(waits(1));
  CHECK(waits(2));
  done = 2;
  CHECK_FALSE(waits(2));
  CHECK_FALSE(waits(3));
}

TEST_CASE("With any input, one that is there is enough", "[input_account]") {
  AnyLoop loop;
  const auto waits = [&] {
    return loop.account.awaits_copies(0, [](std::uint64_t number) { return number == 0; });
  };
  loop.account.give(0, false, [] { return std::uint64_t{1}; });
  CHECK(waits());
  loop.give(1);
  CHECK_FALSE(waits());
}
