#include "commands/number_range.hpp"

#include <cmath>
#include <string>

namespace gxr::commands {

CLI::Validator number_range(double least, double greatest) {
  const CLI::Range range(least, greatest);
  return {[range](std::string& text) {
            double number = 0;
            return CLI::detail::lexical_cast(text, number) && std::isnan(number)
                       ? "Value " + text + " is not a number"
                       : range(text);
          },
          range.get_description(), ""};
}

}  // namespace gxr::commands
