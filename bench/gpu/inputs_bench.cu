// Large inputs of a graph that the host launches, by hand: what a copy from page-locked memory and
// what the work takes, each alone, and both together, with two staging buffers, a copy stream and a
// copy within the device between. What resident.py's rows "launched by the host, messages of …" do
// as an application.
//
//   inputs_bench [--bytes 4194304] [--kernels 1,16,32] [--scale 1.0]
//
// One JSON object per line: measure "copy", and for each number of kernels "work" and "overlapped",
// with the mean of an iteration in microseconds. Ends with 1 when a result is wrong.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bridge/cuda_objects.cuh"
#include "bridge/latency.hpp"
#include "bridge/marks.hpp"
#include "bridge/options.hpp"
#include "tiny/kernels.cuh"

namespace {

using by_hand::check;

constexpr std::size_t kStaging = 2;   // as `slots` of a graph
constexpr std::size_t kInFlight = 4;  // messages of the application
constexpr std::int32_t kWarmUp = 64;

struct Options {
  std::int64_t bytes = 4'194'304;
  std::vector<std::int64_t> kernels = {1, 16, 32};
  double scale = 1.0;
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(bytes) / 4; }
  [[nodiscard]] std::int32_t times() const {
    return std::max(kWarmUp, static_cast<std::int32_t>(3000 * scale));
  }
};

class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreate"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }

  void record(const by_hand::Stream& stream) const {
    check(cudaEventRecord(event_, stream.get()), "cudaEventRecord");
  }
  /// One that was never recorded is not waited for.
  void hold_back(const by_hand::Stream& stream) const {
    check(cudaStreamWaitEvent(stream.get(), event_, 0), "cudaStreamWaitEvent");
  }
  void wait() const { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// An input, as many kernels as asked for, and the marks of the result.
class Work {
 public:
  Work(std::size_t count, std::int64_t kernels)
      : input_(count), result_(count), marks_(bridge::kMarks) {
    const by_hand::Graph graph;
    check(cudaStreamBeginCaptureToGraph(stream_.get(), graph.get(), nullptr, nullptr, 0,
                                        cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCaptureToGraph");
    const auto elements = static_cast<std::int64_t>(count);
    const std::int32_t* from = input_.data();
    for (std::int64_t i = 0; i < kernels; ++i) {
      tiny::increment<false><<<tiny::blocks_for(elements), tiny::kThreads, 0, stream_.get()>>>(
          from, result_.data(), elements);
      from = result_.data();
    }
    tiny::marks<false><<<1, bridge::kMarks, 0, stream_.get()>>>(from, marks_.data(), elements);
    cudaGraph_t captured = nullptr;
    check(cudaStreamEndCapture(stream_.get(), &captured), "cudaStreamEndCapture");
    exec_ = std::make_unique<by_hand::GraphExec>(graph, stream_);
  }
  [[nodiscard]] const by_hand::Stream& stream() const { return stream_; }
  [[nodiscard]] std::int32_t* input() const { return input_.data(); }
  [[nodiscard]] const std::int32_t* marks() const { return marks_.data(); }
  void launch() const { exec_->launch(stream_); }

 private:
  by_hand::Stream stream_;
  by_hand::DeviceMemory<std::int32_t> input_;
  by_hand::DeviceMemory<std::int32_t> result_;
  by_hand::DeviceMemory<std::int32_t> marks_;
  std::unique_ptr<by_hand::GraphExec> exec_;
};

/// Mean of `times` calls behind some that do not count, in microseconds; `stream` has their end.
double mean_us(std::int32_t times, const by_hand::Stream& stream,
               const std::function<void(std::int32_t)>& iteration) {
  std::int64_t begin = 0;
  for (std::int32_t i = 0; i < kWarmUp + times; ++i) {
    if (i == kWarmUp) {
      check(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize");
      begin = bridge::now_ns();
    }
    iteration(i);
  }
  check(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize");
  return static_cast<double>(bridge::now_ns() - begin) * 1e-3 / times;
}

void copy(const by_hand::Stream& stream, void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream.get()), "cudaMemcpyAsync");
}

double copies(const Options& options) {
  const by_hand::Stream stream;
  const by_hand::PinnedMemory<std::int32_t> from(options.count() * kInFlight);
  const by_hand::DeviceMemory<std::int32_t> to(options.count() * kStaging);
  return mean_us(options.times(), stream, [&](std::int32_t i) {
    const auto number = static_cast<std::size_t>(i);
    copy(stream, to.data() + number % kStaging * options.count(),
         from.data() + number % kInFlight * options.count(), options.count() * 4);
  });
}

double work_alone(const Options& options, std::int64_t kernels) {
  const Work work(options.count(), kernels);
  return mean_us(options.times(), work.stream(), [&](std::int32_t) { work.launch(); });
}

/// Throws std::runtime_error when a result is wrong.
class Overlapped {
 public:
  Overlapped(const Options& options, std::int64_t kernels)
      : count_(options.count()),
        kernels_(static_cast<std::int32_t>(kernels)),
        work_(count_, kernels),
        messages_(count_ * kInFlight),
        staging_(count_ * kStaging),
        results_(bridge::kMarks * kInFlight) {}

  double measure(std::int32_t times) {
    const double mean = mean_us(times, work_.stream(), [&](std::int32_t i) { send(i); });
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(kInFlight); ++i) {
      take(kWarmUp + times - static_cast<std::int32_t>(kInFlight) + i);
    }
    return mean;
  }

 private:
  void send(std::int32_t i) {
    const auto number = static_cast<std::size_t>(i);
    if (number >= kInFlight) {
      take(i - static_cast<std::int32_t>(kInFlight));
    }
    std::int32_t* const message = messages_.data() + number % kInFlight * count_;
    std::int32_t* const staging = staging_.data() + number % kStaging * count_;
    bridge::write_marks(message, count_, i);
    moved_[number % kStaging].hold_back(copies_);
    copy(copies_, staging, message, count_ * 4);
    copied_[number % kStaging].record(copies_);
    copied_[number % kStaging].hold_back(work_.stream());
    copy(work_.stream(), work_.input(), staging, count_ * 4);
    moved_[number % kStaging].record(work_.stream());
    work_.launch();
    copy(work_.stream(), result(i), work_.marks(), bridge::kMarks * 4);
    done_[number % kInFlight].record(work_.stream());
  }
  void take(std::int32_t i) {
    done_[static_cast<std::size_t>(i) % kInFlight].wait();
    if (!bridge::has_marks(result(i), bridge::kMarks, i + kernels_)) {
      throw std::runtime_error("message " + std::to_string(i) + " came back wrong");
    }
  }
  [[nodiscard]] std::int32_t* result(std::int32_t i) const {
    return results_.data() + static_cast<std::size_t>(i) % kInFlight * bridge::kMarks;
  }

  std::size_t count_;
  std::int32_t kernels_;
  Work work_;
  by_hand::Stream copies_;
  by_hand::PinnedMemory<std::int32_t> messages_;
  by_hand::DeviceMemory<std::int32_t> staging_;
  by_hand::PinnedMemory<std::int32_t> results_;
  std::array<Event, kStaging> copied_;
  std::array<Event, kStaging> moved_;
  std::array<Event, kInFlight> done_;
};

/// One line; false when it failed.
bool print(const char* measure, const Options& options, std::int64_t kernels,
           const std::function<double()>& mean) {
  std::printf("{\"bench\": \"inputs\", \"measure\": \"%s\", \"bytes\": %lld, \"kernels\": %lld, ",
              measure, static_cast<long long>(options.bytes), static_cast<long long>(kernels));
  bool ok = true;
  try {
    const double us = mean();
    std::printf("\"ok\": true, \"mean_us\": %.3f}\n", us);
  } catch (const std::exception& error) {
    ok = false;
    std::printf("\"ok\": false, \"error\": \"%s\"}\n", error.what());
  }
  std::fflush(stdout);
  return ok;
}

Options parse(int argc, char** argv) {
  Options options;
  by_hand::read_options(argc, argv, [&](const std::string& key, const std::string& value) {
    if (key == "--bytes") {
      options.bytes = std::stoll(value);
    } else if (key == "--kernels") {
      options.kernels = by_hand::numbers(value);
    } else if (key == "--scale") {
      options.scale = std::stod(value);
    } else {
      return false;
    }
    return true;
  });
  if (options.bytes < 64 || options.bytes % 4 != 0) {
    throw std::invalid_argument("bytes is a multiple of 4 from 64");
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse(argc, argv);
    bool ok = print("copy", options, 0, [&] { return copies(options); });
    for (const std::int64_t kernels : options.kernels) {
      ok = print("work", options, kernels, [&] { return work_alone(options, kernels); }) && ok;
      ok = print("overlapped", options, kernels,
                 [&] { return Overlapped(options, kernels).measure(options.times()); }) &&
           ok;
    }
    return ok ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "inputs_bench: %s\n", error.what());
    return 1;
  }
}
