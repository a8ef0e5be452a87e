#include "commands/output.hpp"

#include <cstdio>
#include <fstream>

#include <nlohmann/json.hpp>

#include "gxr/error.hpp"

namespace gxr::commands {

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void print(const nlohmann::ordered_json& json) {
  print(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void write_output(const std::string& text, const std::string& file) {
  if (file.empty()) {
    print(text);
    return;
  }
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) {
    throw Error(ErrorCode::InputOutput, "cannot write '" + file + "'");
  }
}

}  // namespace gxr::commands
