#pragma once

#include <cstdint>

#include "gxf/core/component.hpp"

namespace gxr {

class ResourceBase;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// A resource of the graph, as sources see it.
class GXR_GXF_API ResourceBase : public Component {
 public:
  /// For the text of the error when a source derives from it all the same.
  using OnlyOfGxr = void;

  explicit ResourceBase(gxr::ResourceBase& resource) noexcept : resource_(resource) {}
  ~ResourceBase() override;

 protected:
  gxr::ResourceBase& resource() const noexcept { return resource_; }

 private:
  gxr::ResourceBase& resource_;
};

class GXR_GXF_API GPUDevice : public ResourceBase {
 public:
  using ResourceBase::ResourceBase;
  ~GPUDevice() override;
  std::int32_t device_id() const;
};

class GXR_GXF_API ThreadPool : public ResourceBase {
 public:
  using ResourceBase::ResourceBase;
  ~ThreadPool() override;
  std::int64_t size() const;
  std::int64_t priority() const;
};

}  // namespace gxf
}  // namespace nvidia
