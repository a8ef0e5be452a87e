#include <nlohmann/json.hpp>

#include "plan/loop_round.hpp"
#include "plan/render_graph_region.hpp"
#include "plan/staging.hpp"
#include "plan/step_order.hpp"

namespace gxr {
namespace {

using Json = nlohmann::ordered_json;

template <class E>
const char* name_of(E value) {
  for (const auto& [known, name] : EnumNames<E>::values) {
    if (known == value) {
      return name;
    }
  }
  return "unknown";
}

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

class RegionJson {
 public:
  RegionJson(const Plan& plan, const Region& region)
      : graph_(*plan.graph), region_(*region.graph) {}

  Json make() const {
    return {{"options", json_of(region_.options)},
            {"iterations_in_round", round_of(region_).iterations},
            {"steps", steps()},
            {"handlers", handlers()},
            {"branches", branches()},
            {"tensors", tensors()},
            {"scratch", scratch()},
            {"inputs", ways(region_.inputs)},
            {"outputs", ways(region_.outputs)},
            {"green_context", name(region_.green_context)},
            {"timestamp_from", region_.inputs.empty() ? Json() : Json(region_.timestamp_from)},
            {"dissolved", dissolved()},
            {"laid_out", region_.laid_out},
            {"arena_bytes", region_.arena_bytes},
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
  static const char* place_of(const GraphTensor& tensor) {
    if (tensor.in_place) {
      return "same";
    }
    if (tensor.owner != kNone) {
      return "own";
    }
    return tensor.place == GraphTensor::Place::Arena ? "arena" : "slot";
  }
  [[nodiscard]] Json in_turn(const GraphTensor& tensor) const {
    Json list = Json::array();
    for (const TensorWriter& other : tensor.in_turn) {
      list.push_back(name(other.transmitter));
    }
    return list;
  }
  static Json step(StepId id) { return id == kNone ? Json() : Json(id); }

  [[nodiscard]] Json steps() const {
    const std::vector<std::vector<StepId>> beside = parallel_steps(region_);
    Json list = Json::array();
    for (StepId id = 0; id < region_.steps.size(); ++id) {
      const GraphStep& at = region_.steps[id];
      list.push_back({{"entity", graph_.entities[at.entity].name},
                      {"codelet", name(at.codelet)},
                      {"after", at.predecessors},
                      {"beside", beside[id]},
                      {"reads", at.reads},
                      {"writes", at.writes},
                      {"count", at.count ? Json(*at.count) : Json()},
                      {"looks", at.looks},
                      {"pass_through", at.pass_through},
                      {"around", places(at.around)}});
    }
    return list;
  }

  static Json place(const BranchPlace& at) {
    return at.branch == kNone ? Json()
                              : Json{{"branch", at.branch}, {"alternative", at.alternative}};
  }
  static Json places(const std::vector<BranchPlace>& all) {
    Json list = Json::array();
    for (const BranchPlace& at : all) {
      list.push_back(place(at));
    }
    return list;
  }

  [[nodiscard]] Json branches() const {
    constexpr const char* kKinds[] = {"if", "switch", "while", "every"};
    Json list = Json::array();
    for (const GraphBranch& at : region_.branches) {
      const bool counts = at.kind == BranchKind::Every;
      list.push_back({{"component", name(at.component)},
                      {"kind", kKinds[static_cast<std::size_t>(at.kind)]},
                      {"selector", step(at.selector)},
                      {"alternatives", at.alternatives},
                      {"parent", place(at.parent)},
                      {"limit", at.limit},
                      {"count", counts ? Json(at.count) : Json()},
                      {"first", counts ? Json(at.first) : Json()},
                      {"launch", counts ? Json(name_of(at.launch)) : Json()}});
    }
    return list;
  }

  [[nodiscard]] Json handlers() const {
    Json list = Json::array();
    for (const GraphHandler& at : region_.handlers) {
      list.push_back({{"component", name(at.component)},
                      {"step", step(at.step)},
                      {"source", step(at.source)}});
    }
    return list;
  }

  [[nodiscard]] Json tensors() const {
    Json list = Json::array();
    for (const GraphTensor& tensor : region_.tensors) {
      const bool in_arena =
          tensor.place == GraphTensor::Place::Arena && tensor.owner == kNone && !tensor.in_place;
      const StepRange range = lifetime(tensor);
      list.push_back({{"transmitter", name(tensor.transmitter)},
                      {"in_turn", in_turn(tensor)},
                      {"receivers", names(tensor.receivers)},
                      {"spec", tensor.spec ? json_of(*tensor.spec) : Json()},
                      {"declared_by", names(tensor.declared_by)},
                      {"place", place_of(tensor)},
                      {"memory_of", name(tensor.owner)},
                      {"offset", in_arena && region_.laid_out ? Json(tensor.offset) : Json()},
                      {"lasts", tensor.lasts},
                      {"delays", step(tensor.delays)},
                      {"first_step", step(range.first)},
                      {"last_step", step(range.last)}});
    }
    return list;
  }

  [[nodiscard]] Json scratch() const {
    Json list = Json::array();
    for (const GraphScratch& at : region_.scratch) {
      list.push_back({{"step", at.step},
                      {"bytes", at.bytes},
                      {"offset", region_.laid_out ? Json(at.offset) : Json()}});
    }
    return list;
  }

  template <class Way>
  [[nodiscard]] Json ways(const std::vector<Way>& all) const {
    Json list = Json::array();
    for (const Way& way : all) {
      Json links = Json::array();
      for (const Link& link : way.links) {
        links.push_back(
            {{"transmitter", name(link.transmitter)}, {"receiver", name(link.receiver)}});
      }
      list.push_back({{"tensor", way.tensor}, {"links", links}});
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
};

}  // namespace

nlohmann::ordered_json graph_region_as_json(const Plan& plan, const Region& region) {
  return RegionJson(plan, region).make();
}

}  // namespace gxr
