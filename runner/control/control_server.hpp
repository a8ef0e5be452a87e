#pragma once

#include <list>
#include <string>

#include "control/control_socket.hpp"
#include "executors/live_changes.hpp"
#include "internal_api.hpp"
#include "ipc/service_thread.hpp"

namespace gxr {

/// Serves the clients of a control socket on a thread of its own (control_protocol.hpp says what
/// they speak). A request waits until all components are made, and others behind it. Clients that
/// are silent, send garbage or too much keep nobody from anything: of kMostClients the one that has
/// been there longest has to go when another one comes.
///
/// Clients that are there when this goes are answered. Before that, the application must have
/// ended, as a request may wait for its components.
class ControlServer {
 public:
  static constexpr std::size_t kMostClients = 32;

  /// Refers to both.
  GXR_INTERNAL_API ControlServer(const ControlSocket& socket, LiveChanges& changes);

 private:
  struct Client {
    FileDescriptor socket;
    std::string received;
  };

  void serve(int stop);
  void accept_clients();
  void hear_clients();
  [[nodiscard]] bool hear(Client& client);
  [[nodiscard]] std::string answer_to(std::string_view received);

  const ControlSocket& socket_;
  LiveChanges& changes_;
  std::list<Client> clients_;  // those who came first, first; of the thread
  bool full_ = false;          // the process has no file descriptor for another client
  ServiceThread thread_;
};

}  // namespace gxr
