#include "parameter_show.hpp"

#include <cinttypes>
#include <sstream>
#include <utility>

namespace acme {
namespace params {

namespace {

using nvidia::gxf::Expected;
using nvidia::gxf::Registrar;

template <typename T>
std::string Text(const T& value) {
  std::ostringstream out;
  out << std::boolalpha << value;
  return out.str();
}

template <typename List>
std::string Joined(const List& list) {
  std::string text;
  for (const auto& item : list) {
    text += (text.empty() ? "" : ", ") + Text(item);
  }
  return text;
}

std::string WordFor(Quality quality) {
  switch (quality) {
    case Quality::kDraft:
      return "draft";
    case Quality::kNormal:
      return "normal";
    default:
      return "final";
  }
}

}  // namespace

gxf_result_t ParameterShow::registerInterface(Registrar* registrar) {
  Expected<void> result;

  // Two, three and four arguments: the value must be given.
  result &= registrar->parameter(flag_, "flag");
  result &= registrar->parameter(count_, "count");
  result &= registrar->parameter(index_, "index", "Index");
  result &= registrar->parameter(ticks_, "ticks", "Ticks");
  result &= registrar->parameter(text_, "text", "Text", "Any text");

  // Five arguments: a default.
  result &= registrar->parameter(bytes_, "bytes", "Bytes", "Unsigned", uint64_t{1} << 40);
  result &= registrar->parameter(limit_, "limit", "Limit", "A size", 64UL);
  result &=
      registrar->parameter(level_, "level", "Level", "A small number", static_cast<uint8_t>(7));
  result &=
      registrar->parameter(short_, "short", "Short", "A short number", static_cast<int16_t>(-3));
  result &= registrar->parameter(gain_, "gain", "Gain", "A factor", 0.5f);
  result &=
      registrar->parameter(file_, "file", "File", "A path", nvidia::gxf::FilePath("/no/such/file"));
  result &= registrar->parameter(label_, "label", "Label", "A short text",
                                 nvidia::FixedString<16>("short"));
  result &= registrar->parameter(complex_, "complex", "Complex", "A complex number",
                                 std::complex<double>(1.0, -2.0));
  result &= registrar->parameter(integers_, "integers", "Integers", "A list", {});
  result &= registrar->parameter(shorts_, "shorts", "Shorts", "A list", {1, 2});
  result &= registrar->parameter(floats_, "floats", "Floats", "A list", std::vector<float>{0.5f});
  result &= registrar->parameter(names_, "names", "Names", "A list",
                                 {std::string("anna"), std::string("bert")});
  result &= registrar->parameter(triple_, "triple", "Triple", "Three numbers",
                                 std::array<int32_t, 3>{1, 2, 3});

  // The full form.
  nvidia::gxf::ParameterInfo<double> ratio{"ratio", "Ratio", "Between 0 and 1"};
  ratio.value_default = 0.25;
  ratio.value_range = std::array<double, 3>{0.0, 1.0, 0.125};
  result &= registrar->parameter(ratio_, ratio);

  result &= registrar->parameter(doubles_, "doubles", "Doubles", "A list");
  result &= registrar->parameter(grid_, "grid", "Grid", "Rows of numbers");
  result &= registrar->parameter(few_, "few", "Few", "At most four numbers");
  result &= registrar->parameter(groups_, "groups", "Groups", "Names of members by name");
  result &= registrar->parameter(sizes_, "sizes", "Sizes", "Numbers by name");

  result &= registrar->parameter(quality_, "quality", "Quality", "draft, normal or final",
                                 Quality::kNormal);
  result &= registrar->parameter(interval_, "interval", "Interval", "With low and high");
  result &= registrar->parameter(couple_, "couple", "Couple", "A text and a list");
  result &= registrar->parameter(node_, "node", "Node", "Any YAML", Registrar::NoDefaultParameter(),
                                 GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(storage_, "storage", "Storage", "Kind of memory",
                                 nvidia::gxf::MemoryStorageType::kHost);

  result &= registrar->parameter(clock_, "clock", "Clock", "A clock");
  result &= registrar->parameter(term_, "term", "Term", "A term; none is also right",
                                 Handle<nvidia::gxf::BooleanSchedulingTerm>());
  result &= registrar->parameter(gauge_, "gauge", "Gauge", "A component of an own interface");
  result &= registrar->parameter(outputs_, "outputs", "Outputs", "Transmitters",
                                 std::vector<Handle<nvidia::gxf::Transmitter>>{});
  result &=
      registrar->parameter(gauges_, "gauges", "Gauges", "Several components of an own interface");

  // Six arguments: flags.
  result &= registrar->parameter(optional_, "optional", "Optional", "May be missing",
                                 Registrar::NoDefaultParameter(), GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(optional_default_, "optional_default", "Optional",
                                 "May be missing, has a default", int64_t{42},
                                 GXF_PARAMETER_FLAGS_OPTIONAL);
  result &= registrar->parameter(unset_, "unset", "Unset", "May be missing, and is",
                                 Registrar::NoDefaultParameter(),
                                 GXF_PARAMETER_FLAGS_OPTIONAL | GXF_PARAMETER_FLAGS_DYNAMIC);
  result &=
      registrar->parameter(dynamic_, "dynamic", "Dynamic", "Changes while the application runs",
                           1.0, GXF_PARAMETER_FLAGS_DYNAMIC);

  // Some kinds of this codelet have more parameters.
  if (tunable()) {
    result &= registrar->parameter(tuned_, "tuned", "Tuned", "Only of the tunable kind", 1,
                                   GXF_PARAMETER_FLAGS_DYNAMIC);
    result &= registrar->parameter(tuning_name_, "tuning_name", "Name", "Only of the tunable kind");
  }

  result &= registrar->parameter(expected_, "expected", "Expected", "What must be shown", {});
  return nvidia::gxf::ToResultCode(result);
}

void ParameterShow::show(const char* key, const std::string& value) {
  GXF_LOG_INFO("params: %s = %s", key, value.c_str());
  shown_.push_back(std::string(key) + " = " + value);
}

void ParameterShow::showNumbers() {
  const bool flag = flag_;
  const std::string text = text_;
  show("flag", flag ? "yes" : "no");
  show("count", std::to_string(count_ * 2));
  switch (index_) {
    case 7:
      show("index", "seven");
      break;
    default:
      show("index", "another one");
      break;
  }
  show("ticks", Text(ticks_.get()));
  show("bytes", Text(bytes_.get()));
  show("limit", Text(limit_.get()));
  show("level", Text(static_cast<unsigned>(level_.get())));
  show("short", Text(short_.get()));
  show("gain", Text(gain_.get()));
  show("ratio", Text(ratio_.get()));
  show("text", text);
  show("file", file_.get());
  show("label", label_.get().c_str());
  show("complex", Text(complex_.get()));
}

void ParameterShow::showLists() {
  const std::vector<int> integers = integers_;
  show("integers", Joined(integers));
  show("shorts", Joined(shorts_.get()));
  show("floats", Joined(floats_.get()));
  show("doubles", Joined(doubles_.get()));
  show("names", Joined(names_.get()));
  std::string grid;
  for (const auto& row : grid_.get()) {
    grid += "[" + Joined(row) + "]";
  }
  show("grid", grid);
  show("triple", Joined(triple_.get()));
  std::string few;
  for (size_t i = 0; i < few_.get().size(); ++i) {
    few += Text(few_.get().at(i).value()) + (few_.get().full() ? "!" : ";");
  }
  show("few", few);
  std::string groups;
  for (const auto& group : groups_.get()) {
    groups += (groups.empty() ? "" : "; ") + group.first + "=" + Joined(group.second);
  }
  show("groups", groups);
  show("sizes", Text(sizes_.get().size()) + ", small is " + Text(sizes_.get().at("small")));
}

void ParameterShow::showOwnTypes() {
  show("quality", WordFor(quality_));
  show("interval", Text(interval_.get().low) + " to " + Text(interval_.get().high));
  show("couple", couple_.get().first + " with " + Joined(couple_.get().second));
  const auto node = node_.try_get();
  if (node) {
    std::string keys;
    for (const auto& entry : node.value()) {
      keys += entry.first.as<std::string>() + " ";
    }
    show("node", keys + Text(node.value()["depth"].as<int>()));
  }
  show("storage", Text(static_cast<int32_t>(storage_.get())));
}

void ParameterShow::showHandles() {
  const Handle<nvidia::gxf::Clock> clock = clock_;
  show("clock", clock.name());
  show("term", term_.get().is_null() ? "none" : term_->name());
  show("gauge", gauge_->name());
  std::string outputs;
  for (const auto& output : outputs_.get()) {
    outputs += (outputs.empty() ? "" : " ") + std::string(output.name()) + "(" +
               Text(output->size()) + ")";
  }
  show("outputs", outputs);
  std::string gauges;
  for (size_t i = 0; i < gauges_.get().size(); ++i) {
    const Handle<Gauge> gauge = gauges_.get().at(i).value();
    gauges += (gauges.empty() ? "" : " ") + std::string(gauge.name()) +
              (gauge == gauge_.get() ? "(the same)" : "");
  }
  show("gauges", gauges);
}

void ParameterShow::showOptional() {
  const auto& optional = optional_.try_get();
  show("optional", optional ? Text(optional.value()) : GxfResultStr(optional.error()));
  show("optional_default", Text(optional_default_.try_get().value()));
  const auto unset = unset_.try_get();
  show("unset", unset ? unset.value() : std::string(GxfResultStr(unset.error())));
  show("dynamic", Text(dynamic_.get()));
  if (tunable()) {
    show("tuned", Text(tuned_.get()));
    show("tuning_name", tuning_name_.get());
  }
}

gxf_result_t ParameterShow::initialize() {
  shown_.clear();
  showNumbers();
  showLists();
  showOwnTypes();
  return GXF_SUCCESS;
}

gxf_result_t ParameterShow::start() {
  showHandles();
  showOptional();
  return GXF_SUCCESS;
}

gxf_result_t ParameterShow::tick() {
  // A value that changes while the application runs.
  const auto set = dynamic_.set(dynamic_.get() + 0.5);
  if (!set) {
    return set.error();
  }
  const auto empty = unset_.set(std::string("now it is set"));
  if (!empty) {
    return empty.error();
  }
  show("dynamic", Text(dynamic_.get()));
  show("unset", unset_.try_get().value());
  for (size_t i = 0; i < shown_.size() || i < expected_.get().size(); ++i) {
    const std::string shown = i < shown_.size() ? shown_[i] : "(nothing)";
    const std::string expected = i < expected_.get().size() ? expected_.get()[i] : "(nothing)";
    if (shown != expected) {
      GXF_LOG_ERROR("Expected '%s', got '%s'", expected.c_str(), shown.c_str());
      return GXF_FAILURE;
    }
  }
  return GXF_SUCCESS;
}

}  // namespace params
}  // namespace acme
