#pragma once

#include <cstdint>
#include <string>

#include "gxr/allocator.hpp"
#include "gxr/codelet.hpp"
#include "gxr/queue.hpp"
#include "gxr/tensor.hpp"
#include "image/out_part.hpp"

namespace gxr::image {

/// Makes pictures from the bytes of picture files, one per message.
class Decoder final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override;

 private:
  void decode(const Tensor& file, Tensor& picture);

  Input<Tensor> in_;
  Output<Tensor> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::string> in_tensor_name_;
  Parameter<std::string> out_tensor_name_;
  OutPart out_part_;
  std::uint64_t dropped_ = 0;
};

}  // namespace gxr::image
