#include "device/program_edits.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include "catch.hpp"

namespace {

using namespace gxr;

/// Two operators in a row; the second one has a branch body around it.
DeviceProgram program() {
  DeviceProgram made;
  made.nodes.resize(3);
  made.nodes[0].writes = {0};
  made.nodes[0].parameters.resize(4);
  made.nodes[1].kind = DeviceNode::Kind::Branch;
  made.nodes[1].branch.kind = BranchKind::Every;
  made.nodes[1].after = {0};
  made.nodes[2].body = {1, 0};
  made.nodes[2].reads = {0};
  made.buffers.resize(2);
  made.buffers[0].bytes = 64;
  return made;
}

std::string edits(const DeviceProgram& before, const DeviceProgram& after) {
  std::string text;
  for (const ProgramEdit& edit : edits_between(before, after)) {
    text += (text.empty() ? "" : ", ") + to_text(edit);
  }
  return text;
}

}  // namespace

TEST_CASE("Equal programs need no edits", "[program_edits]") {
  CHECK(edits(program(), program()).empty());
}

TEST_CASE("Each change of an operator is an edit of its node", "[program_edits]") {
  DeviceProgram after = program();
  after.nodes[0].parameters[2] = std::byte{7};
  CHECK(edits(program(), after) == "parameters of node 0");
  after.nodes[2].revision = 1;
  CHECK(edits(program(), after) == "parameters of node 0, capture of node 2");
  after.nodes[0].enabled = false;
  CHECK(edits(program(), after) == "node 0 off, parameters of node 0, capture of node 2");
  CHECK(edits(after, program()) == "node 0 on, parameters of node 0, capture of node 2");
}

TEST_CASE("An edit undone is none", "[program_edits]") {
  DeviceProgram after = program();
  after.nodes[2].enabled = false;
  CHECK(edits(program(), after) == "node 2 off");
  after.nodes[2].enabled = true;
  CHECK(edits(program(), after).empty());
}

TEST_CASE("Other tensors and sizes are edits of their buffers, whatever follows from them",
          "[program_edits]") {
  DeviceProgram after = program();
  after.buffers[0].bytes = 128;
  CHECK(edits(program(), after) == "shape of buffer 0");
  after.buffers[1].tensor = "int32 [4, 4]";
  after.buffers[1].offset = 256;
  after.arena_bytes = 512;
  CHECK(edits(program(), after) == "shape of buffer 0, shape of buffer 1");
  // All operators are captured again, with the parameters of now.
  after.nodes[0].parameters.resize(5);
  after.nodes[2].revision = 1;
  CHECK(edits(program(), after) == "shape of buffer 0, shape of buffer 1");
  // They are on then.
  after.nodes[2].enabled = false;
  CHECK(edits(program(), after) == "shape of buffer 0, shape of buffer 1, node 2 off");
  CHECK(edits(after, program()) == "shape of buffer 0, shape of buffer 1, node 2 on");
}

TEST_CASE("As many bytes of another shape are another tensor", "[program_edits]") {
  DeviceProgram before = program();
  before.buffers[0].tensor = "int32 [4, 4]";
  DeviceProgram after = before;
  after.buffers[0].tensor = "int32 [16]";
  CHECK(edits(before, after) == "shape of buffer 0");
}

TEST_CASE("Anything else is another program, and that alone", "[program_edits]") {
  const auto changed = [](const auto& change) {
    DeviceProgram after = program();
    after.nodes[0].enabled = false;
    change(after);
    return edits(program(), after);
  };
  CHECK(changed([](DeviceProgram& p) { p.buffers.resize(3); }) == "another program");
  CHECK(changed([](DeviceProgram& p) { p.buffers[0].lasts = true; }) == "another program");
  CHECK(changed([](DeviceProgram& p) { p.nodes[1].branch.count = 2; }) == "another program");
  CHECK(changed([](DeviceProgram& p) { p.nodes[2].after = {0}; }) == "another program");
  CHECK(changed([](DeviceProgram& p) { p.nodes.pop_back(); }) == "another program");
  CHECK(changed([](DeviceProgram& p) { p.options.slots = 3; }) == "another program");
  CHECK(changed([](DeviceProgram& p) { p.outputs = {0}; }) == "another program");
}
