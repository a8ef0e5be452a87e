#include "gxr/ipc.hpp"

namespace gxr {

IPCServer::~IPCServer() = default;
IPCClient::~IPCClient() = default;
NetworkContext::~NetworkContext() = default;

}  // namespace gxr
