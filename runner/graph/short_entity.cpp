#include "graph/short_entity.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "document/map_keys.hpp"
#include "graph/document_keys.hpp"
#include "graph/handle_values.hpp"
#include "graph/suggester.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

using Direction = PortInfo::Direction;

/// "port:ENTITY" without a blank is a key to YAML.
bool lacks_blank(const Value& key, const Value& value) {
  return value.is_null() && key.text().find(':') != std::string_view::npos;
}
constexpr const char* kWriteBlank = "write a blank behind ':'";

const std::vector<std::string_view> kSettings = {"capacity", "min_size", "policy"};

}  // namespace

ShortEntity::ShortEntity(ShortForm& form, const Value& root, const std::string& entity,
                         const Value& pool, Diagnostics& diagnostics)
    : form_(form),
      root_(root),
      entity_(entity),
      pool_(pool),
      diagnostics_(diagnostics),
      operator_(*root.find(kOperatorKey)),
      parameters_(root.find("parameters")) {}

ShortComponents ShortEntity::take() {
  if (!find_type()) {
    made_.complete = false;
    return std::move(made_);
  }
  take_name(kShortCodelet, mention_of(operator_));
  read_maps();
  find_terms();
  if (ports_ != nullptr) {
    check_names();
    add_ports();
    read_inputs();
  } else {
    made_.complete = false;
  }
  add_limits();
  add_own_terms();
  add_codelet();
  made_.list =
      &form_.keep(Value::make_collection(ValueKind::Sequence, form_.document_.keep(entries_),
                                         entries_.size(), false, operator_.location()));
  return std::move(made_);
}

/// Is it what the short form or the author calls another component of the entity?
bool ShortEntity::is_own_name(std::string_view name) const {
  for (const std::string_view suffix : {kShortAvailable, kShortFree}) {
    if (name.ends_with(suffix) && is_queue(name.substr(0, name.size() - suffix.size()))) {
      return true;
    }
  }
  const auto known = form_.known_.find(entity_);
  return known != form_.known_.end() && form_.own_names(known->second).contains(std::string(name));
}

/// False if nothing can be made. A type that is not known is reported with all others.
bool ShortEntity::find_type() {
  if (!operator_.is_scalar() || operator_.text().empty()) {
    report_value(operator_, "'operator' must be the name of a codelet's type",
                 "write 'operator: the::Type'; 'gxr list types' shows all types");
    return false;
  }
  type_ = form_.catalog_.find(operator_.text());
  if (type_ != nullptr && !form_.catalog_.is_a(*type_, "gxr::Codelet")) {
    diagnostics_.add(DiagnosticCode::OperatorNotCodelet, operator_,
                     "type " + in_quotes(operator_.text()) + " is no codelet",
                     type_->component && !type_->abstract
                         ? "write '- type: " + std::string(operator_.text()) +
                               "' below 'components:' of a document without 'operator'"
                         : "'gxr list types' shows all types");
    return false;
  }
  ports_ = form_.ports_of(root_);
  return true;
}

void ShortEntity::read_maps() {
  inputs_ = read_map("inputs", "write 'inputs: {PORT: ENTITY}'");
  settings_ = read_map("ports", "write 'ports: {PORT: {capacity: 2}}'");
  inputs_by_key_.read(inputs_);
  settings_by_key_.read(settings_);
}

const Value* ShortEntity::read_map(const char* key, const char* form) {
  const Value* const value = root_.find(key);
  if (value == nullptr || value->is_map()) {
    return value;
  }
  report_value(*value, in_quotes(key) + " must be a map", form);
  made_.complete = false;
  return nullptr;
}

void ShortEntity::find_terms() {
  const Value* const list = root_.find("terms");
  if (list == nullptr) {
    return;
  }
  if (!list->is_sequence()) {
    report_value(*list, "'terms' must be a list of components",
                 "begin each with '- type: the::Type'");
    made_.complete = false;
    return;
  }
  terms_ = list;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Value& entry = list->at(i);
    const TypeInfo* const type = entry.is_map() ? form_.type_in(entry, "type") : nullptr;
    const Value* const parameters = type == nullptr ? nullptr : entry.find("parameters");
    if (parameters != nullptr) {
      each_handle_in(*parameters, *type, [&](const Value& handle, const std::string& /*base*/) {
        texts_.insert(handle.text());
      });
    }
  }
}

// --- ports -------------------------------------------------------------------------------------

ShortEntity::Mention ShortEntity::mention_of(const Value& value) {
  return {value.location(), underline_length(value)};
}

const Value* ShortEntity::given(std::string_view key) const {
  return parameters_ == nullptr ? nullptr : parameters_->find(key);
}

const Value* ShortEntity::key_of(const Value* map, std::string_view key) const {
  for (std::size_t i = 0; map != nullptr && i < map->size(); ++i) {
    if (map->key(i).is_scalar() && map->key(i).text() == key) {
      return &map->key(i);
    }
  }
  return nullptr;
}

void ShortEntity::Entries::read(const Value* map) {
  map_ = map;
  for (std::size_t i = 0; map != nullptr && i < map->size(); ++i) {
    if (map->key(i).is_scalar()) {
      index_.emplace(map->key(i).text(), i);
    }
  }
}

const Value* ShortEntity::Entries::key(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &map_->key(found->second);
}

const Value* ShortEntity::Entries::value(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &map_->value(found->second);
}

bool ShortEntity::is_mentioned(std::string_view name) const {
  return inputs_by_key_.key(name) != nullptr || settings_by_key_.key(name) != nullptr;
}

ShortEntity::Mention ShortEntity::mention_of_port(std::string_view name) const {
  if (const Value* const key = inputs_by_key_.key(name)) {
    return mention_of(*key);
  }
  const Value* const key = settings_by_key_.key(name);
  return mention_of(key == nullptr ? operator_ : *key);
}

bool ShortEntity::is_free_input(std::string_view name) const {
  return ports_->open_inputs &&
         (!ports_->has_free_outputs() || inputs_by_key_.key(name) != nullptr);
}

/// Keys of `inputs` and `ports` that are no ports.
void ShortEntity::check_names() {
  for (std::size_t i = 0; inputs_ != nullptr && i < inputs_->size(); ++i) {
    check_name(inputs_->key(i), true, lacks_blank(inputs_->key(i), inputs_->value(i)));
  }
  for (std::size_t i = 0; settings_ != nullptr && i < settings_->size(); ++i) {
    check_name(settings_->key(i), false, lacks_blank(settings_->key(i), settings_->value(i)));
    check_settings(settings_->key(i), settings_->value(i));
  }
}

void ShortEntity::check_settings(const Value& port, const Value& settings) {
  if (settings.is_null()) {
    return;
  }
  if (!settings.is_map()) {
    report_value(settings, "the settings of port " + in_quotes(port.text()) + " must be a map",
                 "write '{capacity: 2}'");
    return;
  }
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const Value& key = settings.key(i);
    if (std::ranges::find(kSettings, key.text()) != kSettings.end()) {
      continue;
    }
    const std::string flaw = flaw_of_key(key);
    const std::string hint = suggestion(key.text(), kSettings);
    report_value(key, flaw.empty() ? "a port has no setting " + in_quotes(key.text()) : flaw,
                 hint.empty() ? Suggester::has(kSettings) : hint);
  }
}

void ShortEntity::check_name(const Value& key, bool input, bool blank_is_missing) {
  std::string flaw = flaw_of_key(key);
  if (flaw.empty() && key.text().empty()) {
    flaw = "a port needs a name";
  }
  if (!flaw.empty()) {
    diagnostics_.add(DiagnosticCode::UnknownPort, key, flaw);
    return;
  }
  const ShortPort* const port = ports_->find(key.text());
  if (port != nullptr && given(key.text()) != nullptr) {
    diagnostics_
        .add(DiagnosticCode::ShortFormValue, key,
             "port " + in_quotes(key.text()) + " has the queue that 'parameters' names",
             hint_for_given(key))
        .related.push_back({key_of(parameters_, key.text())->location(), "named here"});
    return;
  }
  if (port != nullptr ? !input || port->direction == Direction::Input
                      : ports_->open_inputs || (!input && ports_->has_free_outputs())) {
    return;
  }
  const std::string type = in_quotes(operator_.text());
  if (port != nullptr) {
    diagnostics_.add(DiagnosticCode::UnknownPort, key,
                     in_quotes(key.text()) + " is an output of " + type,
                     "the entity that reads it names it below its own 'inputs'");
    return;
  }
  std::vector<std::string_view> known = ports_->keys(Direction::Input);
  if (!input) {
    const std::vector<std::string_view> outputs = ports_->keys(Direction::Output);
    known.insert(known.end(), outputs.begin(), outputs.end());
  }
  const char* const what = input ? "input" : "port";
  std::string hint = blank_is_missing ? kWriteBlank : suggestion(key.text(), known);
  if (hint.empty()) {
    hint = known.empty() ? "the type has no " + std::string(what) + "s" : Suggester::has(known);
  }
  diagnostics_.add(DiagnosticCode::UnknownPort, key,
                   type + " has no " + what + " " + in_quotes(key.text()), hint);
}

/// For an input whose queue 'parameters' names.
std::string ShortEntity::hint_for_given(const Value& key) const {
  const std::string_view queue = given(key.text())->text();
  bool listed = false;
  for (std::size_t i = 0; terms_ != nullptr && i < terms_->size(); ++i) {
    const Value* const name = terms_->at(i).is_map() ? terms_->at(i).find("name") : nullptr;
    listed = listed || (name != nullptr && !queue.empty() && name->text() == queue);
  }
  const Value* source = inputs_by_key_.value(key.text());
  while (source != nullptr && source->is_sequence()) {
    source = source->size() == 0 ? nullptr : &source->at(0);
  }
  const Value* const name = root_.find("name");
  if (!listed || source == nullptr || source->text().empty() || name == nullptr) {
    return "remove it here, or there";
  }
  std::string from(source->text());
  from += from.find('/') == std::string::npos ? "/OUTPUT" : "";
  return "a Connection connects a queue that 'terms' lists; remove the input, and add a document "
         "'components: [{type: gxr::Connection, parameters: {source: " +
         from + ", target: " + std::string(name->text()) + "/" + std::string(queue) + "}}]'";
}

void ShortEntity::add_ports() {
  for (const Direction direction : {Direction::Input, Direction::Output}) {
    for (const ShortPort& port : ports_->ports) {
      if (port.direction == direction) {
        add_declared(port);
      }
    }
    add_free(direction);
  }
  for (const Queue& queue : queues_) {
    add_term(queue);
  }
}

void ShortEntity::add_declared(const ShortPort& port) {
  if (given(port.key) != nullptr ||
      (port.optional && !is_mentioned(port.key) && !form_.is_demanded(entity_, port.key))) {
    return;
  }
  const Mention mention = mention_of_port(port.key);
  add_queue(port.key, port.direction, mention);
  handles_.push_back(text(port.key, mention));
  handles_.push_back(text(port.key, mention));
}

/// Queues whose names are free: those that the document names, in this order, then those that
/// others use.
void ShortEntity::add_free(Direction direction) {
  const bool inputs = direction == Direction::Input;
  if (inputs ? !ports_->open_inputs : !ports_->has_free_outputs()) {
    return;
  }
  const auto is_free = [&](std::string_view name) {
    return !name.empty() && ports_->find(name) == nullptr && !is_queue(name) &&
           is_free_input(name) == inputs;
  };
  std::vector<Value>& listed = inputs ? receivers_ : transmitters_;
  const auto add_free_queue = [&](std::string_view name) {
    const Mention mention = mention_of_port(name);
    add_queue(name, direction, mention);
    listed.push_back(text(name, mention));
  };
  for (const Value* const map : {inputs_, settings_}) {
    for (std::size_t i = 0; map != nullptr && i < map->size(); ++i) {
      if (map->key(i).is_scalar() && is_free(map->key(i).text())) {
        add_free_queue(map->key(i).text());
      }
    }
  }
  const auto demand = form_.demand_.find(entity_);
  const bool one_side = !(ports_->open_inputs && ports_->has_free_outputs());
  if (demand == form_.demand_.end() || !one_side || !(inputs || ports_->open_outputs)) {
    return;
  }
  for (const std::string& name : demand->second.names) {
    if (is_free(name) && !is_own_name(name)) {
      add_free_queue(form_.document_.keep(name));
    }
  }
  for (const Value* const handle : demand->second.handles) {
    const std::size_t begin = handle->text().find('/') + 1;
    const std::string_view name = handle->text().substr(begin);
    if (is_free(name) && is_own_name(name)) {
      report_taken({inside(*handle, begin), length_of(name)},
                   "entity " + in_quotes(entity_) + " keeps the name " + in_quotes(name) +
                       " for a component of the short form");
      form_.refused_.insert(handle);
    }
  }
}

void ShortEntity::add_queue(std::string_view name, Direction direction, Mention mention) {
  if (!take_name(name, mention)) {
    return;
  }
  queues_.push_back({name, direction, mention});
  directions_.emplace(name, direction);
  const Settings settings = read_settings(name);
  Pairs parameters;
  if (settings.capacity != nullptr) {
    parameters.insert(parameters.end(), {*settings.capacity_key, *settings.capacity});
  }
  if (settings.policy != nullptr) {
    parameters.insert(parameters.end(), {*settings.policy_key, *settings.policy});
  }
  add(name,
      direction == Direction::Input ? "gxr::DoubleBufferReceiver" : "gxr::DoubleBufferTransmitter",
      parameters, mention);
}

/// A term of the author's for the queue takes the place of the usual one.
void ShortEntity::add_term(const Queue& queue) {
  const auto& [name, direction, mention] = queue;
  const Settings settings = read_settings(name);
  const bool input = direction == Direction::Input;
  if (texts_.contains(name) ||
      (!entity_.empty() && texts_.contains(entity_ + "/" + std::string(name)))) {
    if (settings.min_size != nullptr) {
      report_value(*settings.min_size_key,
                   "'min_size' has no effect: 'terms' has a term for " + in_quotes(name),
                   "write it into that term");
    }
    return;
  }
  Pairs parameters{text(input ? "receiver" : "transmitter", mention), text(name, mention)};
  if (settings.min_size != nullptr) {
    parameters.insert(parameters.end(), {*settings.min_size_key, *settings.min_size});
  }
  const std::string_view term =
      form_.document_.keep(std::string(name).append(input ? kShortAvailable : kShortFree));
  if (take_name(term, mention)) {
    add(term,
        input ? "gxr::MessageAvailableSchedulingTerm" : "gxr::DownstreamReceptiveSchedulingTerm",
        parameters, mention);
  }
}

ShortEntity::Settings ShortEntity::read_settings(std::string_view port) {
  Settings settings;
  const Value* const map = settings_by_key_.value(port);
  for (std::size_t i = 0; map != nullptr && map->is_map() && i < map->size(); ++i) {
    const Value& key = map->key(i);
    if (key.text() == "capacity") {
      settings.capacity_key = &key;
      settings.capacity = &map->value(i);
    } else if (key.text() == "policy") {
      settings.policy_key = &key;
      settings.policy = &map->value(i);
    } else if (key.text() == "min_size") {
      settings.min_size_key = &key;
      settings.min_size = &map->value(i);
    }
  }
  return settings;
}

// --- inputs ------------------------------------------------------------------------------------

void ShortEntity::read_inputs() {
  for (std::size_t i = 0; inputs_ != nullptr && i < inputs_->size(); ++i) {
    const Value& port = inputs_->key(i);
    const Value& value = inputs_->value(i);
    if (value.is_sequence() && value.size() > 0) {
      for (std::size_t j = 0; j < value.size(); ++j) {
        read_input(port, value.at(j));
      }
    } else {
      read_input(port, value);
    }
  }
  // A misspelt key may mean 'inputs', unless the application runs in spite of it.
  for (std::size_t i = 0; !diagnostics_.compat_gxf() && i < root_.size(); ++i) {
    if (!is_document_key(root_.key(i).text(), true)) {
      made_.inputs.push_back({&root_.key(i), nullptr, true});
    }
  }
}

void ShortEntity::read_input(const Value& port, const Value& value) {
  const std::string_view text = value.is_scalar() ? value.text() : std::string_view{};
  const char* const hint = "write 'ENTITY', 'ENTITY/OUTPUT', or a list of these";
  const bool blank_is_missing = lacks_blank(port, value);
  // A key of the entity that stands too deep is reported as an unknown port.
  const bool is_no_port = value.is_map() && ports_->find(port.text()) == nullptr;
  if ((blank_is_missing || is_no_port) && !ports_->open_inputs) {
    made_.inputs.push_back({&port, nullptr, true});  // the key was reported
  } else if (text.empty()) {
    report_value(value, "input " + in_quotes(port.text()) + " needs the entity that it reads",
                 blank_is_missing ? kWriteBlank : hint);
    made_.inputs.push_back({&port, nullptr, true});
  } else if (const std::size_t slash = text.find('/'); slash == 0 || slash + 1 == text.size()) {
    report_value(value,
                 "input " + in_quotes(port.text()) + " needs a name " +
                     (slash == 0 ? "in front of" : "behind") + " the '/'",
                 hint);
    made_.inputs.push_back({&port, nullptr, true});
  } else {
    const ShortPort* const declared = ports_->find(port.text());
    const bool output = declared != nullptr && declared->direction == Direction::Output;
    // Of an output, the value may name a reader.
    made_.inputs.push_back({&port, output ? nullptr : &value, !is_receiver(port.text())});
  }
}

// --- terms and codelet -------------------------------------------------------------------------

void ShortEntity::add_limits() {
  if (const Value* const count = root_.find("count")) {
    const Value& key = *key_of(&root_, "count");
    if (take_name(kShortCount, mention_of(key))) {
      add(kShortCount, "gxr::CountSchedulingTerm", {key, *count}, mention_of(key));
    }
  }
  if (const Value* const period = root_.find("period")) {
    const Mention mention = mention_of(*key_of(&root_, "period"));
    if (take_name(kShortPeriod, mention)) {
      add(kShortPeriod, "gxr::PeriodicSchedulingTerm", {text("recess_period", mention), *period},
          mention);
    }
  }
  if (ports_ != nullptr && !ports_->end.empty() && given(ports_->end) == nullptr &&
      take_name(kShortEnd, mention_of(operator_))) {
    add(kShortEnd, ports_->end_type, {}, mention_of(operator_));
    handles_.push_back(text(ports_->end, mention_of(operator_)));
    handles_.push_back(text(kShortEnd, mention_of(operator_)));
  }
}

void ShortEntity::add_own_terms() {
  for (std::size_t i = 0; terms_ != nullptr && i < terms_->size(); ++i) {
    const Value& entry = terms_->at(i);
    const Value* const name = entry.is_map() ? entry.find("name") : nullptr;
    const bool makes = entry.is_map() && entry.find("type") != nullptr;
    if (makes && name != nullptr && name->is_scalar() && !name->text().empty() &&
        !take_name(name->text(), mention_of(*name))) {
      continue;
    }
    entries_.push_back(entry);
    made_.lengths.push_back(0);
  }
}

void ShortEntity::add_codelet() {
  const Mention mention = mention_of(operator_);
  if (parameters_ != nullptr && !parameters_->is_map()) {
    // Reported as in any component.
    const std::array entry{text("name", mention),         text(kShortCodelet, mention),
                           text("type", mention),         operator_,
                           *key_of(&root_, "parameters"), *parameters_};
    entries_.push_back(Value::make_collection(ValueKind::Map, form_.document_.keep(entry),
                                              entry.size(), false, mention.where));
    made_.lengths.push_back(mention.length);
    return;
  }
  add(kShortCodelet, operator_.text(), codelet_parameters(), mention);
}

/// The author's, then handles to what was made.
ShortEntity::Pairs ShortEntity::codelet_parameters() {
  Pairs pairs;
  for (std::size_t i = 0; parameters_ != nullptr && i < parameters_->size(); ++i) {
    pairs.push_back(parameters_->key(i));
    pairs.push_back(parameters_->value(i));
  }
  pairs.insert(pairs.end(), handles_.begin(), handles_.end());
  if (ports_ == nullptr) {
    return pairs;
  }
  add_list(ports_->receivers, receivers_, pairs);
  add_list(ports_->transmitters, transmitters_, pairs);
  for (const std::string_view key : ports_->allocators) {
    if (given(key) == nullptr) {
      pairs.push_back(text(key, mention_of(operator_)));
      pairs.push_back(pool_);
    }
  }
  return pairs;
}

void ShortEntity::add_list(std::string_view key, const std::vector<Value>& names, Pairs& pairs) {
  if (key.empty() || names.empty() || given(key) != nullptr) {
    return;
  }
  pairs.push_back(text(key, mention_of(operator_)));
  pairs.push_back(Value::make_collection(ValueKind::Sequence, form_.document_.keep(names),
                                         names.size(), true, operator_.location()));
}

void ShortEntity::add(std::string_view name, std::string_view type, const Pairs& parameters,
                      Mention mention) {
  Pairs entry{text("name", mention), text(name, mention), text("type", mention),
              text(type, mention)};
  if (!parameters.empty()) {
    entry.push_back(text("parameters", mention));
    entry.push_back(Value::make_collection(ValueKind::Map, form_.document_.keep(parameters),
                                           parameters.size(), true, mention.where));
  }
  entries_.push_back(Value::make_collection(ValueKind::Map, form_.document_.keep(entry),
                                            entry.size(), false, mention.where));
  made_.lengths.push_back(mention.length);
}

/// Reports a name that is taken.
bool ShortEntity::take_name(std::string_view name, Mention mention) {
  if (names_.insert(name).second) {
    return true;
  }
  report_taken(mention,
               "the short form makes a component " + in_quotes(name) + " of this entity already");
  return false;
}

void ShortEntity::report_taken(Mention mention, std::string text) {
  diagnostics_
      .add(DiagnosticCode::NameTaken, mention.where, mention.length, std::move(text),
           "choose another name")
      .related.push_back({operator_.location(), "for this operator"});
  made_.complete = false;
}

void ShortEntity::report_value(const Value& value, std::string text, std::string hint) {
  diagnostics_.add(DiagnosticCode::ShortFormValue, value, std::move(text), std::move(hint));
}

}  // namespace gxr
