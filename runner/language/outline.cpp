#include "language/outline.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "language/text.hpp"

namespace gxr::language {
namespace {

constexpr std::size_t kDeepest = 64;

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }

/// One line that has more than blanks and a comment.
struct Line {
  std::size_t begin = 0;   // of its text
  std::size_t end = 0;     // of its text, without blanks and comment behind it
  std::size_t indent = 0;  // columns in front of its text
};

/// Behind a quoted text that begins at `at`; `end` when it does not end before.
std::size_t skip_quoted(std::string_view text, std::size_t at, std::size_t end) noexcept {
  const char quote = text[at];
  for (++at; at < end; ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '\'' && at + 1 < end && text[at + 1] == quote) {
        ++at;
        continue;
      }
      return at + 1;
    }
  }
  return end;
}

/// May a quoted text begin here? Elsewhere a quote is a letter: "don't".
bool begins_quoted(std::string_view text, std::size_t at, std::size_t begin) noexcept {
  if (text[at] != '"' && text[at] != '\'') {
    return false;
  }
  for (std::size_t i = at; i > begin; --i) {
    if (!is_blank(text[i - 1])) {
      return std::string_view("{[,:-").find(text[i - 1]) != std::string_view::npos;
    }
  }
  return true;
}

bool begins_comment(std::string_view text, std::size_t at, std::size_t begin) noexcept {
  return text[at] == '#' && (at == begin || is_blank(text[at - 1]));
}

/// Where the text of a line ends, in front of a comment.
std::size_t end_of_text(std::string_view text, std::size_t begin, std::size_t end) noexcept {
  for (std::size_t i = begin; i < end;) {
    if (begins_quoted(text, i, begin)) {
      i = skip_quoted(text, i, end);
    } else if (begins_comment(text, i, begin)) {
      end = i;
    } else {
      ++i;
    }
  }
  while (end > begin && is_blank(text[end - 1])) {
    --end;
  }
  return end;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<OutlineNode> read() {
    std::vector<OutlineNode> documents(1);
    const bool is_marked = text_.starts_with(kByteOrderMark);
    for (std::size_t at = is_marked ? kByteOrderMark.size() : 0; at <= text_.size();) {
      const std::size_t newline = std::min(text_.find('\n', at), text_.size());
      if (text_.substr(at, 3) == "---") {
        documents.back() = take_document();
        documents.emplace_back();
      } else {
        add_line(at, newline);
      }
      at = newline + 1;
    }
    documents.back() = take_document();
    return documents;
  }

 private:
  void add_line(std::size_t begin, std::size_t end) {
    std::size_t indent = 0;
    while (begin < end && is_blank(text_[begin])) {
      ++begin;
      ++indent;
    }
    const std::size_t end_of = end_of_text(text_, begin, end);
    if (end_of > begin && text_[begin] != '%') {
      lines_.push_back({begin, end_of, indent});
    }
  }

  OutlineNode take_document() {
    at_ = 0;
    depth_ = 0;
    OutlineNode document;
    if (!lines_.empty()) {
      const std::size_t begin = lines_.front().begin;
      const std::size_t end = lines_.back().end;
      document = read_block(lines_.front().indent);
      document.begin = begin;
      document.end = end;
    }
    while (at_ < lines_.size()) {  // lines that stand further to the left than the first
      add_rest(document, read_block(lines_[at_].indent));
    }
    lines_.clear();
    return document;
  }

  [[nodiscard]] bool is_item(const Line& line) const noexcept {
    return text_[line.begin] == '-' &&
           (line.begin + 1 == line.end || is_blank(text_[line.begin + 1]));
  }

  [[nodiscard]] bool is_below(std::size_t indent) const noexcept {
    return at_ < lines_.size() && lines_[at_].indent > indent;
  }

  /// The lines from the current one on that belong together at `indent`.
  OutlineNode read_block(std::size_t indent) {
    if (depth_ == kDeepest) {
      return take_scalar_line();
    }
    ++depth_;
    OutlineNode node = is_item(lines_[at_]) ? read_list(indent) : read_map(indent);
    --depth_;
    return node;
  }

  /// Lines that belong to a node by their indent alone. A line without a colon may become a key.
  static void add_rest(OutlineNode& node, OutlineNode rest) {
    if (rest.kind == OutlineNode::Kind::Scalar) {
      OutlineEntry& entry = node.entries.emplace_back();
      entry.key = std::move(rest.text);
      entry.begin = rest.begin;
      entry.end = rest.end;
    }
    std::ranges::move(rest.entries, std::back_inserter(node.entries));
    std::ranges::move(rest.items, std::back_inserter(node.items));
  }

  OutlineNode read_list(std::size_t indent) {
    OutlineNode node;
    node.kind = OutlineNode::Kind::List;
    while (at_ < lines_.size() && lines_[at_].indent == indent && is_item(lines_[at_])) {
      Line& line = lines_[at_];
      std::size_t begin = line.begin + 1;
      while (begin < line.end && is_blank(text_[begin])) {
        ++begin;
      }
      if (begin < line.end) {
        line.indent += begin - line.begin;
        line.begin = begin;
        node.items.push_back(read_block(line.indent));
      } else {
        ++at_;
        node.items.push_back(is_below(indent) ? read_block(lines_[at_].indent) : OutlineNode{});
      }
      while (is_below(indent)) {  // lines that fit nowhere
        add_rest(node.items.back(), read_block(lines_[at_].indent));
      }
    }
    return node;
  }

  OutlineNode read_map(std::size_t indent) {
    OutlineNode node;
    const char first = text_[lines_[at_].begin];
    if (first == '{' || first == '[') {
      return read_flow_lines(lines_[at_].begin, indent);
    }
    const Line start = lines_[at_];
    if (find_colon(start) == std::string_view::npos && !has_pairs_at(indent)) {
      return take_scalar_line();
    }
    node.kind = OutlineNode::Kind::Map;
    while (at_ < lines_.size() && lines_[at_].indent == indent && !is_item(lines_[at_])) {
      node.entries.push_back(read_entry(indent));
      while (is_below(indent)) {
        OutlineNode rest = read_block(lines_[at_].indent);
        OutlineNode& value = node.entries.back().value;
        if (value.kind == OutlineNode::Kind::Scalar && value.text.empty()) {
          value = std::move(rest);
        } else {
          add_rest(value, std::move(rest));
        }
      }
    }
    return node;
  }

  /// Is a key with a colon among the next lines of the same indent? Then a line without one is a
  /// key that is being written.
  [[nodiscard]] bool has_pairs_at(std::size_t indent) const noexcept {
    for (std::size_t i = at_; i < lines_.size() && lines_[i].indent >= indent; ++i) {
      if (lines_[i].indent == indent && find_colon(lines_[i]) != std::string_view::npos) {
        return true;
      }
    }
    return false;
  }

  /// The colon behind a key.
  [[nodiscard]] std::size_t find_colon(const Line& line) const noexcept {
    for (std::size_t i = line.begin; i < line.end;) {
      if (begins_quoted(text_, i, line.begin)) {
        i = skip_quoted(text_, i, line.end);
      } else if (text_[i] == ':' && (i + 1 == line.end || is_blank(text_[i + 1]))) {
        return i;
      } else if (text_[i] == '{' || text_[i] == '[') {
        return std::string_view::npos;
      } else {
        ++i;
      }
    }
    return std::string_view::npos;
  }

  OutlineEntry read_entry(std::size_t indent) {
    const Line line = lines_[at_];
    OutlineEntry entry;
    const std::size_t colon = find_colon(line);
    const OutlineNode key = scalar(line.begin, colon == std::string_view::npos ? line.end : colon);
    entry.key = key.text;
    entry.begin = key.begin;
    entry.end = key.end;
    entry.has_colon = colon != std::string_view::npos;
    std::size_t begin = entry.has_colon ? colon + 1 : line.end;
    while (begin < line.end && is_blank(text_[begin])) {
      ++begin;
    }
    entry.value.begin = entry.value.end = begin;
    if (begin == line.end) {
      ++at_;
      if (entry.has_colon && has_nested_value(indent)) {
        entry.value = read_block(lines_[at_].indent);
      }
    } else if (text_[begin] == '{' || text_[begin] == '[') {
      entry.value = read_flow_lines(begin, indent);
    } else if (text_[begin] == '|' || text_[begin] == '>') {
      ++at_;
      while (is_below(indent)) {
        ++at_;
      }
    } else {
      entry.value = scalar(begin, line.end);
      ++at_;
    }
    return entry;
  }

  [[nodiscard]] bool has_nested_value(std::size_t indent) const noexcept {
    return is_below(indent) ||
           (at_ < lines_.size() && lines_[at_].indent == indent && is_item(lines_[at_]));
  }

  OutlineNode take_scalar_line() {
    const Line line = lines_[at_++];
    return scalar(line.begin, line.end);
  }

  [[nodiscard]] OutlineNode scalar(std::size_t begin, std::size_t end) const {
    while (end > begin && is_blank(text_[end - 1])) {
      --end;
    }
    OutlineNode node;
    node.begin = begin;
    node.end = end;
    std::string_view inside = text_.substr(begin, end - begin);
    if (!inside.empty() && (inside.front() == '"' || inside.front() == '\'')) {
      const char quote = inside.front();
      inside.remove_prefix(1);
      if (inside.ends_with(quote)) {
        inside.remove_suffix(1);
      }
    }
    node.text = inside;
    return node;
  }

  /// Brackets, which end at a line that is no part of them at the latest.
  OutlineNode read_flow_lines(std::size_t begin, std::size_t indent) {
    std::size_t last = at_;
    while (last + 1 < lines_.size() &&
           (lines_[last + 1].indent > indent || text_[lines_[last + 1].begin] == '}' ||
            text_[lines_[last + 1].begin] == ']')) {
      ++last;
    }
    flow_ = begin;
    flow_end_ = lines_[last].end;
    OutlineNode node = read_flow();
    while (at_ < lines_.size() && lines_[at_].begin < flow_) {
      ++at_;
    }
    return node;
  }

  void skip_flow_blanks() noexcept {
    while (flow_ < flow_end_) {
      if (is_blank(text_[flow_]) || text_[flow_] == '\n') {
        ++flow_;
      } else if (text_[flow_] == '#' && is_blank(text_[flow_ - 1])) {
        flow_ = std::min(text_.find('\n', flow_), flow_end_);
      } else {
        return;
      }
    }
  }

  [[nodiscard]] bool at_flow(std::string_view characters) const noexcept {
    return flow_ < flow_end_ && characters.find(text_[flow_]) != std::string_view::npos;
  }

  OutlineNode read_flow() {
    if (depth_ == kDeepest) {
      flow_ = flow_end_;
      return {};
    }
    ++depth_;
    OutlineNode node;
    if (at_flow("{[")) {
      node.kind = at_flow("{") ? OutlineNode::Kind::Map : OutlineNode::Kind::List;
      ++flow_;
      read_flow_elements(node);
    } else {
      node = read_flow_scalar();
    }
    --depth_;
    return node;
  }

  void read_flow_elements(OutlineNode& node) {
    for (skip_flow_blanks(); flow_ < flow_end_; skip_flow_blanks()) {
      if (at_flow("}]")) {
        ++flow_;
        return;
      }
      if (at_flow(",")) {
        ++flow_;
        continue;
      }
      const std::size_t before = flow_;
      if (node.kind == OutlineNode::Kind::List) {
        node.items.push_back(read_flow());
      } else {
        node.entries.push_back(read_flow_entry());
      }
      flow_ += flow_ == before ? 1 : 0;
    }
  }

  OutlineEntry read_flow_entry() {
    OutlineEntry entry;
    const OutlineNode key = read_flow_scalar();
    entry.key = key.text;
    entry.begin = key.begin;
    entry.end = key.end;
    skip_flow_blanks();
    if (at_flow(":")) {
      entry.has_colon = true;
      ++flow_;
      skip_flow_blanks();
      entry.value.begin = entry.value.end = flow_;
      if (!at_flow(",}]")) {
        entry.value = read_flow();
      }
    }
    return entry;
  }

  OutlineNode read_flow_scalar() {
    const std::size_t begin = flow_;
    if (at_flow("\"'")) {
      flow_ = skip_quoted(text_, flow_, flow_end_);
      return scalar(begin, flow_);
    }
    while (flow_ < flow_end_ && !at_flow(",{}[]\n")) {
      if (text_[flow_] == ':' &&
          (flow_ + 1 == flow_end_ || is_blank(text_[flow_ + 1]) || text_[flow_ + 1] == '\n' ||
           std::string_view(",}]").find(text_[flow_ + 1]) != std::string_view::npos)) {
        break;
      }
      ++flow_;
    }
    return scalar(begin, flow_);
  }

  std::string_view text_;
  std::vector<Line> lines_;  // of the document that is read
  std::size_t at_ = 0;       // a line
  std::size_t depth_ = 0;
  std::size_t flow_ = 0;      // a byte
  std::size_t flow_end_ = 0;  // where the brackets end at the latest
};

/// Goes down to the word with the cursor.
class CursorSearch {
 public:
  explicit CursorSearch(CursorPlace& place) : place_(place) {}

  bool search(const OutlineNode& node) {
    place_.nodes.push_back(&node);
    if (node.kind == OutlineNode::Kind::Scalar && found(node.text)) {
      place_.begin = node.begin;
      place_.at_key = place_.nodes.size() == 1;
      place_.nodes.pop_back();
      return true;
    }
    if (search_entries(node) || search_items(node)) {
      return true;
    }
    place_.nodes.pop_back();
    return false;
  }

 private:
  bool search_entries(const OutlineNode& node) {
    for (const OutlineEntry& entry : node.entries) {
      if (found(entry.key)) {
        place_.begin = entry.begin;
        place_.at_key = true;
        return true;
      }
      place_.path.push_back(entry.key);
      if (search(entry.value)) {
        return true;
      }
      place_.path.pop_back();
    }
    return false;
  }

  bool search_items(const OutlineNode& node) {
    for (const OutlineNode& item : node.items) {
      place_.path.emplace_back();
      if (search(item)) {
        return true;
      }
      place_.path.pop_back();
    }
    return false;
  }

  bool found(const std::string& text) {
    const std::size_t at = text.find(kCursor);
    if (at != std::string::npos) {
      place_.word = text.substr(0, at);
    }
    return at != std::string::npos;
  }

  CursorPlace& place_;
};

}  // namespace

const OutlineNode* OutlineNode::find(std::string_view key) const noexcept {
  for (const OutlineEntry& entry : entries) {
    if (entry.key == key) {
      return &entry.value;
    }
  }
  return nullptr;
}

std::string_view OutlineNode::text_of(std::string_view key) const noexcept {
  const OutlineNode* const value = find(key);
  return value != nullptr && value->kind == Kind::Scalar ? std::string_view(value->text)
                                                         : std::string_view{};
}

std::string without_cursor(std::string_view text) {
  std::string result(text);
  std::erase(result, kCursor);
  return result;
}

std::vector<OutlineNode> read_outline(std::string_view text) { return Reader(text).read(); }

std::optional<CursorPlace> find_cursor(std::string_view text, std::size_t offset) {
  std::string marked(text.substr(0, offset));
  marked += kCursor;
  marked += text.substr(std::min(offset, text.size()));
  CursorPlace place;
  place.documents = read_outline(marked);
  for (; place.document < place.documents.size(); ++place.document) {
    if (CursorSearch(place).search(place.documents[place.document])) {
      return place;
    }
  }
  return std::nullopt;
}

}  // namespace gxr::language
