#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gxf/core/component.hpp"
#include "gxf/core/handle.hpp"
#include "gxr/component.hpp"

namespace nvidia::gxf::layer {

/// A gxr component that holds one of GXF's kind.
class Adapter {
 public:
  Adapter(const Adapter&) = delete;
  Adapter& operator=(const Adapter&) = delete;
  [[nodiscard]] virtual Component& object() noexcept = 0;
  /// The parameter of that key; nullptr: there is none.
  [[nodiscard]] virtual ParameterSlot* parameter(std::string_view key) noexcept = 0;

 protected:
  Adapter() = default;
  ~Adapter() = default;
};

class Program;

/// What `gxf_context_t` is: one gxr application, as its GXF components see it. Numbers of entities
/// are odd, those of components even; messages and their parts have greater numbers of their own.
/// Thread-safe.
class Context : public std::enable_shared_from_this<Context> {
 public:
  static constexpr gxf_uid_t kFirstOfMessages = gxf_uid_t{1} << 40;

  /// That of the application, made at the first call; it lives as long as somebody holds it.
  static std::shared_ptr<Context> of(gxr::Context& engine);
  /// The context behind the pointer; nullptr when there is none, or not any more.
  static std::shared_ptr<Context> alive(gxf_context_t context);
  /// That of a program which embeds applications: none of them runs yet. It lives until close().
  static std::shared_ptr<Context> make_for_program();
  /// Ends such a context for those who only know its address; false: it was closed already.
  static bool close(const std::shared_ptr<Context>& context);

  /// Components that are made on this thread meanwhile are those of a program's context.
  class MakingScope {
   public:
    explicit MakingScope(std::shared_ptr<Context> context);
    MakingScope(const MakingScope&) = delete;
    MakingScope& operator=(const MakingScope&) = delete;
    ~MakingScope();

   private:
    std::shared_ptr<Context> outer_;
  };

  Context() noexcept;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();

  /// Throws gxr::Error(InvalidState) while no application runs.
  [[nodiscard]] gxr::Context& engine() const;
  /// A plan makes components in a context of its own, and the run takes them over.
  void move_to(gxr::Context& engine);
  /// Lets go of an application that has ended; nobody finds its components any more.
  void leave_engine();
  /// Drops what showed the components of such an application, once they have gone.
  void drop_facades();
  /// Of a program that embeds the application; nullptr: the application was not made here.
  [[nodiscard]] Program* program() const noexcept { return program_.get(); }
  /// Held by calls of programs: shared by those that use components, alone by leave_engine().
  [[nodiscard]] std::shared_mutex& use() noexcept { return use_; }

  static gxf_uid_t number_of(const gxr::Component& component) noexcept {
    return component_number_of(component.component_id());
  }
  static gxf_uid_t component_number_of(std::uint32_t component) noexcept {
    return 2 + 2 * static_cast<gxf_uid_t>(component);
  }
  static gxf_uid_t entity_number_of(const gxr::Component& component) noexcept {
    return entity_number_of(component.entity_id());
  }
  static gxf_uid_t entity_number_of(std::uint32_t entity) noexcept {
    return 1 + 2 * static_cast<gxf_uid_t>(entity);
  }

  /// The component as GXF's sources see it: what an adapter holds, or a facade.
  Target target_of(gxr::Component& component);
  /// Makes the component known by its number.
  void learn(gxr::Component& component);
  void forget(const gxr::Component& component) noexcept;
  /// All components of the application; while they are made, those that are known already.
  [[nodiscard]] std::vector<gxr::Component*> components();
  /// The component of that number; nullptr: none.
  [[nodiscard]] gxr::Component* component(gxf_uid_t cid);
  /// A component of that entity; nullptr: none.
  [[nodiscard]] gxr::Component* member_of(gxf_uid_t eid);
  /// An entity's component by name; an empty entity name means that of `from`.
  [[nodiscard]] gxr::Component* find(const gxr::Component* from, std::string_view entity,
                                     std::string_view name);

  /// Gives a component, or a part, another name, for those who look for it by this layer.
  gxf_result_t rename(gxf_uid_t cid, const char* name);

  // --- messages and their parts: they have a number from the first question on
  gxf_uid_t number_of_message(gxr::Message& message);
  /// The number is valid as long as the message.
  gxf_uid_t number_of_part(const Target& part);
  [[nodiscard]] gxf_result_t find_part(gxf_uid_t cid, Target& part);
  /// The number of the message that has that part; kNullUid: there is no such part, or its message
  /// was not made by this layer.
  [[nodiscard]] gxf_uid_t message_of_part(gxf_uid_t cid);
  /// Another reference to the message of that number; null when it is gone.
  [[nodiscard]] gxr::Message message(gxf_uid_t eid);
  void forget_message(gxf_uid_t eid) noexcept;
  /// References that the C interface counts.
  gxf_result_t add_reference(gxf_uid_t eid);
  gxf_result_t drop_reference(gxf_uid_t eid);
  [[nodiscard]] std::int64_t references(gxf_uid_t eid);

 private:
  gxf_result_t rename_part(gxf_uid_t cid, const char* name);
  /// The first component for which `is_wanted(component)` holds; nullptr: none. Those that are
  /// known are looked through first.
  template <class F>
  [[nodiscard]] gxr::Component* find_component(F&& is_wanted);

  struct CachedFacade {
    const gxr::Component* component = nullptr;
    std::unique_ptr<Component> facade;
  };
  struct KnownMessage {
    MessageBytes bytes;  // no reference
    std::vector<gxr::Message> held;
    std::vector<gxf_uid_t> parts;
  };
  struct KnownPart {
    Target target;
    gxf_uid_t message = kNullUid;
  };

  std::unique_ptr<Program> program_;
  std::shared_mutex use_;
  std::atomic<gxr::Context*> engine_{nullptr};
  std::mutex mutex_;
  std::unordered_map<gxf_uid_t, gxr::Component*> components_;
  std::set<gxf_uid_t> natives_;  // of those, gxr's own
  std::unordered_map<gxf_uid_t, CachedFacade> facades_;
  std::unordered_map<gxf_uid_t, KnownMessage> messages_;
  std::unordered_map<gxf_uid_t, KnownPart> parts_;
  std::unordered_map<const void*, gxf_uid_t> part_numbers_;
  std::set<std::string> names_;  // of rename()
  gxf_uid_t next_number_ = kFirstOfMessages;
};

/// The context behind a gxf_context_t; nullptr for a null one.
inline Context* context_of(gxf_context_t context) noexcept {
  return static_cast<Context*>(context);
}

/// A part of a message that has a number: it ends the number's validity with the message.
struct MessageNumber {
  std::weak_ptr<Context> context;
  gxf_uid_t eid = kNullUid;

  MessageNumber() = default;
  /// The copy of a message has no number yet.
  MessageNumber(const MessageNumber&) noexcept {}
  MessageNumber& operator=(const MessageNumber&) = delete;
  MessageNumber(MessageNumber&&) = default;
  MessageNumber& operator=(MessageNumber&&) = default;
  ~MessageNumber();
};

/// A facade for a component that gxr has itself, with the name of its type; see facades.cpp.
std::unique_ptr<Component> make_facade(gxr::Component& component);

}  // namespace nvidia::gxf::layer
