#include <array>

#include "document/diagnostic_table.hpp"

namespace gxr {

namespace {

constexpr std::array kExecutionTable = {
    DiagnosticInfo{
        DiagnosticCode::NoScheduler, "no-scheduler", kError, true, "the app has no scheduler",
        R"(Without a scheduler nothing runs: GXF warns and ends at once, as if all had gone well.

wrong:
    # an app without this document

right:
    name: scheduler
    components:
    - name: clock
      type: nvidia::gxf::RealtimeClock
    - type: nvidia::gxf::GreedyScheduler
      parameters:
        clock: clock)"},
    DiagnosticInfo{
        DiagnosticCode::SeveralSchedulers, "several-schedulers", kError, true,
        "the app has several schedulers",
        R"(Each scheduler would run every entity. Keep one; '--executor' chooses another one for a
single run.

wrong:
    - type: nvidia::gxf::GreedyScheduler
      parameters: {clock: clock}
    - type: nvidia::gxf::MultiThreadScheduler
      parameters: {clock: clock}

right:
    - type: nvidia::gxf::GreedyScheduler
      parameters: {clock: clock})"},
    DiagnosticInfo{
        DiagnosticCode::MissingClock, "missing-clock", kError, false, "a scheduler has no clock",
        R"(The scheduler needs a clock component: the realtime clock, or the manual clock for runs
that do not depend on how long things take.

wrong:
    - type: nvidia::gxf::GreedyScheduler

right:
    - name: clock
      type: nvidia::gxf::RealtimeClock
    - type: nvidia::gxf::GreedyScheduler
      parameters:
        clock: clock)"},
    DiagnosticInfo{
        DiagnosticCode::ThreadPolicy, "thread-policy", kError, false,
        "a thread's real-time policy is incomplete",
        R"(SCHED_FIFO and SCHED_RR need a sched_priority from 1 to 99. SCHED_DEADLINE needs
sched_runtime, sched_deadline and sched_period, of which each is at least as long as the one before;
sched_runtime is at least 1024 ns. Linux refuses anything else when the thread starts.

wrong:
    - type: nvidia::gxf::CPUThread
      parameters: {pin_entity: true, sched_policy: SCHED_FIFO}

right:
    - type: nvidia::gxf::CPUThread
      parameters: {pin_entity: true, sched_policy: SCHED_FIFO, sched_priority: 20})"},
    DiagnosticInfo{
        DiagnosticCode::ThreadSettings, "thread-settings", kWarning, false,
        "settings of a thread have no effect",
        R"(pin_cores and sched_policy of a CPUThread are about the thread that its entity has for itself.
It has one when pin_entity is true, a ThreadPool is in the entity's group, and the scheduler has
several threads. sched_priority belongs to SCHED_FIFO and SCHED_RR, the three times to
SCHED_DEADLINE.

wrong:
    - type: nvidia::gxf::CPUThread
      parameters: {pin_cores: [2]}

right:
    - type: nvidia::gxf::ThreadPool
    - type: nvidia::gxf::CPUThread
      parameters: {pin_entity: true, pin_cores: [2]})"},
    DiagnosticInfo{
        DiagnosticCode::NeverTicks, "never-ticks", kError, true, "an entity can never run",
        R"(One of the entity's scheduling terms waits for something that cannot happen: a message on a
receiver that nothing sends to, more messages than the queue holds, or space behind a transmitter
without a receiver. The message says which.

wrong:
    - name: signal
      type: nvidia::gxf::DoubleBufferReceiver
      parameters: {capacity: 1}
    - type: nvidia::gxf::MessageAvailableSchedulingTerm
      parameters: {receiver: signal, min_size: 2}

right:
    - name: signal
      type: nvidia::gxf::DoubleBufferReceiver
      parameters: {capacity: 2}
    - type: nvidia::gxf::MessageAvailableSchedulingTerm
      parameters: {receiver: signal, min_size: 2})"},
    DiagnosticInfo{
        DiagnosticCode::CycleWithoutStart, "cycle-without-start", kError, true,
        "entities wait for each other in a circle",
        R"(Every entity of the cycle waits for a message of another one of it, and none of them can
send a first message, so none will ever run. Let one entity run without a message, for example with
an optional receiver that no term waits for.

wrong:
    # a waits for b, b waits for a
    - type: nvidia::gxf::Connection
      parameters: {source: a/out, target: b/in}
    - type: nvidia::gxf::Connection
      parameters: {source: b/out, target: a/in}

right:
    # a waits for a source, b waits for a
    - type: nvidia::gxf::Connection
      parameters: {source: source/out, target: a/in}
    - type: nvidia::gxf::Connection
      parameters: {source: a/out, target: b/in})"},
    DiagnosticInfo{
        DiagnosticCode::BehaviorTreeParents, "behavior-tree-parents", kError, true,
        "a node of a behaviour tree has two parents",
        R"(A node is run by the one node that lists its term under 'children'. If two of them started
it, each would take what the other one made it do for the answer to its own question. Give each parent
a node of its own; what both do can stand in a subgraph that is included twice.

wrong:
    # in entity left
    - type: nvidia::gxf::SequenceBehavior
      parameters: {children: [work/term], s_term: term}
    # in entity right
    - type: nvidia::gxf::SequenceBehavior
      parameters: {children: [work/term], s_term: term}

right:
    # in entity left
    - type: nvidia::gxf::SequenceBehavior
      parameters: {children: [work_left/term], s_term: term}
    # in entity right
    - type: nvidia::gxf::SequenceBehavior
      parameters: {children: [work_right/term], s_term: term})"},
    DiagnosticInfo{
        DiagnosticCode::BehaviorTreeCycle, "behavior-tree-cycle", kError, false,
        "a node of a behaviour tree is below itself",
        R"(The children of the node, or their children, list the term of the node itself, so it would wait
for its own end. The message lists the nodes on the way. GXF does not notice. To run nodes again and
again there is RepeatBehavior.

wrong:
    name: patrol
    components:
    - name: term
      type: nvidia::gxf::BTSchedulingTerm
      parameters: {is_root: true}
    - type: nvidia::gxf::SequenceBehavior
      parameters: {children: [drive/term, patrol/term], s_term: term}

right:
    name: patrol
    components:
    - name: term
      type: nvidia::gxf::BTSchedulingTerm
      parameters: {is_root: true}
    - type: nvidia::gxf::RepeatBehavior
      parameters: {children: [drive/term], s_term: term, repeat_after_failure: false})"},
};

}  // namespace

std::span<const DiagnosticInfo> execution_diagnostics() { return kExecutionTable; }

}  // namespace gxr
