#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "commands/commands.hpp"
#include "commands/load.hpp"
#include "commands/number_option.hpp"
#include "commands/output.hpp"
#include "commands/run.hpp"
#include "commands/topic_browsers.hpp"
#include "document/diagnostics.hpp"
#include "document/number_text.hpp"
#include "gxr/error.hpp"

namespace gxr::commands {
namespace {

struct EchoOptions {
  CatalogOptions catalog;
  EchoRequest request;
  std::uint64_t wait_ms = 5000;
};

int no_such_topic(const EchoOptions& options, std::vector<std::string> others) {
  const bool is_there = std::erase(others, options.request.topic) > 0;
  const std::string text = "nobody publishes on " + options.request.topic + " in domain " +
                           std::to_string(options.request.network.domain) + ": not within " +
                           std::to_string(options.wait_ms) + " ms (--wait)" +
                           (is_there ? "; it has subscribers only" : "");
  print_error(text + text_of_others(others));
  return kRunFailed;
}

bool is_published(const FoundTopic& topic) {
  return std::ranges::any_of(topic.ends, &TopicEnd::publishes);
}

/// The line of the first who has the topic; else what others have.
std::string find_line(const EchoOptions& options, TopicBrowsers& made,
                      std::vector<std::string>& others) {
  for (const auto& browser : made.browsers) {
    const auto topics =
        find_topics(*browser, options.request.network, std::chrono::milliseconds(options.wait_ms),
                    options.request.topic);
    for (const FoundTopic& topic : topics) {
      if (topic.name == options.request.topic && is_published(topic)) {
        return browser->echo_line(options.request);
      }
      others.push_back(topic.name);
    }
  }
  return {};
}

int echo(EchoOptions options) {
  auto [catalog, exit_code] = load_catalog(options.catalog);
  if (exit_code != kDone) {
    return exit_code;
  }
  if (!options.request.topic.starts_with('/')) {
    options.request.topic.insert(0, 1, '/');
  }
  RunOptions run_options;
  {
    TopicBrowsers made = make_topic_browsers(catalog);
    for (const std::string& text : made.broken) {
      print_error(text);
    }
    if (made.browsers.empty()) {
      print_error("no extension is here that finds topics");
      return kExtensionNotLoadable;
    }
    try {
      std::vector<std::string> others;
      const std::string line = find_line(options, made, others);
      if (line.empty()) {
        return no_such_topic(options, others);
      }
      run_options.application.line = {line};
    } catch (const Error& error) {
      print_error(error.message());
      return kRunFailed;
    }
  }
  run_options.application.extensions = options.catalog.extensions;
  run_options.application.manifests = options.catalog.manifests;
  run_options.log_level = "warn";
  run_options.quiet = true;
  run_options.prints_data = options.request.pictures.empty();
  run_options.no_control = true;
  return run(run_options);
}

}  // namespace

void add_echo(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<EchoOptions>();
  CLI::App* command = app.add_subcommand("echo", "Print the messages of a topic");
  command->add_option("TOPIC", options->request.topic, "Name of the topic, as /camera/image")
      ->required();
  add_count_option(*command, "--count", 1'000'000'000,
                   "End after this many messages; 0: do not end (0)",
                   [options](std::uint64_t count) { options->request.count = count; });
  add_network_options(*command, options->request.network);
  options->request.values = 64;
  add_count_option(*command, "--values", 1'000'000'000,
                   "Most numbers of a list that are printed; 0: all (64)",
                   [options](std::uint64_t values) { options->request.values = values; });
  command
      ->add_option("--pictures", options->request.pictures,
                   "Write pictures into files instead, as out/picture-%04d.png")
      ->type_name("PATTERN");
  add_count_option(*command, "--wait", kLongestTopicWait,
                   "Milliseconds in which somebody must publish on the topic (5000)",
                   [options](std::uint64_t wait) { options->wait_ms = wait; });
  options->catalog.add_to(*command);
  command->callback([options, &exit_code] { exit_code = echo(*options); });
}

}  // namespace gxr::commands
