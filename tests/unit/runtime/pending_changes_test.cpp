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
      changes.add(std::move(values));
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

}  // namespace gxr
