#include "gxr/resource.hpp"

namespace gxr {

ResourceBase::~ResourceBase() = default;
ThreadPool::~ThreadPool() = default;
GPUDevice::~GPUDevice() = default;
CPUThread::~CPUThread() = default;

void ThreadPool::declare(Interface& interface) {
  interface
      .parameter(initial_size_, "initial_size", "Threads that are made at the start",
                 "More are made when more entities are pinned.")
      .default_value(0)
      .minimum(0)
      .unit("threads");
  interface.parameter(priority_, "priority", "Accepted for GXF's files, without effect (as in GXF)")
      .default_value(0);
}

void GPUDevice::declare(Interface& interface) {
  interface.parameter(dev_id_, "dev_id", "Number of the GPU, as CUDA counts")
      .default_value(0)
      .minimum(0);
}

void CPUThread::declare(Interface& interface) {
  interface
      .parameter(pin_entity_, "pin_entity", "Whether the entity gets a thread of its own",
                 "Needs a ThreadPool in the entity's group and a scheduler with several threads.")
      .default_value(false);
}

}  // namespace gxr
