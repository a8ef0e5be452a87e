// host_driven FILE [COUNT]: writes COUNT inputs into a loop on the GPU, one after the other, reads
// each result, and checks it. Ends with 1 when one is wrong, or the loop does not run.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "gxr/application.hpp"

namespace {

using namespace std::chrono_literals;

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    throw std::runtime_error(cudaGetErrorString(error));
  }
}

/// The memory of a port, and a stream for copies.
class Loop {
 public:
  explicit Loop(gxr::ResidentGraph graph)
      : graph_(std::move(graph)), in_(graph_.input("add/in")), out_(graph_.output("scale/out")) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() { cudaStreamDestroy(stream_); }

  [[nodiscard]] std::size_t size() const { return in_.spec.bytes() / sizeof(std::int32_t); }

  /// One iteration: data in, result out.
  void work(const std::vector<std::int32_t>& data, std::vector<std::int32_t>& result) {
    copy(in_.address, data.data(), in_.spec.bytes());
    graph_.data_ready();
    while (!graph_.result_ready()) {
    }
    copy(result.data(), out_.address, out_.spec.bytes());
  }

 private:
  void copy(void* to, const void* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_));
    check(cudaStreamSynchronize(stream_));
  }

  gxr::ResidentGraph graph_;
  gxr::GraphPort in_;
  gxr::GraphPort out_;
  cudaStream_t stream_ = nullptr;
};

/// How many results are right.
int drive(Loop& loop, int count) {
  std::vector<std::int32_t> data(loop.size());
  std::vector<std::int32_t> result(loop.size());
  int right = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < data.size(); ++k) {
      data[k] = i + static_cast<std::int32_t>(k);
    }
    loop.work(data, result);
    bool is_right = true;
    for (std::size_t k = 0; k < data.size(); ++k) {
      is_right = is_right && result[k] == (data[k] + 5) * 3;
    }
    right += is_right ? 1 : 0;
  }
  return right;
}

int run(const std::string& file, int count) {
  gxr::Application app;
  app.load(file);
  app.run_async();
  gxr::ResidentGraph graph = app.resident_graph("loop");
  if (!graph.wait_until_launched(30s)) {
    app.interrupt();
    const gxr::Report report = app.wait();
    std::fprintf(stderr, "the loop was not launched: %s\n",
                 report.failures.empty() ? "" : report.failures.front().text.c_str());
    return 1;
  }
  int right = 0;
  {
    Loop loop(graph);
    right = drive(loop, count);
  }
  graph.begin_tear_down();
  while (graph.is_launched()) {
  }
  app.interrupt();
  static_cast<void>(app.wait());
  std::printf("%d of %d results are right\n", right, count);
  return right == count ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs("host_driven FILE [COUNT]\n", stderr);
    return 2;
  }
  try {
    return run(argv[1], argc > 2 ? std::atoi(argv[2]) : 100'000);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
