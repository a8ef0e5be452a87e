#pragma once

#include <vector>

#include "gxf/std/receiver.hpp"
#include "gxf/std/transmitter.hpp"

namespace gxr {

class Topic;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// Joins transmitters to receivers by a name.
class GXR_GXF_API Topic : public Component {
 public:
  using OnlyOfGxr = void;

  explicit Topic(gxr::Topic& topic) noexcept : topic_(topic) {}
  ~Topic() override;

  const char* getTopicName() const;
  std::vector<Handle<Transmitter>> getTransmitters() const;
  std::vector<Handle<Receiver>> getReceivers() const;

 private:
  gxr::Topic& topic_;
};

}  // namespace gxf
}  // namespace nvidia
