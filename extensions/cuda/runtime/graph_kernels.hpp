#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// Puts a kernel on the stream that adds 1 to a number in device memory.
void launch_count(std::uint64_t* counter, cudaStream_t stream);

/// A kernel of one thread, without arguments, that does nothing: stands for a node without work
/// where there cannot be one.
const void* empty_kernel() noexcept;

/// A decision that a kernel of one thread makes with a number.
enum class Decision : std::uint8_t {
  IfNotZero,  ///< the first body when it is not 0, else the second
  Body,       ///< the body of that number, or none
  Begin,      ///< without it: the body runs once
  Again,      ///< the body runs once more when it is not 0, and has not run `limit` times
  Counted,    ///< the body when it is `first`, or `count`, twice as much, ... more
};

struct Choice {
  Decision decision = Decision::IfNotZero;
  cudaGraphConditionalHandle handle{};
  const void* number = nullptr;
  std::uint32_t bytes = 0;  ///< of the number: 1, 2, 4 or 8
  bool is_signed = false;
  std::uint32_t bodies = 0;
  std::uint64_t limit = 0;  ///< 0: none
  std::uint64_t count = 1;  ///< not 0
  std::uint64_t first = 0;
  std::uint64_t* runs = nullptr;  ///< counts them, with a limit
};

/// A kernel whose argument is a Choice.
const void* choice_kernel() noexcept;

/// A kernel in a branch body that can be switched on and off.
struct SwitchableKernel {
  cudaGraphDeviceNode_t node;
  std::uint32_t body;
};
/// The kernels of a branch whose bodies are switched.
struct BodySwitch {
  const SwitchableKernel* kernels = nullptr;  ///< of all bodies, in device memory
  std::uint32_t count = 0;
  /// In device memory: the body whose kernels are on, from 1; 0: all are; Choice::bodies + 1: none.
  std::uint64_t* on = nullptr;
  std::uint64_t* error = nullptr;  ///< a cudaError_t, if it fails, in page-locked memory
  std::uint64_t* limit = nullptr;  ///< set to 0 then
};
/// A kernel of one warp whose arguments are a Choice, neither Begin nor Again, and a BodySwitch:
/// switches on the kernels of the body that is chosen, and off those of all others.
const void* switch_kernel() noexcept;

/// Writes the time to its place in the record of an iteration that is measured, and with it, if so
/// said, the iteration's number, from 1. Records follow each other in a ring.
struct Stamp {
  const std::uint64_t* iteration;  ///< its number from 0, in device memory
  std::uint64_t* records;          ///< in page-locked memory
  std::uint32_t record_count;
  std::uint32_t stride;  ///< numbers of a record, of which the first is the iteration's
  std::uint32_t every;   ///< iterations
  bool writes_number;
  std::uint32_t place;
};
/// A kernel of one thread whose argument is a Stamp.
const void* stamp_kernel() noexcept;
/// Writes the GPU's time to memory.
void launch_clock(std::uint64_t* now, cudaStream_t stream);

}  // namespace gxr::cuda
