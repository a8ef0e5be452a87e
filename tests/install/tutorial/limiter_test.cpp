#include <cstdint>
#include <iostream>

#include <gxr/gxr.hpp>
#include <gxr/testing.hpp>

int main() {
  gxr::testing::OperatorTest test("limiter::Limiter", "most: 10", {.extensions = {EXTENSION}});

  gxr::Message message = test.new_message();
  auto& tensor = message.add<gxr::Tensor>();
  tensor.allocate<std::int32_t>(test.allocator(), {2});
  tensor.data<std::int32_t>()[0] = 7;
  tensor.data<std::int32_t>()[1] = 12;

  test.push("in", message);
  const bool has_ticked = test.tick();
  const gxr::Message result = test.pop("out");
  const auto* limited = result.get<gxr::Tensor>().data<std::int32_t>();
  if (!has_ticked || limited[0] != 7 || limited[1] != 10) {
    std::cerr << "7 and 12 became " << limited[0] << " and " << limited[1] << '\n';
    return 1;
  }
  return tensor.data<std::int32_t>()[1] == 12 ? 0 : 1;  // this holder sees no change
}
