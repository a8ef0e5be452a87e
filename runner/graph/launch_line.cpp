#include "graph/launch_line.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "document/text_check.hpp"
#include "document/utf8.hpp"
#include "document/yaml_source.hpp"

namespace gxr {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kQuotes = "'\"";
/// What no type, name or key has.
constexpr std::string_view kForeign = "'\"[]{}(),;|<>&$`\\";

constexpr std::size_t kMostProblems = 20;

/// Signs that join commands or boxes in other languages.
bool is_joint(std::string_view word) {
  return word == "|" || word == "->" || word == ">" || word == "-->" || word == ">>";
}

/// Is it one KEY=VALUE whose value has blanks, which the shell has kept together?
bool is_whole_setting(std::string_view argument) {
  const std::size_t end = argument.find_first_of("= \t\r\n!");
  return end != std::string_view::npos && end > 0 && argument[end] == '=' &&
         argument.find_first_of(kBlanks) != std::string_view::npos;
}

class LineReader {
 public:
  LineReader(std::string_view text, const std::vector<LaunchText::Stretch>& settings,
             std::uint16_t source, Diagnostics& diagnostics)
      : text_(text),
        settings_(settings),
        places_({text, source, 1, 1, {}}),
        diagnostics_(diagnostics) {}

  LaunchLine read() {
    if (const std::optional<TextFlaw> flaw = find_flaw(text_)) {
      diagnostics_.add(DiagnosticCode::LaunchSyntax, places_.locate(flaw->offset), 1, flaw->text,
                       "a line is text in UTF-8 without controls");
      return {};
    }
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      if (problems_ == kMostProblems) {
        return std::move(line_);
      }
      read_word();
    }
    check_end();
    return std::move(line_);
  }

 private:
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  void read_word() {
    if (text_[at_] == '!' || text_.substr(at_).starts_with("\\!")) {
      read_join();
      return;
    }
    std::size_t whole_end = 0;
    while (next_setting_ < settings_.size() && settings_[next_setting_].begin <= at_) {
      const LaunchText::Stretch& setting = settings_[next_setting_++];
      whole_end = setting.begin == at_ ? setting.end : 0;
    }
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n!=", at_), text_.size());
    if (end < text_.size() && text_[end] == '=') {
      read_setting(end, whole_end);
    } else {
      read_node(end);
    }
  }

  /// "!"; a shell may leave the backslash that protects it.
  void read_join() {
    const LaunchWord word = take(at_ + (text_[at_] == '\\' ? 2U : 1U));
    if (line_.nodes.empty()) {
      if (!lost_) {
        report(word, "nothing stands in front of this '!'", "begin with an element");
      }
    } else if (joins_) {
      report(word, "nothing stands between two '!'",
             "write an element there, or leave one '!' out");
    } else {
      joins_ = true;
      join_ = word;
    }
  }

  void read_node(std::size_t end) {
    const LaunchWord word = take(end);
    if (!check_word(word)) {
      joins_ = false;
      lost_ = true;  // what follows belongs to it
      return;
    }
    lost_ = false;
    LaunchNode node{word, LaunchNode::kNone, {}, {}};
    if (const std::size_t dot = word.text.find('.'); dot != std::string_view::npos) {
      node.name = word.text.substr(0, dot);
      node.port = word.text.substr(dot + 1);
    } else {
      node.element = line_.elements.size();
      line_.elements.push_back({word, {}, {}});
    }
    if (std::exchange(joins_, false)) {
      line_.links.push_back({line_.nodes.size() - 1, line_.nodes.size()});
    }
    line_.nodes.push_back(node);
  }

  bool check_word(const LaunchWord& word) {
    if (word.text.starts_with(':') && !word.text.starts_with("::")) {
      const std::string key(word.text);
      report(word, in_quotes(key) + " has no value", "write '" + key + "=VALUE'");
    } else if (word.text.find_first_of(kForeign) != std::string_view::npos) {
      report(word, in_quotes(word.text) + " is neither the type of an element nor KEY=VALUE",
             is_joint(word.text) ? "write '!' between elements"
             : is_one_of(word.text.front(), kQuotes)
                 ? "quotes stand around a value: KEY='a value'"
                 : "quote a value that has blanks: KEY='a value'");
    } else if (word.text.starts_with('.')) {
      report(word, "the name of an element is missing in front of '.'",
             "write ':name=NAME' behind the element and 'NAME.' here");
    } else {
      return true;
    }
    return false;
  }

  // --- settings ----------------------------------------------------------------------------------

  void read_setting(std::size_t equals, std::size_t whole_end) {
    LaunchWord key = take(equals);
    at_ = equals + 1;
    const std::size_t end = whole_end > 0 ? whole_end : value_end();
    if (end == kLost) {
      return;
    }
    const LaunchWord value = take(end);
    const bool of_entity = key.text.starts_with(':');
    if (of_entity) {
      key.text.remove_prefix(1);
      ++key.where.column;
    }
    if (!check_setting(key, value) || lost_) {
      return;
    }
    LaunchElement& element = line_.elements[line_.nodes.back().element];
    (of_entity ? element.keys : element.parameters).push_back({key, value});
  }

  bool check_setting(const LaunchWord& key, const LaunchWord& value) {
    const std::string shown = std::string(key.text) + "=";
    const bool first = line_.nodes.empty() && !lost_;
    if (key.text.empty() || key.text.find_first_of(kForeign) != std::string_view::npos) {
      report(key,
             key.text.empty() ? "a key is missing in front of '='"
                              : in_quotes(key.text) + " is no key",
             "write KEY=VALUE, with quotes around the value alone");
    } else if (joins_) {
      report(key, in_quotes(shown) + " follows '!', where an element begins",
             "write the type of the element first");
    } else if (first) {
      report(key, in_quotes(shown) + " stands in front of the first element",
             "write it behind the type of its element");
    } else if (!lost_ && line_.nodes.back().element == LaunchNode::kNone) {
      report(key, in_quotes(line_.nodes.back().word.text) + " takes no settings",
             "write them where the element stands with its type");
    } else if (value.text.empty()) {
      report(key, in_quotes(std::string(key.text) + "=") + " has no value",
             "write '" + std::string(key.text) + "=\"\"' for an empty text");
    } else {
      return true;
    }
    lost_ = lost_ || first;  // an element should stand here
    return false;
  }

  /// Where the value that starts here ends; kLost if that cannot be said, which was reported.
  std::size_t value_end() {
    const char first = at_ < text_.size() ? text_[at_] : ' ';
    const bool quoted = is_one_of(first, kQuotes);
    if (!quoted && first != '[' && first != '{') {
      return plain_end();
    }
    const std::size_t end = quoted ? quote_end(at_) : collection_end();
    if (end == kLost) {
      return give_up();
    }
    if (end < text_.size() && !is_one_of(text_[end], " \t\r\n!")) {
      report({text_.substr(end, 1), places_.locate(end)}, "the value goes on behind its end",
             "quote all of the value, or begin the next word with a blank");
      return std::min(text_.find_first_of(kBlanks, end), text_.size());
    }
    return end;
  }

  std::size_t plain_end() {
    const std::size_t end = std::min(text_.find_first_of(kBlanks, at_), text_.size());
    if (end == at_ || text_[end - 1] != '!') {
      return end;
    }
    report({text_.substr(end - 1, 1), places_.locate(end - 1)},
           "a blank is missing in front of this '!'", "quote a value that ends with '!'");
    return end - 1;
  }

  /// Just behind the quote that closes the one at `begin`.
  std::size_t quote_end(std::size_t begin) {
    const char quote = text_[begin];
    for (std::size_t i = begin + 1; i < text_.size(); ++i) {
      if (quote == '"' && text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        const bool doubled = quote == '\'' && text_.substr(i + 1).starts_with('\'');
        if (!doubled) {
          return i + 1;
        }
        ++i;
      }
    }
    report({text_.substr(begin, 1), places_.locate(begin)}, "this quote is not closed",
           "write another one at the end of the value");
    return kLost;
  }

  /// The same of a bracket. A quote in the middle of a word is a character like others.
  std::size_t collection_end() {
    std::vector<std::size_t> open;
    char before = '[';
    for (std::size_t i = at_; i < text_.size(); ++i) {
      const char c = text_[i];
      if (is_one_of(c, kQuotes) && is_one_of(before, "[{,:")) {
        i = quote_end(i);
        if (i == kLost) {
          return kLost;
        }
        --i;
      } else if (c == '[' || c == '{') {
        open.push_back(i);
      } else if (c == ']' || c == '}') {
        if (text_[open.back()] != (c == ']' ? '[' : '{')) {
          report(
              {text_.substr(i, 1), places_.locate(i)},
              in_quotes(text_.substr(i, 1)) + " closes " + in_quotes(text_.substr(open.back(), 1)),
              "close each bracket by one of its kind");
          return kLost;
        }
        open.pop_back();
        if (open.empty()) {
          return i + 1;
        }
      }
      before = is_one_of(c, kBlanks) ? before : c;
    }
    report({text_.substr(open.back(), 1), places_.locate(open.back())},
           "this bracket is not closed",
           text_[open.back()] == '[' ? "write ']' at the end of the list"
                                     : "write '}' at the end of the map");
    return kLost;
  }

  /// What follows cannot be told apart.
  std::size_t give_up() {
    at_ = text_.size();
    problems_ = kMostProblems;
    return kLost;
  }

  // --- the end -----------------------------------------------------------------------------------

  void check_end() {
    if (problems_ > 0) {
      return;
    }
    if (joins_) {
      report(join_, "nothing follows this '!'", "end with an element");
    } else if (line_.nodes.empty()) {
      report({text_.substr(0, 0), places_.locate(0)}, "the line has no element",
             "write, for example, gxr launch 'image::Source count=4 ! image::Writer path=%d.png'");
    }
    check_names();
  }

  /// A node that only names an element is there to join something.
  void check_names() {
    std::vector<unsigned> joined(line_.nodes.size());
    for (const LaunchLink& link : line_.links) {
      ++joined[link.from];
      ++joined[link.to];
    }
    for (std::size_t i = 0; i < line_.nodes.size() && problems_ < kMostProblems; ++i) {
      const LaunchNode& node = line_.nodes[i];
      if (node.element != LaunchNode::kNone) {
        continue;
      }
      const std::string word(node.word.text);
      if (joined[i] == 0) {
        const bool file = word.ends_with(".yaml") || word.ends_with(".yml");
        report(node.word, in_quotes(word) + " is joined to nothing",
               file ? "'gxr run " + word + "' runs an application file"
                    : "write '" + word + " ! ELEMENT' or 'ELEMENT ! " + word + "'");
      } else if (joined[i] == 2 && !node.port.empty()) {
        report(node.word, in_quotes(word) + " stands between two '!', but a port has one side",
               "end the chain here, and begin another with '" + std::string(node.name) + ".'");
      }
    }
  }

  // --- words -------------------------------------------------------------------------------------

  static constexpr std::size_t kLost = static_cast<std::size_t>(-1);

  LaunchWord take(std::size_t end) {
    const LaunchWord word{text_.substr(at_, end - at_), places_.locate(at_)};
    at_ = end;
    return word;
  }

  static std::string in_quotes(std::string_view text) { return quote_text(text); }

  void report(const LaunchWord& word, std::string text, std::string hint) {
    ++problems_;
    diagnostics_.add(DiagnosticCode::LaunchSyntax, word.where,
                     static_cast<std::uint32_t>(count_characters(word.text)), std::move(text),
                     std::move(hint));
  }

  std::string_view text_;
  const std::vector<LaunchText::Stretch>& settings_;
  YamlSource places_;
  Diagnostics& diagnostics_;
  LaunchLine line_;
  std::size_t at_ = 0;
  std::size_t next_setting_ = 0;
  std::size_t problems_ = 0;
  bool joins_ = false;  // the word before is '!'
  LaunchWord join_;     // the last '!'
  bool lost_ = false;   // the last node could not be read
};

}  // namespace

LaunchText join_arguments(const std::vector<std::string>& arguments) {
  LaunchText line;
  for (std::string argument : arguments) {
    normalise_line_ends(argument);
    line.text += line.text.empty() ? "" : " ";
    const std::size_t begin = line.text.size();
    line.text += argument;
    if (arguments.size() > 1 && is_whole_setting(argument)) {
      line.settings.push_back({begin, line.text.size()});
    }
  }
  return line;
}

LaunchLine read_launch_line(std::string_view text, const std::vector<LaunchText::Stretch>& settings,
                            std::uint16_t source, Diagnostics& diagnostics) {
  return LineReader(text, settings, source, diagnostics).read();
}

}  // namespace gxr
