#include "launched_kernels.hpp"
#include "tests/extensions/gpu/kernels.cuh"

namespace gxr::test {
namespace {

__global__ void count_kernel(std::int64_t* number) { ++*number; }

__global__ void copy_kernel(std::int64_t* to, const std::int64_t* what, std::int64_t nanoseconds,
                            const std::uint64_t* turn, std::int64_t* of_turns) {
  const volatile std::uint64_t* const now = turn;
  const std::uint64_t number = *now;
  gpu::spend(nanoseconds);
  *to = *what;
  of_turns[number] = *now == number ? *what : kMixed;
}

__global__ void keep_kernel(const std::int64_t* one, const std::int64_t* two, std::int64_t* kept) {
  kept[2 * (*one - 1)] = *one;
  kept[2 * (*one - 1) + 1] = *two;
}

}  // namespace

void count_up(std::int64_t* number, cudaStream_t stream) {
  count_kernel<<<1, 1, 0, stream>>>(number);
}

void copy_slowly(std::int64_t* to, const std::int64_t* what, std::uint64_t nanoseconds,
                 const std::uint64_t* turn, std::int64_t* of_turns, cudaStream_t stream) {
  copy_kernel<<<1, 1, 0, stream>>>(to, what, static_cast<std::int64_t>(nanoseconds), turn,
                                   of_turns);
}

void keep(const std::int64_t* one, const std::int64_t* two, std::int64_t* kept,
          cudaStream_t stream) {
  keep_kernel<<<1, 1, 0, stream>>>(one, two, kept);
}

}  // namespace gxr::test
