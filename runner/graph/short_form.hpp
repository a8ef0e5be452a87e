#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "registry/short_ports.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// The key that makes a document short.
inline constexpr std::string_view kOperatorKey = "operator";
/// Names of what the short form makes in an entity.
inline constexpr std::string_view kShortCodelet = "operator";
inline constexpr std::string_view kShortCount = "count";
inline constexpr std::string_view kShortPeriod = "period";
inline constexpr std::string_view kShortEnd = "end";
inline constexpr std::string_view kShortAvailable = "_available";  ///< behind a port's name
inline constexpr std::string_view kShortFree = "_free";
/// The entity with the connections that `inputs` say.
inline constexpr std::string_view kShortConnections = "gxr.connections";
inline constexpr std::string_view kShortScheduler = "gxr.scheduler";

/// The entries that stand for a short document, with the places of what the author wrote.
struct ShortComponents {
  const Value* list = nullptr;  ///< a list of components in GXF's form; null: nothing is made
  std::vector<std::uint32_t> lengths;  ///< by entry: characters that the author wrote for it
  bool complete = true;                ///< false: an error that was reported keeps queues away
  /// Entries of `inputs`: the receiver's name, and what is connected to it.
  struct Input {
    const Value* port;
    const Value* source;  ///< a text; nullptr: not known
    bool lost = false;    ///< an error in it was reported, so it may mean any receiver
  };
  std::vector<Input> inputs;
};

/// Turns documents with `operator` into GXF's form. Made from a draft of the application, in which
/// short documents are entities without components: that says which queues of others are read.
class ShortForm {
 public:
  /// `draft` is needed as long as the form is.
  ShortForm(Document& document, const TypeCatalog& catalog, const Graph& draft,
            Diagnostics& diagnostics);

  /// Documents of entities that the application needs and has not: a scheduler, an allocator.
  [[nodiscard]] const std::vector<const Value*>& entities() const noexcept { return entities_; }
  /// Is one of them for a scheduler?
  [[nodiscard]] bool makes_scheduler() const noexcept { return makes_scheduler_; }
  /// Such an entity, if another one has its name, which was reported.
  [[nodiscard]] const std::vector<std::string>& taken() const noexcept { return taken_; }
  /// The components of a short document of the entity with this full name, which may be empty.
  ShortComponents components(const Value& root, const std::string& entity,
                             Diagnostics& diagnostics);
  /// A handle that names an entity of the whole application, wherever it is written.
  [[nodiscard]] bool is_of_application(const Value& value) const noexcept;

  /// The output that `source`, an entity's name written as an input, means; found among what the
  /// short document of the entity declares.
  struct Output {
    bool is_short = false;                ///< the entity has a short document whose type is known
    std::vector<std::string_view> names;  ///< one, or all that it could be
  };
  [[nodiscard]] Output output_of(const std::string& entity, const Value& source) const;
  /// Does `source` name an output that has a name of another component? That was reported.
  [[nodiscard]] bool is_refused(const Value& source) const { return refused_.contains(&source); }

  [[nodiscard]] const TypeCatalog& catalog() const noexcept { return catalog_; }
  /// A handle to the receiver `port` of the entity with this name, which may be empty.
  Value target(const Value& port, std::string_view entity);
  /// An entry of type Connection, as the author of `source` would have written it.
  const Value& connection(const Value& source, std::string_view output, const Value& target);
  /// The same without the source, which is not known.
  const Value& open_connection(const Value& source, const Value& target);
  /// The same without both ends, for what stands at `where`.
  const Value& lost_connection(const Value& where);

 private:
  friend class ShortEntity;

  struct Known {
    const Value* root = nullptr;
    const ShortPorts* ports = nullptr;
    ScopeId scope = 0;
    std::unordered_set<std::string> own;  ///< see own_names()
  };
  /// Names of an entity's queues that others use, in the order of their documents.
  struct Demand {
    std::vector<std::string> names;
    std::unordered_set<std::string> known;                  ///< the same
    std::vector<const Value*> handles;                      ///< that can only mean a queue
    std::unordered_map<const Value*, std::string> unnamed;  ///< by what names the entity alone
    std::unordered_map<std::string, std::size_t> numbers;   ///< by name: of those that got a number

    void add(std::string_view name) {
      if (known.emplace(name).second) {
        names.emplace_back(name);
      }
    }
  };

  const ShortPorts* ports_of(const Value& root);
  void find_entities(const Graph& draft);
  void find_demand(const Graph& draft);
  void note_document(const Value& root, const std::string& prefix);
  void note_override(const Graph& draft, const Override& override_);
  void note_override_of(const Value& root, const std::string& prefix, const Override& override_,
                        std::string_view component);
  [[nodiscard]] const TypeInfo* type_in(const Value& entry, std::string_view key) const;
  enum class Naming : std::uint8_t { NoQueue, AnyComponent, Queue };
  Naming naming_of(const std::string& type);
  void note_parameter(const Value& value, const TypeInfo& type, std::string_view key,
                      const std::string& prefix);
  void note_handle(const Value& handle, const std::string& type, const std::string& prefix);
  void note_name(const Value& handle, const std::string& prefix, Naming naming);
  void note_input(const Value& source, const ShortDocument& reader, const std::string& prefix);
  void add_entities(const Graph& draft, Diagnostics& diagnostics);
  bool lacks_allocator(const Graph& draft);
  bool has_scheduler(const Graph& draft);
  /// False if another entity has this name, which is reported.
  bool add_entity(std::string_view name, const char* yaml, const Value& cause, const Graph& draft,
                  Diagnostics& diagnostics);
  /// Has another entity this name?
  bool report_taken(std::string_view name, const Value& cause, const Graph& draft,
                    Diagnostics& diagnostics);
  const std::unordered_set<std::string>& own_names(Known& known) const;
  bool is_taken(Known& known, const Demand& demand, const std::string& name) const;
  [[nodiscard]] bool is_demanded(const std::string& entity, std::string_view name) const;

  static Value text(std::string_view text, Location where);
  const Value& keep(const Value& value);
  const Value& connection_entry(std::span<const Value> ends, Location where);

  Document& document_;
  const TypeCatalog& catalog_;
  std::unordered_map<const TypeInfo*, ShortPorts> by_type_;
  std::unordered_map<std::string, Known> known_;
  std::unordered_map<std::string, Demand> demand_;
  std::unordered_map<std::string_view, Naming> namings_;  // by a handle's type
  std::unordered_set<const Value*> refused_;
  std::vector<const Value*> entities_;
  std::vector<std::string> taken_;
  bool makes_scheduler_ = false;
};

}  // namespace gxr
