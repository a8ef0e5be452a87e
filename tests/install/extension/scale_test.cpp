#include <chrono>
#include <iostream>
#include <string>

#include <gxr/gxr.hpp>
#include <gxr/testing.hpp>

using gxr::testing::OperatorState;
using gxr::testing::OperatorTest;
using namespace std::chrono_literals;

namespace {

int failed = 0;

/// Any test framework serves in its place.
void check(bool condition, const char* what) {
  if (!condition) {
    std::cerr << "failed: " << what << '\n';
    ++failed;
  }
}

gxr::Message numbers(OperatorTest& test, float first, float second) {
  gxr::Message message = test.new_message();
  gxr::Tensor& tensor = message.add<gxr::Tensor>();
  tensor.allocate<float>(test.allocator(), {2});
  tensor.data<float>()[0] = first;
  tensor.data<float>()[1] = second;
  return message;
}

void multiplies() {
  OperatorTest scale("greeter::Scale", "{factor: 3, pool: kit/memory}",
                     {.extensions = {SCALE_EXTENSION}});
  check(!scale.tick(), "without a message it does not tick");
  check(scale.state().ports.front() == "in", "it waits for the port 'in'");

  scale.push("in", numbers(scale, 1, -2));
  check(scale.tick(), "with a message it ticks");
  const gxr::Message out = scale.pop("out");
  check(out.get<gxr::Tensor>().data<float>()[0] == 3, "the first number");
  check(out.get<gxr::Tensor>().data<float>()[1] == -6, "the second number");
}

void waits_for_the_time() {
  OperatorTest scale(
      "greeter::Scale", "{factor: 3, pool: kit/memory}",
      {.extensions = {SCALE_EXTENSION},
       .components = "- {type: gxr::PeriodicSchedulingTerm, parameters: {recess_period: 10ms}}"});
  scale.push("in", numbers(scale, 1, 2));
  scale.push("in", numbers(scale, 3, 4));
  check(scale.tick(), "the first tick is at once");
  check(scale.state().state == OperatorState::WaitingForTime, "then it waits");
  scale.advance(10ms);
  check(scale.tick(), "until the time has come");
}

void refuses() {
  try {
    OperatorTest scale("greeter::Scale", "{factor: 101, pool: kit/memory}",
                       {.extensions = {SCALE_EXTENSION}});
    check(false, "a factor of 101 is refused");
  } catch (const gxr::Error& error) {
    check(error.code() == gxr::ErrorCode::InvalidData, "as gxr validate refuses it");
  }

  OperatorTest scale("greeter::Scale", "{factor: 3, pool: kit/memory}",
                     {.extensions = {SCALE_EXTENSION}});
  scale.push("in", scale.new_message());
  try {
    scale.tick();
    check(false, "a message without a tensor is refused");
  } catch (const gxr::Error& error) {
    check(error.code() == gxr::ErrorCode::NotFound, "by Message::get()");
  }
  check(scale.failures().front().method == "tick", "the tick failed");
}

}  // namespace

int main() {
  multiplies();
  waits_for_the_time();
  refuses();
  return failed == 0 ? 0 : 1;
}
