#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include "document/arena.hpp"
#include "document/diagnostics.hpp"
#include "document/yaml_source.hpp"
#include "document/yaml_tree.hpp"

namespace gxr {

/// Makes trees of yaml-cpp's events. A collection's children wait on a stack until it ends, then
/// they move into the arena as one array; text that stands in the source as it is meant is not
/// copied. Throws YAML::ParserException for what the parser lets pass and YAML does not.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(YamlSource& source, Arena& arena, std::vector<YamlTree>& trees,
              std::vector<Diagnostic>& problems);

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override;
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override;
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;

  /// The innermost collection that has started and not ended, for messages; nullptr when there is
  /// none.
  struct OpenCollection {
    std::size_t first_child = 0;  // on the stack of values
    std::size_t offset = 0;
    Location where;
    std::size_t indentation = 0;
    const char* tag = nullptr;
    YAML::anchor_t anchor = 0;
    ValueKind kind = ValueKind::Sequence;
    bool flow = false;
    std::uint64_t nodes = 1;  // as a walk counts them, aliases followed
    std::uint32_t depth = 1;
  };
  [[nodiscard]] const OpenCollection* innermost() const noexcept {
    return open_.empty() ? nullptr : &open_.back();
  }
  /// True when a blank that changes what this document means was reported: what the parser does not
  /// understand then follows from it.
  [[nodiscard]] bool has_named_blank() const noexcept { return named_blank_; }
  /// Offset of the last quoted text; npos when there was none.
  [[nodiscard]] std::size_t last_quote() const noexcept { return last_quote_; }

 private:
  /// What an anchor stands for; not complete while its collection is open.
  struct Anchor {
    Value value;
    std::uint64_t nodes = 0;
    std::uint32_t depth = 0;
    bool complete = false;
  };
  struct Extent {
    std::uint64_t nodes = 1;
    std::uint32_t depth = 1;
  };

  void push(const Value& value, Extent extent, YAML::anchor_t anchor);
  void remember(YAML::anchor_t anchor, const Value& value, Extent extent);
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, ValueKind kind,
            YAML::EmitterStyle::value style);
  const Value& close();
  Value as_empty_key(const Value& key, std::size_t offset);
  /// True when the next value is the key of a map.
  [[nodiscard]] bool at_key() const noexcept;
  void check_blanks(std::size_t offset, std::size_t size);
  [[nodiscard]] bool is_spelled_here(std::size_t offset);
  const Anchor* usable_anchor(const YAML::Mark& mark, YAML::anchor_t anchor);
  void report(DiagnosticCode code, Location where, std::string text, std::string hint);
  void count_alias(Location where, Extent extent);
  const char* keep_tag(const YAML::Mark& mark, const std::string& tag);
  std::string_view keep_text(std::string_view text, std::size_t offset);
  std::size_t content_at(const YAML::Mark& mark, bool same_line = false) const;

  YamlSource& source_;
  Arena& arena_;
  std::vector<YamlTree>& trees_;
  std::vector<Diagnostic>& problems_;
  std::vector<Value> values_;
  std::vector<OpenCollection> open_;
  std::vector<Anchor> anchors_;
  YamlTree tree_;
  std::uint64_t widest_ = 0;
  std::size_t last_event_ = 0;
  std::size_t last_quote_ = std::string_view::npos;
  bool any_document_ = false;
  bool named_blank_ = false;
};

}  // namespace gxr
