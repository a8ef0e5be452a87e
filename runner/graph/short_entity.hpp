#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "graph/short_form.hpp"

namespace gxr {

/// Makes the components of one short document: queues and their terms, other terms, the codelet.
class ShortEntity {
 public:
  /// `pool`: the handle to the application's own allocator.
  ShortEntity(ShortForm& form, const Value& root, const std::string& entity, const Value& pool,
              Diagnostics& diagnostics);

  ShortComponents take();

 private:
  /// What the author wrote that a component stands for.
  struct Mention {
    Location where;
    std::uint32_t length = 1;
  };
  /// What `ports` says of a queue and its term.
  struct Settings {
    const Value* capacity_key = nullptr;
    const Value* capacity = nullptr;
    const Value* policy_key = nullptr;
    const Value* policy = nullptr;
    const Value* min_size_key = nullptr;
    const Value* min_size = nullptr;
  };
  /// The entries of a map by their keys, for maps with many.
  class Entries {
   public:
    void read(const Value* map);
    [[nodiscard]] const Value* key(std::string_view name) const;
    [[nodiscard]] const Value* value(std::string_view name) const;

   private:
    const Value* map_ = nullptr;
    std::unordered_map<std::string_view, std::size_t> index_;
  };
  struct Queue {
    std::string_view name;
    PortInfo::Direction direction;
    Mention mention;
  };
  using Pairs = std::vector<Value>;  // keys and values of a map

  bool find_type();
  void read_maps();
  const Value* read_map(const char* key, const char* form);
  void find_terms();
  [[nodiscard]] std::string hint_for_given(const Value& key) const;
  void add_ports();
  void add_declared(const ShortPort& port);
  void add_free(PortInfo::Direction direction);
  void check_names();
  void check_name(const Value& key, bool input, bool blank_is_missing);
  void add_queue(std::string_view name, PortInfo::Direction direction, Mention mention);
  void add_term(const Queue& queue);
  Settings read_settings(std::string_view port);
  void read_inputs();
  void read_input(const Value& port, const Value& value);
  void add_limits();
  void add_own_terms();
  void add_codelet();
  [[nodiscard]] Pairs codelet_parameters();
  void add_list(std::string_view key, const std::vector<Value>& names, Pairs& pairs);

  void add(std::string_view name, std::string_view type, const Pairs& parameters, Mention mention);
  void check_settings(const Value& port, const Value& settings);
  [[nodiscard]] bool is_queue(std::string_view name) const { return directions_.contains(name); }
  [[nodiscard]] bool is_receiver(std::string_view name) const {
    const auto queue = directions_.find(name);
    return queue != directions_.end() && queue->second == PortInfo::Direction::Input;
  }
  [[nodiscard]] bool is_own_name(std::string_view name) const;
  bool take_name(std::string_view name, Mention mention);
  void report_taken(Mention mention, std::string text);
  void report_value(const Value& value, std::string text, std::string hint);
  /// `words` must outlive the document.
  static Value text(std::string_view words, Mention mention) {
    return ShortForm::text(words, mention.where);
  }
  static Mention mention_of(const Value& value);
  [[nodiscard]] const Value* given(std::string_view key) const;
  [[nodiscard]] const Value* key_of(const Value* map, std::string_view key) const;
  [[nodiscard]] Mention mention_of_port(std::string_view name) const;
  [[nodiscard]] bool is_mentioned(std::string_view name) const;
  /// Is the name that of a receiver whose name is free?
  [[nodiscard]] bool is_free_input(std::string_view name) const;

  ShortForm& form_;
  const Value& root_;
  const std::string& entity_;
  Value pool_;
  Diagnostics& diagnostics_;
  const Value& operator_;
  const TypeInfo* type_ = nullptr;
  const ShortPorts* ports_ = nullptr;
  const Value* inputs_ = nullptr;    // a map
  const Value* settings_ = nullptr;  // a map
  Entries inputs_by_key_;
  Entries settings_by_key_;
  const Value* parameters_ = nullptr;           // as written
  const Value* terms_ = nullptr;                // a list
  std::unordered_set<std::string_view> texts_;  // handles of the author's terms
  std::unordered_set<std::string_view> names_;  // of components so far
  std::vector<Queue> queues_;
  std::unordered_map<std::string_view, PortInfo::Direction> directions_;  // of queues
  Pairs handles_;  // of the codelet, to what was made
  std::vector<Value> entries_;
  std::vector<Value> receivers_;  // names for a list
  std::vector<Value> transmitters_;
  ShortComponents made_;
};

}  // namespace gxr
