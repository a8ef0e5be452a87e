// Reads any bytes as a request and as an answer of the control socket, as they are and deep inside
// of lists and maps, and aborts where a promise of the protocol is broken.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "control/control_protocol.hpp"
#include "gxr/error.hpp"
#include "tests/fuzz/promise.hpp"

namespace {

using gxr::fuzz::nested;
using gxr::fuzz::require;

void read_as_request(std::string_view line) {
  try {
    const gxr::ControlRequest request = gxr::read_request(line);
    const gxr::ControlRequest again = gxr::read_request(gxr::to_line(request));
    require(again.assignments == request.assignments && again.entity == request.entity &&
                (request.entity.empty() || again.on == request.on),
            "a request that was read is read the same again");
  } catch (const gxr::Error& error) {
    require(error.code() == gxr::ErrorCode::InvalidData, "a bad request has the code InvalidData");
    require(gxr::failure_line("x", error.message()).size() < (std::size_t{256} << 10U),
            "an answer is short");
  }
}

void read_as_answer(std::string_view line) {
  try {
    gxr::require_success(line);
  } catch (const gxr::Error&) {
    // The application refused, or this is no answer.
  }
}

void read(std::string_view line) {
  read_as_request(line);
  read_as_answer(line);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(text);
  read(R"({"gxr-control": )" + nested(text) + "}");
  read(R"({"gxr-control": 1, "set": [)" + nested(text) + "]}");
  read(R"({"gxr-control": 1, "ok": false, "error": )" + nested(text) + "}");
  return 0;
}
