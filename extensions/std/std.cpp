// The types that every application needs, under this project's names and GXF's, with GXF's ids.

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>

#include "broadcast.hpp"
#include "forward.hpp"
#include "gate.hpp"
#include "gather.hpp"
#include "gxr/gxr.hpp"
#include "gxr/topics.hpp"
#include "job_statistics.hpp"
#include "placement.hpp"
#include "subgraph.hpp"
#include "synchronization.hpp"
#include "tensor_copier.hpp"
#include "timed_throttler.hpp"

namespace {

using namespace gxr;

/// "nvidia::gxf::Codelet" for gxr::Codelet.
template <class T>
std::string gxf_name() {
  constexpr std::string_view own = "gxr::";
  return "nvidia::gxf::" + std::string(type_name<T>().substr(own.size()));
}

template <class T, class Base = void>
void add(Extension& extension, TypeId id, std::string_view headline) {
  extension.add<T, Base>(headline).alias(gxf_name<T>()).id(id.hash1, id.hash2);
}

template <class T>
void add_base(Extension& extension, TypeId id, std::string_view headline) {
  extension.add_base<T>(headline).alias(gxf_name<T>()).id(id.hash1, id.hash2);
}

void add_bases(Extension& e) {
  e.add_base<Component>("Anything that stands under `components:`").alias(gxf_name<Component>());
  add_base<Codelet>(e, {0x5c6166fa6eed41e7, 0xbbf0bd48cd6e1014}, "A component that does work");
  add_base<Queue>(e, {0x792151bf31384603, 0xa9125ca91828dea8}, "A place where messages wait");
  add_base<Receiver>(e, {0xa47d2f62245f40fc, 0x90b75dc78ff2437e}, "Input queue of an entity");
  add_base<Transmitter>(e, {0xc30cc60f0db2409d, 0x92b6b2db92e02cce}, "Output queue of an entity");
  add_base<SchedulingTerm>(e, {0x184d8e4e086c475a, 0x903a69d723f95d19},
                           "Decides when the codelets of its entity may tick");
  add_base<SchedulingTermCombiner>(e, {0x4c3f39b042ed11ef, 0xa7d5dbe22043a6f1},
                                   "Combines several scheduling terms of its entity");
  add_base<Controller>(e, {0xc8e804753c7943a4, 0x9083eaf294b0600d},
                       "Decides after every tick how its entity goes on");
  add_base<Monitor>(e, {0x9ccf9421b35b8c79, 0xe1f097dc23bd38ea},
                    "Watches the executions of all entities");
  e.add_base<TopicBrowser>("Finds topics for `gxr list topics` and `gxr echo`");
  add_base<Clock>(e, {0x779e61c2ae70441d, 0xa26c8ca64b39f8e7}, "Time as an application sees it");
  add_base<Allocator>(e, {0x3cdd82d023264867, 0x8de2d565dbe28e03}, "Gives memory to tensors");
  add_base<ResourceBase>(e, {0x76b9234d5eac4c65, 0xb1a10306d3f354e5},
                         "Something of the machine that an entity group shares");
  add_base<IPCServer>(e, {0x00e6f23d0bf64c1c, 0xada5630c711d3be1},
                      "Answers questions about a running application from outside");
  add_base<IPCClient>(e, {0x6f3cf830762849a6, 0xb925f94171b019da},
                      "Asks the IPCServer of another application");
  add_base<NetworkContext>(e, {0xd589ce20f3a74fc0, 0xaa4ed6f40f6c0eeb},
                           "Carries messages between applications");
  add_base<System>(e, {0xd1febca180df454e, 0xa3f2715f2b3c6e69},
                   "Part of the machinery that runs an application");
  add_base<Scheduler>(e, {0xf0103b75d2e14d70, 0x9b133fe5b40209be},
                      "Says how the entities of an application are run");
}

void add_queues(Extension& e) {
  add<DoubleBufferReceiver>(e, {0xee45883dbf844f99, 0x84197c5e9deac6a5},
                            "The usual input queue: messages become visible between two ticks");
  add<DoubleBufferTransmitter>(e, {0x0c3c0ec777f14389, 0xaef16bae85bddc13},
                               "The usual output queue: messages leave when the tick has ended");
  add<AsyncBufferReceiver>(e, {0xf518ff98c3604223, 0xb93f5d485d7eb17c},
                           "A mailbox: gives its newest message again and again");
  add<AsyncBufferTransmitter>(e, {0x784f5837ffc94605, 0x86ffc448875673e4},
                              "Output queue of which the newest message leaves");
  add<Connection>(e, {0xcc71afae5ede47e9, 0xb26760a5c750a89a}, "Joins a transmitter to a receiver");
  add<Topic>(e, {0x705294948bca49ef, 0x51bf44b08ecf460b},
             "Joins transmitters to receivers by a name");
}

void add_topics(Extension& e) {
  e.add<PubSubContext, NetworkContext>("Carries the messages of topics")
      .alias(gxf_name<PubSubContext>());
  e.add<InMemoryPubSubContext, PubSubContext>("Carries the messages of topics within one process")
      .alias(gxf_name<InMemoryPubSubContext>());
  e.add<PubSubTransmitter>("An output queue whose messages go to a topic")
      .alias(gxf_name<PubSubTransmitter>());
  e.add<PubSubReceiver>("An input queue for the messages of a topic")
      .alias(gxf_name<PubSubReceiver>());
}

void add_terms(Extension& e) {
  add<MessageAvailableSchedulingTerm>(e, {0xfe799e65f78b48eb, 0xbeb6e73083a12d5b},
                                      "Waits for messages on a receiver");
  add<DownstreamReceptiveSchedulingTerm>(
      e, {0x9de751198d0f4819, 0x9a712aeaefd23f71},
      "Waits until every receiver behind a transmitter has room");
  add<CountSchedulingTerm>(e, {0xf89da2e4fddf4aa2, 0x9a801119ba3fde05},
                           "Ends its entity after a number of ticks");
  add<PeriodicSchedulingTerm>(e, {0xd392c98a9b0849b4, 0xa422d5fe6cd72e3e},
                              "Lets its entity tick once per period");
  add<BooleanSchedulingTerm>(e, {0xe07a0dc439084df8, 0x81347ce38e60fbef},
                             "Switches its entity on and off");
  add<TargetTimeSchedulingTerm>(e, {0xe4aaf5c32b104c9a, 0xc463ebf6084149bf},
                                "Lets its entity tick at times that a component sets");
  add<MultiMessageAvailableSchedulingTerm>(e, {0xf15dbeaaafd647a6, 0x9ffc7afd7e1b4c52},
                                           "Waits for messages on several receivers");
  add<ExpiringMessageAvailableSchedulingTerm>(
      e, {0xeb22280c76ff11eb, 0xb341cf6b417c95c9},
      "Waits for a batch of messages, but not longer than a time");
  add<MessageAvailableFrequencyThrottler>(
      e, {0x5ae1d56ca19611ed, 0x8759ef34a33d45a6},
      "Waits for messages on several receivers, but not longer than a period");
  add<AsynchronousSchedulingTerm>(e, {0x56be1662ff634179, 0x92003fcd8dc38673},
                                  "Waits for an event from outside the application");
  add<BTSchedulingTerm>(e, {0x0161ca512fed4a8c, 0x8f2467cf1b5e330a},
                        "Starts and stops a node of a behaviour tree");
  add<MemoryAvailableSchedulingTerm>(e, {0xf976d23a822074e2, 0xa5d904ed71b2454a},
                                     "Waits until an allocator has free memory");
  add<OrSchedulingTermCombiner>(e, {0xdf28988e42ed11ef, 0xa09acbbf54a5a986},
                                "Lets one of several terms be enough");
}

void add_clocks_and_schedulers(Extension& e) {
  add<RealtimeClock>(e, {0x7b170b7bcf1a4f3f, 0x997cbfea25342381},
                     "Follows real time, at a speed of choice");
  add<ManualClock>(e, {0x52fa1f97eba8472a, 0xa8ca4cff1a2c440f},
                   "Jumps from one waiting time to the next: no run takes real time, all repeat "
                   "exactly");
  add<SyntheticClock>(e, {0x9a2bfd7b2d8479b4, 0xbc71f47eb53f28c8},
                      "Stands still until somebody sets the time");
  add<GreedyScheduler>(e, {0x869d30caa4434619, 0xb9887a52e657f39b},
                       "One thread; entities tick in the order of the file");
  add<MultiThreadScheduler>(e, {0xde5e06467fa511eb, 0xa5c4330ebfa81bbf}, "Several worker threads");
  add<EventBasedScheduler>(e, {0x99bef5a848bc11ee, 0xbe560242ac120002},
                           "Several worker threads, told of every change by events");
  add<EpochScheduler>(e, {0x3d175ab42e0d11ec, 0x8d3d0242ac130003},
                      "Ticks on the thread of the embedding program, in the time that it gives");
}

void add_allocators(Extension& e) {
  add<UnboundedAllocator>(e, {0xc3951b16a01c539f, 0xd87e1dc18d911ea0},
                          "Takes memory from the system at every request");
  add<BlockMemoryPool>(e, {0x92b627a35dd34c3c, 0x976c4700e8a3b96a},
                       "A fixed number of blocks of a fixed size, allocated once");
}

void add_resources(Extension& e) {
  add<ThreadPool, ResourceBase>(e, {0x4025b68b206b4b3d, 0xa088f4805fdf8703},
                                "Threads for pinned entities of its group");
  add<GPUDevice, ResourceBase>(e, {0x2036939fa32a43ee, 0x83f8826576d8f170},
                               "The GPU that its group uses");
  add<CPUThread>(e, {0x34f46728496d4d8b, 0xb9c9c5a54de5d3a0},
                 "Gives its entity a thread of its own");
}

void add_observers(Extension& e) {
  add<JobStatistics, Monitor>(e, {0x2093b91a7c8211eb, 0xa92b3f1304ecc959},
                              "Counts and times the executions of all entities");
  add<Metric>(e, {0xf7cef8035beb46f1, 0x186a05d3919842ac},
              "One number about the application, with bounds");
}

void add_codelets(Extension& e) {
  add<Forward>(e, {0x97cee5438fb54541, 0x8ff7589318187ec0}, "Passes messages on, one per tick");
  add<Broadcast>(e, {0x3daadb310bca47e5, 0x9924342b9984a014},
                 "Gives each message to all transmitters of its entity, or to each in turn");
  e.add<Gate>("Passes messages on while something happens, and some time before and after it");
  add<Gather>(e, {0x85f64c8482364035, 0x9b9a3843a6a2026f},
              "Brings the messages of several receivers onto one transmitter");
  add<TensorCopier>(e, {0xc07680f475b3189b, 0x88864b5e448e7bb6},
                    "Brings the tensors of messages into another kind of memory");
  add<TimedThrottler>(e, {0xccf7729cf62c4250, 0x5cf7f4f3ec80454b},
                      "Passes each message on at the time of its Timestamp");
  add<Vault>(e, {0x1108cb8d85e44303, 0xba02d27406ee9e65},
             "Keeps messages for threads outside the application");
  add<Synchronization>(e, {0xf1cb80d6e5ec4dba, 0x9f9eb06b0def4443},
                       "Passes messages of several receivers on when their times match");
}

/// A number, under the name that GXF gives it.
template <class T>
void add_number(Extension& e) {
  e.add_data<T>("A number in a message");
}

void add_structure(Extension& e) {
  add<Subgraph>(e, {0x576eedd77c3f4d2f, 0x8c388baa79a3d231},
                "Includes the entities of other files, with a prefix to their names");
  e.add<mpi::Placement>("Says which of several processes runs which entity");
}

void add_data(Extension& e) {
  e.add_data<Tensor>("An n-dimensional array").alias(gxf_name<Tensor>());
  e.add_data<Shape>("Extent of a tensor").alias(gxf_name<Shape>());
  e.add_data<Timestamp>("When a message was published and its data acquired")
      .alias(gxf_name<Timestamp>());
  e.add_data<MultiSourceTimestamp>("One moment as several clocks see it")
      .alias(gxf_name<MultiSourceTimestamp>());
  e.add_data<EndOfStream>("Says that a stream has ended").alias(gxf_name<EndOfStream>());
  add_number<std::int8_t>(e);
  add_number<std::uint8_t>(e);
  add_number<std::int16_t>(e);
  add_number<std::uint16_t>(e);
  add_number<std::int32_t>(e);
  add_number<std::uint32_t>(e);
  add_number<std::int64_t>(e);
  add_number<std::uint64_t>(e);
  add_number<float>(e);
  add_number<double>(e);
  add_number<bool>(e);
  e.add_data<std::complex<float>>("A number in a message").alias(gxf_name<std::complex<float>>());
  e.add_data<std::complex<double>>("A number in a message").alias(gxf_name<std::complex<double>>());
}

}  // namespace

extern "C" void gxr_extension(gxr::Extension& extension) {
  add_bases(extension);
  add_queues(extension);
  add_topics(extension);
  add_terms(extension);
  add_clocks_and_schedulers(extension);
  add_allocators(extension);
  add_resources(extension);
  add_observers(extension);
  add_codelets(extension);
  add_structure(extension);
  add_data(extension);
}
