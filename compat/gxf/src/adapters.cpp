#include "adapters.hpp"

#include "gxf/core/registrar.hpp"
#include "program.hpp"
#include "types.hpp"

namespace nvidia::gxf {
namespace layer {
namespace {

static_assert(static_cast<int>(TypeDescription::Kind::Any) ==
                  static_cast<int>(gxr::ParameterType::Kind::Any) &&
              static_cast<int>(TypeDescription::Kind::Handle) ==
                  static_cast<int>(gxr::ParameterType::Kind::Handle));

gxr::ParameterType to_gxr(const TypeDescription& type) {
  gxr::ParameterType result;
  result.kind = static_cast<gxr::ParameterType::Kind>(type.kind);
  result.name = type.kind == TypeDescription::Kind::Handle ? gxr_name_of(type.name) : type.name;
  result.length = type.length;
  for (const TypeDescription& element : type.of) {
    result.of.push_back(to_gxr(element));
  }
  return result;
}

/// The text of a headline is one line; the rest goes to the description.
gxr::ParameterInfo to_gxr(const ParameterDescription& from) {
  gxr::ParameterInfo info;
  info.type = to_gxr(from.type);
  info.headline = from.headline;
  if (const std::size_t end = info.headline.find('\n'); end != std::string::npos) {
    info.headline.resize(end);
  }
  info.description = std::string_view(from.description) == "N/A" ? "" : from.description;
  info.default_value = from.default_value;
  info.optional =
      (from.flags & GXF_PARAMETER_FLAGS_OPTIONAL) != 0 || (from.has_default && !from.default_value);
  info.dynamic = (from.flags & GXF_PARAMETER_FLAGS_DYNAMIC) != 0;
  info.minimum = from.minimum;
  info.maximum = from.maximum;
  info.step = from.step;
  return info;
}

}  // namespace

constinit thread_local const ComponentCall* innermost_call = nullptr;

void ComponentCall::note_failure(gxf_result_t code, const std::string& text) {
  const ComponentCall* const call = innermost_call;
  if (call != nullptr && call->component_ != nullptr && call->context_->program() != nullptr) {
    call->context_->program()->note_failure(*call->component_, code, text);
  }
}

std::string text_of(gxf_result_t code) {
  const char* const name = GxfResultStr(code);
  return std::string_view(name) == "N/A" ? "the code " + std::to_string(code) : name;
}

void AdaptedParameter::read(const gxr::Value& value, gxr::ParameterContext& context) {
  Context* const known = context_of(site_.context);
  const ComponentCall call(known, known->component(site_.cid));
  ParseSite site = site_;
  site.resolver = &context;
  slot_->read(ValueView(&value), site);
}

std::unique_ptr<gxr::ParameterBase> AdaptedParameter::make_another() const {
  return std::unique_ptr<gxr::ParameterBase>(
      new AdaptedParameter(std::unique_ptr<ParameterSlot>(slot_->make_another()), site_));
}

void AdaptedParameter::swap_value(gxr::ParameterBase& other) {
  slot_->swap_value(*static_cast<AdaptedParameter&>(other).slot_);
}

AdaptedComponent::~AdaptedComponent() {
  if (context_ != nullptr && owner_ != nullptr) {
    context_->forget(*owner_);
  }
}

void AdaptedComponent::declare(gxr::Component& owner, gxr::Interface& interface) {
  owner_ = &owner;
  context_ = Context::of(owner.context());
  const ComponentCall call = this->call();
  context_->learn(owner);
  const gxf_uid_t cid = Context::number_of(owner);
  const TypeRecord* const type = FindType(owner.type());
  object_->set_identity(type != nullptr ? type->tid : GxfTidNull(), owner.type().c_str(),
                        owner.name().c_str());
  object_->internalSetup(context_.get(), Context::entity_number_of(owner), cid, nullptr);
  parameters_.clear();
  InterfaceSink sink{interface, parameters_, {context_.get(), cid, "", nullptr}, {}};
  Registrar registrar(&sink, context_.get(), cid);
  const gxf_result_t code = object_->registerInterface(&registrar);
  if (code != GXF_SUCCESS) {
    const std::string text = "registerInterface() returned " + text_of(code) +
                             (sink.failure.empty() ? "" : ": " + sink.failure);
    ComponentCall::note_failure(code, text);
    throw gxr::Error(gxr::ErrorCode::InvalidData, text);
  }
}

void AdaptedComponent::initialize(gxr::Component& owner) {
  context_->move_to(owner.context());
  const ComponentCall call = this->call();
  require_success(object_->initialize(), "initialize");
}

void AdaptedComponent::deinitialize() {
  const ComponentCall call = this->call();
  require_success(object_->deinitialize(), "deinitialize");
}

ParameterSlot* AdaptedComponent::parameter(std::string_view key) noexcept {
  for (AdaptedParameter& parameter : parameters_) {
    if (key == parameter.name()) {
      return &parameter.slot();
    }
  }
  return nullptr;
}

void require_success(gxf_result_t code, const char* method) {
  if (code != GXF_SUCCESS) {
    const std::string text = std::string(method) + "() returned " + text_of(code);
    ComponentCall::note_failure(code, text);
    throw gxr::Error(
        code == GXF_NOT_FINISHED ? gxr::ErrorCode::NotFinished : gxr::ErrorCode::Failure, text);
  }
}

ParameterSlot* FindParameter(gxf_context_t context, gxf_uid_t cid, const char* key) noexcept {
  Context* const known = context_of(context);
  if (known == nullptr || key == nullptr) {
    return nullptr;
  }
  auto* const adapter = dynamic_cast<Adapter*>(known->component(cid));
  return adapter != nullptr ? adapter->parameter(key) : nullptr;
}

}  // namespace layer

gxf_result_t Registrar::declare(layer::ParameterSlot& slot,
                                const layer::ParameterDescription& about) {
  auto& sink = *static_cast<layer::InterfaceSink*>(sink_);
  const auto fail = [&](gxf_result_t code, const std::string& text) {
    if (sink.failure.empty()) {
      sink.failure = text;
    }
    return code;
  };
  if (about.key == nullptr || about.headline == nullptr || about.description == nullptr) {
    return fail(GXF_ARGUMENT_NULL, "parameter '" +
                                       std::string(about.key != nullptr ? about.key : "") +
                                       "' has no key, headline or description");
  }
  for (const layer::AdaptedParameter& other : sink.parameters) {
    if (std::string_view(other.name()) == about.key) {
      return fail(GXF_PARAMETER_ALREADY_REGISTERED,
                  "parameter '" + std::string(about.key) + "' is registered twice");
    }
  }
  layer::ParseSite site = sink.site;
  site.key = about.key;
  sink.interface.parameter(sink.parameters.emplace_back(slot, site), about.key,
                           layer::to_gxr(about));
  return GXF_SUCCESS;
}

// --- the base of all components

Component::~Component() = default;
gxf_result_t Component::registerInterface(Registrar*) { return GXF_SUCCESS; }
gxf_result_t Component::initialize() { return GXF_SUCCESS; }
gxf_result_t Component::deinitialize() { return GXF_SUCCESS; }

gxr::Component* Component::make_adapter() { return new layer::AdapterOf<gxr::Component>(*this); }

void Component::internalSetup(gxf_context_t context, gxf_uid_t eid, gxf_uid_t cid, Registrar*) {
  context_ = context;
  eid_ = eid;
  cid_ = cid;
}

}  // namespace nvidia::gxf
