#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gxr/allocator.hpp"
#include "gxr/codelet.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/queue.hpp"
#include "image/out_part.hpp"
#include "image/placement.hpp"
#include "image/reception.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// Counts the values of a picture, and draws the counts as a picture. Works on the CPU or on the
/// GPU, see Placement, or as a part of a CUDA graph.
class Histogram final : public Codelet, public GraphOperator {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void start() override;
  void tick() override;
  void stop() override;
  void infer(ShapeContext& context) override;
  void capture(CaptureContext& context) override;
  [[nodiscard]] GraphTraits graph_traits() const override { return {.repeatable = true}; }

 private:
  /// What a tick publishes, as far as somebody is there for it.
  struct Results {
    Tensor counts;
    Tensor picture;
  };

  [[nodiscard]] Results compute(const Reception& reception, const GpuTick* gpu, Allocator* pool);
  [[nodiscard]] Results compute_on_host(const InputImage& input, Allocator* pool);
  [[nodiscard]] Results compute_on_device(const InputImage& input, Allocator* pool,
                                          const GpuTick& gpu) const;
  /// Draws the counts, which stay on the GPU, to `picture` unless that is null.
  void launch(const InputImage& input, std::uint32_t* counts, Tensor* picture,
              const DeviceKernels& kernels, kernels::Stream stream) const;
  /// Throws Error(InvalidParameter) when neither of the outputs is set.
  void require_output() const;
  /// Does the same on the other device and compares.
  void verify(const Reception& reception, const Results& results);
  /// `output` has the result.
  void publish(const Reception& reception, Message output, Transmitter& out);
  [[nodiscard]] ImageShape picture_shape() const {
    return {picture_height_.get(), picture_width_.get(), 3};
  }

  Input<Tensor> in_;
  Output<Tensor> out_;
  Output<Tensor> picture_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::string> in_tensor_name_;
  Parameter<std::string> out_tensor_name_;
  OutPart out_part_;
  Parameter<std::int32_t> picture_width_;
  Parameter<std::int32_t> picture_height_;
  Placement placement_;

  std::vector<std::uint32_t> counts_;  // channels x kHistogramBins of the present picture
};

}  // namespace gxr::image
