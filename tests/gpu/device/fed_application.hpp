#pragma once

#include <string>

namespace gxr::test {

/// Numbers from the CPU, to which two operators add 10 in all, whatever each adds.
inline const std::string kFed = R"(
name: source
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
- {type: gxr::CountSchedulingTerm, parameters: {count: 2000}}
- {name: feed, type: gpu::Feed, parameters: {out: out, pool: memory/pool, size: 100, wait_us: 100}}
---
name: a
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: add, type: gpu::Add, parameters: {in: in, out: out, pool: memory/pool, value: 5}}
---
name: b
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: add, type: gpu::Add, parameters: {in: in, out: out, pool: memory/pool, value: 5}}
---
name: sink
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: check, type: gpu::Check, parameters: {in: in, first: 11, fed: true}}
---
components:
- {type: gxr::Connection, parameters: {source: source/out, target: a/in}}
- {type: gxr::Connection, parameters: {source: a/out, target: b/in}}
- {type: gxr::Connection, parameters: {source: b/out, target: sink/in}}
---
name: loop
components:
- {name: loop, type: gxr::cuda::GraphExecutor, parameters: {entities: [a, b]}}
---
name: memory
components:
- {name: pool, type: gxr::UnboundedAllocator}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";

}  // namespace gxr::test
