#include "gxr/resource.hpp"

#include "system/cpu_cores.hpp"

namespace gxr {

ResourceBase::~ResourceBase() = default;
ThreadPool::~ThreadPool() = default;
GPUDevice::~GPUDevice() = default;
CPUThread::~CPUThread() = default;

void ThreadParameters::declare_cores(Interface& interface, const char* headline,
                                     const char* description) {
  interface.parameter(pin_cores_, "pin_cores", headline, description).default_value({});
}

void ThreadParameters::declare_policy(Interface& interface, const char* otherwise) {
  interface
      .parameter(sched_policy_, "sched_policy", "Real-time policy of the thread",
                 std::string("SCHED_FIFO and SCHED_RR need sched_priority, SCHED_DEADLINE needs "
                             "sched_runtime, sched_deadline and sched_period. Linux asks for a "
                             "permission: CAP_SYS_NICE, or for the first two RLIMIT_RTPRIO. ") +
                     otherwise)
      .optional();
  interface
      .parameter(sched_priority_, "sched_priority", "Priority with SCHED_FIFO and SCHED_RR",
                 "From 1 to 99, the most urgent.")
      .range(0, 99)
      .optional();
  interface
      .parameter(sched_runtime_, "sched_runtime",
                 "Time on the CPU in each period, with SCHED_DEADLINE", "At least 1024 ns.")
      .optional()
      .unit("ns");
  interface
      .parameter(sched_deadline_, "sched_deadline",
                 "Time in which the thread has had sched_runtime, from the begin of a period",
                 "At least sched_runtime.")
      .optional()
      .unit("ns");
  interface
      .parameter(sched_period_, "sched_period", "Time from period to period, with SCHED_DEADLINE",
                 "At least sched_deadline.")
      .optional()
      .unit("ns");
}

void ThreadParameters::check() const { require_cores(*pin_cores_, pin_cores_.key()); }

void ThreadPool::declare(Interface& interface) {
  interface
      .parameter(initial_size_, "initial_size", "Threads that are made at the start",
                 "More are made when more entities are pinned.")
      .default_value(0)
      .minimum(0)
      .unit("threads");
  interface.parameter(priority_, "priority", "Accepted for GXF's files, without effect (as in GXF)")
      .default_value(0);
  threads_.declare_cores(interface, "CPU cores on which its threads run",
                         "Each of its threads may use all of them. A CPUThread with pin_cores of "
                         "its own has those instead. Empty: any core.");
  threads_.declare_policy(interface,
                          "A CPUThread with a policy of its own has that instead. Left out: the "
                          "policy of the process.");
}

void ThreadPool::initialize() { threads_.check(); }

void GPUDevice::declare(Interface& interface) {
  interface.parameter(dev_id_, "dev_id", "Number of the GPU, as CUDA counts")
      .default_value(0)
      .minimum(0);
}

void CPUThread::declare(Interface& interface) {
  interface
      .parameter(pin_entity_, "pin_entity", "Whether the entity gets a thread of its own",
                 "Needs a ThreadPool in the entity's group and a scheduler with several threads. "
                 "The other parameters are about this thread.")
      .default_value(false);
  thread_.declare_cores(interface, "CPU cores on which the thread runs",
                        "Empty: those of the ThreadPool.");
  thread_.declare_policy(interface, "Left out: the policy of the ThreadPool.");
}

void CPUThread::initialize() { thread_.check(); }

}  // namespace gxr
