#include "measure.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gxr/kernels/patterns.hpp"

namespace gxr::bench {
namespace {

constexpr int kGroups = 7;
constexpr int kCalls = 12;  ///< of a group
constexpr std::size_t kMemory = std::size_t{2} << 30U;

template <class T>
void fill_with_noise(const DeviceMemory& memory, cudaStream_t stream) {
  constexpr std::int64_t width = 65536;
  const auto rows =
      static_cast<std::int64_t>(memory.bytes()) / (3 * width * std::int64_t{sizeof(T)});
  auto* elements = reinterpret_cast<T*>(memory.data());
  kernels::draw_noise(kernels::packed_view(elements, width, rows, 3), 1, 2, stream);
}

}  // namespace

void require_success(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", cudaGetErrorName(error), cudaGetErrorString(error));
    std::exit(1);
  }
}

DeviceMemory::DeviceMemory(std::size_t bytes) : bytes_(bytes) {
  require_success(cudaMalloc(reinterpret_cast<void**>(&data_), bytes));
}

unsigned char* Rotation::next(std::size_t bytes) {
  if (begin_ + bytes > memory_.bytes()) {
    begin_ = 0;
  }
  unsigned char* place = memory_.data() + begin_;
  begin_ += std::max((bytes + 255) / 256 * 256, std::size_t{1} << 20U);
  return place;
}

double microseconds(cudaStream_t stream, const std::function<void()>& call) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  require_success(cudaEventCreate(&begin));
  require_success(cudaEventCreate(&end));
  std::vector<double> times;
  for (int group = 0; group < kGroups + 1; ++group) {  // the first one warms up
    require_success(cudaEventRecord(begin, stream));
    for (int i = 0; i < kCalls; ++i) {
      call();
    }
    require_success(cudaEventRecord(end, stream));
    require_success(cudaEventSynchronize(end));
    float milliseconds = 0.0F;
    require_success(cudaEventElapsedTime(&milliseconds, begin, end));
    if (group > 0) {
      times.push_back(static_cast<double>(milliseconds) * 1e3 / kCalls);
    }
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

Table::Table(cudaStream_t stream)
    : stream_(stream), bytes_(kMemory), floats_(kMemory), out_(kMemory) {
  fill_with_noise<std::uint8_t>(bytes_, stream);
  fill_with_noise<float>(floats_, stream);
  fill_with_noise<float>(out_, stream);
  require_success(cudaStreamSynchronize(stream));
}

void Table::title(const std::string& text) const {
  std::printf("\n%-24s %-10s %9s %9s %9s %7s\n", text.c_str(), "elements", "us", "copy us", "GB/s",
              "share");
}

double Table::copy_time(std::size_t bytes) {
  Rotation in(bytes_);
  Rotation out(out_);
  return microseconds(stream_, [&] {
    require_success(cudaMemcpyAsync(out.next(bytes / 2), in.next(bytes / 2), bytes / 2,
                                    cudaMemcpyDeviceToDevice, stream_));
  });
}

void Table::row(const std::string& kernel, const std::string& type, std::size_t bytes, Input input,
                const std::function<void(Rotation& in, Rotation& out)>& call) {
  const double copied = copy_time(bytes);
  Rotation in(input == Input::kFloats ? floats_ : bytes_);
  Rotation out(out_);
  const double taken = microseconds(stream_, [&] { call(in, out); });
  std::printf("%-24s %-10s %9.1f %9.1f %9.0f %6.0f%%\n", kernel.c_str(), type.c_str(), taken,
              copied, static_cast<double>(bytes) / taken / 1e3, 100.0 * copied / taken);
  std::fflush(stdout);
}

}  // namespace gxr::bench
