#pragma once

#include <memory>

#include "executors/executor.hpp"
#include "gxr/scheduler.hpp"
#include "plan/executors.hpp"
#include "runtime/instance.hpp"

namespace gxr {

class MessagePool;
class Poller;

/// What an executor works with, all of which lives longer.
struct ExecutorParts {
  Instance& instance;
  const Scheduler* scheduler;  ///< of the file; nullptr: none, defaults
  Clock& clock;
  MessagePool& pool;
  const ExecutorOptions& options;
  Poller* poller = nullptr;  ///< of the loops on GPUs that run beside it
};

/// The executor of the CPU's part. Throws Error(NotSupported) for a kind that runs on GPUs or that
/// this build does not have.
std::unique_ptr<Executor> make_executor(ExecutorKind kind, const ExecutorParts& parts);

}  // namespace gxr
