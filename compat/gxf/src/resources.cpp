#include "gxf/std/resources.hpp"

#include "gxr/resource.hpp"

namespace nvidia::gxf {

ResourceBase::~ResourceBase() = default;
GPUDevice::~GPUDevice() = default;
ThreadPool::~ThreadPool() = default;

std::int32_t GPUDevice::device_id() const {
  return static_cast<gxr::GPUDevice&>(resource()).device_id();
}
std::int64_t ThreadPool::size() const {
  return static_cast<gxr::ThreadPool&>(resource()).initial_size();
}
std::int64_t ThreadPool::priority() const {
  return static_cast<gxr::ThreadPool&>(resource()).priority();
}

}  // namespace nvidia::gxf
