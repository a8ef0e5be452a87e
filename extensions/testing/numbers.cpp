#include "numbers.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace gxr::testing {
namespace {

using Digits = std::vector<std::uint8_t>;  // lowest first

/// digits := digits x factor. False when the result has more digits.
bool multiply(Digits& digits, std::uint64_t factor) {
  unsigned __int128 carry = 0;
  for (std::uint8_t& digit : digits) {
    carry += static_cast<unsigned __int128>(digit) * factor;
    digit = static_cast<std::uint8_t>(carry % 10);
    carry /= 10;
  }
  return carry == 0;
}

Digits factorial_of(std::uint64_t number, std::size_t digits) {
  Digits result(digits, 0);
  result.front() = 1;
  for (std::uint64_t factor = 2; factor <= number; ++factor) {
    if (!multiply(result, factor)) {
      throw Error(ErrorCode::OutOfRange, "the factorial of " + std::to_string(number) +
                                             " has more than " + std::to_string(digits) +
                                             " digits; raise parameter 'digits'");
    }
  }
  return result;
}

}  // namespace

void Generator::declare(Interface& interface) {
  interface.output(integers_, "integers", "1, 2, 3, …");
  interface.output(fibonacci_, "fibonacci", "The Fibonacci numbers 1, 1, 2, 3, 5, …");
  interface.parameter(pool_, "pool", "Gives the tensors their memory");
}

void Generator::start() {
  count_ = 0;
  previous_ = 0;
  current_ = 1;
}

void Generator::tick() {
  publish(*integers_.get(), ++count_);
  publish(*fibonacci_.get(), current_);
  previous_ = std::exchange(current_, previous_ + current_);
}

void Generator::publish(Transmitter& transmitter, std::uint64_t number) const {
  Message message = context().new_message();
  auto& tensor = message.add<Tensor>("number");
  tensor.allocate<std::uint64_t>(*pool_.get(), {1});
  *tensor.data<std::uint64_t>() = number;
  transmitter.publish(std::move(message));
}

void ArbitraryPrecisionFactorial::declare(Interface& interface) {
  interface.parameter(digits_, "digits", "Digits of the result").range(1, 1 << 24).unit("digits");
  interface.parameter(factorial_, "factorial", "Number whose factorial is computed");
  interface.output(result_, "result", "The digits, the highest first");
  interface.parameter(pool_, "pool", "Gives the tensors their memory");
}

void ArbitraryPrecisionFactorial::tick() {
  const Digits digits = factorial_of(*factorial_, static_cast<std::size_t>(*digits_));
  Message message = context().new_message();
  auto& tensor = message.add<Tensor>("factorial");
  tensor.allocate<std::uint8_t>(*pool_.get(), {*digits_});
  std::reverse_copy(digits.begin(), digits.end(), tensor.data<std::uint8_t>());
  result_->publish(std::move(message));
}

void IntegerSinSum::declare(Interface& interface) {
  interface.parameter(count_, "count", "Numbers whose sines are added");
  interface.output(result_, "result", "The sum");
  interface.parameter(pool_, "pool", "Gives the tensors their memory");
}

void IntegerSinSum::tick() {
  double sum = 0;
  for (std::uint64_t i = 1; i <= *count_; ++i) {
    sum += std::sin(static_cast<double>(i));
  }
  Message message = context().new_message();
  auto& tensor = message.add<Tensor>("sum");
  tensor.allocate<double>(*pool_.get(), {1});
  *tensor.data<double>() = sum;
  result_->publish(std::move(message));
}

}  // namespace gxr::testing
