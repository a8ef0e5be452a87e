// What comes to a region and what leaves it, as messages.

#include <algorithm>
#include <utility>

#include "executors/cuda_graph/region_runner.hpp"
#include "gxr/error.hpp"
#include "gxr/message_data.hpp"
#include "gxr/timestamp.hpp"

namespace gxr {
namespace {

TensorSpec spec_of(const Tensor& tensor) {
  return {tensor.shape(), tensor.element_type(), tensor.bytes_per_element(), {}};
}

}  // namespace

std::string RegionRunner::name_of(const Input& input) {
  return "'" + input.receivers.front()->full_name() + "'";
}

const Tensor& RegionRunner::tensor_in(const Input& input, const Message& message) const {
  const std::optional<TensorSpec>& spec = region_.graph->tensors[input.tensor].spec;
  const Tensor* named = spec && !spec->name.empty() ? message.find<Tensor>(spec->name) : nullptr;
  const Tensor* tensor = named != nullptr ? named : message.find<Tensor>();
  if (tensor == nullptr) {
    throw Error(ErrorCode::InvalidData, name_of(input) + " received a message without a tensor");
  }
  const auto tensors = std::count_if(message.begin(), message.end(), [](const detail::Part& part) {
    return part.id == TypeIdOf<Tensor>::value;
  });
  if (named == nullptr && tensors > 1) {
    throw Error(ErrorCode::InvalidData, name_of(input) + " received a message with " +
                                            std::to_string(tensors) +
                                            " tensors; an input of a CUDA graph takes one");
  }
  return *tensor;
}

/// What has come, as its readers understand the message.
TensorSpec RegionRunner::spec_in(const Input& input, const Message& message,
                                 const Tensor& tensor) const {
  const GraphTensor& planned = region_.graph->tensors[input.tensor];
  TensorSpec spec = spec_of(tensor);
  spec.content = planned.spec ? planned.spec->content : std::string();
  for (const StepId reader : planned.consumers) {
    guarded(instance_.site(codelet_of(region_.graph->steps[reader]), "read_content"),
            [&] { operators_[reader]->read_content(message, spec); });
  }
  return spec;
}

Message RegionRunner::receive(const Input& input,
                              const std::function<Message(Receiver&)>& receive_from) {
  Message first = receive_from(*input.receivers.front());
  for (std::size_t i = 1; i < input.receivers.size(); ++i) {
    if (!(receive_from(*input.receivers[i]) == first)) {
      throw Error(ErrorCode::InvalidState,
                  "'" + input.receivers[i]->full_name() + "' and " + name_of(input) +
                      ", which read the same input, received different messages: one of them "
                      "has dropped some");
    }
  }
  return first;
}

std::vector<Message> RegionRunner::receive(
    const std::function<Message(Receiver&)>& receive_from) const {
  std::vector<Message> messages;
  for (const Input& input : inputs_) {
    messages.push_back(receive(input, receive_from));
  }
  return messages;
}

const Tensor& RegionRunner::checked_tensor(const Input& input, const Message& message) const {
  const Tensor& tensor = tensor_in(input, message);
  const TensorSpec& spec = *graph().tensors[input.tensor].spec;
  const TensorSpec found = spec_in(input, message, tensor);
  if (!is_like(found, spec, graph().tensors[input.tensor].only_bytes)) {
    throw Error(ErrorCode::InvalidData, "region '" + region_.name + "' is built for " +
                                            spec.to_string() + " at " + name_of(input) +
                                            ", which received " + found.to_string());
  }
  if (!tensor.is_contiguous()) {
    throw Error(ErrorCode::InvalidData,
                name_of(input) + " received a tensor with gaps between its elements");
  }
  return tensor;
}

RegionRunner::Origin RegionRunner::origin_of(const Message& message) {
  Origin origin{message.sequence(), message.source_time(), std::nullopt};
  if (const auto* time = message.find<Timestamp>(); time != nullptr) {
    origin.acqtime = time->acqtime;
  }
  return origin;
}

void RegionRunner::write_content(const GraphTensor& written, Message& message) const {
  if (written.producer != kNone) {
    guarded(instance_.site(codelet_of(region_.graph->steps[written.producer]), "write_content"),
            [&] { operators_[written.producer]->write_content(*written.spec, message); });
  }
}

Message RegionRunner::new_result(const Output& output, Allocator& from, void* memory,
                                 MemoryStorageType storage, const Origin* origin,
                                 std::uint64_t number) {
  const GraphTensor& planned = graph().tensors[output.tensor];
  const TensorSpec& spec = *planned.spec;
  Message message;
  Tensor* tensor = nullptr;
  try {
    message = context().new_message();
    tensor = &message.add<Tensor>(spec.name);
  } catch (...) {
    from.free(memory);  // which nobody has adopted
    throw;
  }
  tensor->adopt(from, memory, spec.shape, spec.type, storage,
                spec.type == ElementType::Custom ? spec.bytes_per_element : 0);
  write_content(planned, message);
  message.set_sequence(origin != nullptr ? origin->sequence : number);
  if (origin != nullptr) {
    message.set_source_time(origin->source_time);
  }
  return message;
}

void RegionRunner::publish(Transmitter& transmitter, Message message, const Origin* origin) {
  if (origin != nullptr && origin->acqtime) {
    transmitter.publish(std::move(message), *origin->acqtime);
  } else {
    transmitter.publish(std::move(message));
  }
}

}  // namespace gxr
