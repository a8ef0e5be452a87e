#pragma once

#include <string>

#include "gxr/allocator.hpp"
#include "gxr/codelet.hpp"
#include "gxr/queue.hpp"
#include "gxr/verify.hpp"
#include "image/gpu_tick.hpp"
#include "image/message_parts.hpp"
#include "image/out_part.hpp"
#include "image/placement.hpp"
#include "image/reception.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// Base of the operators that make one picture from one picture: receives, finds the tensor, has
/// process() fill a new one in memory from the pool, and publishes it together with what pass_on()
/// carries over. Works on the CPU or on the GPU, see Placement.
class ImageOperator : public Codelet {
 public:
  /// Overrides of these call them, too.
  void declare(Interface& interface) override;
  void initialize() override;
  void stop() override;
  void tick() final;

 protected:
  /// The kind of result: a picture, in the part that `out_part` names, or numbers in a tensor.
  enum class Result { Picture, Numbers };

  /// `unnamed_result` says what an empty `out_tensor_name` means; see result_name().
  explicit ImageOperator(Geometry geometry,
                         const char* unnamed_result = "Empty: the name of what was read.",
                         Result result = Result::Picture) noexcept
      : geometry_(geometry), unnamed_result_(unnamed_result), result_(result) {}

  /// One tick's work.
  struct Task {
    const Message& message;  ///< received
    InputImage input;        ///< where the work is done
    Message& output;         ///< to be published; `result` will be a part of it
    Tensor& result;          ///< to be allocated and filled
    const GpuTick* gpu;      ///< where to give the work to; nullptr: the CPU does it
    Allocator* pool;         ///< nullptr for results that are not published
  };
  virtual void process(Task& task) = 0;
  /// How far results of CPU and GPU may lie apart.
  [[nodiscard]] virtual Tolerance tolerance(const InputImage&) const { return {}; }

  /// Name of the result: `out_tensor_name`, or the input's when that is empty.
  [[nodiscard]] virtual std::string_view result_name(const InputImage& input) const;
  [[nodiscard]] std::string_view in_tensor_name() const { return in_tensor_name_.get(); }
  [[nodiscard]] std::string_view out_tensor_name() const { return out_tensor_name_.get(); }
  /// Throws Error(InvalidArgument) when `out_part` asks for a VideoBuffer: a CUDA graph has none.
  void require_tensor() const {
    if (result_ == Result::Picture) {
      out_part_.require_tensor();
    }
  }
  [[nodiscard]] Geometry geometry() const noexcept { return geometry_; }
  [[nodiscard]] const Receiver& in() const { return in_; }
  [[nodiscard]] const Transmitter& out() const { return out_; }

  /// Gives `task.result` memory where the work is done.
  static void allocate(Task& task, const Shape& shape, ElementType type) {
    allocate_result(task.result, task.pool, task.gpu, shape, type);
  }

 private:
  /// Does the same on the other device and compares.
  void verify(const Reception& reception, const Tensor& result);
  void compute(const Reception& reception, const GpuTick* gpu, Message& output, Tensor& result,
               Allocator* pool);

  Geometry geometry_;
  const char* unnamed_result_;
  Result result_;
  Input<Tensor> in_;
  Output<Tensor> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::string> in_tensor_name_;
  Parameter<std::string> out_tensor_name_;
  OutPart out_part_;
  Placement placement_;
};

}  // namespace gxr::image
