#include "document/tree_builder.hpp"

#include <algorithm>
#include <utility>

#include <yaml-cpp/exceptions.h>

#include "document/alias_limit.hpp"
#include "document/duplicate_keys.hpp"
#include "document/odd_blanks.hpp"
#include "document/utf8.hpp"
#include "document/yaml_messages.hpp"
#include "document/yaml_text.hpp"

namespace gxr {

namespace {

constexpr std::uint64_t kCountless = std::uint64_t{1} << 62U;

std::uint64_t add_saturating(std::uint64_t a, std::uint64_t b) noexcept {
  return std::min(a + b, kCountless);
}

bool is_quote(std::string_view text, std::size_t offset) noexcept {
  return offset < text.size() && (text[offset] == '"' || text[offset] == '\'');
}

bool is_block_scalar(std::string_view text, std::size_t offset) noexcept {
  return offset < text.size() && (text[offset] == '|' || text[offset] == '>');
}

std::size_t offset_of(const YAML::Mark& mark) noexcept {
  return static_cast<std::size_t>(std::max(mark.pos, 0));
}

/// The same node at another place; collections share their children.
Value at_location(const Value& value, Location where) noexcept {
  const char* const tag = value.tag().empty() ? nullptr : value.tag().data();
  if (value.is_scalar() || value.is_null()) {
    return Value::make_scalar(value.kind(), value.text(), value.quoted(), where, tag);
  }
  const std::size_t count = value.is_map() ? value.size() * 2 : value.size();
  const Value* const children = count == 0       ? nullptr
                                : value.is_map() ? &value.key(0)
                                                 : &value.at(0);
  return Value::make_collection(value.kind(), children, count, value.flow(), where, tag);
}

}  // namespace

TreeBuilder::TreeBuilder(YamlSource& source, Arena& arena, std::vector<YamlTree>& trees,
                         std::vector<Diagnostic>& problems)
    : source_(source), arena_(arena), trees_(trees), problems_(problems) {}

std::size_t TreeBuilder::content_at(const YAML::Mark& mark, bool same_line) const {
  return skip_properties(source_.text(), offset_of(mark), same_line);
}

void TreeBuilder::OnDocumentStart(const YAML::Mark& mark) {
  // The parser takes whatever follows a document for another one, even where it cannot read on.
  if (any_document_ && !is_document_border(source_.text(), last_event_, offset_of(mark))) {
    throw YAML::ParserException(mark, kTextAfterDocument);
  }
  any_document_ = true;
  named_blank_ = false;
  last_event_ = offset_of(mark);
  values_.clear();
  open_.clear();
  anchors_.clear();
  tree_ = {};
  widest_ = 0;
}

void TreeBuilder::OnDocumentEnd() {
  if (!values_.empty()) {
    tree_.root = arena_.keep(std::span(values_.data(), 1));
    trees_.push_back(tree_);
  }
}

bool TreeBuilder::at_key() const noexcept {
  return !open_.empty() && open_.back().kind == ValueKind::Map &&
         (values_.size() - open_.back().first_child) % 2 == 0;
}

/// Tells a null that is written at `offset` from an empty value before a key called null.
bool TreeBuilder::is_spelled_here(std::size_t offset) {
  if (open_.empty()) {
    return true;
  }
  const OpenCollection& collection = open_.back();
  if (at_key()) {
    return true;
  }
  return collection.flow ? offset != last_event_
                         : source_.indentation(offset) > collection.indentation;
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const std::size_t offset = content_at(mark);
  std::string_view text = null_text_at(source_.text(), offset);
  if (!text.empty() && !is_spelled_here(offset)) {
    text = {};
  }
  const bool has_properties = anchor != YAML::NullAnchor;
  const std::size_t place = !text.empty()    ? offset
                            : has_properties ? offset_of(mark)
                                             : end_of_text_before(source_.text(), offset_of(mark));
  last_event_ = std::max(offset_of(mark), last_event_);
  push(Value::make_scalar(ValueKind::Null, text, false, source_.locate(place)), {}, anchor);
}

std::string_view TreeBuilder::keep_text(std::string_view text, std::size_t offset) {
  const std::string_view written = source_.text().substr(std::min(offset, source_.text().size()));
  return written.starts_with(text) ? written.substr(0, text.size()) : arena_.keep(text);
}

const char* TreeBuilder::keep_tag(const YAML::Mark& mark, const std::string& tag) {
  if (tag.empty() || tag == "?" || tag == "!") {
    return nullptr;
  }
  if (!is_writable_tag(tag)) {
    throw YAML::ParserException(mark, kStrangeTag);
  }
  return arena_.keep(std::string_view(tag)).data();
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  const std::string_view source = source_.text();
  const char* const kept_tag = keep_tag(mark, tag);
  // An empty text with a tag may have nothing behind it but the next key.
  const std::size_t offset = content_at(mark, value.empty());
  const bool in_quotes = is_quote(source, offset);
  const bool quoted = tag == "!" || in_quotes || is_block_scalar(source, offset);
  const bool nothing = value.empty() && !quoted;
  last_event_ = offset;
  last_quote_ = in_quotes ? offset : last_quote_;
  const std::string_view text = keep_text(value, in_quotes ? offset + 1 : offset);
  if (!quoted && !is_ascii(text)) {
    check_blanks(offset, text.size());
  }
  const Location where = source_.locate(nothing ? offset_of(mark) : offset);
  push(Value::make_scalar(ValueKind::Scalar, text, quoted, where, kept_tag), {}, anchor);
}

void TreeBuilder::check_blanks(std::size_t offset, std::size_t size) {
  if (std::optional<OddBlank> blank = odd_blank_in_plain(source_.text(), offset, size, at_key())) {
    report(DiagnosticCode::YamlSyntax, source_.locate(blank->offset), std::move(blank->text),
           std::move(blank->hint));
    named_blank_ = true;
  }
}

const TreeBuilder::Anchor* TreeBuilder::usable_anchor(const YAML::Mark& mark,
                                                      YAML::anchor_t anchor) {
  const Location where = source_.locate(offset_of(mark));
  if (anchor >= anchors_.size() || !anchors_[anchor].complete) {
    report(DiagnosticCode::YamlSyntax, where, "this alias stands inside of what it refers to",
           "a value cannot contain itself");
    return nullptr;
  }
  if (anchors_[anchor].depth + open_.size() > kDeepestNesting) {
    report(DiagnosticCode::TooManyAliasNodes, where,
           "aliases nest values more than " + std::to_string(kDeepestNesting) + " levels deep",
           "write what is meant without aliases of aliases");
    return nullptr;
  }
  return &anchors_[anchor];
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  last_event_ = offset_of(mark);
  const Location where = source_.locate(last_event_);
  const Anchor* const found = usable_anchor(mark, anchor);
  if (found == nullptr) {
    push(Value::make_scalar(ValueKind::Null, {}, false, where), {}, YAML::NullAnchor);
    return;
  }
  const Extent extent{found->nodes, found->depth};
  count_alias(where, extent);
  push(at_location(found->value, where), extent, YAML::NullAnchor);
}

void TreeBuilder::count_alias(Location where, Extent extent) {
  tree_.alias_nodes = add_saturating(tree_.alias_nodes, extent.nodes);
  if (extent.nodes > widest_) {
    widest_ = extent.nodes;
    tree_.widest_alias = where;
  }
}

void TreeBuilder::open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       ValueKind kind, YAML::EmitterStyle::value style) {
  const std::size_t offset = content_at(mark);
  last_event_ = offset;
  const bool flow = style != YAML::EmitterStyle::Block;
  open_.push_back({values_.size(), offset, source_.locate(offset), source_.indentation(offset),
                   keep_tag(mark, tag), anchor, kind, flow, 1, 0});
  remember(anchor, {}, {0, 0});
}

void TreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                  YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
  open(mark, tag, anchor, ValueKind::Sequence, style);
}

void TreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value style) {
  open(mark, tag, anchor, ValueKind::Map, style);
}

void TreeBuilder::OnSequenceEnd() { close(); }

void TreeBuilder::OnMapEnd() { find_duplicate_keys(close(), problems_); }

/// The parser's result for a '?' with no key behind it: a map with an empty key, which begins at
/// the ':' behind the '?'. Gets the place of the '?'.
Value TreeBuilder::as_empty_key(const Value& key, std::size_t offset) {
  const std::size_t end = end_of_text_before(source_.text(), offset);
  const bool is_marked = end > 0 && source_.text()[end - 1] == '?';
  return Value::make_collection(ValueKind::Map, &key.key(0), 2, false,
                                is_marked ? source_.locate(end - 1) : key.location());
}

const Value& TreeBuilder::close() {
  const OpenCollection ended = open_.back();
  open_.pop_back();
  const std::span<const Value> children = std::span(values_).subspan(ended.first_child);
  Value value = Value::make_collection(ended.kind, arena_.keep(children), children.size(),
                                       ended.flow, ended.where, ended.tag);
  values_.resize(ended.first_child);
  const bool begins_with_value =
      ended.offset < source_.text().size() && source_.text()[ended.offset] == ':';
  if (at_key() && value.is_map() && value.size() == 1 && begins_with_value) {
    value = as_empty_key(value, ended.offset);
  }
  push(value, {ended.nodes, ended.depth + 1}, ended.anchor);
  return values_.back();
}

void TreeBuilder::push(const Value& value, Extent extent, YAML::anchor_t anchor) {
  values_.push_back(value);
  remember(anchor, value, extent);
  if (open_.empty()) {
    tree_.depth = extent.depth;
    return;
  }
  open_.back().nodes = add_saturating(open_.back().nodes, extent.nodes);
  open_.back().depth = std::max(open_.back().depth, extent.depth);
}

void TreeBuilder::remember(YAML::anchor_t anchor, const Value& value, Extent extent) {
  if (anchor == YAML::NullAnchor) {
    return;
  }
  anchors_.resize(std::max(anchors_.size(), anchor + 1));
  anchors_[anchor] = {value, extent.nodes, extent.depth, extent.nodes != 0};
}

void TreeBuilder::report(DiagnosticCode code, Location where, std::string text, std::string hint) {
  problems_.push_back({code, Severity::Error, std::move(text), where, 1, std::move(hint), {}});
}

}  // namespace gxr
