#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gxr/graph_operator.hpp"
#include "image/image_operator.hpp"

namespace gxr::image {

/// Where kernels are put: on the stream of a tick, or into a CUDA graph.
struct KernelPlace {
  const DeviceKernels& kernels;
  kernels::Stream stream;
  void* scratch;          ///< as much device memory as was asked for, aligned to 256 bytes
  const GpuTick* tick;    ///< nullptr in a graph
  CaptureContext* graph;  ///< nullptr in a tick

  /// Numbers in device memory that the kernels read: `values`, or, in a graph, what parameters()
  /// gave.
  [[nodiscard]] const void* get(DeviceConstant& constant, const void* values,
                                std::size_t bytes) const {
    return graph != nullptr ? graph->parameters() : constant.get(*tick, values, bytes);
  }
};

/// Base of the operators whose work can be a part of a CUDA graph. They make one tensor, whose form
/// only depends on the input's: a picture of the input's element type, unless result_form() says
/// otherwise. launch() is the same for ticks and graphs.
class CapturableOperator : public ImageOperator, public GraphOperator {
 public:
  void start() final;
  void infer(ShapeContext& context) final;
  void capture(CaptureContext& context) final;
  /// An operator whose kernels write anything but results and scratch must deny `repeatable`.
  [[nodiscard]] GraphTraits graph_traits() const override { return {.repeatable = true}; }
  void read_content(const Message& message, TensorSpec& spec) const final;
  void write_content(const TensorSpec& spec, Message& message) const final;

 protected:
  using ImageOperator::ImageOperator;

  /// What is to be made. In a graph there are no messages, only their tensors.
  struct Work {
    InputImage input;
    Tensor& result;          ///< has memory
    ImageShape shape;        ///< of the result
    const Message* message;  ///< received; nullptr in a graph

    template <class T>
    [[nodiscard]] kernels::ImageView<T> result_view() const {
      return view_as<T>(result, shape);
    }
  };

  struct TensorForm {
    Shape shape;
    ElementType type;
  };

  /// Shape of the result. Throws for inputs that the operator cannot take.
  [[nodiscard]] virtual ImageShape result_shape(const InputImage& input) const = 0;
  /// The tensor that holds the result.
  [[nodiscard]] virtual TensorForm result_form(const InputImage& input) const {
    return {tensor_shape(result_shape(input)), input.type()};
  }
  virtual void compute_on_host(const Work& work) = 0;
  virtual void launch(const Work& work, const KernelPlace& place) = 0;
  /// Bytes of device memory that launch() needs.
  [[nodiscard]] virtual std::size_t scratch_bytes(const InputImage& /*input*/) const { return 0; }
  /// Of an operator that makes raw sensor pictures: which.
  [[nodiscard]] virtual std::optional<kernels::BayerPattern> made_pattern() const { return {}; }

  /// Throws Error(InvalidArgument) when the parameters ask for what a graph cannot do.
  virtual void require_capturable() const {}
  /// What launch() reads of dynamic parameters in a graph, by KernelPlace::get(); see
  /// ShapeContext::set_parameters(). Empty: it takes them as they are when it is called.
  [[nodiscard]] virtual std::vector<std::byte> parameters(const InputImage& /*input*/) {
    return {};
  }

 private:
  [[nodiscard]] std::string result_content(const InputImage& input) const;
  void process(Task& task) final;
};

/// Throws what infer() throws for an input that cannot be taken, with the text of `error`.
[[noreturn]] void throw_refused(const Error& error);

}  // namespace gxr::image
