#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "control/control_answers.hpp"
#include "control/control_socket.hpp"
#include "control/slow_answers.hpp"
#include "internal_api.hpp"
#include "ipc/service_thread.hpp"

namespace gxr {

/// Serves the clients of an application's control socket on a thread of its own
/// (control_protocol.hpp says what they speak). A change waits until all components are made;
/// questions, and other clients, do not, nor do they wait for exchanges of operators. Clients that
/// are silent, slow, send garbage or too much keep nobody from anything: of kMostClients the one
/// that has been there longest has to go when another one comes.
///
/// Clients whose changes wait when this goes are answered. Before that, the application must have
/// ended.
class ControlServer {
 public:
  static constexpr std::size_t kMostClients = 32;

  /// Refers to both.
  GXR_INTERNAL_API ControlServer(const ControlSocket& socket, const ControlAnswers& answers);

 private:
  struct Client {
    FileDescriptor socket;
    std::string received;
    std::optional<ControlRequest> waiting;  // for components, or for the answer below
    std::shared_ptr<SlowAnswer> slow;       // may be null
    std::string to_send;
  };

  void serve(int stop);
  [[nodiscard]] bool wait(int stop) const;
  void accept_clients();
  void take_in(FileDescriptor client);
  void hear_clients();
  [[nodiscard]] bool hear(Client& client);
  [[nodiscard]] bool receive(Client& client);
  [[nodiscard]] bool answer(Client& client, std::string_view line);
  [[nodiscard]] bool has_to_wait(Client& client);

  const ControlSocket& socket_;
  const ControlAnswers& answers_;
  std::list<Client> clients_;  // those who came first, first; of the thread
  bool ends_ = false;          // the last turn: who waits is answered
  SlowAnswers slow_;           // of the thread
  bool full_ = false;          // the process has no file descriptor for another client
  ServiceThread thread_;
};

}  // namespace gxr
