#include "control/control_server.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include <poll.h>
#include <sys/socket.h>

#include "gxr/error.hpp"

namespace gxr {
namespace {

/// After which it is looked whether there are file descriptors again.
constexpr int kPauseMs = 100;
/// After which it is looked whether the components are there for which a change waits.
constexpr int kComponentsMs = 10;

/// Sends as much as the socket takes at once. False when there is nothing more to be sent.
bool send_some(const FileDescriptor& client, std::string& text) {
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t size =
        ::send(client.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) {
      continue;
    }
    if (size < 0) {
      const bool waits = errno == EAGAIN || errno == EWOULDBLOCK;
      text.erase(0, sent);
      return waits;
    }
    sent += static_cast<std::size_t>(size);
  }
  text.clear();
  return false;
}

}  // namespace

ControlServer::ControlServer(const ControlSocket& socket, const ControlAnswers& answers)
    : socket_(socket),
      answers_(answers),
      thread_("the thread that serves the control socket", [this](int stop) { serve(stop); }) {}

void ControlServer::serve(int stop) {
  for (bool stopped = false; !stopped;) {
    stopped = wait(stop);
    ends_ = stopped;
    accept_clients();
    hear_clients();
  }
}

/// For anything to do. True when it is to end.
bool ControlServer::wait(int stop) const {
  std::vector<pollfd> events = {{stop, POLLIN, 0}};
  int patience = -1;
  if (full_) {
    patience = kPauseMs;
  } else {
    events.push_back({socket_.descriptor(), POLLIN, 0});
  }
  for (const Client& client : clients_) {
    if (client.waiting) {
      patience = kComponentsMs;
    } else {
      const bool sends = !client.to_send.empty();
      events.push_back({client.socket.get(), static_cast<short>(sends ? POLLOUT : POLLIN), 0});
    }
  }
  static_cast<void>(::poll(events.data(), events.size(), patience));
  return events.front().revents != 0;
}

void ControlServer::accept_clients() {
  for (std::size_t i = 0; i < kMostClients; ++i) {
    FileDescriptor client = socket_.accept();
    if (!client.is_open()) {
      full_ = has_no_room_for_clients();
      return;
    }
    take_in(std::move(client));
  }
}

void ControlServer::take_in(FileDescriptor client) {
  if (!is_of_same_user(client)) {
    std::string refusal = failure_line(
        "invalid-state", "only the user who runs the application may ask or change it");
    static_cast<void>(send_some(client, refusal));
    return;
  }
  if (clients_.size() == kMostClients) {
    hear_clients();
  }
  if (clients_.size() == kMostClients) {
    clients_.pop_front();
  }
  clients_.push_back({std::move(client), {}, {}, {}, {}});
}

void ControlServer::hear_clients() {
  for (auto client = clients_.begin(); client != clients_.end();) {
    client = hear(*client) ? std::next(client) : clients_.erase(client);
  }
}

/// Goes on with what the client is at. False when there is nothing more to be said.
bool ControlServer::hear(Client& client) {
  if (!client.to_send.empty()) {
    return send_some(client.socket, client.to_send);
  }
  if (!client.waiting) {
    return receive(client);
  }
  if (has_to_wait(client)) {
    return true;
  }
  const ControlRequest request = *std::exchange(client.waiting, std::nullopt);
  client.to_send = client.slow != nullptr ? client.slow->wait() : answers_.answer(request);
  return send_some(client.socket, client.to_send);
}

/// Begins what takes long.
bool ControlServer::has_to_wait(Client& client) {
  const ControlRequest& request = *client.waiting;
  if (request.question != ControlRequest::Question::Swap) {
    return answers_.has_to_wait(request);
  }
  if (client.slow == nullptr) {
    client.slow = slow_.begin([this, request] { return answers_.answer(request); });
  }
  return !ends_ && !client.slow->text();
}

/// Takes what has come.
bool ControlServer::receive(Client& client) {
  const auto refuse = [&](const std::string& text) {
    client.to_send = failure_line("invalid-data", text);
    return send_some(client.socket, client.to_send);
  };
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t size = ::recv(client.socket.get(), buffer.data(), buffer.size(), 0);
    if (size < 0 && errno == EINTR) {
      continue;
    }
    if (size <= 0) {
      const bool waits = size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
      return waits || (!client.received.empty() && refuse("the request ends without a line end"));
    }
    const std::string_view more(buffer.data(), static_cast<std::size_t>(size));
    client.received += more;
    if (client.received.size() > kLongestRequest) {
      return refuse("the request has more than " + std::to_string(kLongestRequest) + " bytes");
    }
    if (more.find('\n') != std::string_view::npos) {
      return answer(client,
                    std::string_view(client.received).substr(0, client.received.find('\n')));
    }
  }
}

bool ControlServer::answer(Client& client, std::string_view line) {
  try {
    client.waiting = read_request(line);
    return hear(client);
  } catch (const std::exception& error) {
    client.to_send = failure_line(error);
    return send_some(client.socket, client.to_send);
  }
}

}  // namespace gxr
