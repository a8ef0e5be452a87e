// Packets: rings in memory that GPUs reach, and what fills and empties them.

#include "gxr/cuda/packet_ring.hpp"
#include "gxr/gxr.hpp"
#include "packets/device_ring.hpp"
#include "packets/ring_receiver.hpp"
#include "packets/ring_sender.hpp"
#include "packets/ring_term.hpp"
#include "packets/ring_to_udp.hpp"
#include "packets/shared_ring.hpp"
#include "packets/udp_to_ring.hpp"

namespace {

constexpr const char* kSharedRing =
    "Threads and operators of this application fill and read it, or, with 'name', other processes. "
    "include/gxr/cuda/ring.hpp says how the memory is laid out. A frame that finds no room is "
    "counted and discarded; none is overwritten. See docs/packets.md.";
constexpr const char* kDeviceRing =
    "For a kernel or a network card that writes to the memory of the GPU by itself; the CPU cannot "
    "read it, and does not fill it. See docs/packets.md.";
constexpr const char* kReceiver =
    "All frames have the same length: a header, then the elements of 'tensor'. Lost, late and "
    "repeated frames are known by their numbers, and counted. On the CPU a "
    "gxr::cuda::RingSchedulingTerm beside it waits for frames. In a CUDA graph it needs a "
    "gxr::cuda::DataReadyHandler beside it, and polls on the GPU. See docs/packets.md.";
constexpr const char* kSender =
    "A frame is a header with a number, from 0, and the elements of the tensor, in rows. Runs on "
    "the CPU, and in CUDA graphs. See docs/packets.md.";
constexpr const char* kTerm =
    "Beside a gxr::cuda::RingReceiver that is part of a CUDA graph it has no effect: the graph "
    "polls. The entity has finished when the writer has ended and no frame is left.";

}  // namespace

extern "C" void gxr_extension(gxr::Extension& extension) {
  using namespace gxr::cuda;
  extension.add_base<PacketRing>("A ring of packets that one writer fills and one reader takes");
  extension.add<SharedRing, PacketRing>("A ring of packets in memory of the host")
      .description(kSharedRing);
  extension.add<DeviceRing, PacketRing>("A ring of packets in the memory of a GPU")
      .description(kDeviceRing);
  extension.add<RingReceiver>("Publishes the frames of a ring as tensors").description(kReceiver);
  extension.add<RingSender>("Writes tensors as frames to a ring").description(kSender);
  extension.add<RingSchedulingTerm>("READY when a ring has a frame, or room for one")
      .description(kTerm);
  extension.add<UdpToRing>("Fills a ring with the datagrams that a UDP socket receives");
  extension.add<RingToUdp>("Sends the frames of a ring as datagrams of UDP");
}
