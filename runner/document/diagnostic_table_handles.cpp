#include <array>

#include "document/diagnostic_table.hpp"

namespace gxr {

namespace {

constexpr std::array kHandleTable = {
    DiagnosticInfo{
        DiagnosticCode::ComponentNotFound, "component-not-found", kError, false,
        "a handle names a component that does not exist",
        R"(A handle 'component' means a component of the same entity, 'entity/component' one of
another entity. There is no component of that name.

wrong:
    - name: signal
      type: nvidia::gxf::DoubleBufferTransmitter
    - type: nvidia::gxf::PingTx
      parameters:
        signal: signl

right:
    - name: signal
      type: nvidia::gxf::DoubleBufferTransmitter
    - type: nvidia::gxf::PingTx
      parameters:
        signal: signal)"},
    DiagnosticInfo{
        DiagnosticCode::EntityNotFound, "entity-not-found", kError, false,
        "a handle names an entity that does not exist",
        R"(The part before the '/' of a handle is the name of an entity, of this file, of a file
before it, or of a subgraph with the subgraph's prefix. There is no entity of that name.

wrong:
    name: camera
    ---
    components:
    - type: nvidia::gxf::Connection
      parameters:
        source: camra/out
        target: view/in

right:
    name: camera
    ---
    components:
    - type: nvidia::gxf::Connection
      parameters:
        source: camera/out
        target: view/in)"},
    DiagnosticInfo{
        DiagnosticCode::ComponentAmbiguous, "component-ambiguous", kError, true,
        "a handle fits several components",
        R"(Several components of the entity have the name and a fitting type. GXF takes the first of
them; gxr asks for names that tell them apart.

wrong:
    - name: signal
      type: nvidia::gxf::DoubleBufferReceiver
    - name: signal
      type: nvidia::gxf::DoubleBufferReceiver
    - type: nvidia::gxf::PingRx
      parameters:
        signal: signal

right:
    - name: left
      type: nvidia::gxf::DoubleBufferReceiver
    - name: right
      type: nvidia::gxf::DoubleBufferReceiver
    - type: nvidia::gxf::PingRx
      parameters:
        signal: left)"},
    DiagnosticInfo{
        DiagnosticCode::HandleType, "handle-type", kError, false,
        "a handle names a component of another type",
        R"(The component exists, but it is not of the type that the parameter needs, nor of one that is
made from it.

wrong:
    - name: clock
      type: nvidia::gxf::RealtimeClock
    - type: nvidia::gxf::PingTx
      parameters:
        signal: clock

right:
    - name: signal
      type: nvidia::gxf::DoubleBufferTransmitter
    - type: nvidia::gxf::PingTx
      parameters:
        signal: signal)"},
    DiagnosticInfo{
        DiagnosticCode::HandleOutsideSubgraph, "handle-outside-subgraph", kWarning, false,
        "a subgraph refers to an entity outside of it",
        R"(The subgraph has no entity of this name, so the one of the whole application is taken, as in
GXF, which calls that deprecated: the file works only where it is included by an application with
such an entity. A component that a subgraph needs from outside is handed in as a prerequisite.

wrong:
    # camera.yaml
    parameters: {clock: scheduler/clock}

right:
    # camera.yaml
    prerequisites:
    - name: clock
    ---
    # and in the component
    parameters: {clock: prerequisites/clock})"},
    DiagnosticInfo{
        DiagnosticCode::ConnectionEnd, "connection-end", kError, false,
        "an end of a connection is no transmitter or no receiver",
        R"(The 'source' of a connection is a transmitter, its 'target' a receiver: the queues of the
entities, not their codelets.

wrong:
    - type: nvidia::gxf::Connection
      parameters:
        source: rx/signal        # the receiver
        target: tx/signal        # the transmitter

right:
    - type: nvidia::gxf::Connection
      parameters:
        source: tx/signal
        target: rx/signal)"},
    DiagnosticInfo{
        DiagnosticCode::DuplicateConnection, "duplicate-connection", kWarning, false,
        "the same connection is written twice",
        R"(Another connection joins the same transmitter and receiver already. It counts once; every
message still arrives one time.

wrong:
    - type: nvidia::gxf::Connection
      parameters: {source: tx/signal, target: rx/signal}
    - type: nvidia::gxf::Connection
      parameters: {source: tx/signal, target: rx/signal}

right:
    - type: nvidia::gxf::Connection
      parameters: {source: tx/signal, target: rx/signal})"},
    DiagnosticInfo{
        DiagnosticCode::DuplicateComponent, "duplicate-component", kWarning, false,
        "two components of an entity have the same name",
        R"(Names of components need not differ, but a handle to the name finds the first one whose
type fits, and an entry that only has this name is an error.

wrong:
    - name: queue
      type: nvidia::gxf::DoubleBufferReceiver
    - name: queue
      type: nvidia::gxf::DoubleBufferTransmitter

right:
    - name: in
      type: nvidia::gxf::DoubleBufferReceiver
    - name: out
      type: nvidia::gxf::DoubleBufferTransmitter)"},
    DiagnosticInfo{
        DiagnosticCode::EntityMerged, "entity-merged", kWarning, false,
        "several documents describe one entity",
        R"(A document whose 'name' was used before adds its components to that entity. This is meant
when a later file adds to an earlier one; within a file it is often a copy whose name was not
changed. It certainly is when both make a component of the same name: then this is an error (but
with --compat gxf), and what else is wrong with the entity is not reported.

wrong:
    name: tx
    components:
    - type: nvidia::gxf::PingTx
    ---
    name: tx
    components:
    - type: nvidia::gxf::PingRx

right:
    name: tx
    components:
    - type: nvidia::gxf::PingTx
    ---
    name: rx
    components:
    - type: nvidia::gxf::PingRx)"},
    DiagnosticInfo{DiagnosticCode::UnconnectedTransmitter, "unconnected-transmitter", kWarning,
                   false, "a transmitter is not connected",
                   R"(No connection starts at this transmitter, so what is sent through it is lost.

wrong:
    name: tx
    components:
    - name: signal
      type: nvidia::gxf::DoubleBufferTransmitter

right:
    name: tx
    components:
    - name: signal
      type: nvidia::gxf::DoubleBufferTransmitter
    - type: nvidia::gxf::Connection
      parameters: {source: tx/signal, target: rx/signal})"},
    DiagnosticInfo{DiagnosticCode::UnconnectedReceiver, "unconnected-receiver", kWarning, false,
                   "a receiver is not connected",
                   R"(No connection ends at this receiver, so no message will ever arrive there.

wrong:
    name: rx
    components:
    - name: signal
      type: nvidia::gxf::DoubleBufferReceiver

right:
    name: rx
    components:
    - name: signal
      type: nvidia::gxf::DoubleBufferReceiver
    - type: nvidia::gxf::Connection
      parameters: {source: tx/signal, target: rx/signal})"},
    DiagnosticInfo{
        DiagnosticCode::ConnectionOutside, "connection-outside", kError, false,
        "a connection to a queue whose other end is in another process",
        R"(A gxr::cuda::IpcTransmitter sends its messages to the process that has a gxr::cuda::IpcReceiver
with the same address. They pass no connection.

wrong:
    - {name: out, type: gxr::cuda::IpcTransmitter, parameters: {address: camera.sock}}
    - {type: gxr::Connection, parameters: {source: out, target: viewer/in}}

right:
    - {name: out, type: gxr::cuda::IpcTransmitter, parameters: {address: camera.sock}}
    ---
    name: viewer                     # in the file of another process
    components:
    - {name: in, type: gxr::cuda::IpcReceiver, parameters: {address: camera.sock}})"},
    DiagnosticInfo{
        DiagnosticCode::ReceiverNotWaitedFor, "receiver-not-waited-for", kWarning, false,
        "no scheduling term waits for a receiver",
        R"(Messages arrive at this receiver, but nothing makes the entity wait for them: it runs
whether or not one is there, and its codelet may find the queue empty.

wrong:
    - name: signal
      type: nvidia::gxf::DoubleBufferReceiver
    - type: nvidia::gxf::PingRx
      parameters: {signal: signal}

right:
    - name: signal
      type: nvidia::gxf::DoubleBufferReceiver
    - type: nvidia::gxf::MessageAvailableSchedulingTerm
      parameters: {receiver: signal, min_size: 1}
    - type: nvidia::gxf::PingRx
      parameters: {signal: signal})"},
    DiagnosticInfo{
        DiagnosticCode::TransmitterNotWaitedFor, "transmitter-not-waited-for", kWarning, false,
        "no scheduling term waits for room behind a transmitter",
        R"(The receiver behind this transmitter can be full when the entity ticks again, because its own
entity can be late: it also waits for something else, or ends earlier. A receiver with policy 2
(fault) then ends the run. A DownstreamReceptiveSchedulingTerm makes the sending entity wait for
room. Where messages may be lost, policy 'pop' or 'reject' on the receiver does so. gxr says nothing
when the capacity holds all messages that can come, and of receivers whose entity ticks for each
message.

wrong:
    - {name: signal, type: nvidia::gxf::DoubleBufferTransmitter}
    - {type: nvidia::gxf::PingTx, parameters: {signal: signal}}
    ---
    name: rx                         # slower than the entity that sends
    components:
    - {name: signal, type: nvidia::gxf::DoubleBufferReceiver}
    - {type: nvidia::gxf::PeriodicSchedulingTerm, parameters: {recess_period: 1s}}

right:
    - {name: signal, type: nvidia::gxf::DoubleBufferTransmitter}
    - {type: nvidia::gxf::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: signal}}
    - {type: nvidia::gxf::PingTx, parameters: {signal: signal}})"},
    DiagnosticInfo{
        DiagnosticCode::TooManyPublishes, "too-many-publishes", kWarning, false,
        "a codelet can publish more messages in one tick than there is room for",
        R"(The type declares how many messages it can publish in one tick: Gather, for example, all that its
receivers hold. The transmitter, the receivers behind it and the number for which the term waits must
allow as many; a message without room ends the run. Receivers with policy 'pop' or 'reject' do not
count: they lose messages on purpose.

wrong:
    name: merge
    operator: gxr::Gather
    inputs: {left: camera, right: radar}
    ---
    name: view
    operator: hello::Greeter
    inputs: {in: merge}

right:
    name: merge
    operator: gxr::Gather
    inputs: {left: camera, right: radar}
    ports: {sink: {capacity: 2, min_size: 2}}
    ---
    name: view
    operator: hello::Greeter
    inputs: {in: merge}
    ports: {in: {capacity: 2}})"},
    DiagnosticInfo{
        DiagnosticCode::PolicyWithoutEffect, "policy-without-effect", kWarning, false,
        "a receiver with policy 'pop' or 'reject' is never full",
        R"(A receiver drops a message only if it is full when the message arrives. Here every sender has a
DownstreamReceptiveSchedulingTerm, so it ticks only when the receiver has room: the slow reader slows its senders down,
and the policy does nothing. In the short form, every transmitter has this term; 'min_size: 0' lets the sender tick
without room.

wrong:
    name: split
    operator: gxr::Broadcast
    inputs: {source: camera}
    ---
    name: preview
    operator: hello::Greeter
    inputs: {in: split/preview}
    ports: {in: {policy: pop}}

right:
    name: split
    operator: gxr::Broadcast
    inputs: {source: camera}
    ports: {preview: {min_size: 0}}
    ---
    name: preview
    operator: hello::Greeter
    inputs: {in: split/preview}
    ports: {in: {policy: pop}})"},
    DiagnosticInfo{
        DiagnosticCode::ReceiverNeverRead, "receiver-never-read", kError, true,
        "a term counts messages that no codelet takes",
        R"(A scheduling term waits for messages on this receiver, but no codelet has a handle to it, so they
stay there: once one has come, the term is ready for ever, and the entity ticks again and again without end.

wrong:
    - name: a
      type: nvidia::gxf::DoubleBufferReceiver
    - name: b
      type: nvidia::gxf::DoubleBufferReceiver
    - type: nvidia::gxf::MultiMessageAvailableSchedulingTerm
      parameters: {receivers: [a, b], min_size: 1}
    - type: nvidia::gxf::Gather
      parameters: {sink: out, sources: [a]}

right:
    - name: a
      type: nvidia::gxf::DoubleBufferReceiver
    - name: b
      type: nvidia::gxf::DoubleBufferReceiver
    - type: nvidia::gxf::MultiMessageAvailableSchedulingTerm
      parameters: {receivers: [a, b], min_size: 1}
    - type: nvidia::gxf::Gather
      parameters: {sink: out, sources: [a, b]})"},
    DiagnosticInfo{
        DiagnosticCode::PortMismatch, "port-mismatch", kError, true,
        "a port needs what the port connected to it does not send",
        R"(Codelets declare which parts the messages of a port have, as far as they know: the type of a part and
its name, the type of a tensor's elements and its dimensions, the formats of a picture. The needs of one end of a
connection must fit the declaration of the other end. Nothing is said where one of them declares nothing.
`gxr describe TYPE` shows what its ports declare. A message that passes a Forward, a Broadcast, a Gather or another codelet that
declares that it passes messages on is followed back to the codelet that made it. Where one of the two types is written with GXF's name, this is a warning, because
GXF's codelets may send and take more than gxr knows of.

wrong:
    # The camera sends tensors of uint8, and the blur needs float32.
    - type: nvidia::gxf::Connection
      parameters: {source: camera/out, target: blur/in}

right:
    # An entity between them converts.
    - type: nvidia::gxf::Connection
      parameters: {source: camera/out, target: converter/in}
    - type: nvidia::gxf::Connection
      parameters: {source: converter/out, target: blur/in})"},
    DiagnosticInfo{
        DiagnosticCode::OverrideSyntax, "override-syntax", kError, true,
        "a --param argument is not of the form ADDRESS=VALUE",
        R"(An override is ENTITY/COMPONENT/PARAMETER=VALUE, or ENTITY/PARAMETER=VALUE where one
component of the entity alone has the parameter. COMPONENT is a component's name or its type. An empty
ENTITY means all entities without a name. VALUE is everything after the first '=', and is read as
YAML.

wrong:
    gxr run app.yaml --param source.count=10

right:
    gxr run app.yaml --param source/count=10)"},
    DiagnosticInfo{
        DiagnosticCode::OverrideNoMatch, "override-no-match", kError, true,
        "an override matches nothing",
        R"(No entity, component or parameter of the app fits the address, so the value would be lost,
as it is in GXF. The same goes for --device with an app in which no component leaves the choice
between CPU and GPU.

wrong:
    gxr run app.yaml --param sorce/count=10

right:
    gxr run app.yaml --param source/count=10)"},
    DiagnosticInfo{
        DiagnosticCode::OverrideAmbiguous, "override-ambiguous", kError, false,
        "an override without a component fits several",
        R"(In the short form ENTITY/PARAMETER exactly one component of the entity may have the
parameter. Write the component's name or type between them.

wrong:
    gxr run app.yaml --param forward/capacity=2

right:
    gxr run app.yaml --param forward/in/capacity=2)"},
    DiagnosticInfo{
        DiagnosticCode::ParameterFile, "parameter-file", kError, false,
        "a parameter file has a key that is no address",
        R"(A parameter file maps addresses as they are written for --param to values. Files in GXF's
form, documents with 'name' and 'components' whose entries only have names, are read as well.

wrong:
    count: 10

right:
    source/count: 10
    forward/in/capacity: 2)"},
};

}  // namespace

std::span<const DiagnosticInfo> handle_diagnostics() { return kHandleTable; }

}  // namespace gxr
