#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace gxr::test {

constexpr std::int64_t kNothing = -1;
constexpr std::int64_t kMixed = -2;  ///< the number of the turn changed meanwhile

void count_up(std::int64_t* number, cudaStream_t stream);
/// Copies a number after a while, and keeps for its turn what that was.
void copy_slowly(std::int64_t* to, const std::int64_t* what, std::uint64_t nanoseconds,
                 const std::uint64_t* turn, std::int64_t* of_turns, cudaStream_t stream);
/// Keeps, of each iteration, two numbers; `one` counts from 1.
void keep(const std::int64_t* one, const std::int64_t* two, std::int64_t* kept,
          cudaStream_t stream);

}  // namespace gxr::test
