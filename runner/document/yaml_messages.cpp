#include "document/yaml_messages.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "document/odd_blanks.hpp"
#include "document/utf8.hpp"
#include "document/yaml_text.hpp"

namespace gxr {

namespace {

/// `parser` is how the parser's message starts; "{}" in `text` becomes the character at the error.
struct Wording {
  std::string_view parser;
  std::string_view text;
  std::string_view hint;
};

constexpr std::string_view kKeyCharacters =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
constexpr std::size_t kDigits = 10;  // they come first

constexpr std::array kWordings = {
    Wording{"illegal map value", "a ':' is not expected here",
            "check the indentation of this line and of the one before; a value that contains ': ' "
            "has to be quoted"},
    Wording{"illegal map key", "a key is not expected here",
            "check the indentation of this line and of the one before"},
    Wording{"illegal block entry", "a list item is not expected here",
            "each '- ' of a list starts a line of its own, in the same column"},
    Wording{"end of map not found", "this does not belong to the map above it",
            "the keys of a map start in the same column, and each is followed by ': '"},
    Wording{"end of sequence not found", "this does not belong to the list above it",
            "the items of a list start with '- ' in the same column"},
    Wording{"end of map flow not found", "expected ',' or '}' here",
            "a text with ': ' in it needs quotes"},
    Wording{"end of sequence flow not found", "expected ',' or ']' here", ""},
    Wording{"illegal flow end", "the '{}' closes nothing", "remove it, or quote the value"},
    Wording{"unknown token", "a value cannot start with '{}'", "put the value in quotes"},
    Wording{"illegal document indicator in scalar", "a document ends here, within a quoted text",
            "is a closing quote missing above?"},
    Wording{"illegal EOF in scalar", "the text ends within quotes",
            "is a closing quote missing above?"},
    Wording{"alias not found", "a name is missing after '*'",
            "a value that starts with '*' has to be quoted"},
    Wording{"anchor not found", "a name is missing after '&'",
            "a value that starts with '&' has to be quoted"},
    Wording{"illegal character found while scanning alias", "'{}' cannot be part of an alias",
            "a value that starts with '*' has to be quoted"},
    Wording{"illegal character found while scanning anchor", "'{}' cannot be part of an anchor",
            "a value that starts with '&' has to be quoted"},
    Wording{"cannot assign multiple tags", "a value cannot have two tags", ""},
    Wording{"cannot assign multiple anchors", "a value cannot have two anchors", ""},
    Wording{"cannot assign multiple aliases", "a value cannot be two aliases", ""},
    Wording{"aliases can't have any content", "an alias cannot have a tag or an anchor", ""},
    Wording{"cannot set zero indentation", "the indentation of a block text cannot be 0", ""},
    Wording{"unexpected character in block scalar", "'{}' is not expected after '|' or '>'",
            "the text of a block starts on the next line"},
    Wording{"YAML directives must have", "%YAML takes one argument, the version",
            "write %YAML 1.2"},
    Wording{"bad YAML version", "%YAML takes a version", "write %YAML 1.2"},
    Wording{"YAML major version too large", "this is a later version of YAML than 1.2", ""},
    Wording{"repeated YAML directive", "a document has one %YAML line only", ""},
    Wording{"TAG directives must have", "%TAG takes two arguments, a handle and a prefix", ""},
    Wording{"repeated TAG directive", "this %TAG handle is defined already", ""},
    Wording{"illegal character found while scanning tag", "'{}' cannot be part of a tag",
            "a value that starts with '!' has to be quoted"},
    Wording{"tag handle with no suffix", "a name is missing after the tag handle",
            "a value that starts with '!' has to be quoted"},
    Wording{"end of verbatim tag not found", "a '>' is missing at the end of the tag", ""},
    Wording{kStrangeTag, "this tag has characters that a tag cannot have", ""},
    Wording{kTextAfterDocument, "this stands after the end of the document",
            "check the indentation; a new document starts with a line '---'"},
    Wording{"bad file", "values are nested too deeply", "500 levels are possible"},
};

Diagnostic problem(Location where, std::string text, std::string_view hint) {
  return {DiagnosticCode::YamlSyntax,
          Severity::Error,
          std::move(text),
          where,
          1,
          std::string(hint),
          {}};
}

std::size_t offset_of(const YAML::Exception& error, std::string_view text) {
  const auto offset = static_cast<std::size_t>(std::max(error.mark.pos, 0));
  return std::min(offset, text.size());
}

bool is_at_end(std::string_view text, std::size_t offset) {
  return text.find_first_not_of(" \t\r\n", offset) == std::string_view::npos;
}

/// An error at the end of the text is shown where the text ends, not on the empty line behind it.
std::size_t visible_offset(std::string_view text, std::size_t offset) {
  if (!is_at_end(text, offset)) {
    return offset;
  }
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? 0 : std::min(offset, last + 1);
}

std::string character_at(std::string_view text, std::size_t offset) {
  const Utf8Character character = first_character(text.substr(offset));
  return printable(text.substr(offset, character.size));
}

std::string with_character(std::string_view wording, const std::string& character) {
  std::string text(wording);
  const std::size_t place = text.find("{}");
  if (place != std::string::npos) {
    text.replace(place, 2, character);
  }
  return text;
}

std::string anchor_name(std::string_view text, std::size_t offset) {
  const std::string_view rest = text.substr(std::min(offset + 1, text.size()));
  return printable(rest.substr(0, rest.find_first_of(" \t\r\n,]}")));
}

Diagnostic unknown_anchor(YamlSource& source, std::size_t offset) {
  const std::string name = anchor_name(source.text(), offset);
  Diagnostic result =
      problem(source.locate(offset), "no anchor '&" + name + "' stands before this alias",
              "anchors hold within their YAML document only; a text that starts "
              "with '*' has to be quoted");
  result.length = static_cast<std::uint32_t>(count_characters(name)) + 1;
  return result;
}

/// Behind the text in quotes that starts at `offset`.
std::size_t end_of_quotes(std::string_view line, std::size_t offset) {
  const char quote = line[offset];
  for (std::size_t i = offset + 1; i < line.size(); ++i) {
    if (line[i] == quote) {
      return i + 1;
    }
    i += quote == '"' && line[i] == '\\' ? 1U : 0U;
  }
  return line.size();
}

/// The longest text without blanks, or in quotes, that a ':' follows in the line of `offset`, and
/// is longer than a key may be; npos when there is none.
std::size_t long_key(std::string_view text, std::size_t offset) {
  const std::size_t start = text.substr(0, offset).rfind('\n') + 1;
  const std::string_view line = text.substr(start, text.find('\n', start) - start);
  std::size_t begin = std::min(line.find_first_not_of(" \t-?{[,"), line.size());
  while (begin < line.size()) {
    const bool quoted = line[begin] == '"' || line[begin] == '\'';
    const std::size_t end = quoted ? end_of_quotes(line, begin) : begin;
    const std::size_t colon = std::min(line.find_first_of(":,{}[]", end), line.size());
    if (colon < line.size() && line[colon] == ':' && colon - begin > kLongestKey) {
      return start + begin;
    }
    begin = std::min(line.find_first_not_of(" :,{}[]", colon), line.size());
  }
  return std::string_view::npos;
}

bool may_be_about_key(std::string_view message) {
  return message.starts_with("illegal map value") ||
         message.starts_with("end of map flow not found") ||
         message.starts_with("end of sequence flow not found");
}

bool is_about_flow(std::string_view message) {
  return message.find("flow not found") != std::string_view::npos;
}

/// The parser finds a wrong escape sequence when it has read it; what it says starts with one of
/// these.
bool is_about_escape(std::string_view message) {
  return message.starts_with("unknown escape character") ||
         message.starts_with("bad character found while scanning hex") ||
         message.starts_with("invalid unicode");
}

Diagnostic wrong_escape(YamlSource& source, std::size_t offset) {
  const std::string_view text = source.text();
  const std::size_t backslash = offset == 0 ? std::string_view::npos : text.rfind('\\', offset - 1);
  const std::size_t start = backslash == std::string_view::npos ? offset : backslash;
  const std::size_t size =
      std::min(text.find_first_of("\" \t\r\n", start + 1), text.size()) - start;
  const std::string_view sequence = text.substr(start, std::min<std::size_t>(size, 10));
  return problem(source.locate(start), quote_text(sequence) + " is not an escape sequence of YAML",
                 "\\x takes two hexadecimal digits, \\u four; write '\\\\' for a backslash, or use "
                 "single quotes");
}

/// The ':' of a line like "  type:gxr::Gather": a key without the blank that belongs behind it.
/// npos when the line is none.
std::size_t glued_colon(std::string_view text, std::size_t line_start) {
  const std::string_view line = text.substr(line_start, text.find('\n', line_start) - line_start);
  const std::size_t key = std::min(line.find_first_not_of(" -"), line.size());
  const std::size_t colon = line.find_first_not_of(kKeyCharacters, key);
  const bool has_key = colon != std::string_view::npos && colon > key && line[colon] == ':' &&
                       kKeyCharacters.find(line[key]) >= kDigits;
  const bool glued = has_key && colon + 1 < line.size() &&
                     std::string_view(" \t\r:/").find(line[colon + 1]) == std::string_view::npos;
  return glued && line.find(": ") == std::string_view::npos ? line_start + colon
                                                            : std::string_view::npos;
}

/// Searches the line of `offset` by `find`, then the one before, which may go on in this one; npos
/// if neither has it.
std::size_t find_near(std::string_view text, std::size_t offset,
                      std::size_t (*find)(std::string_view text, std::size_t line_start)) {
  const std::size_t start = text.substr(0, offset).rfind('\n') + 1;
  if (const std::size_t here = find(text, start); here != std::string_view::npos || start == 0) {
    return here;
  }
  return find(text, text.substr(0, start - 1).rfind('\n') + 1);
}

Diagnostic missing_blank(YamlSource& source, std::size_t colon) {
  return problem(source.locate(colon), "a blank is missing behind this ':'",
                 "a key, its ':' and a blank stand before a value");
}

/// A line of dashes only, but not of three; npos when the line is none.
std::size_t false_separator(std::string_view text, std::size_t line_start) {
  const std::string_view line = text.substr(line_start, text.find('\n', line_start) - line_start);
  const std::size_t end = line.find_last_not_of(" \t\r");
  const std::size_t size = end == std::string_view::npos ? 0 : end + 1;
  const bool dashes = line.substr(0, size).find_first_not_of('-') == std::string_view::npos;
  return dashes && size >= 2 && size != 3 ? line_start : std::string_view::npos;
}

Diagnostic wrong_separator(YamlSource& source, std::size_t offset) {
  const std::string_view line = source.text().substr(offset);
  const std::size_t size = std::min(line.find_first_not_of('-'), line.size());
  Diagnostic result =
      problem(source.locate(offset),
              "a line of " + std::to_string(size) + " dashes begins no document", "write '---'");
  result.length = static_cast<std::uint32_t>(size);
  return result;
}

/// Did the lines before the error leave a map or list open?
bool is_in_later_line(const TreeBuilder::OpenCollection& collection, Location where) {
  return collection.where.source == where.source && collection.where.line < where.line;
}

Diagnostic open_flow(const TreeBuilder::OpenCollection& collection) {
  const bool list = collection.kind == ValueKind::Sequence;
  return problem(collection.where,
                 list ? "this list is never closed with ']'" : "this map is never closed with '}'",
                 "");
}

Diagnostic reworded(const std::string& message, YamlSource& source, std::size_t offset) {
  const auto* const wording =
      std::find_if(kWordings.begin(), kWordings.end(),
                   [&](const Wording& w) { return message.starts_with(w.parser); });
  const Location where = source.locate(visible_offset(source.text(), offset));
  if (wording == kWordings.end()) {
    return problem(where, printable(message), "");
  }
  const std::string character = character_at(source.text(), offset);
  return problem(where, with_character(wording->text, character), wording->hint);
}

}  // namespace

Diagnostic explain_open_quote(YamlSource& source, std::size_t offset) {
  return problem(source.locate(offset), "the text that starts here has no closing quote",
                 "it would reach to the end of the document");
}

Diagnostic explain_syntax_error(const YAML::Exception& error, YamlSource& source,
                                const TreeBuilder& builder) {
  const std::string_view text = source.text();
  const std::size_t offset = offset_of(error, text);
  const TreeBuilder::OpenCollection* const open = builder.innermost();
  if (builder.last_quote() != std::string_view::npos &&
      !is_closed_quote(text, builder.last_quote())) {
    return explain_open_quote(source, builder.last_quote());
  }
  if (error.msg.starts_with("the referenced anchor is not defined")) {
    return unknown_anchor(source, offset);
  }
  if (is_about_escape(error.msg)) {
    return wrong_escape(source, offset);
  }
  const bool in_flow = open != nullptr && open->flow;
  if (in_flow && is_about_flow(error.msg) && is_at_end(text, offset)) {
    return open_flow(*open);
  }
  if (const std::size_t dashes =
          in_flow ? std::string_view::npos : find_near(text, offset, false_separator);
      dashes != std::string_view::npos) {
    return wrong_separator(source, dashes);
  }
  const std::optional<OddBlank> blank = odd_blank_in_indentation(text, offset);
  if (blank && !in_flow) {
    return problem(source.locate(blank->offset), blank->text, blank->hint);
  }
  const std::optional<OddBlank> before = odd_blank_in_line_before(text, offset);
  if (before && error.msg.starts_with("illegal map value")) {
    return problem(source.locate(before->offset), before->text, before->hint);
  }
  if (const std::size_t key =
          may_be_about_key(error.msg) ? long_key(text, offset) : std::string_view::npos;
      key != std::string_view::npos) {
    return problem(source.locate(key), "this key has more than 1024 characters",
                   "write '? ' before it, and its ':' on the next line");
  }
  if (const std::size_t colon = error.msg.starts_with("illegal map value") && !in_flow
                                    ? find_near(text, offset, glued_colon)
                                    : std::string_view::npos;
      colon != std::string_view::npos) {
    return missing_blank(source, colon);
  }
  Diagnostic result = reworded(error.msg, source, offset);
  if (in_flow && is_about_flow(error.msg)) {
    if (is_in_later_line(*open, result.where)) {
      result.hint = open->kind == ValueKind::Map
                        ? "is a '}' missing at the end of the line before?"
                        : "is a ']' missing at the end of the line before?";
    }
    result.related.push_back({open->where, open->kind == ValueKind::Map ? "the map starts here"
                                                                        : "the list starts here"});
  }
  return result;
}

}  // namespace gxr
