#include <nlohmann/json.hpp>

#include "device/trait_words.hpp"
#include "plan/loop_round.hpp"
#include "plan/make_program.hpp"
#include "plan/render_graph_region.hpp"
#include "plan/staging.hpp"
#include "plan/step_order.hpp"

namespace gxr {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const GraphOptions& options) {
  return {{"mode", name_of(options.mode)},
          {"device", options.device},
          {"loop", name_of(options.loop)},
          {"unroll", options.unroll},
          {"slots", options.slots},
          {"priority", options.priority},
          {"memory_sync_domain", name_of(options.memory_sync_domain)},
          {"timeout_ns", options.timeout.count()},
          {"iteration_timeout_ns", options.iteration_timeout.count()},
          {"sleep_interval_ns", options.sleep_interval.count()},
          {"pause", name_of(options.pause)},
          {"host_driven", options.host_driven},
          {"sync_with_host", options.sync_with_host},
          {"on_stop", name_of(options.on_stop)},
          {"ready", name_of(options.ready)},
          {"input_timeout_ns", options.input_timeout.count()},
          {"missing_data", name_of(options.missing_data)},
          {"instrument_every", options.instrument_every},
          {"watchdog_ns", options.watchdog.count()}};
}

Json json_of(const TensorSpec& spec) {
  Json shape = Json::array();
  for (std::uint32_t i = 0; i < spec.shape.rank(); ++i) {
    shape.push_back(spec.shape.dimension(i));
  }
  return {{"shape", shape},
          {"dtype", to_string(spec.type)},
          {"bytes", spec.bytes()},
          {"content", spec.content.empty() ? Json() : Json(spec.content)}};
}

Json json_of(const GraphTraits& traits) {
  // The compiler refuses this line when there is another trait.
  const auto& [dependent_launch, repeatable, priority, kept_in_l2, pass_through] = traits;
  return {{"dependent_launch", dependent_launch},
          {"repeatable", repeatable},
          {"priority", priority},
          {"kept_in_l2", name_of(kept_in_l2)},
          {"pass_through", pass_through}};
}

/// The program of a region, with the names of what is in the files.
class RegionJson {
 public:
  RegionJson(const Plan& plan, const Region& region)
      : graph_(*plan.graph), region_(*region.graph), program_(make_program(region_)) {}

  Json make() const {
    return {{"options", json_of(region_.options)},
            {"iterations_in_round", round_of(region_).iterations},
            {"nodes", nodes()},
            {"buffers", buffers()},
            {"inputs", ports(program_.inputs, region_.inputs)},
            {"outputs", ports(program_.outputs, region_.outputs)},
            {"doorbells", doorbells()},
            {"green_context", name(region_.green_context)},
            {"timestamp_from", region_.inputs.empty() ? Json() : Json(region_.timestamp_from)},
            {"dissolved", dissolved()},
            {"laid_out", program_.laid_out},
            {"arena_bytes", program_.arena_bytes},
            {"buffer_bytes", region_.buffer_bytes},
            {"lower_bound_bytes", region_.lower_bound_bytes},
            {"staging_bytes", staging_bytes(region_)}};
  }

 private:
  [[nodiscard]] Json name(ComponentId component) const {
    return component == kNone ? Json() : Json(graph_.full_name(graph_.components[component]));
  }
  [[nodiscard]] Json names(const std::vector<ComponentId>& components) const {
    Json list = Json::array();
    for (const ComponentId component : components) {
      list.push_back(name(component));
    }
    return list;
  }
  static Json number(NodeId id) { return id == kNoNode ? Json() : Json(id); }
  static Json number(BufferId id) { return id == kNoBuffer ? Json() : Json(id); }

  static Json place_of(const DeviceBody& body) {
    return body.is_iteration() ? Json() : Json{{"branch", body.branch}, {"number", body.number}};
  }

  [[nodiscard]] Json nodes() const {
    const std::vector<NodeId> of_step = nodes_of_steps(program_);
    const std::vector<std::vector<StepId>> beside = parallel_steps(region_);
    Json list = Json::array();
    for (const DeviceNode& node : program_.nodes) {
      Json json = {
          {"kind", name_of(node.kind)}, {"body", place_of(node.body)}, {"after", node.after}};
      if (node.kind == DeviceNode::Kind::Operator) {
        add_operator(node, json);
        json["beside"] = Json::array();
        for (const StepId step : beside[node.planned]) {
          json["beside"].push_back(of_step[step]);
        }
      } else if (node.kind == DeviceNode::Kind::Branch) {
        add_branch(node, json);
      } else {
        json["from"] = node.reads.front();
        json["to"] = node.writes.front();
        json["crosses"] = number(node.crosses);
      }
      list.push_back(std::move(json));
    }
    return list;
  }

  void add_operator(const DeviceNode& node, Json& json) const {
    const GraphStep& step = region_.steps[node.planned];
    json["entity"] = graph_.entities[step.entity].name;
    json["codelet"] = name(step.codelet);
    json["reads"] = node.reads;
    json["writes"] = node.writes;
    json["limit"] = node.limit ? Json(*node.limit) : Json();
    json["polls"] = node.polls;
    json["pass_through"] = node.traits.pass_through;  // also one of the traits, which came later
    json["traits"] = json_of(node.traits);
    json["scratch"] = number(node.scratch);
    json["parameters"] = number(node.parameters_read);
  }

  void add_branch(const DeviceNode& node, Json& json) const {
    const DeviceBranch& branch = node.branch;
    const bool counts = branch.kind == BranchKind::Every;
    json["component"] = name(region_.branches[node.planned].component);
    json["branch"] = gxr::name_of(branch.kind);
    json["selector"] = number(branch.selector);
    json["bodies"] = branch.bodies;
    json["limit"] = branch.limit;
    json["count"] = counts ? Json(branch.count) : Json();
    json["first"] = counts ? Json(branch.first) : Json();
    json["launch"] = counts ? Json(gxr::name_of(branch.launch)) : Json();
  }

  static const char* name_of(DeviceNode::Kind kind) {
    constexpr const char* kNames[] = {"operator", "copy", "branch"};
    return kNames[static_cast<std::size_t>(kind)];
  }
  static const char* name_of(DeviceBuffer::Place place) {
    constexpr const char* kNames[] = {"arena", "own", "operator", "same"};
    return kNames[static_cast<std::size_t>(place)];
  }

  /// Tensors first, with the names of their ports; then scratch and parameters.
  [[nodiscard]] Json buffers() const {
    Json list = Json::array();
    for (BufferId id = 0; id < program_.buffers.size(); ++id) {
      const DeviceBuffer& buffer = program_.buffers[id];
      const bool in_arena = buffer.place == DeviceBuffer::Place::Arena && program_.laid_out;
      Json json = {{"bytes", buffer.bytes ? Json(*buffer.bytes) : Json()},
                   {"place", name_of(buffer.place)},
                   {"offset", in_arena ? Json(buffer.offset) : Json()},
                   {"same_as", number(buffer.same_as)},
                   {"lasts", buffer.lasts}};
      if (id < region_.tensors.size()) {
        add_tensor(region_.tensors[id], json);
      }
      list.push_back(std::move(json));
    }
    return list;
  }

  void add_tensor(const GraphTensor& tensor, Json& json) const {
    json["transmitter"] = name(tensor.transmitter);
    json["in_turn"] = Json::array();
    for (const TensorWriter& other : tensor.in_turn) {
      json["in_turn"].push_back(name(other.transmitter));
    }
    json["receivers"] = names(tensor.receivers);
    json["spec"] = tensor.spec ? json_of(*tensor.spec) : Json();
    json["declared_by"] = names(tensor.declared_by);
    json["memory_of"] = name(tensor.owner);
    json["delays"] = number(tensor.delays);
    json["by_program"] = tensor.by_program;
  }

  [[nodiscard]] Json doorbells() const {
    Json list = Json::array();
    for (std::size_t i = 0; i < program_.doorbells.size(); ++i) {
      list.push_back({{"component", name(region_.handlers[i].component)},
                      {"node", number(program_.doorbells[i].node)},
                      {"source", number(program_.doorbells[i].source)}});
    }
    return list;
  }

  template <class Way>
  [[nodiscard]] Json ports(const std::vector<BufferId>& ids, const std::vector<Way>& ways) const {
    Json list = Json::array();
    for (std::size_t i = 0; i < ids.size(); ++i) {
      Json links = Json::array();
      for (const Link& link : ways[i].links) {
        links.push_back(
            {{"transmitter", name(link.transmitter)}, {"receiver", name(link.receiver)}});
      }
      list.push_back({{"buffer", ids[i]}, {"links", links}});
    }
    return list;
  }

  [[nodiscard]] Json dissolved() const {
    Json list = Json::array();
    for (const EntityId entity : region_.dissolved) {
      list.push_back(graph_.entities[entity].name);
    }
    return list;
  }

  const Graph& graph_;
  const GraphRegion& region_;
  DeviceProgram program_;
};

}  // namespace

nlohmann::ordered_json graph_region_as_json(const Plan& plan, const Region& region) {
  return RegionJson(plan, region).make();
}

}  // namespace gxr
