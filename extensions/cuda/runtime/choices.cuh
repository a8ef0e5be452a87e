#pragma once

// Decisions that kernels of one thread make with a number.

#include <cstdint>

#include "graph_kernels.hpp"

namespace gxr::cuda {

constexpr std::uint64_t kOutside = ~std::uint64_t{0};

/// kOutside for numbers below 0.
__device__ inline std::uint64_t number_of(const Choice& choice) {
  std::int64_t number = 0;
  switch (choice.bytes) {
    case 1:
      number = *static_cast<const std::int8_t*>(choice.number);
      break;
    case 2:
      number = *static_cast<const std::int16_t*>(choice.number);
      break;
    case 4:
      number = *static_cast<const std::int32_t*>(choice.number);
      break;
    default:
      number = *static_cast<const std::int64_t*>(choice.number);
      break;
  }
  if (choice.is_signed) {
    return number < 0 ? kOutside : static_cast<std::uint64_t>(number);
  }
  const unsigned bits = 8 * choice.bytes;
  return static_cast<std::uint64_t>(number) & (bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~0ULL);
}

/// The value that the condition of a branch is set to.
__device__ inline unsigned condition_of(const Choice& choice) {
  switch (choice.decision) {
    case Decision::IfNotZero:
      return number_of(choice) != 0 ? 1 : 0;
    case Decision::Body:
      // No body has this number.
      return static_cast<unsigned>(min(number_of(choice), std::uint64_t{choice.bodies}));
    case Decision::Begin:
      if (choice.limit > 0) {
        *choice.runs = 0;
      }
      return 1;
    case Decision::Again:
      if (choice.limit > 0 && ++*choice.runs >= choice.limit) {
        return 0;
      }
      return number_of(choice) != 0 ? 1 : 0;
    case Decision::Counted:
      break;
  }
  const std::uint64_t number = number_of(choice);
  return number >= choice.first && (number - choice.first) % choice.count == 0 ? 1 : 0;
}

/// The body that runs; the number of bodies for none.
__device__ inline unsigned body_of(const Choice& choice) {
  const unsigned condition = condition_of(choice);
  return choice.decision == Decision::Body ? condition : min(1 - condition, choice.bodies);
}

}  // namespace gxr::cuda
