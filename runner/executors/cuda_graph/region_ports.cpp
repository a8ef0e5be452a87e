#include "executors/cuda_graph/region_ports.hpp"

#include <algorithm>
#include <utility>

#include "gxr/error.hpp"
#include "gxr/message_data.hpp"
#include "gxr/multimedia/video_buffer.hpp"
#include "gxr/timestamp.hpp"

namespace gxr {
namespace {

TensorSpec spec_of(const Tensor& tensor) {
  return {tensor.shape(), tensor.element_type(), tensor.bytes_per_element(), {}};
}

template <class Port>
void add_once(std::vector<Port*>& ports, Component& port) {
  auto* const found = static_cast<Port*>(&port);
  if (std::ranges::find(ports, found) == ports.end()) {
    ports.push_back(found);
  }
}

std::string part_name(const Message& message, const Tensor& tensor) {
  const auto* part = std::find_if(message.begin(), message.end(),
                                  [&](const detail::Part& each) { return each.data == &tensor; });
  return part == message.end() ? std::string() : std::string(part->name);
}

}  // namespace

bool is_like(const TensorSpec& found, const TensorSpec& wanted, bool only_bytes) {
  if (only_bytes) {
    return found.bytes() == wanted.bytes();
  }
  return found.shape == wanted.shape && found.type == wanted.type &&
         found.bytes() == wanted.bytes() && found.content == wanted.content;
}

RegionPorts::RegionPorts(const Region& region, const RegionOperators& operators,
                         const Instance& instance, Context& context)
    : region_(region), operators_(operators), context_(context) {
  for (const GraphInput& input : graph().inputs) {
    Input& found = inputs_.emplace_back(Input{input.tensor, {}});
    for (const Link& link : input.links) {
      add_once(found.receivers, instance.component(link.receiver));
      add_once(receivers_, instance.component(link.receiver));
    }
  }
  for (const GraphOutput& output : graph().outputs) {
    Output& found = outputs_.emplace_back(Output{output.tensor, {}});
    for (const Link& link : output.links) {
      add_once(found.transmitters, instance.component(link.transmitter));
      add_once(transmitters_, instance.component(link.transmitter));
    }
  }
}

std::string RegionPorts::name_of(const Input& input) {
  return "'" + input.receivers.front()->full_name() + "'";
}

const Tensor& RegionPorts::tensor_in(const Input& input, const Message& message) const {
  const std::optional<TensorSpec>& spec = graph().tensors[input.tensor].spec;
  const Tensor* named = spec && !spec->name.empty() ? message.find<Tensor>(spec->name) : nullptr;
  const Tensor* tensor = named != nullptr ? named : message.find<Tensor>();
  if (tensor == nullptr) {
    const bool is_video = message.find<VideoBuffer>() != nullptr;
    throw Error(
        ErrorCode::InvalidData,
        name_of(input) + (is_video ? " received a VideoBuffer, and a CUDA graph takes tensors: set "
                                     "'out_part' of the operator that sends it to tensor, or let a "
                                     "gxr::image::ColorConverter turn it into one"
                                   : " received a message without a tensor"));
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

/// The tensor of a message, with its content as its readers understand the message.
TensorSpec RegionPorts::spec_in(const Input& input, const Message& message,
                                const Tensor& tensor) const {
  const GraphTensor& planned = graph().tensors[input.tensor];
  TensorSpec spec = spec_of(tensor);
  spec.content = planned.spec ? planned.spec->content : std::string();
  for (const StepId reader : planned.consumers) {
    guarded(operators_.site(reader, "read_content"),
            [&] { operators_.at(reader).read_content(message, spec); });
  }
  return spec;
}

Message RegionPorts::receive(const Input& input, const Take& take) {
  Message first = take(*input.receivers.front());
  for (std::size_t i = 1; i < input.receivers.size(); ++i) {
    if (!(take(*input.receivers[i]) == first)) {
      throw Error(ErrorCode::InvalidState,
                  "'" + input.receivers[i]->full_name() + "' and " + name_of(input) +
                      ", which read the same input, received different messages: one of them "
                      "has dropped some");
    }
  }
  return first;
}

std::vector<Message> RegionPorts::receive(const Take& take) const {
  std::vector<Message> messages;
  for (const Input& input : inputs_) {
    messages.push_back(receive(input, take));
  }
  return messages;
}

TensorSpec RegionPorts::spec_told_by(const Input& input, const Message& message) const {
  const Tensor& tensor = tensor_in(input, message);
  TensorSpec spec = spec_in(input, message, tensor);
  spec.name = part_name(message, tensor);
  return spec;
}

const Tensor* RegionPorts::fitting_tensor(const Input& input, const Message& message) const {
  const Tensor& tensor = tensor_in(input, message);
  if (!tensor.is_contiguous()) {
    throw Error(ErrorCode::InvalidData,
                name_of(input) + " received a tensor with gaps between its elements");
  }
  const GraphTensor& planned = graph().tensors[input.tensor];
  const bool fits = is_like(spec_in(input, message, tensor), *planned.spec, planned.only_bytes);
  return fits ? &tensor : nullptr;
}

RegionPorts::Origin RegionPorts::origin_of(const Message& message) {
  Origin origin{message.sequence(), message.source_time(), std::nullopt, trail_of(message)};
  if (const auto* time = message.find<Timestamp>(); time != nullptr) {
    origin.acqtime = time->acqtime;
  }
  return origin;
}

void RegionPorts::write_content(const GraphTensor& written, Message& message) const {
  if (written.producer != kNone) {
    guarded(operators_.site(written.producer, "write_content"),
            [&] { operators_.at(written.producer).write_content(*written.spec, message); });
  }
}

Message RegionPorts::new_result(const Output& output, Allocator& from, void* memory,
                                MemoryStorageType storage, const Origin* origin,
                                std::uint64_t number) const {
  const GraphTensor& planned = graph().tensors[output.tensor];
  const TensorSpec& spec = *planned.spec;
  Message message;
  Tensor* tensor = nullptr;
  try {
    message = context_.new_message();
    tensor = &message.add<Tensor>(spec.name);
  } catch (...) {
    from.free(memory);  // which no tensor has adopted
    throw;
  }
  tensor->adopt(from, memory, spec.shape, spec.type, storage,
                spec.type == ElementType::Custom ? spec.bytes_per_element : 0);
  write_content(planned, message);
  message.set_sequence(origin != nullptr ? origin->sequence : number);
  if (origin != nullptr) {
    message.set_source_time(origin->source_time);
    set_trail(message, origin->trail);
  }
  return message;
}

void RegionPorts::publish(Transmitter& transmitter, Message message, const Origin* origin) {
  if (origin != nullptr && origin->acqtime) {
    transmitter.publish(std::move(message), *origin->acqtime);
  } else {
    transmitter.publish(std::move(message));
  }
}

}  // namespace gxr
