#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "image/capturable_operator.hpp"

/// The operators of GXF's extension npp, with gxr's own kernels: NVIDIA's library is not needed.

namespace gxr::image {

/// Publishes pictures of one colour, of float32. Works on the CPU or on the GPU, or as a part of a
/// CUDA graph.
class NppiSet final : public Codelet, public GraphOperator {
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
  [[nodiscard]] ImageShape shape() const { return {rows_.get(), columns_.get(), channels_.get()}; }
  /// The colour. Throws Error(InvalidParameter) when it does not fit.
  [[nodiscard]] std::vector<float> color() const;
  /// `gpu`: nullptr for the CPU.
  void fill(Tensor& tensor, const GpuTick* gpu, Allocator* pool) const;
  /// Does the same on the other device and compares.
  void verify(const Tensor& tensor, const GpuTick* gpu);

  Parameter<std::int32_t> rows_;
  Parameter<std::int32_t> columns_;
  Parameter<std::int32_t> channels_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::vector<double>> value_;
  Parameter<std::string> out_tensor_name_;
  Output<Tensor> out_;
  Placement placement_;
};

/// Multiplies the channels of pictures.
class NppiMulC final : public CapturableOperator {
 public:
  NppiMulC() noexcept : CapturableOperator(Geometry::Kept) {}
  void declare(Interface& interface) override;
  [[nodiscard]] GraphTraits graph_traits() const override {
    return {.repeatable = true, .pass_through = true};
  }

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& input) const override;
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;
  [[nodiscard]] std::vector<float> factors() const;

  Parameter<std::vector<double>> factor_;
};

}  // namespace gxr::image
