#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "gxr/device_work.hpp"
#include "gxr/export.hpp"
#include "gxr/message.hpp"
#include "gxr/parameter.hpp"
#include "gxr/queue.hpp"
#include "gxr/tensor.hpp"

namespace gxr {

/// The tensor that passes a port of a CUDA-graph region in every iteration. It has no gaps and lies
/// at the same address each time, so its size is known before the graph is built. For another one
/// the graph is built again.
struct TensorSpec {
  Shape shape;                             ///< of the tensor
  ElementType type = ElementType::Custom;  ///< of its elements
  std::uint64_t bytes_per_element = 0;     ///< of ElementType::Custom; other types know theirs
  std::string name;                        ///< of the part of the message; may be empty
  /// What else is to be known of the elements, in words that those who write and read them agree
  /// on, such as "Bayer RGGB"; may be empty. Nobody but operators understands it.
  std::string content = {};

  /// Bytes of all elements. Throws Error(InvalidArgument) when they are too many to address.
  [[nodiscard]] GXR_API std::uint64_t bytes() const;
  /// As people write it: "uint16 [1080, 1920]", or "uint16 [1080, 1920] (Bayer RGGB)".
  [[nodiscard]] GXR_API std::string to_string() const;
};

/// A TensorSpec in YAML: {shape: [1080, 1920], dtype: uint16}, or the text "uint16 [1080, 1920]".
/// Names of types are those of to_string(ElementType); `name`, of the part, may be left out.
template <>
struct ParameterTraits<TensorSpec> {
  GXR_API static ParameterType type();
  /// Throws Error(InvalidParameter) that quotes what is wrong.
  GXR_API static TensorSpec parse(const Value& value, ParameterContext& context);
  GXR_API static std::string to_yaml(const TensorSpec& spec);
};

/// What ShapeInference::infer() is told, and whom it answers.
class GXR_API ShapeContext {
 public:
  ShapeContext(const ShapeContext&) = delete;
  ShapeContext& operator=(const ShapeContext&) = delete;

  /// What arrives at an input. Throws Error(NotAvailable) while nobody knows; infer() lets that
  /// pass, and is asked again when it is known.
  [[nodiscard]] virtual const TensorSpec& input(const Receiver& port) const = 0;
  /// What the operator writes to an output. Every output needs it, connected or not, but those
  /// whose size a device port declares (gxr/cuda/device_ports.hpp).
  virtual void set_output(const Transmitter& port, TensorSpec spec) = 0;
  /// Bytes of device memory that capture() gets for intermediate results, aligned to 256. Their
  /// content is lost between iterations: other operators use the same memory.
  virtual void set_scratch(std::size_t bytes) = 0;
  /// What the kernels read of the operator's dynamic parameters, such as gains or a table, as bytes
  /// of any number, which lie in device memory at CaptureContext::parameters(). When parameters
  /// change, the operator is not captured again: infer() is asked, and all iterations that begin
  /// from then on read the new bytes. Those of all operators whose parameters were set together are
  /// exchanged together, between two iterations. So it must be all that the kernels know of dynamic
  /// parameters. With another number of bytes the graph is built again, as for another shape.
  virtual void set_parameters(std::vector<std::byte> bytes) = 0;
  /// The same of one value, to be found by CaptureContext::parameters<T>().
  template <class T>
  void set_parameters_to(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* const begin = reinterpret_cast<const std::byte*>(&value);
    set_parameters({begin, begin + sizeof value});
  }

 protected:
  ShapeContext() = default;
  virtual ~ShapeContext();
};

/// How an operator with a gxr::cuda::DataReadyHandler tells the graph that there is input. Both are
/// in device memory and count from the launch of the graph.
///
///     if (a_packet_is_complete && *bell.rung == *bell.taken) {
///       // write the tensor
///       ++*bell.rung;
///     }
struct Doorbell {
  std::uint64_t* rung = nullptr;         ///< how many inputs there have been; it only grows
  const std::uint64_t* taken = nullptr;  ///< how many of them iterations have taken
};

/// The places that GraphOperator::capture() writes kernels for.
class GXR_API CaptureContext {
 public:
  CaptureContext(const CaptureContext&) = delete;
  CaptureContext& operator=(const CaptureContext&) = delete;

  /// The stream that is captured: a cudaStream_t. Work put on other streams must be forked from it
  /// and joined to it with events.
  [[nodiscard]] virtual CUstream_st* stream() const = 0;
  /// The tensor of an input, in device memory.
  [[nodiscard]] virtual const Tensor& input(const Receiver& port) const = 0;
  /// What infer() was told of an input.
  [[nodiscard]] virtual const TensorSpec& input_spec(const Receiver& port) const = 0;
  /// The tensor of an output, in device memory, as infer() said.
  [[nodiscard]] virtual Tensor& output(const Transmitter& port) const = 0;
  /// The memory that infer() asked for, or nullptr.
  [[nodiscard]] virtual void* scratch() const = 0;
  /// In device memory, aligned to 256 bytes: what infer() gave to ShapeContext::set_parameters(),
  /// or nullptr. Kernels that are launched early (GraphTraits::dependent_launch) read it behind
  /// their wait.
  [[nodiscard]] virtual const void* parameters() const = 0;
  /// The same as a T; see ShapeContext::set_parameters_to().
  template <class T>
  [[nodiscard]] const T* parameters() const {
    return static_cast<const T*>(parameters());
  }
  /// In device memory: the number of the iteration, from 0, for kernels to read; of those of an
  /// Every that runs beside or behind iterations, the one whose turn it was.
  [[nodiscard]] virtual const std::uint64_t* iteration() const = 0;
  /// Keeps what the captured work uses, such as a table that its kernels read, until no graph needs
  /// it any more: for as long as the graph lives, or, when the operator is captured again because
  /// parameters or shapes changed, until the iterations launched before have ended. Its destructor
  /// may call CUDA, and runs on a thread of gxr, perhaps when the application has ended: it must
  /// not use components, such as the allocator that the memory came from.
  virtual void keep(std::shared_ptr<const void> object) = 0;
  /// Of an operator whose entity has a gxr::cuda::DataReadyHandler. Its kernels run whenever the
  /// graph looks for input, one look after the other and none while an iteration runs, and add to
  /// `rung`. Others, and operators of graphs that the host launches, get null pointers.
  [[nodiscard]] virtual Doorbell doorbell() const { return {}; }
  /// In device memory, of an input that comes from outside of the graph, or from an operator with a
  /// doorbell: 1 when the tensor came for this iteration, 0 when it was there before (`ready:
  /// any`), or is all zeros since nothing has come yet. nullptr: it comes for every iteration.
  [[nodiscard]] virtual const std::uint64_t* is_new(const Receiver& /*port*/) const {
    return nullptr;
  }

 protected:
  CaptureContext() = default;
  virtual ~CaptureContext();
};

/// Which memory of an operator the GPU is asked to keep in its L2 cache.
enum class KeptInL2 : std::uint8_t {
  Nothing,
  Scratch,  ///< what infer() asked for by set_scratch()
  Output,   ///< the tensor of its first output
};

/// An operator's rules for its work in a graph. A launch keeps its own attributes, such as cluster
/// dimensions, shared memory or an access policy window, but not its priority if the traits ask for
/// one.
struct GraphTraits {
  /// Every kernel of it that waits for none of its own begins with
  /// cudaGridDependencySynchronize() (or griddepcontrol.wait), and so may be launched before the
  /// kernels that it follows have ended; and no kernel of it reads or writes, before that wait,
  /// what another operator or iteration changes. Edges between two such operators become
  /// programmatic ones.
  bool dependent_launch = false;
  /// Its kernels write nothing but the operator's outputs and scratch, so that it makes no
  /// difference when they run once more with the same inputs. A loop of such operators answers
  /// faster to inputs that come now and then.
  bool repeatable = false;
  /// Priority of its kernels: lower is more urgent, as in CUDA; 0: that of the region's stream.
  int priority = 0;
  /// What its kernels read again soon: they get a persisting access policy window over it, except
  /// those that were launched with one. A part of the L2 cache is set aside for such memory while
  /// the graph lives, which all other work on the GPU does without. A GPU that cannot set any aside
  /// goes on without it.
  KeptInL2 kept_in_l2 = KeptInL2::Nothing;
  /// While it is switched off (Application::enable()), its first output gets what its first input
  /// has, by a copy, and does not keep what it held: the first of the receivers and transmitters of
  /// its entity, in the order of the file. Both must have the same shape, elements and content, or
  /// it cannot be switched off.
  bool pass_through = false;

  /// Are they the same in everything?
  bool operator==(const GraphTraits&) const = default;
};

/// What a codelet is besides when it knows what it sends before it runs, such as a source that
/// finds it in the header of its first file:
///
///     class Source final : public gxr::Codelet, public gxr::ShapeInference { … };
///
/// CUDA graphs that its messages come to are then planned without waiting for the first of them.
class GXR_API ShapeInference {
 public:
  virtual ~ShapeInference();
  /// Says what the outputs are, given the inputs and the parameters. Called once or more, after the
  /// parameters are set and before initialize(), on machines without a GPU, too. Pure: the same
  /// inputs give the same answers, and nothing else happens. An exception, such as
  /// Error(NotAvailable), leaves the outputs unknown until the first message.
  virtual void infer(ShapeContext& context) = 0;
};

/// What a codelet is besides when its tick can be a part of a CUDA graph:
///
///     class Gain final : public gxr::Codelet, public gxr::GraphOperator { … };
///
/// A type that derives from both is said to be capturable; `gxr describe` shows it. Inside a region
/// tick() is not called. initialize(), start(), stop() and deinitialize() are, and stop() only when
/// the graph has ended. Data that the kernels read in every iteration, such as a table, is put into
/// device memory in start(), where Context::graph_device() says which GPU that is, or that there is
/// no graph.
class GXR_API GraphOperator : public ShapeInference {
 public:
  ~GraphOperator() override;

  /// Says what the outputs are, given the inputs and the parameters. Called once or more, after the
  /// parameters are set and before initialize(), on machines without a GPU, too; and again between
  /// start() and capture(), when a first message tells the inputs, or operators have told their
  /// device ports; and while the graph runs, when messages or parameters bring other shapes. Pure:
  /// the same inputs give the same answers, and nothing else happens. Throws Error(InvalidArgument)
  /// for inputs that the operator cannot take.
  void infer(ShapeContext& context) override = 0;
  /// Puts one iteration's work on context.stream(). Called after initialize(), once for each copy
  /// of the operator in the graph: copies differ in the addresses of their tensors, so nothing of
  /// `context` is kept; again when a dynamic parameter of its entity has a new value, unless its
  /// kernels read such values from ShapeContext::set_parameters(); when any tensor of the graph has
  /// another shape, or an operator needs more scratch: infer() is asked before; and when the
  /// operator is switched on again. Nothing else is done: no synchronisation, no other stream, and
  /// no allocation that is not a node.
  ///
  /// A graph that the host launches also takes calls of the host (cudaLaunchHostFunc), events of
  /// the operator's own (cudaEventRecordExternal, cudaEventWaitExternal), which live until stop(),
  /// and memory of the iteration (cudaMallocAsync). Only work of the same operator uses that
  /// memory, and what it does not free is freed behind its work. An operator that allocates is
  /// captured twice, and again when another operator's changes have the graph made anew.
  virtual void capture(CaptureContext& context) = 0;
  /// Puts what a message from outside of the graph says about its tensor in other parts into
  /// `spec.content`, which is what is known already; leaves it when the message says nothing.
  /// Called on the thread of the region with the messages of each input that the operator reads:
  /// with the first before infer(), if nobody told that input before, then with each: when one says
  /// something else than the graph was built for, it is another shape.
  virtual void read_content(const Message& message, TensorSpec& spec) const;
  /// The same backwards: adds the parts that say `spec.content` to a message that leaves the graph
  /// with a tensor of this operator. `spec` is what infer() said of it.
  virtual void write_content(const TensorSpec& spec, Message& message) const;
  /// Constant while the operator lives.
  [[nodiscard]] virtual GraphTraits graph_traits() const { return {}; }
};

/// A base of GraphOperators whose libraries do more at their first call than a capture allows: load
/// kernels, compile, take memory, try out algorithms.
class GXR_API CapturePreparation {
 public:
  virtual ~CapturePreparation();

  /// Does what capture() will do, with the same places, while nothing is captured: what it puts on
  /// context.stream() runs at once, with inputs that are all zeros, and may fill the outputs.
  /// It may synchronize that stream, not the device: loops of other regions may be running on it.
  /// Called once before the first capture() of each copy of the operator, and again before those
  /// for tensors of other shapes. An exception ends the run.
  virtual void prepare_capture(CaptureContext& context) = 0;
};

}  // namespace gxr
