#include "commands/topic_browsers.hpp"

#include <utility>

#include "gxr/error.hpp"
#include "registry/extension_loader.hpp"

namespace gxr::commands {

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

std::string text_of_others(const std::vector<std::string>& topics) {
  std::string text;
  for (const std::string& name : topics) {
    text += (text.empty() ? "; there are " : ", ") + name;
  }
  return text;
}

}  // namespace gxr::commands
