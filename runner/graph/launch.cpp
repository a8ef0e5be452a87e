#include "graph/launch.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "document/utf8.hpp"
#include "document/yaml_source.hpp"
#include "graph/assemble.hpp"
#include "graph/short_form.hpp"
#include "graph/suggester.hpp"
#include "graph/text.hpp"
#include "gxr/plain_text.hpp"
#include "registry/short_ports.hpp"

namespace gxr {
namespace {

using Direction = PortInfo::Direction;

/// What ':KEY=VALUE' may set.
const std::vector<std::string_view> kEntityKeys = {"name",  "inputs", "ports",
                                                   "count", "period", "terms"};

bool is_entity_key(std::string_view key) {
  return std::ranges::find(kEntityKeys, key) != kEntityKeys.end();
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    return !ascii || is_letter(c) || is_digit(c) || c == '_' || c == '-';
  });
}

/// "bayer_mosaic" of "image::BayerMosaic".
std::string name_of_type(std::string_view type) {
  type.remove_prefix(type.rfind(':') + 1);
  const std::string lower = lower_case(type);
  const auto is_upper = [&](std::size_t i) { return type[i] != lower[i]; };
  std::string name;
  for (std::size_t i = 0; i < type.size(); ++i) {
    const bool ends_capitals = i + 1 < type.size() && is_letter(type[i + 1]) && !is_upper(i + 1);
    if (i > 0 && is_upper(i) && type[i - 1] != '_' && (!is_upper(i - 1) || ends_capitals)) {
      name += '_';
    }
    name += lower[i];
  }
  return is_name(name) ? name : "element";
}

/// "'a', 'b'"
std::string quoted_list(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) {
    text += (text.empty() ? "" : ", ") + in_quotes(name);
  }
  return text;
}

/// Names of one kind, no two alike: of `base`, the second is "base_2".
class FreeNames {
 public:
  bool take(std::string_view name) { return taken_.emplace(name).second; }
  std::string make(const std::string& base) {
    std::size_t& number = numbers_[base];
    std::string name = base;
    do {
      ++number;
      name = number == 1 ? base : base + "_" + std::to_string(number);
    } while (!take(name));
    return name;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

class DocumentMaker {
 public:
  DocumentMaker(const LaunchLine& line, std::uint16_t source, const TypeCatalog& catalog,
                Document& document, Diagnostics& diagnostics)
      : line_(line),
        source_(source),
        catalog_(catalog),
        document_(document),
        diagnostics_(diagnostics),
        suggester_(no_graph_, catalog) {}

  void run() {
    add_elements();
    name_elements();
    find_nodes();
    check_joins();
    if (!has_gaps(diagnostics_)) {
      add_links();
    }
    if (!has_gaps(diagnostics_)) {
      make_documents();
    }
  }

 private:
  /// What is made of an element of the line.
  struct Element {
    const LaunchElement* written = nullptr;
    std::string_view name;
    Location name_where;
    std::string_view type_name;  ///< as the catalog knows it, if it does
    const TypeInfo* type = nullptr;
    const ShortPorts* ports = nullptr;  ///< null: the type is none that can be joined
    std::vector<Value> parameters;      ///< keys and values
    std::vector<Value> keys;            ///< of the entity, likewise, but `name` and these two:
    const Value* inputs = nullptr;
    const Value* settings = nullptr;  ///< `ports`
    struct Input {
      std::string_view port;
      Location where;
      std::vector<Value> sources;
    };
    std::vector<Input> joined;
    std::unordered_map<std::string_view, std::size_t> joined_index;  ///< by port
    std::vector<Value> made_outputs;                                 ///< names
    std::optional<FreeNames> names;  ///< of ports that get a name here
  };
  using Type = std::pair<std::string_view, const TypeInfo*>;

  // --- elements ----------------------------------------------------------------------------------

  void add_elements() {
    elements_.reserve(line_.elements.size());
    for (const LaunchElement& written : line_.elements) {
      Element& element = elements_.emplace_back();
      element.written = &written;
      std::tie(element.type_name, element.type) = find_type(written.type.text);
      element.ports = ports_of(element.type);
      if (element.ports == nullptr && element.type != nullptr && !element.type->abstract) {
        report(DiagnosticCode::LaunchSyntax, written.type,
               "an element is a codelet, and type " + in_quotes(element.type_name) + " is none",
               "'gxr list types --base gxr::Codelet' shows all");
      }
      read_parameters(element);
      read_keys(element);
    }
  }

  /// "image::X" means "gxr::image::X" unless another type has that very name.
  Type find_type(std::string_view word) {
    const auto [entry, added] = types_.try_emplace(word, word, nullptr);
    if (!added) {
      return entry->second;
    }
    TypeCatalog::Conflict conflict;
    entry->second.second = catalog_.find(word, &conflict);
    if (entry->second.second == nullptr && conflict.first.empty()) {
      const std::string full = "gxr::" + std::string(word);
      if (const TypeInfo* const type = catalog_.find(full)) {
        entry->second = {document_.keep(full), type};
      }
    }
    return entry->second;
  }

  const ShortPorts* ports_of(const TypeInfo* type) {
    if (type == nullptr || !type->component || type->abstract ||
        !catalog_.is_a(*type, "gxr::Codelet")) {
      return nullptr;
    }
    const auto [entry, added] = ports_.try_emplace(type);
    if (added) {
      entry->second = short_ports(*type, catalog_);
    }
    return &entry->second;
  }

  static bool has_parameter(const TypeInfo* type, std::string_view key) {
    return type != nullptr &&
           std::ranges::find(type->parameters, key, &ParameterInfo::key) != type->parameters.end();
  }

  void read_parameters(Element& element) {
    std::unordered_map<std::string_view, Location> known;
    for (const LaunchSetting& setting : element.written->parameters) {
      const std::string key(setting.key.text);
      if (element.type != nullptr && is_entity_key(key) && !has_parameter(element.type, key)) {
        report(DiagnosticCode::LaunchSyntax, setting.key,
               in_quotes(element.type_name) + " has no parameter " + in_quotes(key),
               "write ':" + key + "=VALUE' for what the short form calls " + in_quotes(key));
        continue;
      }
      add_setting(setting, known, element.parameters);
    }
  }

  void read_keys(Element& element) {
    std::unordered_map<std::string_view, Location> known;
    for (const LaunchSetting& setting : element.written->keys) {
      const std::string_view key = setting.key.text;
      if (!is_entity_key(key)) {
        report_unknown_key(element, setting.key);
        continue;
      }
      std::vector<Value> pair;
      if (!add_setting(setting, known, pair)) {
        continue;
      }
      if (key == "name") {
        take_name(element, pair[1]);
      } else if (key == "inputs") {
        element.inputs = document_.keep(std::span(&pair[1], 1));
      } else if (key == "ports") {
        element.settings = document_.keep(std::span(&pair[1], 1));
      } else {
        element.keys.insert(element.keys.end(), pair.begin(), pair.end());
      }
    }
  }

  void report_unknown_key(const Element& element, const LaunchWord& key) {
    std::string hint = suggester_.among(key.text, kEntityKeys);
    if (has_parameter(element.type, key.text)) {
      hint = "write '" + std::string(key.text) + "=VALUE' without ':' for this parameter";
    } else if (hint.empty()) {
      hint = "these are known: " + quoted_list(kEntityKeys);
    }
    report(DiagnosticCode::LaunchSyntax, key, in_quotes(key.text) + " is no key of an entity",
           hint);
  }

  /// False if there is nothing to add, which was reported.
  bool add_setting(const LaunchSetting& setting,
                   std::unordered_map<std::string_view, Location>& known,
                   std::vector<Value>& pairs) {
    const auto [first, added] = known.emplace(setting.key.text, setting.key.where);
    if (!added) {
      report(DiagnosticCode::LaunchSyntax, setting.key,
             in_quotes(setting.key.text) + " is set twice for one element", "remove one of the two")
          .related.push_back({first->second, "set first here"});
      return false;
    }
    const Value* const value = read_value(setting.value);
    if (value != nullptr) {
      pairs.push_back(text(setting.key.text, setting.key.where));
      pairs.push_back(*value);
    }
    return value != nullptr;
  }

  const Value* read_value(const LaunchWord& word) {
    if (word.text.starts_with('#')) {  // no comment, which would be null
      const Value value = text(word.text, word.where);
      return document_.keep(std::span(&value, 1));
    }
    return document_.read_value({word.text, source_, word.where.line, word.where.column, {}},
                                DiagnosticCode::LaunchSyntax, diagnostics_);
  }

  // --- names -------------------------------------------------------------------------------------

  void take_name(Element& element, const Value& value) {
    const std::string_view name = value.is_scalar() ? value.text() : std::string_view{};
    if (!is_name(name)) {
      diagnostics_.add(
          DiagnosticCode::LaunchName, value,
          name.empty() ? "a name is a text" : in_quotes(name) + " cannot be the name of an element",
          "a name has letters, digits, '_' and '-'");
      return;
    }
    const auto [known, added] = by_name_.emplace(name, elements_.size() - 1);
    if (!added) {
      diagnostics_
          .add(DiagnosticCode::LaunchName, value, "two elements have the name " + in_quotes(name),
               "choose another name")
          .related.push_back({elements_[known->second].name_where, "the first one is here"});
      return;
    }
    element.name = name;
    element.name_where = value.location();
    names_.take(name);
  }

  void name_elements() {
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      Element& element = elements_[i];
      if (element.name.empty()) {
        element.name = document_.keep(names_.make(name_of_type(element.type_name)));
        element.name_where = element.written->type.where;
        by_name_.emplace(element.name, i);
      }
    }
  }

  void find_nodes() {
    nodes_.reserve(line_.nodes.size());
    for (const LaunchNode& node : line_.nodes) {
      std::size_t element = node.element;
      if (element == LaunchNode::kNone) {
        const auto found = by_name_.find(node.name);
        if (found == by_name_.end()) {
          report_no_element(node);
        } else {
          element = found->second;
        }
      } else if (elements_[element].type == nullptr && is_given_name(node.word.text, element)) {
        report(DiagnosticCode::LaunchName, node.word,
               in_quotes(node.word.text) + " is the name of an element, not a type",
               "write '" + std::string(node.word.text) + ".' to refer to it");
      }
      nodes_.push_back(element);
    }
  }

  /// Is it the name of another element?
  [[nodiscard]] bool is_given_name(std::string_view word, std::size_t element) const {
    const auto found = by_name_.find(word);
    return found != by_name_.end() && found->second != element;
  }

  void report_no_element(const LaunchNode& node) {
    std::string type(node.word.text);
    for (std::size_t dot = type.find('.'); dot != std::string::npos; dot = type.find('.')) {
      type.replace(dot, 1, "::");
    }
    std::string hint;
    if (!node.port.empty() && find_type(document_.keep(type)).second != nullptr) {
      hint = "did you mean the type " + in_quotes(type) + "?";
    } else if (find_type(node.name).second != nullptr) {
      hint = "give the element a name with ':name=NAME', and write 'NAME." +
             std::string(node.port) + "' here";
    } else {
      std::vector<std::string_view> names;
      for (const Element& element : elements_) {
        names.push_back(element.name);
      }
      hint = suggester_.among(node.name, names);
      if (hint.empty()) {
        hint = "an element gets this name by ':name=" + std::string(node.name) + "'";
      }
    }
    report(DiagnosticCode::LaunchName, node.word, "no element has the name " + in_quotes(node.name),
           hint);
  }

  // --- joins -------------------------------------------------------------------------------------

  /// Without any '!', elements that could be joined: the shell has taken it, or nobody wrote one.
  void check_joins() {
    if (!line_.links.empty() || elements_.size() < 2) {
      return;
    }
    const ShortPorts* const first = elements_[0].ports;
    const ShortPorts* const second = elements_[1].ports;
    if (first != nullptr && second != nullptr &&
        (first->has_free_outputs() || !first->keys(Direction::Output).empty()) &&
        (second->open_inputs || !second->keys(Direction::Input).empty())) {
      report(DiagnosticCode::LaunchLink, elements_[1].written->type,
             "no '!' joins this element to the one in front of it",
             "write '!' between them; single quotes around the line keep it from the shell");
    }
  }

  void add_links() {
    for (const LaunchLink& link : line_.links) {  // ports that have their names already
      take_port(elements_[nodes_[link.from]], line_.nodes[link.from].port);
      take_port(elements_[nodes_[link.to]], line_.nodes[link.to].port);
    }
    for (const LaunchLink& link : line_.links) {
      const std::optional<std::string_view> source = source_of(link);
      const std::optional<std::string_view> port = input_of(link);
      if (source && port) {
        const Location where = line_.nodes[link.to].word.where;
        join(elements_[nodes_[link.to]], *port, where,
             text(*source, line_.nodes[link.from].word.where));
      }
    }
  }

  static void take_port(Element& element, std::string_view port) {
    if (!port.empty()) {
      free_names(element).take(port);
    }
  }

  /// Without those that the entity's other components have.
  static FreeNames& free_names(Element& element) {
    if (element.names) {
      return *element.names;
    }
    FreeNames& names = element.names.emplace();
    for (const std::string_view made : {kShortCodelet, kShortCount, kShortPeriod, kShortEnd}) {
      names.take(made);
    }
    const std::vector<ShortPort> none;
    for (const ShortPort& port : element.ports != nullptr ? element.ports->ports : none) {
      names.take(port.key);
    }
    for (const Value* const map : {element.inputs, element.settings}) {
      for (std::size_t i = 0; map != nullptr && map->is_map() && i < map->size(); ++i) {
        names.take(map->key(i).text());
      }
    }
    return names;
  }

  std::string_view free_name(Element& element, std::string_view base) {
    return document_.keep(free_names(element).make(std::string(base)));
  }

  /// The text of an input that reads the output: "name" or "name/port".
  std::optional<std::string_view> source_of(const LaunchLink& link) {
    const LaunchNode& node = line_.nodes[link.from];
    Element& element = elements_[nodes_[link.from]];
    const auto with_port = [&](std::string_view port) {
      return document_.keep(std::string(element.name).append("/").append(port));
    };
    if (element.ports == nullptr) {
      return node.port.empty() ? element.name : with_port(node.port);
    }
    const std::vector<std::string_view> ports = element.ports->keys(Direction::Output);
    const bool declared = std::ranges::find(ports, node.port) != ports.end();
    const bool is_free = element.ports->has_free_outputs();
    if (!node.port.empty() && !declared && !is_free) {
      report_no_port(node, element, "output", ports);
      return std::nullopt;
    }
    if (node.port.empty() && !is_free && ports.size() != 1) {
      report_ports(node, element, "output", ports);
      return std::nullopt;
    }
    if (declared) {
      return with_port(node.port);
    }
    if (!is_free) {
      return element.name;
    }
    // Broadcast makes an output for each reader by itself.
    const bool by_itself = element.ports->transmitters.empty() && !element.ports->open_inputs;
    if (by_itself) {
      return node.port.empty() ? element.name : with_port(node.port);
    }
    const std::string_view port =
        node.port.empty() ? free_name(element, elements_[nodes_[link.to]].name) : node.port;
    const bool is_set = element.settings != nullptr && element.settings->find(port) != nullptr;
    if (!is_set) {
      element.made_outputs.push_back(text(port, node.word.where));
    }
    return with_port(port);
  }

  /// The port at which the reader takes it.
  std::optional<std::string_view> input_of(const LaunchLink& link) {
    const LaunchNode& node = line_.nodes[link.to];
    Element& element = elements_[nodes_[link.to]];
    if (element.ports == nullptr) {
      return node.port.empty() ? "in" : node.port;
    }
    const std::vector<std::string_view> ports = element.ports->keys(Direction::Input);
    const bool declared = std::ranges::find(ports, node.port) != ports.end();
    if (!node.port.empty()) {
      if (!declared && !element.ports->open_inputs) {
        report_no_port(node, element, "input", ports);
        return std::nullopt;
      }
      return node.port;
    }
    if (ports.empty() && element.ports->open_inputs) {
      return free_name(element, elements_[nodes_[link.from]].name);
    }
    const std::optional<std::string_view> only = only_input(*element.ports);
    if (!only) {
      report_ports(node, element, "input", ports);
    }
    return only;
  }

  /// The input that a '!' means: the only one, or the only one that must not stay without a queue.
  static std::optional<std::string_view> only_input(const ShortPorts& ports) {
    std::optional<std::string_view> only;
    std::size_t inputs = 0;
    std::size_t mandatory = 0;
    for (const ShortPort& port : ports.ports) {
      if (port.direction == Direction::Input) {
        mandatory += port.optional ? 0 : 1;
        only = !only || !port.optional ? port.key : *only;
        ++inputs;
      }
    }
    return !ports.open_inputs && (inputs == 1 || mandatory == 1) ? only : std::nullopt;
  }

  static void join(Element& element, std::string_view port, Location where, const Value& source) {
    const auto [entry, added] = element.joined_index.emplace(port, element.joined.size());
    if (added) {
      element.joined.push_back({port, where, {}});
    }
    element.joined[entry->second].sources.push_back(source);
  }

  void report_no_port(const LaunchNode& node, const Element& element, const std::string& what,
                      const std::vector<std::string_view>& ports) {
    std::string hint = suggester_.among(node.port, ports);
    if (hint.empty()) {
      hint = Suggester::has(ports);
    }
    report(DiagnosticCode::LaunchLink, node.word,
           in_quotes(element.type_name) + " has no " + what + " " + in_quotes(node.port), hint);
  }

  /// There are none, or several of which none is named.
  void report_ports(const LaunchNode& node, const Element& element, const std::string& what,
                    const std::vector<std::string_view>& ports) {
    const bool input = what == "input";
    std::string problem = in_quotes(element.type_name);
    std::string hint;
    if (ports.empty()) {
      problem += input ? " has no input, but stands behind '!'" : " has no output, but '!' follows";
      hint = input ? "leave the '!' out: this element begins a chain"
                   : "leave the '!' out: this element ends a chain";
    } else {
      problem += " has several " + what + "s: " + quoted_list(ports);
      const std::string port = std::string(element.name) + "." + std::string(ports.front());
      if (node.element == LaunchNode::kNone) {
        hint = "name one of them: " + in_quotes(port);
      } else if (input) {
        hint = "let the element stand alone, and end the chain at one of them: '! " + port + "'";
      } else {
        hint = "end the chain here, and begin one at each of them with '" + port + " !'";
      }
    }
    report(DiagnosticCode::LaunchLink, node.word, std::move(problem), std::move(hint));
  }

  // --- documents ---------------------------------------------------------------------------------

  void make_documents() {
    std::vector<DocumentPart> parts;
    parts.reserve(elements_.size());
    for (Element& element : elements_) {
      parts.push_back({document_of(element), source_});
    }
    document_.put_first(parts);
  }

  const Value* document_of(const Element& element) {
    const Location where = element.written->type.where;
    std::vector<Value> pairs{text("name", where), text(element.name, element.name_where),
                             text(kOperatorKey, where), text(element.type_name, where)};
    add_map("parameters", element.parameters, where, pairs);
    add_map("inputs", inputs_of(element), where, pairs);
    add_map("ports", settings_of(element), where, pairs);
    for (const auto& [key, value] :
         {std::pair("inputs", element.inputs), std::pair("ports", element.settings)}) {
      if (value != nullptr && !value->is_map()) {  // is reported as in any document
        pairs.push_back(text(key, where));
        pairs.push_back(*value);
      }
    }
    pairs.insert(pairs.end(), element.keys.begin(), element.keys.end());
    const Value root = map_of(pairs, where);
    return document_.keep(std::span(&root, 1));
  }

  /// What ':inputs' says, then what '!' joins; both for one port make a list.
  std::vector<Value> inputs_of(const Element& element) {
    std::vector<Value> pairs;
    std::unordered_set<std::string_view> done;
    if (element.inputs != nullptr && !element.inputs->is_map()) {
      return pairs;
    }
    for (std::size_t i = 0; element.inputs != nullptr && i < element.inputs->size(); ++i) {
      const Value& key = element.inputs->key(i);
      const Value& value = element.inputs->value(i);
      const auto joined = element.joined_index.find(key.text());
      std::vector<Value> sources;
      if (joined != element.joined_index.end() && done.insert(key.text()).second) {
        for (std::size_t j = 0; value.is_sequence() && j < value.size(); ++j) {
          sources.push_back(value.at(j));
        }
        if (!value.is_sequence()) {
          sources.push_back(value);
        }
        const std::vector<Value>& more = element.joined[joined->second].sources;
        sources.insert(sources.end(), more.begin(), more.end());
      }
      pairs.push_back(key);
      pairs.push_back(sources.empty() ? value : list_value(sources, key.location()));
    }
    for (const Element::Input& input : element.joined) {
      if (!done.contains(input.port)) {
        pairs.push_back(text(input.port, input.where));
        pairs.push_back(input.sources.size() == 1 ? input.sources.front()
                                                  : list_value(input.sources, input.where));
      }
    }
    return pairs;
  }

  /// What ':ports' says, then outputs that exist because they are read.
  static std::vector<Value> settings_of(const Element& element) {
    std::vector<Value> pairs;
    if (element.settings != nullptr && !element.settings->is_map()) {
      return pairs;
    }
    for (std::size_t i = 0; element.settings != nullptr && i < element.settings->size(); ++i) {
      pairs.push_back(element.settings->key(i));
      pairs.push_back(element.settings->value(i));
    }
    std::unordered_set<std::string_view> done;
    for (const Value& name : element.made_outputs) {
      if (done.insert(name.text()).second) {
        pairs.push_back(name);
        pairs.push_back(Value::make_scalar(ValueKind::Null, {}, false, name.location()));
      }
    }
    return pairs;
  }

  void add_map(std::string_view key, const std::vector<Value>& entries, Location where,
               std::vector<Value>& pairs) {
    if (!entries.empty()) {
      pairs.push_back(text(key, where));
      pairs.push_back(map_of(entries, where));
    }
  }

  Value map_of(const std::vector<Value>& entries, Location where) {
    return Value::make_collection(ValueKind::Map, document_.keep(entries), entries.size(), false,
                                  where);
  }
  Value list_value(const std::vector<Value>& items, Location where) {
    return Value::make_collection(ValueKind::Sequence, document_.keep(items), items.size(), true,
                                  where);
  }
  static Value text(std::string_view words, Location where) {
    return Value::make_scalar(ValueKind::Scalar, words, false, where);
  }

  Diagnostic& report(DiagnosticCode code, const LaunchWord& word, std::string text,
                     std::string hint) {
    return diagnostics_.add(code, word.where,
                            static_cast<std::uint32_t>(count_characters(word.text)),
                            std::move(text), std::move(hint));
  }

  const LaunchLine& line_;
  std::uint16_t source_;
  const TypeCatalog& catalog_;
  Document& document_;
  Diagnostics& diagnostics_;
  Graph no_graph_;
  Suggester suggester_;
  std::unordered_map<std::string_view, Type> types_;
  std::unordered_map<const TypeInfo*, ShortPorts> ports_;
  std::vector<Element> elements_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  FreeNames names_;
  std::vector<std::size_t> nodes_;  // elements
};

}  // namespace

Launch::Launch(const std::vector<std::string>& arguments, Document& document,
               Diagnostics& diagnostics) {
  LaunchText line = join_arguments(arguments);
  source_ = document.sources().add({Source::Kind::Launch, kLaunchSource, std::move(line.text)});
  line_ =
      read_launch_line(document.sources().at(source_).text, line.settings, source_, diagnostics);
}

void Launch::add_documents(const TypeCatalog& catalog, Document& document,
                           Diagnostics& diagnostics) const {
  DocumentMaker(line_, source_, catalog, document, diagnostics).run();
}

}  // namespace gxr
