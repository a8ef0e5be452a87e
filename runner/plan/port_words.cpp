#include "plan/port_words.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "document/number_text.hpp"
#include "graph/text.hpp"

namespace gxr {

/// What a port or an operator says of a tensor.
struct PortWords::Word {
  ComponentId port = kNone;
  TensorSpec spec;
  bool only_bytes = false;
  bool is_declared = true;  ///< by the port; else by the writer of the tensor
};

/// A queue at which a tensor passes.
struct PortWords::End {
  ComponentId queue = kNone;
  const cuda::DevicePort* port = nullptr;  ///< nullptr: an ordinary queue
  bool inside = true;                      ///< of the region

  [[nodiscard]] bool says_size() const {
    return port != nullptr && (port->tensor() || port->bytes().value_or(0) > 0);
  }
  [[nodiscard]] bool has_memory() const {
    return inside && port != nullptr && port->has_own_memory();
  }
  /// Is it said later?
  [[nodiscard]] bool waits() const {
    return port != nullptr && ((port->bytes() && *port->bytes() == 0) ||
                               (has_memory() && port->memory().pointer == nullptr));
  }
};

/// All that is said of one tensor.
struct PortWords::Tensor {
  bool written_inside = true;
  std::vector<End> ends;  ///< the first is the transmitter, if there is one
  std::vector<Word> words;
};

namespace {

/// A tensor of which no more than the size is known.
TensorSpec spec_of(std::uint64_t bytes) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (bytes <= kMost) {
    return {{static_cast<std::int32_t>(bytes)}, ElementType::UInt8, 0, {}};
  }
  return {{1}, ElementType::Custom, bytes, {}};
}

std::string text_of(const TensorSpec& spec, bool only_bytes) {
  const std::string bytes = counted(spec.bytes(), "byte", "bytes");
  return only_bytes ? bytes : spec.to_string() + " (" + bytes + ")";
}

bool agree(const TensorSpec& a, bool only_bytes, const TensorSpec& b) {
  return a.bytes() == b.bytes() && (only_bytes || (a.shape == b.shape && a.type == b.type));
}

}  // namespace

std::string PortWords::name(ComponentId component) const {
  return in_quotes(graph_.full_name(graph_.components[component]));
}

PortWords::End PortWords::end(ComponentId queue, bool inside) {
  return {queue, source_.device_port(queue), inside};
}

std::optional<TensorSpec> PortWords::declared(ComponentId queue) {
  const cuda::DevicePort* const port = source_.device_port(queue);
  if (port == nullptr) {
    return std::nullopt;
  }
  const std::uint64_t bytes = port->bytes().value_or(0);
  return port->tensor() || bytes == 0 ? port->tensor() : spec_of(bytes);
}

std::vector<PortWords::End> PortWords::ends_of(const GraphRegion& region, TensorId id) {
  const GraphTensor& tensor = region.tensors[id];
  std::vector<End> ends;
  for (const GraphInput& input : region.inputs) {
    if (input.tensor == id) {
      ends.push_back(end(input.links.front().transmitter, false));
    }
  }
  if (ends.empty() && tensor.transmitter != kNone) {
    ends.push_back(end(tensor.transmitter, true));
  }
  for (const auto* queues : {&tensor.passed, &tensor.receivers}) {
    for (const ComponentId queue : *queues) {
      ends.push_back(end(queue, true));
    }
  }
  for (const GraphOutput& output : region.outputs) {
    for (const Link& link : output.tensor == id ? output.links : std::vector<Link>()) {
      ends.push_back(end(link.receiver, false));
    }
  }
  return ends;
}

PortWords::Tensor PortWords::collect(const GraphRegion& region, TensorId id, const Known& known) {
  Tensor found{region.tensors[id].producer != kNone, ends_of(region, id), {}};
  if (known.spec) {
    found.words.push_back({found.ends.front().queue, *known.spec, false, false});
  }
  for (const End& end : found.ends) {
    if (end.port != nullptr && end.port->tensor()) {
      found.words.push_back({end.queue, *end.port->tensor(), false, true});
    }
    if (end.port != nullptr && end.port->bytes().value_or(0) > 0) {
      found.words.push_back({end.queue, spec_of(*end.port->bytes()), true, true});
    }
  }
  return found;
}

bool PortWords::settle(GraphRegion& region, TensorId id, const Known& known) {
  const Tensor found = collect(region, id, known);
  GraphTensor& tensor = region.tensors[id];
  tensor.declared_by.clear();
  tensor.owner = kNone;
  for (const End& end : found.ends) {
    if (end.says_size()) {
      tensor.declared_by.push_back(end.queue);
    }
    if (tensor.owner == kNone && end.has_memory()) {
      tensor.owner = end.queue;
    }
  }
  if (found.words.empty()) {
    const bool settled = settle_without_size(tensor, found, known);
    tensor.spec_is_declared = tensor.spec.has_value();
    return settled;
  }
  tensor.spec_is_declared = !known.spec;
  const auto exact = std::ranges::find(found.words, false, &Word::only_bytes);
  const Word& reference = exact == found.words.end() ? found.words.front() : *exact;
  tensor.spec = reference.spec;
  tensor.only_bytes = reference.only_bytes;
  if (report_conflicts(found, reference)) {
    tensor.spec = known.spec;  // consequences of the mistake are none
    return true;
  }
  warn_of_one_size(found, reference, known);
  return true;
}

/// An operator's own memory is as large as it says; else there is nothing to go by.
bool PortWords::settle_without_size(GraphTensor& tensor, const Tensor& found, const Known& known) {
  tensor.spec.reset();
  tensor.only_bytes = true;
  for (const End& end : found.ends) {
    if (end.has_memory() && end.port->memory().pointer != nullptr) {
      tensor.spec = spec_of(end.port->memory().bytes);
      return true;
    }
  }
  const bool waits = !source_.started() && std::ranges::any_of(found.ends, &End::waits);
  if (known.may_follow || waits) {
    return true;
  }
  if (std::ranges::none_of(found.ends, [](const End& end) { return end.port != nullptr; })) {
    return false;
  }
  report_no_size(found);
  return true;
}

Location PortWords::place(const GraphComponent& port, std::uint32_t& length) const {
  for (const char* key : {"tensor", "bytes"}) {
    if (const ParameterAssignment* given = port.find(key)) {
      length = underline_length(*given->value);
      return given->value->location();
    }
  }
  length = where_length(port);
  return port.where;
}

void PortWords::add_place(Diagnostic& diagnostic, ComponentId port, const std::string& what) const {
  std::uint32_t length = 1;
  diagnostic.related.push_back({place(graph_.components[port], length), name(port) + what});
}

bool PortWords::report_conflicts(const Tensor& tensor, const Word& reference) {
  bool any = false;
  for (const Word& word : tensor.words) {
    if (!agree(reference.spec, reference.only_bytes || word.only_bytes, word.spec)) {
      const bool is_first = &reference < &word;  // the writer's word comes first
      report_conflict(tensor, is_first ? reference : word, is_first ? word : reference);
      any = true;
    }
  }
  return any;
}

void PortWords::report_conflict(const Tensor& tensor, const Word& first, const Word& other) {
  const std::string one = text_of(first.spec, first.only_bytes);
  const std::string two = text_of(other.spec, other.only_bytes);
  std::string text = name(first.port) + " declares " + one + ", but " + name(other.port) +
                     ", which is connected to it, declares " + two;
  if (!first.is_declared && first.port == other.port) {
    text = (tensor.written_inside ? "the operator's infer() tells " : "the graph's input is ") +
           one + " at " + name(first.port) + ", but the port declares " + two;
  } else if (!first.is_declared) {
    text =
        one + " comes from " + name(first.port) + ", but " + name(other.port) + " declares " + two;
  } else if (first.port == other.port) {
    text = name(first.port) + " declares " + one + ", and " + two;
  }
  std::uint32_t length = 1;
  const Location where = place(graph_.components[other.port], length);
  Diagnostic& added =
      diagnostics_.add(DiagnosticCode::DevicePortSize, where, length, std::move(text),
                       "both ends are one tensor: let them say the same");
  if (first.port != other.port) {
    add_place(added, first.port, first.is_declared ? " declares " + one + " here" : " stands here");
  }
}

/// Does a device port say nothing, for good, so that this is the time to mention it?
bool PortWords::is_silent(const End& end) const {
  return end.port != nullptr && !end.says_size() && !end.has_memory() &&
         end.waits() == source_.started();
}

void PortWords::warn_of_one_size(const Tensor& tensor, const Word& reference, const Known& known) {
  const End& sends = tensor.ends.front();
  if (sends.says_size()) {
    for (const End& end : tensor.ends) {
      if (is_silent(end)) {
        warn(end, sends, reference);
      }
    }
    return;
  }
  const bool says_never =
      is_silent(sends) || (sends.port == nullptr && tensor.written_inside && !source_.started());
  if (!known.spec && !known.may_follow && says_never) {
    warn(sends, *std::ranges::find_if(tensor.ends, &End::says_size), reference);
  }
}

void PortWords::warn(const End& silent, const End& other, const Word& holds) {
  const GraphComponent& port = graph_.components[silent.queue];
  Diagnostic& added =
      diagnostics_.add(DiagnosticCode::DevicePortOneSize, port.where, where_length(port),
                       name(silent.queue) + " declares no size for its tensor; the one of " +
                           name(other.queue) + " applies: " + text_of(holds.spec, holds.only_bytes),
                       "declare it at both ends");
  add_place(added, other.queue, " declares it here");
}

void PortWords::report_no_size(const Tensor& tensor) {
  const End& sends = tensor.ends.front();
  const auto at =
      std::ranges::find_if(tensor.ends, [](const End& end) { return end.port != nullptr; });
  std::string receivers;
  for (const End& end : tensor.ends) {
    if (&end != &sends) {
      receivers += (receivers.empty() ? " to " : ", ") + name(end.queue);
    }
  }
  const GraphComponent& port = graph_.components[at->queue];
  Diagnostic& added =
      diagnostics_.add(DiagnosticCode::DevicePortNoSize, port.where, where_length(port),
                       "the size of the tensor from " + name(sends.queue) + receivers +
                           " is unknown: neither a port nor infer() gives it",
                       "add 'bytes' or 'tensor' to both ends; 'bytes: 0' if initialize() sets it");
  for (const End& end : tensor.ends) {
    if (end.queue != at->queue) {
      add_place(added, end.queue, " stands here");
    }
  }
}

}  // namespace gxr
