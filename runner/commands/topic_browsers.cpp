#include "commands/topic_browsers.hpp"

#include <cstdint>
#include <utility>

#include <CLI/CLI.hpp>

#include "commands/number_option.hpp"
#include "commands/output.hpp"
#include "gxr/error.hpp"
#include "registry/extension_loader.hpp"

namespace gxr::commands {
namespace {

constexpr std::uint64_t kLastDomain = 230;

}  // namespace

void add_network_options(CLI::App& command, TopicNetwork& network, const std::string& of) {
  const std::string number = "umber of the domain (0)";
  add_count_option(
      command, "--domain", kLastDomain, of.empty() ? "N" + number : of + "n" + number,
      [&network](std::uint64_t domain) { network.domain = static_cast<std::int32_t>(domain); });
  const auto add_list = [&](const char* name, const char* type, const std::string& help,
                            std::vector<std::string>& to) {
    command.add_option(name, to, help)
        ->type_name(type)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Validator(
            [](const std::string& value) {
              return value.empty() ? std::string("a name or an address is missing") : std::string();
            },
            ""));
  };
  add_list("--interfaces", "NAME,...",
           of + (of.empty() ? "N" : "n") +
               "etwork interfaces to use, by name or address, as lo for this machine alone",
           network.interfaces);
  add_list(
      "--peers", "HOST,...",
      of + (of.empty() ? "M" : "m") + "achines on which to look, besides those found by multicast",
      network.peers);
}

TopicBrowsers make_topic_browsers(const TypeCatalog& catalog) {
  TopicBrowsers made;
  ExtensionLoader loader(catalog);
  for (const TypeInfo* type : catalog.types()) {
    if (type->abstract || !catalog.is_a(*type, "gxr::TopicBrowser")) {
      continue;
    }
    try {
      std::unique_ptr<Component> component = loader.creator(*type)();
      if (auto* const browser = dynamic_cast<TopicBrowser*>(component.get())) {
        static_cast<void>(component.release());
        made.browsers.emplace_back(browser);
      }
    } catch (const std::exception& error) {
      made.broken.push_back(type->name + ": " + error.what());
    }
  }
  return made;
}

std::vector<FoundTopic> find_topics(TopicBrowser& browser, const TopicNetwork& network,
                                    std::chrono::nanoseconds wait, const std::string& until) {
  std::vector<FoundTopic> found = browser.topics(network, wait, until);
  for (const std::string& remark : browser.remarks()) {
    print_warning(remark);
  }
  return found;
}

std::string text_of_others(const std::vector<std::string>& topics) {
  std::string text;
  for (const std::string& name : topics) {
    text += (text.empty() ? "; there are " : ", ") + name;
  }
  return text;
}

}  // namespace gxr::commands
