#include "control/control_server.hpp"

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

/// An answer is shorter than what a socket takes at once.
void answer(const FileDescriptor& client, const std::string& line) {
  static_cast<void>(::send(client.get(), line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
}

}  // namespace

ControlServer::ControlServer(const ControlSocket& socket, LiveChanges& changes)
    : socket_(socket),
      changes_(changes),
      thread_("the thread that serves the control socket", [this](int stop) { serve(stop); }) {}

void ControlServer::serve(int stop) {
  for (bool stopped = false; !stopped;) {
    std::vector<pollfd> events = {{stop, POLLIN, 0}};
    if (!full_) {
      events.push_back({socket_.descriptor(), POLLIN, 0});
    }
    for (const Client& client : clients_) {
      events.push_back({client.socket.get(), POLLIN, 0});
    }
    static_cast<void>(::poll(events.data(), events.size(), full_ ? kPauseMs : -1));
    stopped = events.front().revents != 0;
    accept_clients();
    hear_clients();
  }
}

void ControlServer::accept_clients() {
  for (std::size_t i = 0; i < kMostClients; ++i) {
    FileDescriptor client = socket_.accept();
    if (!client.is_open()) {
      full_ = has_no_room_for_clients();
      return;
    }
    if (!is_of_same_user(client)) {
      answer(client,
             failure_line("invalid-state", "only the user who runs the application may change it"));
      continue;
    }
    if (clients_.size() == kMostClients) {
      hear_clients();
    }
    if (clients_.size() == kMostClients) {
      clients_.pop_front();
    }
    clients_.push_back({std::move(client), {}});
  }
}

void ControlServer::hear_clients() {
  for (auto client = clients_.begin(); client != clients_.end();) {
    client = hear(*client) ? std::next(client) : clients_.erase(client);
  }
}

/// Takes what has come. False when there is nothing more to be said.
bool ControlServer::hear(Client& client) {
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t size = ::recv(client.socket.get(), buffer.data(), buffer.size(), 0);
    if (size < 0 && errno == EINTR) {
      continue;
    }
    if (size <= 0) {
      const bool waits = size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
      if (!waits && !client.received.empty()) {
        answer(client.socket, failure_line("invalid-data", "the request ends without a line end"));
      }
      return waits;
    }
    const std::string_view more(buffer.data(), static_cast<std::size_t>(size));
    client.received += more;
    if (client.received.size() > kLongestRequest) {
      answer(client.socket,
             failure_line("invalid-data", "the request has more than " +
                                              std::to_string(kLongestRequest) + " bytes"));
      return false;
    }
    if (more.find('\n') != std::string_view::npos) {
      answer(client.socket,
             answer_to(std::string_view(client.received).substr(0, client.received.find('\n'))));
      return false;
    }
  }
}

std::string ControlServer::answer_to(std::string_view received) {
  try {
    const ControlRequest request = read_request(received);
    if (request.entity.empty()) {
      changes_.set(request.assignments);
    } else {
      changes_.enable(request.entity, request.on);
    }
    return success_line();
  } catch (const Error& error) {
    return failure_line(to_string(error.code()), error.message());
  } catch (const std::exception& error) {
    return failure_line(to_string(ErrorCode::Failure), error.what());
  }
}

}  // namespace gxr
