#include "plan/step_order.hpp"

#include <algorithm>

#include "catch.hpp"
#include "made_region.hpp"

namespace {

using namespace gxr;
using test::MadeRegion;

using Steps = std::vector<StepId>;

bool precedes(const GraphRegion& region, StepId first, StepId then) {
  const auto beside = parallel_steps(region);
  return first < then && std::ranges::find(beside[first], then) == beside[first].end();
}

}  // namespace

TEST_CASE("A branch begins when all is there that any of its steps reads", "[step_order]") {
  MadeRegion made;
  const BranchId choice = made.branch(BranchKind::If, 1, 2);
  made.step({}, {});                         // 0
  made.step({}, {});                         // 1 decides
  made.step({}, {});                         // 2
  made.step({{choice, 0}}, {0});             // 3
  made.step({{choice, 0}}, {3});             // 4
  made.step({{choice, 1}}, {2});             // 5
  const StepId behind = made.step({}, {4});  // 6
  const StepId beside = made.step({}, {0});  // 7
  const auto ended = ended_before(made.region);
  for (const StepId inside : {3U, 4U, 5U}) {
    INFO(inside);
    for (const StepId before : {0U, 1U, 2U}) {
      CHECK(precedes(made.region, before, inside));
    }
    CHECK(precedes(made.region, inside, behind));
    CHECK_FALSE(precedes(made.region, inside, beside));
  }
  CHECK(precedes(made.region, 3, 5));  // never in the same iteration
  CHECK(ended[beside] == Steps{0});
}

TEST_CASE("What may not have been written is old", "[step_order]") {
  MadeRegion made;
  const BranchId choice = made.branch(BranchKind::If, 0, 2);
  const BranchId again = made.branch(BranchKind::While, 3, 1, {choice, 1});
  const BranchId one_of = made.branch(BranchKind::Switch, 0, 2);
  made.step({}, {});                          // 0 decides
  made.step({{choice, 0}}, {0});              // 1
  made.step({{choice, 0}}, {1});              // 2 reads in the same list
  made.step({{choice, 1}, {again, 0}}, {0});  // 3
  made.step({{choice, 1}}, {3});              // 4 behind the loop, which runs once at least
  made.step({{one_of, 0}}, {0});              // 5
  made.step({}, {2, 5});                      // 6
  made.step({}, {4});                         // 7
  CHECK_FALSE(may_be_old(made.region, 0));
  CHECK_FALSE(may_be_old(made.region, 1));
  CHECK(may_be_old(made.region, 2));
  CHECK_FALSE(may_be_old(made.region, 3));
  CHECK(may_be_old(made.region, 4));
  CHECK(may_be_old(made.region, 5));
  // Both lists of the If write it.
  made.region.tensors[2].in_turn.push_back({kNone, 4});
  CHECK_FALSE(may_be_old(made.region, 2));
  // Both of the Switch do, but it may have another number.
  made.step({{one_of, 1}}, {0});
  made.region.tensors[5].in_turn.push_back({kNone, 8});
  CHECK(may_be_old(made.region, 5));
}

TEST_CASE("What does not run in every iteration may not have written", "[step_order]") {
  MadeRegion made;
  const BranchId rare = made.every(4, 0);
  const BranchId late = made.every(1, 2);
  const BranchId always = made.every(1, 0);
  const BranchId again = made.branch(BranchKind::While, 6, 1, {always, 0});
  made.step({}, {});                          // 0
  made.step({{rare, 0}}, {0});                // 1
  made.step({{rare, 0}}, {1});                // 2 reads in the same body
  made.step({{late, 0}}, {0});                // 3
  made.step({{always, 0}}, {0});              // 4
  made.step({}, {2, 3, 4});                   // 5
  made.step({{always, 0}, {again, 0}}, {4});  // 6
  made.step({}, {6});                         // 7
  CHECK_FALSE(may_be_old(made.region, 1));
  CHECK(may_be_old(made.region, 2));
  CHECK(may_be_old(made.region, 3));
  CHECK_FALSE(may_be_old(made.region, 4));
  CHECK_FALSE(may_be_old(made.region, 6));
  // What leaves the graph is passed on in every iteration.
  made.region.outputs.push_back({1, {}});
  CHECK(may_be_old(made.region, 1));
  // Nobody decides before the body begins, so it waits for what it reads alone.
  CHECK(ended_before(made.region)[1] == Steps{0});
  CHECK(ended_before(made.region)[2] == Steps{0, 1});
}

TEST_CASE("A tensor that leaves the graph is read in every iteration", "[step_order]") {
  MadeRegion made;
  const BranchId choice = made.branch(BranchKind::If, 0, 2);
  made.step({}, {});
  made.step({{choice, 0}}, {0});
  CHECK_FALSE(may_be_old(made.region, 1));
  made.region.outputs.push_back({1, {}});
  CHECK(may_be_old(made.region, 1));
}

TEST_CASE("What a body reads from outside is read in each of its runs", "[step_order]") {
  MadeRegion made;
  const BranchId outer = made.branch(BranchKind::While, 4, 1);
  const BranchId inner = made.branch(BranchKind::While, 3, 1, {outer, 0});
  made.step({}, {});                         // 0
  made.step({{outer, 0}}, {0});              // 1
  made.step({{outer, 0}, {inner, 0}}, {1});  // 2
  made.step({{outer, 0}, {inner, 0}}, {2});  // 3
  made.step({{outer, 0}}, {3});              // 4
  CHECK(repeated_around(made.region, 2, 0) == Steps{1, 2, 3, 4});
  CHECK(repeated_around(made.region, 2, 1) == Steps{2, 3});
  CHECK(repeated_around(made.region, 3, 2).empty());
  CHECK(repeated_around(made.region, 1, kNone) == Steps{1, 2, 3, 4});
}

TEST_CASE("A tensor is read before another is written if all of its readers have ended",
          "[step_order]") {
  MadeRegion made;
  const BranchId choice = made.branch(BranchKind::If, 0, 2);
  made.step({}, {});             // 0 decides
  made.step({{choice, 0}}, {});  // 1
  made.step({{choice, 1}}, {});  // 2
  made.step({}, {1});            // 3
  made.step({}, {});             // 4, beside the others
  CHECK(is_read_before(made.region, made.delayed(3, {1, 2}), 3));
  CHECK(is_read_before(made.region, made.delayed(3, {0}), 3));
  CHECK_FALSE(is_read_before(made.region, made.delayed(3, {3}), 3));
  CHECK_FALSE(is_read_before(made.region, made.delayed(3, {4}), 3));
  CHECK_FALSE(is_read_before(made.region, made.delayed(1, {3}), 1));
  CHECK(is_read_before(made.region, made.delayed(2, {1}), 2));  // never in the same iteration
}

TEST_CASE("A loop launches branches when nothing else is decided in it", "[step_order]") {
  MadeRegion made;
  const BranchId behind = made.launched(BranchLaunch::FireAndForget);
  const BranchId beside = made.launched(BranchLaunch::Sibling);
  made.step({}, {});
  made.step({{behind, 0}}, {});
  made.step({{beside, 0}}, {});
  CHECK(launched_around(made.region, 0) == kNone);
  CHECK(launched_around(made.region, 1) == behind);
  GraphOptions& options = made.region.options;
  options.mode = GraphMode::Resident;
  CHECK(launches_branches(made.region));
  CHECK_FALSE(can_be_measured(made.region));
  CHECK(parallel_steps(made.region) == std::vector<Steps>{{2}, {2}, {0, 1}});
  options.loop = GraphLoop::HeadTail;
  CHECK_FALSE(launches_branches(made.region));
  CHECK(parallel_steps(made.region) == std::vector<Steps>{{1, 2}, {0, 2}, {0, 1}});
  options.loop = GraphLoop::TailLaunch;
  CHECK(launches_branches(made.region));
  options.unroll = 2;
  CHECK_FALSE(launches_branches(made.region));
  options.unroll = 1;
  options.instrument_every = 5;
  CHECK_FALSE(launches_branches(made.region));
  options.instrument_every = 0;
  options.mode = GraphMode::Graph;
  CHECK_FALSE(launches_branches(made.region));
  options.mode = GraphMode::Resident;
  made.region.handlers.emplace_back();
  CHECK_FALSE(launches_branches(made.region));
  made.region.handlers.clear();
  while (made.region.branches.size() < kMostLaunchedBranches) {
    made.launched(BranchLaunch::Sibling);
  }
  CHECK(launches_branches(made.region));
  made.launched(BranchLaunch::Sibling);
  CHECK_FALSE(launches_branches(made.region));
  made.region.branches.resize(1);
  made.branch(BranchKind::If, 0, 1);
  CHECK_FALSE(launches_branches(made.region));
  made.region.branches.clear();
  CHECK_FALSE(launches_branches(made.region));
  CHECK_FALSE(can_be_measured(made.region));  // tail_launch
  options.loop = GraphLoop::Auto;
  CHECK(can_be_measured(made.region));
  made.region.handlers.emplace_back();
  CHECK_FALSE(can_be_measured(made.region));
  options.mode = GraphMode::Graph;
  CHECK(can_be_measured(made.region));
}
