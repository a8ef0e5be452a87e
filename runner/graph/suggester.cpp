#include "graph/suggester.hpp"

#include <algorithm>
#include <unordered_set>

#include "graph/text.hpp"

namespace gxr {

std::string Suggester::nearest(std::string_view word,
                               const std::vector<std::string_view>& candidates) {
  if (comparisons_left_ < candidates.size()) {
    return {};
  }
  comparisons_left_ -= candidates.size();
  return did_you_mean(word, candidates);
}

std::string Suggester::among(std::string_view word,
                             const std::vector<std::string_view>& candidates) {
  const std::string name = nearest(word, candidates);
  return name.empty() ? name : "did you mean " + in_quotes(name) + "?";
}

namespace {

/// The one candidate that begins with the word, which abbreviates it: 'cam' for 'camera'.
std::string_view abbreviated_by(std::string_view word,
                                const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kShortest = 3;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    if (word.size() >= kShortest && candidate.starts_with(word)) {
      if (!found.empty() && found != candidate) {
        return {};
      }
      found = candidate;
    }
  }
  return found;
}

}  // namespace

std::string Suggester::entity_among(std::string_view word,
                                    const std::vector<std::string_view>& names) {
  const std::string hint = among(word, names);
  const bool affordable = comparisons_left_ >= names.size();
  const std::string_view longer =
      hint.empty() && affordable ? abbreviated_by(word, names) : std::string_view();
  return longer.empty() ? hint : "did you mean " + in_quotes(longer) + "?";
}

std::string Suggester::entity(std::string_view word) {
  if (entity_names_.empty()) {
    for (const GraphEntity& entity : graph_.entities) {
      if (entity.named) {
        entity_names_.emplace_back(entity.name);
      }
    }
    for (const EntityInterface& interface : graph_.interfaces) {
      entity_names_.emplace_back(interface.entity);
    }
  }
  return entity_among(word, entity_names_);
}

std::string Suggester::entity(std::string_view word, std::string_view prefix) {
  if (prefix.empty()) {
    return entity(word);
  }
  std::vector<std::string_view> names;
  for (const GraphEntity& entity : graph_.entities) {
    if (entity.named && std::string_view(entity.name).starts_with(prefix)) {
      names.push_back(std::string_view(entity.name).substr(prefix.size()));
    }
  }
  for (const EntityInterface& interface : graph_.interfaces) {
    if (std::string_view(interface.entity).starts_with(prefix)) {
      names.push_back(std::string_view(interface.entity).substr(prefix.size()));
    }
  }
  return entity_among(word, names);
}

std::string Suggester::in_subgraphs(std::string_view word) {
  if (comparisons_left_ < graph_.entities.size() / 8) {
    return {};
  }
  comparisons_left_ -= graph_.entities.size() / 8;  // comparing for equality is cheap
  const std::string end = "." + std::string(word);
  std::string names;
  int count = 0;
  for (const GraphEntity& entity : graph_.entities) {
    if (entity.scope != 0 && entity.name.ends_with(end) && ++count <= 3) {
      names += (names.empty() ? "" : " or ") + in_quotes(entity.name);
    }
  }
  return names.empty() ? names : "did you mean " + names + "?";
}

std::string Suggester::interface(std::string_view word, const EntityInterface& interface) {
  std::vector<std::string_view> names;
  for (const InterfaceName& name : interface.names) {
    names.emplace_back(name.name);
  }
  const std::string hint = among(word, names);
  return hint.empty() ? has(names) : hint;
}

const std::vector<std::string_view>& Suggester::names_in(const GraphEntity& entity) {
  const auto [entry, added] = component_names_.try_emplace(entity.id);
  std::vector<std::string_view>& names = entry->second;
  if (added) {
    std::unordered_set<std::string_view> seen;
    for (const ComponentId id : entity.components) {
      const std::string_view name = graph_.components[id].name;
      if (!name.empty() && seen.insert(name).second) {
        names.emplace_back(name);
      }
    }
  }
  return names;
}

std::string Suggester::component(std::string_view word, const GraphEntity& entity) {
  const std::vector<std::string_view>& names = names_in(entity);
  const std::string hint = among(word, names);
  return hint.empty() ? has(names) : hint;
}

bool Suggester::is_like_component(std::string_view word, const GraphEntity& entity) {
  return !nearest(word, names_in(entity)).empty();
}

std::string Suggester::parameter(std::string_view word, const TypeInfo& type) {
  std::vector<std::string_view> keys;
  for (const ParameterInfo& parameter : type.parameters) {
    keys.emplace_back(parameter.key);
  }
  const std::string meant = nearest(word, keys);
  return meant.empty() ? number_of(word, keys) : meant;
}

/// worker_thread_number for worker_threads.
std::string Suggester::number_of(std::string_view word,
                                 const std::vector<std::string_view>& candidates) {
  const std::string number = word.ends_with('s')
                                 ? std::string(word.substr(0, word.size() - 1)) + "_number"
                                 : std::string();
  return std::ranges::find(candidates, number) != candidates.end() ? number : std::string();
}

std::string Suggester::type(std::string_view word) {
  if (type_names_.empty()) {
    type_names_ = catalog_.names();
  }
  const std::string wanted = with_colons(word);
  const bool is_there = wanted != word && catalog_.find(wanted) != nullptr;
  const auto nearest_type = [&] {
    const std::string name = nearest(wanted, type_names_);
    return name.empty() ? nearest_of_gxr(wanted) : name;
  };
  std::string name = is_there ? wanted : nearest_type();
  while (!name.empty() && !can_be_written(name)) {
    std::erase(type_names_, name);
    name = nearest_type();
  }
  return name.empty() ? beside(wanted) : "did you mean " + in_quotes(name) + "?";
}

std::string Suggester::beside(std::string_view word) const {
  const std::size_t first = word.find("::");
  const std::size_t last = word.rfind("::");
  const auto is_known = [&](std::string_view name) {
    return name.starts_with(word.substr(0, last + 2));
  };
  if (first == std::string_view::npos || std::ranges::none_of(type_names_, is_known)) {
    return {};  // types of that namespace may be in an extension elsewhere
  }
  std::string names;
  int count = 0;
  for (const std::string_view name : type_names_) {
    if (name.starts_with(word.substr(0, first + 2)) && name.ends_with(word.substr(last)) &&
        can_be_written(name) && ++count <= 3) {
      names += (names.empty() ? "" : " or ") + in_quotes(name);
    }
  }
  return names.empty() ? names : "did you mean " + names + "?";
}

bool Suggester::has_fitting(const GraphEntity& entity, const std::string& type) {
  const auto [entry, added] = fitting_.try_emplace({entity.id, type});
  if (added) {
    entry->second = std::ranges::any_of(entity.components, [&](ComponentId id) {
      const GraphComponent& component = graph_.components[id];
      return component.type == nullptr || catalog_.is_a(*component.type, type);
    });
  }
  return entry->second;
}

/// "gxr::image::Source" for "image::Sourc". A name of another vendor is none of gxr.
std::string Suggester::nearest_of_gxr(const std::string& word) {
  constexpr std::string_view kGxr = "gxr::";
  const std::size_t colons = word.rfind("::");
  std::string name =
      colons == std::string::npos ? std::string() : nearest(std::string(kGxr) + word, type_names_);
  if (!name.starts_with(kGxr)) {
    return {};
  }
  const std::string_view wanted = std::string_view(word).substr(0, colons);
  const std::size_t end = name.rfind("::");
  const std::string_view space = end > kGxr.size()
                                     ? std::string_view(name).substr(kGxr.size(), end - kGxr.size())
                                     : std::string_view{};
  const bool near_space = space == wanted || !did_you_mean(wanted, {space}).empty();
  return near_space ? name : std::string();
}

/// Base types and data types are no answer to what stands in a file.
bool Suggester::can_be_written(std::string_view name) const {
  const TypeInfo* type = catalog_.find(name);
  return type == nullptr || (type->component && !type->abstract);
}

/// "gxr.Gather", "gxr/Gather" and "gxr:Gather" as "gxr::Gather".
std::string Suggester::with_colons(std::string_view word) {
  constexpr std::string_view kSeparators = ".:/";
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (kSeparators.find(word[i]) == std::string_view::npos) {
      text += word[i];
    } else if (!text.ends_with(':')) {
      text += "::";
    }
  }
  return text;
}

std::string Suggester::elsewhere(std::string_view name, const std::string& type) {
  if (comparisons_left_ < graph_.components.size() / 8) {
    return {};
  }
  comparisons_left_ -= graph_.components.size() / 8;  // comparing for equality is cheap
  std::string places;
  int count = 0;
  EntityId last = kNone;  // one of several components of a name is enough
  for (const GraphComponent& component : graph_.components) {
    if (component.name == name && component.type != nullptr && component.entity != last &&
        graph_.entity_of(component).named && catalog_.is_a(*component.type, type) && ++count <= 3) {
      places += (places.empty() ? "'" : " or '") + graph_.full_name(component) + "'";
      last = component.entity;
    }
  }
  return places.empty() ? places : "did you mean " + places + "?";
}

const std::string& Suggester::derived_types(std::string_view base) {
  const auto [entry, added] = derived_types_.try_emplace(std::string(base));
  std::string& names = entry->second;
  if (!added) {
    return names;
  }
  int count = 0;
  for (const TypeInfo* type : catalog_.types()) {
    if (!type->abstract && type->component && catalog_.is_a(*type, base) && ++count <= 4) {
      names += (names.empty() ? "" : ", ") + type->name;
    }
  }
  names += count > 4 ? ", ..." : "";
  return names;
}

std::string Suggester::has(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 5; ++i) {
    text.append(text.empty() ? "it has: '" : ", '").append(names[i]).append("'");
  }
  return names.size() > 5 ? text + ", ..." : text;
}

}  // namespace gxr
