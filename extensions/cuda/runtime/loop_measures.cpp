// What a loop knows of the iterations that are measured.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "loop.hpp"

namespace gxr::cuda {
namespace {

std::int64_t steady_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::uint64_t load(const std::uint64_t* word) {
  return std::atomic_ref<std::uint64_t>(*const_cast<std::uint64_t*>(word))
      .load(std::memory_order_relaxed);
}

}  // namespace

void RuntimeLoop::make_records() {
  first_list_.clear();
  record_words_ = kFirstPartStamp + parts_.size();
  for (const Part& part : parts_) {
    first_list_.push_back(record_words_);
    record_words_ += part.branch ? part.branch->lists : 0;
  }
  // And a word for the comparison of clocks.
  records_ = LoopMemory((kMeasuredIterations * record_words_ + 1) * sizeof(std::uint64_t),
                        MemoryStorageType::Host, options_.device);
}

std::size_t RuntimeLoop::place_of_list(std::size_t branch, std::uint32_t list) const {
  return first_list_.at(branch) + list;
}

/// The best of some tries: the one whose answer came soonest.
RuntimeLoop::ClockPair RuntimeLoop::compare_clocks() const {
  constexpr int kTries = 8;
  constexpr int kMostTries = 64;  // while other processes have the GPU
  constexpr std::int64_t kShort = 50'000;
  auto* const word =
      reinterpret_cast<std::uint64_t*>(records_.get()) + kMeasuredIterations * record_words_;
  ClockPair best;
  std::int64_t shortest = 0;
  for (int i = 0; i < kTries || (i < kMostTries && shortest > kShort); ++i) {
    const std::int64_t before = steady_now();
    launch_clock(word, control_.get());
    cuda_check("cudaGetLastError", cudaGetLastError());
    cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(control_.get()));
    const std::int64_t took = steady_now() - before;
    if (i == 0 || took < shortest) {
      shortest = took;
      best = {before + took / 2, static_cast<std::int64_t>(load(word))};
    }
  }
  return best;
}

/// Clocks that drift apart are brought together over the time between the comparisons.
std::int64_t RuntimeLoop::host_time(std::uint64_t gpu) const {
  const std::int64_t since = static_cast<std::int64_t>(gpu) - at_launch_.gpu;
  if (at_end_.host == 0 || at_end_.gpu == at_launch_.gpu) {
    return at_launch_.host + since;
  }
  const double rate = static_cast<double>(at_end_.host - at_launch_.host) /
                      static_cast<double>(at_end_.gpu - at_launch_.gpu);
  return at_launch_.host + static_cast<std::int64_t>(rate * static_cast<double>(since));
}

std::vector<MeasuredIteration> RuntimeLoop::measured() const {
  std::vector<MeasuredIteration> found;
  if (options_.instrument_every == 0 || records_.get() == nullptr) {
    return found;
  }
  const auto* record = reinterpret_cast<const std::uint64_t*>(records_.get());
  for (std::uint32_t i = 0; i < kMeasuredIterations; ++i, record += record_words_) {
    const std::uint64_t number = load(&record[0]);
    const std::uint64_t begin = load(&record[kBeginStamp]);
    if (number == 0 || begin == 0) {
      continue;
    }
    // What is older than the begin is of an iteration before, whose record this was.
    const auto stamped = [&](std::size_t place) {
      const std::uint64_t time = load(&record[place]);
      return time < begin ? 0 : host_time(time);
    };
    MeasuredIteration iteration{number - 1, host_time(begin), {}};
    for (std::size_t part = 0; part < parts_.size(); ++part) {
      const DeviceLoopPiece& piece = parts_[part].piece;
      MeasuredPart measured;
      measured.end_ns = stamped(kFirstPartStamp + part);
      measured.begin_ns = piece.list.is_graph()
                              ? iteration.begin_ns
                              : stamped(place_of_list(piece.list.branch, piece.list.number));
      for (const std::size_t before : piece.after) {
        const std::int64_t end = iteration.parts[before].end_ns;
        measured.begin_ns = end == 0 ? 0 : std::max(measured.begin_ns, end);
        if (end == 0) {
          break;  // it was not reached
        }
      }
      if (measured.end_ns < measured.begin_ns) {
        measured.end_ns = 0;  // of a run of the list before
      }
      iteration.parts.push_back(measured);
    }
    found.push_back(std::move(iteration));
  }
  std::ranges::sort(found, {}, &MeasuredIteration::number);
  return found;
}

}  // namespace gxr::cuda
