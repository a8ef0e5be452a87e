#pragma once

#include <optional>

#include "gxf/serialization/endpoint.hpp"
#include "gxr/serialization/endpoint.hpp"

// Endpoints of sources for gxr, and the other way round. Each object is for one call.

namespace nvidia::gxf::layer {

/// A source's endpoint as gxr uses it.
class SourceEndpoint final : public gxr::Endpoint {
 public:
  explicit SourceEndpoint(gxf::Endpoint& endpoint) noexcept : endpoint_(endpoint) {}

  void write(const void* data, std::size_t size) override;
  std::size_t read(void* data, std::size_t size) override;
  [[nodiscard]] std::uint64_t readable() const override;
  [[nodiscard]] gxf::Endpoint& source() const noexcept { return endpoint_; }

 private:
  gxf::Endpoint& endpoint_;
};

class EndpointForGxr {
 public:
  explicit EndpointForGxr(gxf::Endpoint& endpoint) noexcept;
  [[nodiscard]] gxr::Endpoint& get() noexcept { return *endpoint_; }

 private:
  std::optional<SourceEndpoint> own_;
  gxr::Endpoint* endpoint_;
};

class EndpointForSource {
 public:
  explicit EndpointForSource(gxr::Endpoint& endpoint) noexcept;
  [[nodiscard]] gxf::Endpoint* get() noexcept { return endpoint_; }

 private:
  std::optional<NativeEndpoint> own_;
  gxf::Endpoint* endpoint_;
};

}  // namespace nvidia::gxf::layer
