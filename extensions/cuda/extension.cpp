// The types of GXF's cuda and rmm extensions, so that files that use them can be checked
// anywhere.

#include <string>
#include <string_view>

#include "branches.hpp"
#include "cuda_allocators.hpp"
#include "cuda_streams.hpp"
#include "data_ready_handler.hpp"
#include "graph_executor.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/cuda/device_ports.hpp"
#include "gxr/cuda/green_context.hpp"
#include "gxr/cuda/ipc_queues.hpp"
#include "gxr/cuda/stream_pool.hpp"
#include "gxr/gxr.hpp"

namespace {

using namespace gxr;
using namespace gxr::cuda;

template <class T>
std::string gxf_name() {
  constexpr std::string_view own = "gxr::cuda::";
  return "nvidia::gxf::" + std::string(type_name<T>().substr(own.size()));
}

template <class T, class Base>
void add(Extension& extension, TypeId id, std::string_view headline) {
  extension.add<T, Base>(headline).alias(gxf_name<T>()).id(id.hash1, id.hash2);
}

template <class T>
void add_data(Extension& extension, std::string_view headline) {
  const TypeId id = TypeIdOf<T>::value;
  extension.add_data<T>(headline).alias(gxf_name<T>()).id(id.hash1, id.hash2);
}

constexpr const char* kBranch =
    "Decided on the GPU, in every iteration, by a tensor that an operator writes, or, of an Every, "
    "by the iteration's number. It may stand in "
    "any entity and does nothing itself: the planner reads it. See docs/gpu-resident.md.";

constexpr const char* kDevicePorts =
    "Behaves as the usual queue of two stages. In a CUDA graph, where a tensor at a fixed address "
    "takes the queue's place, 'bytes' or 'tensor' say how large it is, and with 'own_pointer' the "
    "operator says where it lies. Two connected ports must agree; see docs/gpu-resident.md.";

constexpr const char* kIpcQueues =
    "Two processes of one user on one machine, with the same 'address'. Tensors in device memory "
    "are shared through CUDA and do not pass the host; all else goes through a Unix socket. "
    "Nothing is lost: a transmitter without a free slot has no room. Works without a GPU for what "
    "is not in device memory. No connections. See docs/cuda.md.";

}  // namespace

extern "C" void gxr_extension(gxr::Extension& e) {
  add_data<CudaStream>(e, "A CUDA stream that a message carries along");
  add_data<CudaEvent>(e, "Device work that somebody may wait for");
  add_data<CudaStreamId>(e, "Names the CUDA stream on which a message's data is written");
  add_data<CudaBuffer>(e, "Device memory with the stream that fills it");
  e.add_base<CudaAllocator>("Gives device memory in the order of a stream's work")
      .alias(gxf_name<CudaAllocator>())
      .id(0x04f22de65f1d11ef, 0x9c8a373b588897af);
  add<StreamOrderedAllocator, CudaAllocator>(e, {0x63d1d16813d711ef, 0x931a0be4a6378384},
                                             "Device memory from the driver's pool");
  add<RMMAllocator, CudaAllocator>(e, {0x5a8ac4c21f8311ef, 0x8859d710d3299dfa},
                                   "Device and host memory from growing pools");
  add<CudaStreamPool, Allocator>(e, {0x6733bf8bba5e4fae, 0xb596af2d1269d0e7},
                                 "Hands out CUDA streams");
  add<CudaStreamSync, gxr::Codelet>(e, {0x0d1d81426648485d, 0x97d5277eed00129c},
                                    "Waits for the CUDA streams of messages");
  add<CudaStreamSchedulingTerm, SchedulingTerm>(
      e, {0x7397a4aaa4e94b6c, 0x850664d7c18c17ae},
      "READY when the work on a message's stream is done");
  add<CudaEventSchedulingTerm, SchedulingTerm>(e, {0xc2122c2d07454260, 0xb110514c3f4e82f9},
                                               "READY when a CUDA event of a message has happened");
  add<CudaBufferAvailableSchedulingTerm, SchedulingTerm>(
      e, {0xedab61b65f7611ef, 0xba73cfbc18c46142}, "READY when a message's CUDA buffer is filled");
  e.add<CudaStreamCondition>("READY when the device work behind all messages is done")
      .alias("nvidia::holoscan::CudaStreamCondition");
  e.add<GraphExecutor>("Makes one CUDA graph of entities")
      .description(
          "It may stand in any entity and does nothing itself: the planner reads it. 'gxr plan' "
          "shows what it made of it. '--executor graph', 'resident' and 'auto' change the mode and "
          "make graphs of all other connected sets of capturable operators, too; the executors of "
          "the CPU run everything there.");
  e.add<DataReadyHandler>("The operator beside it polls for input, on the GPU")
      .description(
          "In a CUDA graph that loops, the operator of this entity, and those that feed it, run "
          "whenever the graph polls for input, and tell it when an iteration may begin. On the CPU "
          "it says nothing: there the operator ticks, and publishes when it has found something. "
          "See docs/gpu-resident.md.");
  e.add<If>("Entities of a CUDA graph run only when a tensor says so").description(kBranch);
  e.add<Switch>("One of several branch bodies of a CUDA graph runs").description(kBranch);
  e.add<While>("Entities of a CUDA graph run until a tensor says that it is enough")
      .description(kBranch);
  e.add<Every>("Entities of a CUDA graph run in every Nth iteration").description(kBranch);
  e.add<DeviceReceiver, Receiver>("The usual input queue, and what arrives in a CUDA graph")
      .description(kDevicePorts);
  e.add<DeviceTransmitter, Transmitter>("The usual output queue, and what leaves in a CUDA graph")
      .description(kDevicePorts);
  e.add<IpcTransmitter, Transmitter>("An output queue to another process").description(kIpcQueues);
  e.add<IpcReceiver, Receiver>("An input queue from another process").description(kIpcQueues);
  e.add<CudaGreenContextPool>("Splits the SMs of a GPU into partitions");
  e.add<gxf::CudaGreenContextPool, CudaGreenContextPool>(
       "Splits the SMs of a GPU into partitions, with GXF's parameters")
      .alias(gxf_name<CudaGreenContextPool>())
      .id(0xaf9238be537211f0, 0x9fe20242ac120002);
  add<CudaGreenContext, Component>(e, {0xfa6d5b7922eb46c7, 0xb84a353bf778ddef},
                                   "One partition of a CudaGreenContextPool");
}
