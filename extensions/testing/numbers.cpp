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
  interface.output(integers_, "integers", "0 to 23 and 0 to -23: tensors int32 [2, 3, 4]");
  interface.output(fibonacci_, "fibonacci", "The Fibonacci numbers 0 to 13: a tensor float32 [8]");
  interface.parameter(pool_, "pool", "Gives the tensors their memory, 96 bytes at most");
}

void Generator::tick() {
  publish_integers();
  publish_fibonacci();
}

void Generator::publish_integers() {
  Message message = context().new_message();
  for (const auto& [name, sign] : {std::pair("positive", 1), std::pair("negative", -1)}) {
    auto& tensor = message.add<Tensor>(name);
    tensor.allocate<std::int32_t>(*pool_.get(), {2, 3, 4});
    auto* const values = tensor.data<std::int32_t>();
    for (std::uint64_t i = 0; i < tensor.element_count(); ++i) {
      values[i] = sign * static_cast<std::int32_t>(i);
    }
  }
  output_.publish(*this, integers_, std::move(message));
}

void Generator::publish_fibonacci() {
  Message message = context().new_message();
  auto& tensor = message.add<Tensor>("fibonacci");
  tensor.allocate<float>(*pool_.get(), {8});
  float number = 0;
  float next = 1;
  for (std::uint64_t i = 0; i < tensor.element_count(); ++i) {
    tensor.data<float>()[i] = number;
    number = std::exchange(next, number + next);
  }
  output_.publish(*this, fibonacci_, std::move(message));
}

void ArbitraryPrecisionFactorial::declare(Interface& interface) {
  interface.parameter(digits_, "digits", "Digits of the result").range(1, 1 << 24).unit("digits");
  interface.parameter(factorial_, "factorial", "Number whose factorial is computed");
  interface.output(result_, "result", "The digits, the lowest first");
  interface.parameter(pool_, "pool", "Gives the tensors their memory");
}

void ArbitraryPrecisionFactorial::tick() {
  const Digits digits = factorial_of(*factorial_, static_cast<std::size_t>(*digits_));
  Message message = context().new_message();
  auto& tensor = message.add<Tensor>("factorial");
  tensor.allocate<std::uint8_t>(*pool_.get(), {*digits_});
  std::copy(digits.begin(), digits.end(), tensor.data<std::uint8_t>());
  output_.publish(*this, result_, std::move(message));
}

void IntegerSinSum::declare(Interface& interface) {
  interface.parameter(count_, "count", "Numbers, from 0 on, whose sines are added");
  interface.output(result_, "result", "The sum");
  interface.parameter(pool_, "pool", "Gives the tensors their memory");
}

void IntegerSinSum::tick() {
  double sum = 0;
  for (std::uint64_t i = 0; i < *count_; ++i) {
    sum += std::sin(static_cast<double>(i));
  }
  Message message = context().new_message();
  auto& tensor = message.add<Tensor>("sum");
  tensor.allocate<float>(*pool_.get(), {1});
  *tensor.data<float>() = static_cast<float>(sum);
  output_.publish(*this, result_, std::move(message));
}

}  // namespace gxr::testing
