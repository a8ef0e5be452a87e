#include <array>

#include "document/diagnostic_table.hpp"

namespace gxr {

namespace {

constexpr std::array kRegionTable = {
    DiagnosticInfo{
        DiagnosticCode::NothingToCapture, "nothing-to-capture", kWarning, false,
        "there is nothing for the CUDA graphs that were asked for",
        R"(With '--executor graph' or 'resident' every entity that can be part of a CUDA graph becomes one.
None of this application can: its codelets are not capturable, or something keeps each of them out.
'gxr plan' with the same option says what. The CPU runs all of them, as without the option.

wrong:
    gxr run --executor resident extensions/hello/hello.yaml

right:
    gxr run apps/develop/develop.yaml)"},
    DiagnosticInfo{
        DiagnosticCode::NotCapturable, "not-capturable", kError, false,
        "an entity of a CUDA graph cannot be captured",
        R"(A CUDA graph is made of operators that write their work down once, before anything runs: codelets
that have infer() and capture() besides tick(). 'gxr describe TYPE' says whether a type is capturable.
Forward and Broadcast to all may be named, too: connections take their place.

wrong:
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [demosaic, writer]}     # writer writes files

right:
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [demosaic]})"},
    DiagnosticInfo{
        DiagnosticCode::RegionEntityNotFound, "region-entity-not-found", kError, false,
        "an executor or a branch names an entity that does not exist",
        R"(Each name under 'entities', and in the bodies of a branch, is that of an entity, or of a subgraph, which
means all its entities.

wrong:
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [demosiac]}

right:
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [demosaic]})"},
    DiagnosticInfo{
        DiagnosticCode::EntityInTwoRegions, "entity-in-two-regions", kError, false,
        "two executors name the same entity",
        R"(An entity is run by one executor. If two graphs need the same work, give each an entity for it.

wrong:
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [demosaic, balance]}
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [balance, tone]}

right:
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [demosaic, balance]}
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [tone]})"},
    DiagnosticInfo{
        DiagnosticCode::RegionSeveralCodelets, "region-several-codelets", kError, false,
        "an entity of a CUDA graph has several codelets",
        R"(The codelets of an entity tick one after the other, and in a graph nothing says which of them gets
what. Give each an entity of its own.

wrong:
    name: develop
    components:
    - {type: gxr::image::DemosaicBilinear, parameters: {in: in, out: half}}
    - {type: gxr::image::WhiteBalance, parameters: {in: half_in, out: out}}

right:
    name: demosaic
    components:
    - {type: gxr::image::DemosaicBilinear, parameters: {in: in, out: out}}
    ---
    name: balance
    components:
    - {type: gxr::image::WhiteBalance, parameters: {in: in, out: out}})"},
    DiagnosticInfo{
        DiagnosticCode::RegionDeviceCpu, "region-device-cpu", kError, false,
        "an operator of a CUDA graph is to work on the CPU",
        R"(The file, or --device, says that this operator works on the CPU, and an executor says that it is a
part of a CUDA graph. Drop one of the two.

wrong:
    - type: gxr::image::Resize
      parameters: {in: in, out: out, device: cpu}

right:
    - type: gxr::image::Resize
      parameters: {in: in, out: out, device: auto})"},
    DiagnosticInfo{
        DiagnosticCode::RegionTerm, "region-term", kError, false,
        "an entity of a CUDA graph has a term that no graph can wait for",
        R"(Within a graph an operator runs when those in front of it are done. That is what
MessageAvailableSchedulingTerm and DownstreamReceptiveSchedulingTerm say, so these may stay. A time, a
switch or another event cannot be waited for there. Put an entity with such a term in front of the graph.

wrong:
    name: resize                     # named by a GraphExecutor
    components:
    - type: gxr::PeriodicSchedulingTerm
      parameters: {recess_period: 30Hz}

right:
    name: camera                     # feeds the graph
    components:
    - type: gxr::PeriodicSchedulingTerm
      parameters: {recess_period: 30Hz})"},
    DiagnosticInfo{
        DiagnosticCode::RegionMinSize, "region-min-size", kError, false,
        "an entity of a CUDA graph waits for several messages",
        R"(An iteration of a graph takes one message of each input and makes one of each output.

wrong:
    - type: gxr::MessageAvailableSchedulingTerm
      parameters: {receiver: in, min_size: 2}

right:
    - type: gxr::MessageAvailableSchedulingTerm
      parameters: {receiver: in, min_size: 1})"},
    DiagnosticInfo{
        DiagnosticCode::RegionPolicy, "region-policy", kError, false,
        "a receiver inside of a CUDA graph may lose messages",
        R"(Between two operators of a graph there is one buffer, which is written and read in every iteration, so
nothing is ever in excess and nothing dropped. A receiver that is fed from outside of the graph keeps its
policy.

wrong:
    - name: in
      type: gxr::DoubleBufferReceiver
      parameters: {policy: 0}

right:
    - name: in
      type: gxr::DoubleBufferReceiver)"},
    DiagnosticInfo{
        DiagnosticCode::RegionSeveralTransmitters, "region-several-transmitters", kError, false,
        "several transmitters send to a receiver of a CUDA graph",
        R"(In an iteration each of them would write the same buffer. Give the operator a receiver for each, or
merge the messages in front of the graph.

wrong:
    - {type: gxr::Connection, parameters: {source: left/out, target: blend/in}}
    - {type: gxr::Connection, parameters: {source: right/out, target: blend/in}}

right:
    - {type: gxr::Connection, parameters: {source: left/out, target: blend/first}}
    - {type: gxr::Connection, parameters: {source: right/out, target: blend/second}})"},
    DiagnosticInfo{
        DiagnosticCode::RegionCycle, "region-cycle", kError, false,
        "entities of a CUDA graph are connected in a circle",
        R"(The graph of an iteration has a beginning and an end. A value that one iteration leaves for the next belongs
into the memory of an operator, or goes round through an entity of the CPU.

wrong:
    # both in one graph
    - {type: gxr::Connection, parameters: {source: mix/out, target: blur/in}}
    - {type: gxr::Connection, parameters: {source: blur/out, target: mix/last}}

right:
    - {type: gxr::Connection, parameters: {source: mix/out, target: blur/in}})"},
    DiagnosticInfo{
        DiagnosticCode::RegionWaitsForItself, "region-waits-for-itself", kError, false,
        "a CUDA graph waits for its own result",
        R"(A path leads out of the graph, through entities that are not in it, and back: an iteration would need its
own output as input. The message shows the path. Put the entities on it into the graph as well, or make two graphs, one in front of them and
one behind.

wrong:
    # resize -> check (on the CPU) -> blend
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [resize, blend]}

right:
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [resize]}
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [blend]})"},
    DiagnosticInfo{
        DiagnosticCode::RegionUnconnectedInput, "region-unconnected-input", kError, false,
        "nothing is connected to an input of a CUDA graph",
        R"(Every receiver of an operator has a buffer at a fixed address, so somebody must write it.
With `host_driven: true` the program that drives the graph may (gxr::ResidentGraph::input()); then `inputs` of
the executor must say what the buffer holds.

wrong:
    # blend/second is not connected
    - {type: gxr::Connection, parameters: {source: left/out, target: blend/first}}

right:
    - {type: gxr::Connection, parameters: {source: left/out, target: blend/first}}
    - {type: gxr::Connection, parameters: {source: right/out, target: blend/second}})"},
    DiagnosticInfo{
        DiagnosticCode::RegionCount, "region-count", kError, false,
        "a CountSchedulingTerm stands in the middle of a CUDA graph",
        R"(All operators of a graph run equally often, so only the first ones can say how often that is.

wrong:
    name: resize                     # behind demosaic
    components:
    - {type: gxr::CountSchedulingTerm, parameters: {count: 10}}

right:
    name: demosaic                   # the first one
    components:
    - {type: gxr::CountSchedulingTerm, parameters: {count: 10}})"},
    DiagnosticInfo{
        DiagnosticCode::RegionEmpty, "region-empty", kError, false,
        "an executor has nothing to run",
        R"(None of the entities that are left for this GraphExecutor is a capturable operator. Name some under
'entities', or take the executor out. 'gxr plan --executor auto' says of each entity why it cannot be in
a graph.

wrong:
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: []}

right:
    - type: gxr::cuda::GraphExecutor
      parameters: {entities: [demosaic]})"},
    DiagnosticInfo{
        DiagnosticCode::RegionInput, "region-input", kError, false,
        "an executor names an input that does not exist",
        R"(The keys of 'inputs', and 'timestamp_from', name receivers that are fed from outside of the graph. A
value of 'inputs' is the tensor that arrives there.

wrong:
    inputs: {resize/out: {shape: [1080, 1920], dtype: uint16}}

right:
    inputs: {resize/in: {shape: [1080, 1920], dtype: uint16}})"},
    DiagnosticInfo{
        DiagnosticCode::RegionShape, "region-shape", kError, false,
        "an operator cannot take its inputs",
        R"(Before anything runs, each operator of a CUDA graph is told what its inputs are, and says what its
outputs will be. This one refused, or left an output out. The message gives its reason.

wrong:
    inputs: {demosaic/in: {shape: [1080, 1920, 3], dtype: uint16}}     # is not a raw picture

right:
    inputs: {demosaic/in: {shape: [1080, 1920], dtype: uint16}})"},
    DiagnosticInfo{
        DiagnosticCode::RegionGreenContext, "region-green-context", kError, false,
        "a CUDA graph is to run on SMs of another GPU",
        R"(A green context is a part of the SMs of one GPU: the one that its CudaGreenContextPool names with
'dev_id', else that of the GPUDevice of the pool's entity, else GPU 0. The graph runs on the GPU that
'device' of its GraphExecutor says, which must be the same.

wrong:
    - {name: pool, type: gxr::cuda::CudaGreenContextPool, parameters: {dev_id: 1, sms_per_partition: [16]}}
    - {name: part, type: gxr::cuda::CudaGreenContext, parameters: {cuda_green_context_pool: pool, index: 0}}
    - {type: gxr::cuda::GraphExecutor, parameters: {green_context: part}}

right:
    - {name: pool, type: gxr::cuda::CudaGreenContextPool, parameters: {dev_id: 1, sms_per_partition: [16]}}
    - {name: part, type: gxr::cuda::CudaGreenContext, parameters: {cuda_green_context_pool: pool, index: 0}}
    - {type: gxr::cuda::GraphExecutor, parameters: {device: 1, green_context: part}})"},
    DiagnosticInfo{
        DiagnosticCode::RegionHandler, "region-handler", kError, false,
        "a data-ready handler cannot work here",
        R"(An operator whose entity has a gxr::cuda::DataReadyHandler runs whenever the loop of its graph looks for
input, together with the operators that feed it, and says whether the operator 'source' has any. So these
operators are in one graph of mode resident; those that look get nothing from outside of it, send nothing
out, and count nothing. An entity has one handler.

wrong:
    - type: gxr::cuda::GraphExecutor
      parameters: {mode: graph, entities: [watch, work]}          # watch has a DataReadyHandler

right:
    - type: gxr::cuda::GraphExecutor
      parameters: {mode: resident, entities: [watch, work]})"},
    DiagnosticInfo{
        DiagnosticCode::RegionOutside, "region-outside", kError, false,
        "an entity of a CUDA graph has a queue whose other end is in another process",
        R"(A graph exchanges messages only with queues of this application. Put the gxr::cuda::IpcReceiver or
IpcTransmitter into an entity of its own, in front of the graph or behind it, with a gxr::Forward that
passes the messages on.

wrong:
    name: denoise                    # named by a GraphExecutor
    components:
    - {name: in, type: gxr::cuda::IpcReceiver, parameters: {address: camera.sock}}

right:
    name: camera                     # feeds the graph
    components:
    - {name: in, type: gxr::cuda::IpcReceiver, parameters: {address: camera.sock}}
    - {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
    - {name: out, type: gxr::DoubleBufferTransmitter}
    - {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
    - {type: gxr::Forward, parameters: {in: in, out: out}})"},
    DiagnosticInfo{
        DiagnosticCode::RegionOptions, "region-options", kError, false,
        "parameters of a GraphExecutor exclude each other",
        R"(Some parameters work only for graphs that loop on the GPU, some only for one form of loop; others require
or exclude another parameter. 'gxr describe gxr::cuda::GraphExecutor' tells what each is for.

wrong:
    parameters: {mode: graph, ready: any, entities: [work]}           # the host launches it for each message

right:
    parameters: {mode: resident, ready: any, entities: [work]})"},
    DiagnosticInfo{
        DiagnosticCode::RegionDeadline, "region-deadline", kWarning, false,
        "a deadline is not measured because of a CUDA graph",
        R"(Operators of a CUDA graph have no ticks of their own, so 'deadline' has no effect in it. Behind the graph it
has: the age of data includes the time in the graph.

wrong:
    name: executor
    components: [{type: gxr::cuda::GraphExecutor, parameters: {entities: [work]}}]
    ---
    name: work
    operator: gxr::Forward
    deadline: {tick: 1ms}

right:
    name: executor
    components: [{type: gxr::cuda::GraphExecutor, parameters: {entities: [work], iteration_timeout_us: 1000}}])"},
    DiagnosticInfo{
        DiagnosticCode::BranchEntities, "branch-entities", kError, false,
        "a branch names no entities, or one that is in another branch body",
        R"(The bodies of gxr::cuda::If, Switch, While and Every name the entities that run in turn, again, or in some
iterations only. An entity is in one body, unless a whole branch stands in a body of another one: then that
body names all the entities of the inner branch, too.

wrong:
    - {type: gxr::cuda::If, parameters: {selector: measure/out, then: [denoise], else: [denoise, sharpen]}}

right:
    - {type: gxr::cuda::If, parameters: {selector: measure/out, then: [denoise], else: [sharpen]}})"},
    DiagnosticInfo{
        DiagnosticCode::BranchSelector, "branch-selector", kError, false,
        "a branch cannot be decided by this tensor",
        R"(A branch is decided by a tensor of one element, a whole number, that an operator of the same graph writes. The
operator of an If or a Switch runs whenever the branch does, and before it: it is in no body, or in one
around the branch. That of a While is in its body, and always runs there.

wrong:
    - {type: gxr::cuda::If, parameters: {selector: denoise/out, then: [denoise]}}

right:
    - {type: gxr::cuda::If, parameters: {selector: measure/out, then: [denoise]}})"},
    DiagnosticInfo{
        DiagnosticCode::BranchExchange, "branch-exchange", kError, false,
        "bodies of a branch, of which one runs, are connected with each other",
        R"(The bodies of an If or a Switch cannot read from each other: they do not run in the same iteration.
Entities behind the branch can. Where several bodies send to one receiver, what they write is one tensor, and
each must send to all its receivers.

wrong:
    - {type: gxr::cuda::If, parameters: {selector: measure/out, then: [denoise], else: [sharpen]}}
    - {type: gxr::Connection, parameters: {source: denoise/out, target: sharpen/in}}

right:
    - {type: gxr::cuda::If, parameters: {selector: measure/out, then: [denoise], else: [sharpen]}}
    - {type: gxr::Connection, parameters: {source: denoise/out, target: show/in}}
    - {type: gxr::Connection, parameters: {source: sharpen/out, target: show/in}})"},
    DiagnosticInfo{
        DiagnosticCode::BranchOrder, "branch-order", kError, false, "a branch waits for itself",
        R"(A branch begins when everything is there that any of its entities reads, and is done when all of them are.
So what one of its entities writes cannot come back to another one by an entity outside.

wrong:
    # denoise -> check -> sharpen
    - {type: gxr::cuda::If, parameters: {selector: measure/out, then: [denoise, sharpen]}}

right:
    - {type: gxr::cuda::If, parameters: {selector: measure/out, then: [denoise, check, sharpen]}})"},
    DiagnosticInfo{
        DiagnosticCode::BranchOutside, "branch-outside", kError, false,
        "a branch is not in one CUDA graph",
        R"(Branches are decided on the GPU, within an iteration of a graph. A branch belongs to the graph of its
selector, or of its entities, with all of them, so each must be capturable. The executors of the CPU know no
branches.

wrong:
    - {type: gxr::cuda::If, parameters: {selector: measure/out, then: [denoise]}}     # no graph anywhere

right:
    - {type: gxr::cuda::GraphExecutor, parameters: {entities: [measure]}}             # and so denoise
    - {type: gxr::cuda::If, parameters: {selector: measure/out, then: [denoise]}})"},
    DiagnosticInfo{
        DiagnosticCode::BranchLaunch, "branch-launch", kError, false,
        "an Every cannot be launched as a graph of its own",
        R"(With 'launch: fire_and_forget' or 'sibling', a loop launches the body of a gxr::cuda::Every as a graph of
its own. No iteration waits for it, so what it writes is read delayed by others. A sibling runs beside the
iterations and reads delayed what they write; after fire_and_forget the next one waits, so it reads what is
new. The branch stands in no other one, and none stands in it; two of this kind are not connected with each
other; and no data-ready handler is in it.

wrong:
    - {type: gxr::cuda::Every, parameters: {count: 1000, body: [calibrate], launch: sibling}}
    - {type: gxr::Connection, parameters: {source: measure/out, target: calibrate/in}}
    - {type: gxr::Connection, parameters: {source: calibrate/out, target: balance/gains}}

right:
    - {type: gxr::cuda::Every, parameters: {count: 1000, body: [calibrate], launch: sibling}}
    - {type: gxr::Connection, parameters: {source: measure/out, target: calibrate/in, delayed: true}}
    - {type: gxr::Connection, parameters: {source: calibrate/out, target: balance/gains, delayed: true}})"},
    DiagnosticInfo{
        DiagnosticCode::DelayedOutside, "delayed-outside", kError, false,
        "a delayed connection is not in one CUDA graph",
        R"(A receiver with 'delayed: true' at its connection gets the value of the previous run of the
other end, zeros at first, and does not wait for a message. Only a CUDA graph keeps such values, so both
ends must be operators of one graph. The executors of the CPU have no such connections.

wrong:
    - {type: gxr::cuda::GraphExecutor, parameters: {entities: [show]}}
    - {type: gxr::Connection, parameters: {source: mix/out, target: mix/last, delayed: true}}

right:
    - {type: gxr::cuda::GraphExecutor, parameters: {entities: [mix, show]}}
    - {type: gxr::Connection, parameters: {source: mix/out, target: mix/last, delayed: true}})"},
    DiagnosticInfo{
        DiagnosticCode::DevicePortSize, "device-port-size", kError, false,
        "connected device ports say different things of their tensor",
        R"(In a CUDA graph both ends of a connection are one tensor. The declarations of gxr::cuda::DeviceTransmitter,
gxr::cuda::DeviceReceiver, the operator's infer() and the executor's 'inputs' must agree: two
tensors in shape and type of their elements, a tensor and a number of bytes in size.

wrong:
    - {name: out, type: gxr::cuda::DeviceTransmitter, parameters: {bytes: 4096}}     # of scale
    - {name: in, type: gxr::cuda::DeviceReceiver, parameters: {tensor: "float32 [512]"}}     # of sum

right:
    - {name: out, type: gxr::cuda::DeviceTransmitter, parameters: {bytes: 4096}}     # of scale
    - {name: in, type: gxr::cuda::DeviceReceiver, parameters: {tensor: "float32 [1024]"}}    # of sum)"},
    DiagnosticInfo{
        DiagnosticCode::DevicePortOneSize, "device-port-one-size", kWarning, false,
        "only one of two connected ports says how large their tensor is",
        R"(The size of one end applies to both. Declare it at both ends, so that gxr notices a change of one.

wrong:
    - {name: out, type: gxr::cuda::DeviceTransmitter, parameters: {bytes: 4096}}     # of scale
    - {name: in, type: gxr::cuda::DeviceReceiver}                                    # of sum

right:
    - {name: out, type: gxr::cuda::DeviceTransmitter, parameters: {bytes: 4096}}     # of scale
    - {name: in, type: gxr::cuda::DeviceReceiver, parameters: {bytes: 4096}}         # of sum)"},
    DiagnosticInfo{
        DiagnosticCode::DevicePortNoSize, "device-port-no-size", kError, false,
        "the size of the tensor of a device port is unknown",
        R"(Neither end of the connection has 'bytes' or 'tensor', no operator gives memory of its own, and the
infer() of the operator that writes the tensor does not tell. An operator that learns the size in
initialize() says so with 'bytes: 0'.

wrong:
    - {name: out, type: gxr::cuda::DeviceTransmitter}
    - {name: in, type: gxr::cuda::DeviceReceiver}

right:
    - {name: out, type: gxr::cuda::DeviceTransmitter, parameters: {bytes: 4096}}
    - {name: in, type: gxr::cuda::DeviceReceiver, parameters: {bytes: 4096}})"},
};

}  // namespace

std::span<const DiagnosticInfo> region_diagnostics() { return kRegionTable; }

}  // namespace gxr
