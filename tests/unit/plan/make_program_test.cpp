#include "plan/make_program.hpp"

#include <string>

#include "catch.hpp"
#include "made_region.hpp"
#include "plan/step_order.hpp"

namespace {

using namespace gxr;
using test::MadeRegion;

/// Whole programs are compared as text. Tensors have the numbers of their steps, from 0; the text
/// counts steps from 1.
std::string text_of(const MadeRegion& made) { return "\n" + to_text(make_program(made.region)); }

}  // namespace

TEST_CASE("Without branches the nodes are the steps", "[make_program]") {
  MadeRegion made;
  made.step({}, {});
  made.step({}, {0});
  made.step({}, {0, 1});
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, writes 0
  1 step 2, reads 0, writes 1, after 0
  2 step 3, reads 0 1, writes 2, after 0 1
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: ?, in the arena
)");
}

TEST_CASE("A branch follows all that its steps read from, and is followed as a whole",
          "[make_program]") {
  MadeRegion made;
  const BranchId choice = made.branch(BranchKind::If, 1, 2);
  made.step({}, {});                 // 0
  made.step({}, {});                 // 1 decides
  made.step({{choice, 0}}, {0});     // 2
  made.step({{choice, 0}}, {0, 2});  // 3
  made.step({{choice, 1}}, {});      // 4
  made.step({}, {3, 4});             // 5
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, writes 0
  1 step 2, writes 1
  2 if 1, after 0 1
    then
      3 step 3, reads 0, writes 2
      4 step 4, reads 0 2, writes 3, after 3
    else
      5 step 5, writes 4
  6 step 6, reads 3 4, writes 5, after 2
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: ?, in the arena
  3: ?, in the arena
  4: ?, in the arena
  5: ?, in the arena
)");
}

TEST_CASE("The selector of a branch in a body may stand outside of that", "[make_program]") {
  MadeRegion made;
  const BranchId loop = made.branch(BranchKind::While, 2, 1);
  made.region.branches[loop].limit = 7;
  const BranchId choice = made.branch(BranchKind::Switch, 0, 2, {loop, 0});
  made.step({}, {});                        // 0 decides the choice
  made.step({{loop, 0}, {choice, 0}}, {});  // 1
  made.step({{loop, 0}}, {1});              // 2 decides the loop
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, writes 0
  1 while 2, at most 7 times, after 0
    body
      2 switch 0
        case 0
          3 step 2, writes 1
        case 1
      4 step 3, reads 1, writes 2, after 2
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: ?, in the arena
)");
}

TEST_CASE("A branch follows all that write its selector", "[make_program]") {
  MadeRegion made;
  const BranchId first = made.branch(BranchKind::If, 0, 2);
  const BranchId then = made.branch(BranchKind::If, 1, 1);
  made.step({}, {});            // 0
  made.step({{first, 0}}, {});  // 1 and
  made.step({{first, 1}}, {});  // 2 write what decides
  made.step({{then, 0}}, {});   // 3
  made.region.tensors[1].in_turn.push_back({kNone, 2});
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, writes 0
  1 if 0, after 0
    then
      2 step 2, writes 1
    else
      3 step 3, writes 2
  4 if 1, after 1
    then
      5 step 4, writes 3
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: ?, in the arena
  3: ?, in the arena
)");
}

TEST_CASE("Every Nth iteration waits for what its steps read alone", "[make_program]") {
  MadeRegion made;
  const BranchId rare = made.every(3, 1);
  const BranchId choice = made.branch(BranchKind::If, 0, 1, {rare, 0});
  made.step({}, {});                         // 0 decides the choice
  made.step({{rare, 0}}, {});                // 1
  made.step({{rare, 0}, {choice, 0}}, {1});  // 2
  made.step({}, {2});                        // 3
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, writes 0
  1 every 3 from 1, after 0
    body
      2 step 2, writes 1
      3 if 0, after 2
        then
          4 step 3, reads 1, writes 2
  5 step 4, reads 2, writes 3, after 1
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: ?, in the arena
  3: ?, in the arena
)");
  // Alone, it may begin with the iteration.
  MadeRegion alone;
  alone.step({{alone.every(2, 0), 0}}, {});
  CHECK(make_program(alone.region).nodes.front().after.empty());
}

TEST_CASE("A delayed tensor is copied behind all that write it or read it", "[make_program]") {
  MadeRegion made;
  const BranchId loop = made.branch(BranchKind::While, 2, 1);
  made.step({}, {});            // 0 is delayed for 1
  made.step({{loop, 0}}, {});   // 1 is delayed for itself
  made.step({{loop, 0}}, {1});  // 2
  static_cast<void>(made.delayed(0, {1}));
  static_cast<void>(made.delayed(1, {1}));
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, writes 0
  1 while 2
    body
      2 step 2, reads 3 4, writes 1
      3 step 3, reads 1, writes 2, after 2
      5 copies 1 to 4, after 2
  4 copies 0 to 3, after 0 1
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: ?, in the arena
  3: ?, in the arena
  4: ?, in the arena
)");
}

TEST_CASE("What a sibling reads and writes is copied across", "[make_program]") {
  MadeRegion made;
  const BranchId choice = made.branch(BranchKind::If, 0, 1);
  const BranchId beside = made.launched(BranchLaunch::Sibling);
  made.step({}, {});             // 0 decides, and is delayed for 3
  made.step({{choice, 0}}, {});  // 1 reads what 4 writes
  made.step({}, {});             // 2, too
  made.step({{beside, 0}}, {});  // 3
  made.step({{beside, 0}}, {3});
  static_cast<void>(made.delayed(0, {3}));
  static_cast<void>(made.delayed(4, {1, 2}));
  static_cast<void>(made.delayed(4, {3}));
  // The copy out stands in the body, which is behind those that read the old content.
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, writes 0
  1 if 0, after 0
    then
      2 step 2, reads 6, writes 1
  3 step 3, reads 6, writes 2
  4 every 1000 from 0, sibling, after 1 3
    body
      5 step 4, reads 5 7, writes 3
      6 step 5, reads 3, writes 4, after 5
      8 copies 4 to 6, across 4, after 6
      9 copies 4 to 7, after 5 6
  7 copies 0 to 5, across 4, after 0 4
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: ?, in the arena
  3: ?, in the arena
  4: ?, in the arena
  5: ?, in the arena
  6: ?, in the arena
  7: ?, in the arena
)");
}

TEST_CASE("What is written behind the iteration is copied there", "[make_program]") {
  MadeRegion made;
  const BranchId behind = made.launched(BranchLaunch::FireAndForget);
  made.step({}, {});  // 0 reads what 2 writes
  made.step({}, {});
  made.step({{behind, 0}}, {1});
  static_cast<void>(made.delayed(2, {0}));
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, reads 3, writes 0
  1 step 2, writes 1
  2 every 1000 from 0, fire_and_forget, after 0 1
    body
      3 step 3, reads 1, writes 2
      4 copies 2 to 3, after 3
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: ?, in the arena
  3: ?, in the arena
)");
}

TEST_CASE("What is delayed in place is not copied", "[make_program]") {
  MadeRegion made;
  made.step({}, {});
  made.step({}, {0});
  const TensorId delayed = made.delayed(1, {0});
  made.region.tensors[delayed].in_place = is_read_before(made.region, delayed, 1);
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, reads 2, writes 0
  1 step 2, reads 0, writes 1, after 0
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: ?, where 1 is
)");
}

TEST_CASE("Parameters beside iterations are copied before their turn", "[make_program]") {
  MadeRegion made;
  const BranchId beside = made.launched(BranchLaunch::Sibling);
  made.step({}, {});
  made.step({{beside, 0}}, {0});
  made.region.scratch.push_back({1, 512, 256});
  made.region.steps[0].parameters.resize(3);
  made.region.steps[0].count = 9;
  made.region.steps[1].parameters.resize(20);
  made.region.handlers.push_back({kNone, 0, kNone});
  made.region.steps[0].polls = true;
  // With a handler branches are not launched.
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, writes 0, polls, up to 9 iterations, parameters 3
  1 every 1000 from 0, sibling, after 0
    body
      2 step 2, reads 0, writes 1, scratch 2, parameters 4
  node 0 rings
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: 512 bytes, in the arena
  3: 3 bytes, a block of its own
  4: 20 bytes, a block of its own
)");
  made.region.handlers.clear();
  made.region.steps[0].polls = false;
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, writes 0, up to 9 iterations, parameters 3
  1 every 1000 from 0, sibling, after 0
    body
      2 step 2, reads 0, writes 1, scratch 2, parameters 5
  3 copies 4 to 5, across 1
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: 512 bytes, in the arena
  3: 3 bytes, a block of its own
  4: 20 bytes, a block of its own
  5: 20 bytes, a block of its own
)");
}

TEST_CASE("The text of a program has the traits of its operators", "[make_program]") {
  MadeRegion made;
  for (StepId step = 0; step < 3; ++step) {
    made.step({}, {});
  }
  made.region.steps[0].traits.dependent_launch = true;
  made.region.steps[0].traits.repeatable = true;
  made.region.steps[0].traits.priority = -2;
  made.region.steps[1].traits.kept_in_l2 = KeptInL2::Scratch;
  made.region.steps[2].traits.kept_in_l2 = KeptInL2::Output;
  made.region.steps[2].traits.pass_through = true;
  CHECK(text_of(made) == R"(
resident on GPU 0
  0 step 1, writes 0, dependent launch, repeatable, priority -2
  1 step 2, writes 1, scratch kept in L2
  2 step 3, writes 2, output kept in L2, passes on while it is off
buffers, not laid out
  0: ?, in the arena
  1: ?, in the arena
  2: ?, in the arena
)");
}

TEST_CASE("A program knows its ports and where its buffers lie", "[make_program]") {
  MadeRegion made;
  made.step({}, {});
  made.step({}, {0});
  GraphTensor input;
  input.place = GraphTensor::Place::Slot;
  input.consumers = {0};
  input.spec = TensorSpec{{4, 8}, ElementType::Float32, 4, {}};
  made.region.tensors.push_back(input);
  made.region.inputs.push_back({2, {}, false});
  made.region.steps[0].reads = {2};
  made.region.tensors[0].spec = input.spec;
  made.region.tensors[0].offset = 256;
  made.region.tensors[1].spec = input.spec;
  made.region.tensors[1].place = GraphTensor::Place::Slot;
  made.region.outputs.push_back({1, {}});
  made.region.laid_out = true;
  made.region.arena_bytes = 512;
  const DeviceProgram program = make_program(made.region);
  CHECK("\n" + to_text(program) == R"(
resident on GPU 0
  0 step 1, reads 2, writes 0
  1 step 2, reads 0, writes 1, after 0
buffers, inputs 2, outputs 1, arena of 512 bytes
  0: 128 bytes, at 256
  1: 128 bytes, a block of its own
  2: 128 bytes, a block of its own
)");
  CHECK(program.nodes[0].inputs == std::vector<std::size_t>{0});
  CHECK(program.nodes[1].inputs.empty());
  CHECK(program.nodes[1].outputs == std::vector<std::size_t>{0});
  CHECK(program == make_program(made.region));
  CHECK(nodes_of_steps(program) == std::vector<NodeId>{0, 1});
}
