#include "gxr/error.hpp"
#include "monitor/web_server.hpp"

// In builds without Boost.Beast.

namespace gxr {

class WebServer::Threads {};

void WebServer::require() {
  throw Error(ErrorCode::NotSupported,
              "this gxr was built without Boost.Beast: install libboost-dev (cmake/setup.sh web), "
              "then configure and build gxr again");
}

WebServer::WebServer(const WebListener& /*listener*/, WebAccess /*access*/, Content /*content*/) {
  require();
}
WebServer::~WebServer() = default;
void WebServer::finish(const std::string& /*event*/) {}

}  // namespace gxr
