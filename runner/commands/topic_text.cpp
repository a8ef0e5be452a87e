#include "commands/topic_text.hpp"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "document/utf8.hpp"

namespace gxr::commands {
namespace {

std::string definition_as_text(const MessageDefinition& definition) {
  std::string text =
      printable(definition.name) + (definition.kind.empty() ? "" : ": " + definition.kind) + "\n";
  const auto add = [&](const std::string& name, const std::string& value) {
    text += value.empty() ? "" : "  " + name + printable(value) + "\n";
  };
  add("in the network  ", definition.wire_name);
  add("type hash       ", definition.hash);
  add("fields unknown: ", definition.unknown);
  std::size_t width = 0;
  for (const MessageField& field : definition.fields) {
    width = std::max(width, field.type.size());
  }
  for (const MessageField& field : definition.fields) {
    std::string line = "  " + printable(field.type);
    if (!field.name.empty()) {
      line +=
          std::string(width - field.type.size() + (width > 0 ? 2 : 0), ' ') + printable(field.name);
    }
    text += line + (field.note.empty() ? "" : "  (" + printable(field.note) + ")") + "\n";
  }
  return text;
}

nlohmann::ordered_json definition_as_json(const MessageDefinition& definition) {
  nlohmann::ordered_json result{{"name", definition.name}, {"wire_name", definition.wire_name}};
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) {
      result[key] = value;
    }
  };
  add("kind", definition.kind);
  add("hash", definition.hash);
  add("unknown", definition.unknown);
  nlohmann::ordered_json fields = nlohmann::ordered_json::array();
  for (const MessageField& field : definition.fields) {
    fields.push_back({{"type", field.type}, {"name", field.name}, {"note", field.note}});
  }
  result["fields"] = std::move(fields);
  return result;
}

}  // namespace

std::string topic_as_text(const FoundTopic& topic) {
  std::string text = printable(topic.name) + "  " + printable(topic.type) + "\n";
  for (const TopicEnd& end : topic.ends) {
    text += end.publishes ? "  publisher " : "  subscriber";
    text += end.name.empty() ? "" : " '" + printable(end.name) + "'";
    text += end.process.empty() ? "" : " of " + printable(end.process);
    text += ": " + printable(end.qualities) + "\n";
  }
  return text;
}

nlohmann::ordered_json topic_as_json(const FoundTopic& topic) {
  nlohmann::ordered_json ends = nlohmann::ordered_json::array();
  for (const TopicEnd& end : topic.ends) {
    ends.push_back({{"publishes", end.publishes},
                    {"name", end.name},
                    {"process", end.process},
                    {"qualities", end.qualities}});
  }
  return {{"name", topic.name}, {"type", topic.type}, {"ends", std::move(ends)}};
}

std::string definitions_as_text(const std::vector<MessageDefinition>& definitions) {
  std::string text;
  for (const MessageDefinition& each : definitions) {
    text += (text.empty() ? "" : "\n") + definition_as_text(each);
  }
  return text;
}

nlohmann::ordered_json definitions_as_json(const std::vector<MessageDefinition>& definitions) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const MessageDefinition& each : definitions) {
    list.push_back(definition_as_json(each));
  }
  return list;
}

}  // namespace gxr::commands
