#include "relay.hpp"

#include "another.hpp"

namespace relay {
std::vector<std::string> ask() { return another::ask_within(); }
}  // namespace relay
