#include "runtime/pending_changes.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "catch.hpp"

namespace gxr {
namespace {

using Number = Parameter<std::int64_t>;

PendingChanges::Value value_of(EntityId entity, Number& parameter, std::int64_t number) {
  auto value = std::make_unique<Number>();
  value->set(number);
  return {entity, &parameter, std::move(value)};
}

}  // namespace

TEST_CASE("What is added together is taken together by who takes of several entities") {
  constexpr EntityId kEntities = 8;
  constexpr std::int64_t kTimes = 20'000;
  std::vector<Number> parameters(kEntities);
  std::vector<EntityId> all;
  for (EntityId entity = 0; entity < kEntities; ++entity) {
    parameters[entity].set(0);
    all.push_back(entity);
  }
  PendingChanges changes(kEntities);
  std::atomic<bool> goes_on{true};
  std::thread program([&] {
    for (std::int64_t number = 1; number <= kTimes; ++number) {
      std::vector<PendingChanges::Value> values;
      for (const EntityId entity : all) {
        values.push_back(value_of(entity, parameters[entity], number));
      }
      static_cast<void>(changes.add(std::move(values)));
    }
    goes_on = false;
  });
  const auto take = [&] {
    for (const PendingChanges::Changes& each : changes.take(all)) {
      PendingChanges::put(each);
    }
    for (const Number& parameter : parameters) {
      if (*parameter != *parameters.front()) {
        return false;
      }
    }
    return true;
  };
  bool together = true;
  while (goes_on) {
    together = take() && together;
  }
  program.join();
  CHECK(together);
  CHECK(take());
  CHECK(*parameters.front() == kTimes);
  CHECK_FALSE(changes.any());
}

TEST_CASE("Many changes of an entity between two of its turns are one, which is told of once") {
  Number first;
  Number second;
  first.set(0);
  second.set(0);
  PendingChanges changes(3);
  std::size_t told = 0;
  const auto add = [&](EntityId entity, Number& parameter, std::int64_t number) {
    std::vector<PendingChanges::Value> values;
    values.push_back(value_of(entity, parameter, number));
    told += changes.add(std::move(values)).size();
  };
  for (std::int64_t number = 1; number <= 1000; ++number) {
    add(1, first, number);
    add(1, second, -number);
  }
  CHECK(told == 1);
  CHECK_FALSE(changes.enable(1, false));
  CHECK(changes.enable(2, true));
  const PendingChanges::Changes taken = changes.take(1);
  CHECK(taken.values.size() == 2);
  PendingChanges::put(taken);
  CHECK(*first == 1000);
  CHECK(*second == -1000);
  add(1, first, 7);
  CHECK(told == 2);
}

}  // namespace gxr
