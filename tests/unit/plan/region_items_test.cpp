#include "plan/region_items.hpp"

#include <algorithm>
#include <cstdint>

#include "catch.hpp"
#include "made_region.hpp"
#include "plan/step_order.hpp"

namespace {

using namespace gxr;
using test::MadeRegion;

using Numbers = std::vector<std::size_t>;

struct Found {
  std::size_t number = 0;
  RegionItem item;
};

Found of_step(const std::vector<RegionItem>& items, StepId step) {
  const auto found = std::ranges::find(items, step, &RegionItem::step);
  REQUIRE(found != items.end());
  return {static_cast<std::size_t>(found - items.begin()), *found};
}

Found of_branch(const std::vector<RegionItem>& items, BranchId branch) {
  const auto found = std::ranges::find(items, branch, &RegionItem::branch);
  REQUIRE(found != items.end());
  return {static_cast<std::size_t>(found - items.begin()), *found};
}

RegionItem of_copy(const std::vector<RegionItem>& items, TensorId to) {
  const auto found = std::ranges::find(items, to, &RegionItem::copied_to);
  REQUIRE(found != items.end());
  return *found;
}

bool stands_in(const Found& inside, const Found& around, std::uint32_t list) {
  return inside.item.list.branch == around.number && inside.item.list.number == list &&
         around.number < inside.number;
}

}  // namespace

TEST_CASE("Without branches the items are the steps", "[region_items]") {
  MadeRegion made;
  made.step({}, {});
  made.step({}, {0});
  made.step({}, {0, 1});
  const std::vector<RegionItem> items = items_of(made.region);
  REQUIRE(items.size() == 3);
  for (StepId step = 0; step < 3; ++step) {
    CHECK(items[step].step == step);
    CHECK(items[step].list.is_graph());
  }
  CHECK(items[2].after == Numbers{0, 1});
}

TEST_CASE("A branch follows all that its steps read from, and is followed as a whole",
          "[region_items]") {
  MadeRegion made;
  const BranchId choice = made.branch(BranchKind::If, 1, 2);
  made.step({}, {});                 // 0
  made.step({}, {});                 // 1 decides
  made.step({{choice, 0}}, {0});     // 2
  made.step({{choice, 0}}, {0, 2});  // 3
  made.step({{choice, 1}}, {});      // 4
  made.step({}, {3, 4});             // 5
  const std::vector<RegionItem> items = items_of(made.region);
  REQUIRE(items.size() == 7);
  const Found branch = of_branch(items, choice);
  CHECK(branch.item.after == Numbers{0, 1});
  CHECK(stands_in(of_step(items, 2), branch, 0));
  CHECK(stands_in(of_step(items, 3), branch, 0));
  CHECK(stands_in(of_step(items, 4), branch, 1));
  CHECK(of_step(items, 2).item.after.empty());
  CHECK(of_step(items, 3).item.after == Numbers{of_step(items, 2).number});
  CHECK(of_step(items, 4).item.after.empty());
  CHECK(of_step(items, 5).item.after == Numbers{branch.number});
}

TEST_CASE("What decides a branch in a list may stand outside of that", "[region_items]") {
  MadeRegion made;
  const BranchId loop = made.branch(BranchKind::While, 2, 1);
  const BranchId choice = made.branch(BranchKind::Switch, 0, 2, {loop, 0});
  made.step({}, {});                        // 0 decides the choice
  made.step({{loop, 0}, {choice, 0}}, {});  // 1
  made.step({{loop, 0}}, {1});              // 2 decides the loop
  const std::vector<RegionItem> items = items_of(made.region);
  const Found around = of_branch(items, loop);
  const Found inside = of_branch(items, choice);
  CHECK(around.item.after == Numbers{0});
  CHECK(stands_in(inside, around, 0));
  CHECK(inside.item.after.empty());
  CHECK(stands_in(of_step(items, 1), inside, 0));
  CHECK(stands_in(of_step(items, 2), around, 0));
  CHECK(of_step(items, 2).item.after == Numbers{inside.number});
}

TEST_CASE("A branch follows all that write what decides it", "[region_items]") {
  MadeRegion made;
  const BranchId first = made.branch(BranchKind::If, 0, 2);
  const BranchId then = made.branch(BranchKind::If, 1, 1);
  made.step({}, {});            // 0
  made.step({{first, 0}}, {});  // 1 and
  made.step({{first, 1}}, {});  // 2 write what decides
  made.step({{then, 0}}, {});   // 3
  made.region.tensors[1].in_turn.push_back({kNone, 2});
  const std::vector<RegionItem> items = items_of(made.region);
  CHECK(of_branch(items, then).item.after == Numbers{of_branch(items, first).number});
}

TEST_CASE("What runs in every Nth iteration waits for what it reads alone", "[region_items]") {
  MadeRegion made;
  const BranchId rare = made.every(3, 1);
  const BranchId choice = made.branch(BranchKind::If, 0, 1, {rare, 0});
  made.step({}, {});                         // 0 decides the choice
  made.step({{rare, 0}}, {});                // 1
  made.step({{rare, 0}, {choice, 0}}, {1});  // 2
  made.step({}, {2});                        // 3
  const std::vector<RegionItem> items = items_of(made.region);
  const Found around = of_branch(items, rare);
  const Found inside = of_branch(items, choice);
  CHECK(around.item.after == Numbers{0});
  CHECK(stands_in(inside, around, 0));
  CHECK(inside.item.after == Numbers{of_step(items, 1).number});
  CHECK(of_step(items, 3).item.after == Numbers{around.number});
  // Alone, it may begin with the iteration.
  MadeRegion alone;
  alone.step({{alone.every(2, 0), 0}}, {});
  CHECK(items_of(alone.region).front().after.empty());
}

TEST_CASE("What is delayed is copied behind all who write it or read it", "[region_items]") {
  MadeRegion made;
  const BranchId loop = made.branch(BranchKind::While, 2, 1);
  made.step({}, {});            // 0 is delayed for 1
  made.step({{loop, 0}}, {});   // 1 is delayed for itself
  made.step({{loop, 0}}, {1});  // 2
  const TensorId of_first = made.delayed(0, {1});
  const TensorId of_second = made.delayed(1, {1});
  const std::vector<RegionItem> items = items_of(made.region);
  const Found body = of_branch(items, loop);
  CHECK(of_copy(items, of_first).list.is_graph());
  CHECK(of_copy(items, of_first).after == Numbers{of_step(items, 0).number, body.number});
  CHECK(of_copy(items, of_second).list.branch == body.number);
  CHECK(of_copy(items, of_second).after == Numbers{of_step(items, 1).number});
}

TEST_CASE("What a sibling reads and writes is copied across", "[region_items]") {
  MadeRegion made;
  const BranchId choice = made.branch(BranchKind::If, 0, 1);
  const BranchId beside = made.launched(BranchLaunch::Sibling);
  made.step({}, {});             // 0 decides, and is delayed for 3
  made.step({{choice, 0}}, {});  // 1 reads what 4 writes
  made.step({}, {});             // 2, too
  made.step({{beside, 0}}, {});  // 3
  made.step({{beside, 0}}, {3});
  const TensorId in = made.delayed(0, {3});
  const TensorId out = made.delayed(4, {1, 2});
  const TensorId own = made.delayed(4, {3});
  const std::vector<RegionItem> items = items_of(made.region);
  const Found body = of_branch(items, beside);
  // The copy out stands in the list, which is behind those who read the old content.
  CHECK(body.item.after == Numbers{of_branch(items, choice).number, of_step(items, 2).number});
  CHECK(body.item.crosses == DeviceList::kNoBranch);
  CHECK(of_copy(items, in).list.is_graph());
  CHECK(of_copy(items, in).after == Numbers{of_step(items, 0).number, body.number});
  CHECK(of_copy(items, in).crosses == body.number);
  CHECK(of_copy(items, out).list.branch == body.number);
  CHECK(of_copy(items, out).list.number == 0);
  CHECK(of_copy(items, out).after == Numbers{of_step(items, 4).number});
  CHECK(of_copy(items, out).crosses == body.number);
  CHECK(of_copy(items, own).list.branch == body.number);
  CHECK(of_copy(items, own).after == Numbers{of_step(items, 3).number, of_step(items, 4).number});
  CHECK(of_copy(items, own).crosses == DeviceList::kNoBranch);
}

TEST_CASE("What is written behind the iteration is copied there", "[region_items]") {
  MadeRegion made;
  const BranchId behind = made.launched(BranchLaunch::FireAndForget);
  made.step({}, {});  // 0 reads what 2 writes
  made.step({}, {});
  made.step({{behind, 0}}, {1});
  const TensorId out = made.delayed(2, {0});
  const std::vector<RegionItem> items = items_of(made.region);
  const Found body = of_branch(items, behind);
  CHECK(body.item.after == Numbers{of_step(items, 0).number, of_step(items, 1).number});
  CHECK(of_copy(items, out).list.branch == body.number);
  CHECK(of_copy(items, out).after == Numbers{of_step(items, 2).number});
  CHECK(of_copy(items, out).crosses == DeviceList::kNoBranch);
}

TEST_CASE("What is delayed in place is not copied", "[region_items]") {
  MadeRegion made;
  made.step({}, {});
  made.step({}, {0});
  const TensorId delayed = made.delayed(1, {0});
  made.region.tensors[delayed].in_place = is_read_before(made.region, delayed, 1);
  CHECK(made.region.tensors[delayed].in_place);
  CHECK(items_of(made.region).size() == 2);
}
