#include "arithmetic/numbers.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "arithmetic/wrapping.hpp"
#include "gxr/host_copy.hpp"

namespace gxr::arithmetic {

void Numbers::declare(Interface& interface) {
  interface.output(out_, "out", "Tensors of int32, shape [size]").elements({ElementType::Int32});
  interface.parameter(pool_, "pool", "Allocator of their memory");
  interface.parameter(size_, "size", "Elements of a tensor").default_value(512).minimum(1);
}

void Numbers::tick() {
  Message message = context().new_message();
  auto& tensor = message.add<Tensor>();
  tensor.allocate<std::int32_t>(**pool_, {*size_});
  std::fill_n(tensor.data<std::int32_t>(), *size_, static_cast<std::int32_t>(execution_count()));
  message.set_sequence(static_cast<std::uint64_t>(execution_count()));
  message.set_source_time(execution_timestamp());
  out_.publish(std::move(message), execution_timestamp());
}

void Check::declare(Interface& interface) {
  interface.input(in_, "in", "Tensors of int32").elements({ElementType::Int32});
  interface.parameter(factor_, "factor", "By what the numbers 1, 2, ... were multiplied")
      .default_value(1);
  interface.parameter(offset_, "offset", "What was added to them").default_value(0);
}

void Check::tick() {
  const Message message = in_.receive();
  const auto& tensor = message.get<Tensor>();
  const auto number = static_cast<std::int32_t>(execution_count());
  const std::int32_t wanted = wrapping_add(wrapping_multiply(number, *factor_), *offset_);
  static_cast<void>(tensor.data<std::int32_t>());  // throws for other elements
  const HostView view(tensor);
  const auto* values = reinterpret_cast<const std::int32_t*>(view.pointer());
  for (std::uint64_t i = 0; i < tensor.element_count(); ++i) {
    if (values[i] != wanted) {
      throw Error(ErrorCode::InvalidData,
                  "tensor " + std::to_string(number) + ": element " + std::to_string(i) + " is " +
                      std::to_string(values[i]) + ", not " + std::to_string(wanted));
    }
  }
  ++right_;
}

void Check::start() { right_ = 0; }

void Check::stop() {
  log_info(std::to_string(right_) + (right_ == 1 ? " tensor right" : " tensors right"));
}

}  // namespace gxr::arithmetic
