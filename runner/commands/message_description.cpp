#include "commands/message_description.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "commands/output.hpp"
#include "commands/topic_browsers.hpp"
#include "commands/topic_text.hpp"
#include "document/diagnostics.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::commands {
namespace {

int describe_topic(const TopicBrowsers& made, const MessageQuestion& question) {
  std::vector<std::string> others;
  for (const auto& browser : made.browsers) {
    for (const FoundTopic& topic :
         find_topics(*browser, question.network, question.wait, question.name)) {
      if (topic.name != question.name) {
        others.push_back(topic.name);
        continue;
      }
      const auto definitions = browser->definitions(
          topic.name, question.asks ? question.wait : std::chrono::milliseconds::zero());
      if (question.json) {
        nlohmann::ordered_json found = topic_as_json(topic);
        found["definitions"] = definitions_as_json(definitions);
        print(found);
      } else {
        print_text(topic_as_text(topic) + "\n" + definitions_as_text(definitions));
      }
      return kDone;
    }
  }
  print_error("nobody has the topic " + question.name + " in domain " +
              std::to_string(question.network.domain) + ": not within " +
              std::to_string(question.wait.count()) + " ms (--wait)" + text_of_others(others));
  return kRunFailed;
}

int describe_type_of_messages(const TopicBrowsers& made, const MessageQuestion& question) {
  std::vector<MessageDefinition> found;
  for (auto browser = made.browsers.begin(); found.empty() && browser != made.browsers.end();
       ++browser) {
    found = (*browser)->definitions_of_type(question.name);
  }
  if (found.empty()) {
    std::vector<std::string> known;
    for (const auto& browser : made.browsers) {
      for (const MessageDefinition& each : browser->message_types()) {
        known.push_back(each.name);
      }
    }
    const std::vector<std::string_view> names(known.begin(), known.end());
    Diagnostics problems;
    const std::string hint = suggestion(question.name, names);
    problems.add(DiagnosticCode::UnknownType, {}, 1,
                 "there is no file '" + question.name + "', and no message type that gxr knows",
                 hint.empty() ? "'gxr describe gxr::dds::Subscriber' lists those that it knows, as "
                                "sensor_msgs/msg/Image"
                              : hint);
    return fail(problems, question.json, kUsage);
  }
  if (question.json) {
    print(nlohmann::ordered_json{{"definitions", definitions_as_json(found)}});
  } else {
    print_text(definitions_as_text(found));
  }
  return kDone;
}

}  // namespace

bool names_messages(const std::string& name) {
  std::error_code error;
  const bool is_type = std::ranges::all_of(
      name, [](char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '/'; });
  // Other programs may call their topics as they like, but hardly as a file of an extension.
  const bool is_file = name.ends_with(".so") || name.ends_with(".py");
  return name.find('/') != std::string::npos && !name.ends_with('/') &&
         (is_type || (name.starts_with('/') && !is_file)) && !std::filesystem::exists(name, error);
}

int describe_messages(const TypeCatalog& catalog, const MessageQuestion& question) {
  const TopicBrowsers made = make_topic_browsers(catalog);
  for (const std::string& text : made.broken) {
    print_error(text);
  }
  if (made.browsers.empty()) {
    print_error("no extension is here that finds topics");
    return kExtensionNotLoadable;
  }
  try {
    return question.name.starts_with('/') ? describe_topic(made, question)
                                          : describe_type_of_messages(made, question);
  } catch (const Error& error) {
    print_error(error.message());
    return kRunFailed;
  }
}

}  // namespace gxr::commands
