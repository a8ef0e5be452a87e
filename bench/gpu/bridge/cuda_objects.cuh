#pragma once

// Owners of what the loop by hand needs of CUDA, without gxr.

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

namespace by_hand {

inline void check(cudaError_t error, const char* call) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string(call) + ": " + cudaGetErrorName(error) + ", " +
                             cudaGetErrorString(error));
  }
}

/// `count` numbers of device memory.
template <class T>
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t count) : bytes_(count * sizeof(T)) {
    check(cudaMalloc(&data_, bytes_), "cudaMalloc");
    clear();
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { cudaFree(data_); }

  [[nodiscard]] T* data() const noexcept { return data_; }
  /// Nothing may be running.
  void clear() const {
    check(cudaMemset(data_, 0, bytes_), "cudaMemset");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

 private:
  std::size_t bytes_;
  T* data_ = nullptr;
};

/// `count` numbers of page-locked memory that the GPU reaches, too.
template <class T>
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t count) {
    check(cudaHostAlloc(&data_, count * sizeof(T), cudaHostAllocMapped | cudaHostAllocPortable),
          "cudaHostAlloc");
    for (std::size_t i = 0; i < count; ++i) {
      new (data_ + i) T{};
    }
    check(cudaHostGetDevicePointer(&on_device_, data_, 0), "cudaHostGetDevicePointer");
  }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() { cudaFreeHost(data_); }

  [[nodiscard]] T* data() const noexcept { return data_; }
  /// The same memory as the GPU knows it.
  [[nodiscard]] T* on_device() const noexcept { return on_device_; }

 private:
  T* data_ = nullptr;
  T* on_device_ = nullptr;
};

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "stream"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }

  [[nodiscard]] cudaStream_t get() const noexcept { return stream_; }
  /// Has all that it was given ended?
  [[nodiscard]] bool is_done() const {
    const cudaError_t state = cudaStreamQuery(stream_);
    if (state == cudaErrorNotReady) {
      return false;
    }
    check(state, "cudaStreamQuery");
    return true;
  }

 private:
  cudaStream_t stream_ = nullptr;
};

/// How long what `put` puts on the stream takes on the GPU.
template <class Put>
double microseconds(const Stream& stream, const Put& put) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  check(cudaEventCreate(&begin), "cudaEventCreate");
  check(cudaEventCreate(&end), "cudaEventCreate");
  check(cudaEventRecord(begin, stream.get()), "cudaEventRecord");
  put();
  check(cudaEventRecord(end, stream.get()), "cudaEventRecord");
  check(cudaEventSynchronize(end), "cudaEventSynchronize");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
  check(cudaEventDestroy(begin), "cudaEventDestroy");
  check(cudaEventDestroy(end), "cudaEventDestroy");
  return 1e3 * static_cast<double>(milliseconds);
}

class Graph {
 public:
  Graph() { check(cudaGraphCreate(&graph_, 0), "cudaGraphCreate"); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { cudaGraphDestroy(graph_); }

  [[nodiscard]] cudaGraph_t get() const noexcept { return graph_; }

 private:
  cudaGraph_t graph_ = nullptr;
};

/// Adds a WHILE node. Returns its body.
inline cudaGraph_t add_loop(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                            cudaGraphConditionalHandle loop) {
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = loop;
  parameters.conditional.type = cudaGraphCondTypeWhile;
  parameters.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddNode(&node, graph, after.data(), nullptr, after.size(), &parameters),
        "WHILE node");
  return parameters.conditional.phGraph_out[0];
}

/// Adds a kernel; `programmatic`: with programmatic edges from kernels in front of it.
inline cudaGraphNode_t add_kernel(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                                  bool programmatic, void* function, unsigned blocks,
                                  unsigned threads, void** arguments) {
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeKernel;
  parameters.kernel.func = function;
  parameters.kernel.gridDim = dim3(blocks);
  parameters.kernel.blockDim = dim3(threads);
  parameters.kernel.kernelParams = arguments;
  cudaGraphEdgeData edge{};
  edge.from_port = cudaGraphKernelNodePortProgrammatic;
  edge.type = cudaGraphDependencyTypeProgrammatic;
  const std::vector<cudaGraphEdgeData> edges(after.size(), edge);
  cudaGraphNode_t node = nullptr;
  check(cudaGraphAddNode(&node, graph, after.data(), programmatic ? edges.data() : nullptr,
                         after.size(), &parameters),
        "kernel node");
  return node;
}

class GraphExec {
 public:
  GraphExec(const Graph& graph, const Stream& stream) {
    check(cudaGraphInstantiate(&exec_, graph.get(), 0), "cudaGraphInstantiate");
    check(cudaGraphUpload(exec_, stream.get()), "cudaGraphUpload");
    check(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize");
  }
  GraphExec(const GraphExec&) = delete;
  GraphExec& operator=(const GraphExec&) = delete;
  ~GraphExec() { cudaGraphExecDestroy(exec_); }

  void launch(const Stream& stream) const {
    check(cudaGraphLaunch(exec_, stream.get()), "cudaGraphLaunch");
  }

 private:
  cudaGraphExec_t exec_ = nullptr;
};

/// Writes to memory in the order of a stream. The driver's function is asked for at run time, so
/// that the program starts without a driver.
class StreamWrites {
 public:
  StreamWrites() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result{};
    check(cudaGetDriverEntryPointByVersion("cuStreamWriteValue64", &function, 12000,
                                           cudaEnableDefault, &result),
          "cudaGetDriverEntryPointByVersion");
    if (result != cudaDriverEntryPointSuccess) {
      throw std::runtime_error("this driver has no cuStreamWriteValue64");
    }
    write_ = reinterpret_cast<decltype(write_)>(function);
  }

  /// `to` as the GPU knows it. What the stream was given before is visible with the value.
  void write(const Stream& stream, std::uint64_t* to, std::uint64_t value) const {
    const CUresult result = write_(stream.get(), reinterpret_cast<CUdeviceptr>(to), value, 0);
    if (result != CUDA_SUCCESS) {
      throw std::runtime_error("cuStreamWriteValue64: error " + std::to_string(result));
    }
  }

 private:
  CUresult (*write_)(CUstream, CUdeviceptr, cuuint64_t, unsigned int) = nullptr;
};

}  // namespace by_hand
