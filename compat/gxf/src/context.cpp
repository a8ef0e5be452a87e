#include "context.hpp"

#include <algorithm>
#include <cstring>

#include "cuda_streams.hpp"
#include "gxr/type_id.hpp"
#include "native.hpp"
#include "program.hpp"

namespace nvidia::gxf::layer {
namespace {

struct Contexts {
  std::mutex mutex;
  std::unordered_map<const gxr::Context*, std::weak_ptr<Context>> by_engine;
  std::unordered_map<const void*, std::weak_ptr<Context>> all;
  std::unordered_map<const void*, std::shared_ptr<Context>> of_programs;
};

Contexts& contexts() {
  static Contexts& all = *new Contexts();
  return all;
}

/// Of MakingScope.
thread_local std::shared_ptr<Context> making;

bool is_same_part(const Target& a, const Target& b) noexcept {
  return a.block == b.block && a.type == b.type && std::strcmp(a.name, b.name) == 0;
}

std::shared_ptr<Context> make_listed(Contexts& all) {
  auto context = std::make_shared<Context>();
  all.all[context.get()] = context;
  return context;
}

}  // namespace

Context::Context() noexcept = default;

std::shared_ptr<Context> Context::of(gxr::Context& engine) {
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  std::weak_ptr<Context>& known = all.by_engine[&engine];
  std::shared_ptr<Context> context = known.lock();
  if (context == nullptr) {
    context = making != nullptr ? making : make_listed(all);
    all.by_engine.erase(context->engine_);
    context->engine_ = &engine;
    known = context;
  }
  return context;
}

std::shared_ptr<Context> Context::alive(gxf_context_t context) {
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  const auto known = all.all.find(context);
  return known != all.all.end() ? known->second.lock() : nullptr;
}

std::shared_ptr<Context> Context::make_for_program() {
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  std::shared_ptr<Context> context = make_listed(all);
  context->program_ = std::make_unique<Program>(*context);
  all.of_programs[context.get()] = context;
  return context;
}

bool Context::close(const std::shared_ptr<Context>& context) {
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  all.all.erase(context.get());
  return all.of_programs.erase(context.get()) != 0;
}

Context::MakingScope::MakingScope(std::shared_ptr<Context> context)
    : outer_(std::exchange(making, std::move(context))) {}
Context::MakingScope::~MakingScope() { making = std::move(outer_); }

Context::~Context() {
  program_ = nullptr;
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  if (const auto known = all.by_engine.find(engine_.load());
      known != all.by_engine.end() && known->second.expired()) {
    all.by_engine.erase(known);
  }
  if (const auto known = all.all.find(this); known != all.all.end() && known->second.expired()) {
    all.all.erase(known);
  }
}

gxr::Context& Context::engine() const {
  gxr::Context* const engine = engine_.load(std::memory_order_acquire);
  if (engine == nullptr) {
    throw gxr::Error(gxr::ErrorCode::InvalidState, "no application is active in this context");
  }
  return *engine;
}

void Context::move_to(gxr::Context& engine) {
  if (engine_ == &engine) {
    return;
  }
  Contexts& all = contexts();
  const std::lock_guard lock(all.mutex);
  all.by_engine.erase(engine_);
  all.by_engine[&engine] = weak_from_this();
  engine_ = &engine;
}

void Context::leave_engine() {
  const std::lock_guard use(use_);
  {
    Contexts& all = contexts();
    const std::lock_guard lock(all.mutex);
    all.by_engine.erase(engine_);
    engine_ = nullptr;
  }
  const std::lock_guard lock(mutex_);
  components_.clear();
  natives_.clear();
}

Target Context::target_of(gxr::Component& component) {
  learn(component);
  if (dynamic_cast<Adapter*>(&component) == nullptr) {
    const std::lock_guard lock(mutex_);
    natives_.insert(number_of(component));
  }
  if (auto* const adapter = dynamic_cast<Adapter*>(&component); adapter != nullptr) {
    Component& object = adapter->object();
    // A component that stands later in the file may not have been told its name and type yet.
    const bool is_named = *object.type_name() != '\0';
    return {&object, number_of(component), FindType(std::string_view(component.type())),
            is_named ? object.name() : component.name().c_str()};
  }
  const std::lock_guard lock(mutex_);
  CachedFacade& cached = facades_[number_of(component)];
  if (cached.component != &component) {
    cached.component = &component;
    cached.facade = make_facade(component);
    const TypeRecord* const type = FindType(cached.facade->type_name());
    cached.facade->internalSetup(this, entity_number_of(component), number_of(component), nullptr);
    cached.facade->set_identity(type != nullptr ? type->tid : GxfTidNull(),
                                cached.facade->type_name(), component.name().c_str());
  }
  return {cached.facade.get(), number_of(component), FindType(cached.facade->tid()),
          component.name().c_str()};
}

void Context::learn(gxr::Component& component) {
  const std::lock_guard lock(mutex_);
  components_[number_of(component)] = &component;
}

void Context::forget(const gxr::Component& component) noexcept {
  const std::lock_guard lock(mutex_);
  const auto known = components_.find(number_of(component));
  if (known != components_.end() && known->second == &component) {
    components_.erase(known);
  }
  // The end of the application has begun: those of gxr go without a word.
  std::erase_if(components_, [&](const auto& each) { return natives_.count(each.first) != 0; });
  natives_.clear();
}

void Context::drop_facades() {
  const std::lock_guard lock(mutex_);
  facades_.clear();
  parts_.clear();
  part_numbers_.clear();
}

std::vector<gxr::Component*> Context::components() {
  if (const gxr::Context* const engine = engine_.load(std::memory_order_acquire);
      engine != nullptr) {
    if (std::vector<gxr::Component*> all = engine->components(); !all.empty()) {
      return all;
    }
  }
  const std::lock_guard lock(mutex_);
  std::vector<gxr::Component*> known;
  known.reserve(components_.size());
  for (const auto& [number, component] : components_) {
    known.push_back(component);
  }
  return known;
}

template <class F>
gxr::Component* Context::find_component(F&& is_wanted) {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, component] : components_) {
      if (is_wanted(*component)) {
        return component;
      }
    }
  }
  const std::vector<gxr::Component*> all = components();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](gxr::Component* each) { return is_wanted(*each); });
  return found != all.end() ? *found : nullptr;
}

gxr::Component* Context::component(gxf_uid_t cid) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = components_.find(cid); known != components_.end()) {
      return known->second;
    }
  }
  const std::vector<gxr::Component*> all = components();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](gxr::Component* each) { return number_of(*each) == cid; });
  return found != all.end() ? *found : nullptr;
}

gxr::Component* Context::member_of(gxf_uid_t eid) {
  return find_component([&](const gxr::Component& each) { return entity_number_of(each) == eid; });
}

gxr::Component* Context::find(const gxr::Component* from, std::string_view entity,
                              std::string_view name) {
  const auto in = [&](const gxr::Component& member) -> gxr::Component* {
    for (gxr::Component* const sibling : engine().siblings(member)) {
      if (sibling->name() == name) {
        return sibling;
      }
    }
    return nullptr;
  };
  if (entity.empty() || (from != nullptr && from->entity_name() == entity)) {
    return from != nullptr ? in(*from) : nullptr;
  }
  const gxr::Component* const member =
      find_component([&](const gxr::Component& each) { return each.entity_name() == entity; });
  return member != nullptr ? in(*member) : nullptr;
}

gxf_result_t Context::rename(gxf_uid_t cid, const char* name) {
  if (cid >= kFirstOfMessages) {
    return rename_part(cid, name);
  }
  gxr::Component* const component = this->component(cid);
  auto* const adapter = dynamic_cast<Adapter*>(component);
  if (adapter == nullptr) {
    return component != nullptr ? GXF_NOT_IMPLEMENTED : GXF_ENTITY_COMPONENT_NOT_FOUND;
  }
  const std::lock_guard lock(mutex_);
  Component& object = adapter->object();
  object.set_identity(object.tid(), object.type_name(), names_.emplace(name).first->c_str());
  return GXF_SUCCESS;
}

gxf_result_t Context::rename_part(gxf_uid_t cid, const char* name) {
  const std::lock_guard lock(mutex_);
  const auto known = parts_.find(cid);
  if (known == parts_.end() || known->second.target.block == nullptr) {
    return GXF_ENTITY_COMPONENT_NOT_FOUND;
  }
  Target& target = known->second.target;
  auto& block = *static_cast<gxr::detail::MessageBlock*>(target.block);
  for (std::uint32_t i = 0; i < block.part_count; ++i) {
    if (block.parts[i].data == target.pointer) {
      // A part that stays for this moment only makes the engine keep the text.
      static_cast<void>(gxr::detail::add_part(block, block.parts[i].id, name,
                                              gxr::detail::OperationsOf<char>::kAll));
      const std::string_view kept = block.parts[block.part_count - 1].name;
      gxr::detail::drop_last_part(block);
      block.parts[i].name = kept;
      target.name = kept.empty() ? "" : kept.data();
      return GXF_SUCCESS;
    }
  }
  return GXF_ENTITY_COMPONENT_NOT_FOUND;
}

gxf_uid_t Context::number_of_message(gxr::Message& message) {
  const auto* const known = message.find<MessageNumber>();
  if (known != nullptr && known->eid != kNullUid) {
    return known->eid;
  }
  MessageNumber& number =
      known != nullptr ? const_cast<MessageNumber&>(*known) : message.add<MessageNumber>();
  const std::lock_guard lock(mutex_);
  number.eid = next_number_++;
  number.context = weak_from_this();
  std::memcpy(static_cast<void*>(&messages_[number.eid].bytes), static_cast<const void*>(&message),
              sizeof(MessageBytes));
  return number.eid;
}

gxf_uid_t Context::number_of_part(const Target& part) {
  gxf_uid_t message = kNullUid;
  // A message of gxr's own cannot be marked, since others read its parts meanwhile.
  if (auto* const block = static_cast<gxr::detail::MessageBlock*>(part.block);
      block != nullptr && block->is_shared) {
    MessageBytes bytes;
    bytes.block = block;
    const std::lock_guard lock(mutex_of(block));
    message = number_of_message(as_message(bytes));
  }
  const std::lock_guard lock(mutex_);
  gxf_uid_t& number = part_numbers_[part.pointer];
  if (const auto known = parts_.find(number); known != parts_.end() &&
                                              known->second.message == kNullUid &&
                                              !is_same_part(known->second.target, part)) {
    parts_.erase(known);  // of a message of gxr's own that has gone
    number = kNullUid;
  }
  if (number == kNullUid) {
    number = next_number_++;
    if (const auto known = messages_.find(message); known != messages_.end()) {
      known->second.parts.push_back(number);
    }
  }
  KnownPart& kept = parts_[number];
  kept = {part, message};
  kept.target.cid = number;
  return number;
}

gxf_result_t Context::find_part(gxf_uid_t cid, Target& part) {
  const std::lock_guard lock(mutex_);
  const auto known = parts_.find(cid);
  if (known == parts_.end()) {
    return GXF_ENTITY_COMPONENT_NOT_FOUND;
  }
  part = known->second.target;
  return GXF_SUCCESS;
}

gxf_uid_t Context::message_of_part(gxf_uid_t cid) {
  const std::lock_guard lock(mutex_);
  const auto known = parts_.find(cid);
  return known != parts_.end() ? known->second.message : kNullUid;
}

gxr::Message Context::message(gxf_uid_t eid) {
  const std::lock_guard lock(mutex_);
  const auto known = messages_.find(eid);
  return known != messages_.end() ? as_message(known->second.bytes) : gxr::Message();
}

void Context::forget_message(gxf_uid_t eid) noexcept {
  const std::lock_guard lock(mutex_);
  const auto known = messages_.find(eid);
  if (known == messages_.end()) {
    return;
  }
  for (const gxf_uid_t number : known->second.parts) {
    if (const auto part = parts_.find(number); part != parts_.end()) {
      part_numbers_.erase(part->second.target.pointer);
      parts_.erase(part);
    }
  }
  messages_.erase(known);
}

gxf_result_t Context::add_reference(gxf_uid_t eid) {
  gxr::Message another = message(eid);
  const std::lock_guard lock(mutex_);
  const auto known = messages_.find(eid);
  if (known == messages_.end()) {
    return GXF_ENTITY_NOT_FOUND;
  }
  known->second.held.push_back(std::move(another));
  return GXF_SUCCESS;
}

gxf_result_t Context::drop_reference(gxf_uid_t eid) {
  gxr::Message last;  // goes without the lock: with it, the message may go
  const std::lock_guard lock(mutex_);
  const auto known = messages_.find(eid);
  if (known == messages_.end()) {
    return GXF_ENTITY_NOT_FOUND;
  }
  if (known->second.held.empty()) {
    return GXF_FAILURE;
  }
  last = std::move(known->second.held.back());
  known->second.held.pop_back();
  return GXF_SUCCESS;
}

std::int64_t Context::references(gxf_uid_t eid) {
  const std::lock_guard lock(mutex_);
  const auto known = messages_.find(eid);
  return known != messages_.end() ? static_cast<std::int64_t>(known->second.held.size()) : 0;
}

MessageNumber::~MessageNumber() {
  if (const std::shared_ptr<Context> known = context.lock(); known != nullptr) {
    known->forget_message(eid);
  }
}

gxf_result_t FindTarget(gxf_context_t context, gxf_uid_t cid, Target& target) noexcept {
  Context* const known = context_of(context);
  if (known == nullptr) {
    return GXF_CONTEXT_INVALID;
  }
  return guarded([&] {
    if (cid >= Context::kFirstOfMessages && known->find_part(cid, target) == GXF_SUCCESS) {
      return GXF_SUCCESS;
    }
    if (gxr::Component* const component = known->component(cid); component != nullptr) {
      target = known->target_of(*component);
      return target.pointer != nullptr ? GXF_SUCCESS : GXF_ENTITY_COMPONENT_NOT_FOUND;
    }
    return find_stream(cid, target) ? GXF_SUCCESS : GXF_ENTITY_COMPONENT_NOT_FOUND;
  });
}

gxf_uid_t NumberOf(gxf_context_t context, const Target& target) noexcept {
  Context* const known = context_of(context);
  return known != nullptr ? known->number_of_part(target) : kNullUid;
}

gxf_result_t FindNamed(gxf_context_t context, gxf_uid_t cid, const char* name, const char* type,
                       Target& target) noexcept {
  Context* const known = context_of(context);
  if (known == nullptr || name == nullptr) {
    return known == nullptr ? GXF_CONTEXT_INVALID : GXF_ARGUMENT_NULL;
  }
  return guarded([&] {
    const std::string_view text = name;
    const std::size_t slash = text.rfind('/');
    const std::string_view entity =
        slash == std::string_view::npos ? std::string_view() : text.substr(0, slash);
    gxr::Component* const found =
        known->find(known->component(cid), entity,
                    slash == std::string_view::npos ? text : text.substr(slash + 1));
    if (found == nullptr) {
      return GXF_ENTITY_COMPONENT_NOT_FOUND;
    }
    target = known->target_of(*found);
    const TypeRecord* const wanted = FindType(type);
    return target.pointer == nullptr || (wanted != nullptr && !IsA(target.type, wanted))
               ? GXF_PARAMETER_INVALID_TYPE
               : GXF_SUCCESS;
  });
}

std::string NameOf(const UntypedHandle& handle) {
  Context* const known = context_of(handle.context());
  if (known == nullptr || handle.get_ptr() == nullptr) {
    return "<Unspecified>";
  }
  const gxr::Component* const component = known->component(handle.cid());
  return component != nullptr ? component->entity_name() + "/" + component->name() : handle.name();
}

}  // namespace nvidia::gxf::layer
