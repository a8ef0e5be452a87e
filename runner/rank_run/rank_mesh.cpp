#include "rank_run/rank_mesh.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

/// Several small frames come with one call.
constexpr std::size_t kInputBytes = 64UL * 1024;
/// From one rank, before it is the turn of the next.
constexpr int kReadsAtOnce = 16;

bool is_known(RankFrame kind) noexcept {
  return kind >= RankFrame::Message && kind <= RankFrame::Answer;
}

}  // namespace

RankMesh::RankMesh(Rank self, std::vector<FileDescriptor> sockets) : self_(self) {
  for (FileDescriptor& socket : sockets) {
    auto peer = std::make_unique<Peer>();
    peer->open = socket.is_open();
    peer->closed = !peer->open;
    peer->socket = std::move(socket);
    peers_.push_back(std::move(peer));
  }
}

RankMesh::~RankMesh() { thread_.reset(); }

void RankMesh::begin(Listener listener) {
  listener_ = std::move(listener);
  thread_.emplace("the thread that hears other ranks", [this](int stop) { serve(stop); });
}

void RankMesh::send(Rank to, RankFrame kind, std::uint32_t channel, RankBytes body) {
  const Header header{kind, channel, body.size()};
  const std::lock_guard lock(mutex_);
  Peer& peer = *peers_[to];
  if (!peer.open) {
    return;
  }
  const std::size_t sent = peer.output.empty() ? send_now(peer, header, body) : 0;
  const std::size_t all = sizeof(header) + body.size();
  if (sent < all) {
    RankBytes rest(all);
    std::memcpy(rest.data(), &header, sizeof(header));
    std::ranges::copy(body, rest.begin() + sizeof(header));
    if (peer.output.empty()) {
      peer.output_sent = sent;
    }
    peer.output.push_back(std::move(rest));
    wake_.wake();
  }
  peer.open = peer.open && kind != RankFrame::Bye;
}

void RankMesh::finish(std::chrono::milliseconds patience) noexcept {
  try {
    send_to_all(RankFrame::Bye, {});
    std::unique_lock lock(mutex_);
    flushed_.wait_for(lock, patience, [this] { return !has_output(); });
  } catch (const std::bad_alloc&) {  // they take it for lost
  }
  thread_.reset();
}

/// What of a frame the socket takes at once, in bytes.
std::size_t RankMesh::send_now(Peer& peer, const Header& header, std::span<const std::byte> body) {
  std::array<iovec, 2> parts{{{const_cast<Header*>(&header), sizeof(header)},
                              {const_cast<std::byte*>(body.data()), body.size()}}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = body.empty() ? 1 : 2;
  const ssize_t sent = ::sendmsg(peer.socket.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

bool RankMesh::flush(Peer& peer) {
  while (!peer.output.empty()) {
    const RankBytes& first = peer.output.front();
    const ssize_t sent = ::send(peer.socket.get(), first.data() + peer.output_sent,
                                first.size() - peer.output_sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) {
        continue;
      }
      if (errno == EAGAIN) {
        return false;
      }
      peer.output.clear();  // it is gone, as reading tells, too
      return true;
    }
    peer.output_sent += static_cast<std::size_t>(sent);
    if (peer.output_sent == first.size()) {
      peer.output.pop_front();
      peer.output_sent = 0;
    }
  }
  return true;
}

bool RankMesh::has_output() const {
  return std::ranges::any_of(peers_, [](const auto& peer) { return !peer->output.empty(); });
}

// --- the thread --------------------------------------------------------------------------------

void RankMesh::serve(int stop) {
  std::vector<pollfd> files(peers_.size() + 2);
  for (;;) {
    files[0] = {stop, POLLIN, 0};
    files[1] = {wake_.descriptor(), POLLIN, 0};
    {
      const std::lock_guard lock(mutex_);
      for (std::size_t i = 0; i < peers_.size(); ++i) {
        Peer& peer = *peers_[i];
        const bool waits = !peer.output.empty() && !flush(peer);
        const auto events = static_cast<short>((peer.closed ? 0 : POLLIN) | (waits ? POLLOUT : 0));
        files[i + 2] = {peer.closed && !waits ? -1 : peer.socket.get(), events, 0};
      }
      if (!has_output()) {
        flushed_.notify_all();
      }
    }
    if (::poll(files.data(), files.size(), -1) < 0 && errno != EINTR) {
      return;  // no memory in the kernel: finish() does not wait for ever
    }
    if (files[0].revents != 0) {
      return;
    }
    wake_.reset();
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      Peer& peer = *peers_[i];
      if (!peer.closed && (files[i + 2].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
        for (int times = 0; times < kReadsAtOnce; ++times) {
          if (!read_from(static_cast<Rank>(i), peer)) {
            break;
          }
        }
      }
    }
  }
}

/// Reads once; false: nothing more is there.
bool RankMesh::read_from(Rank rank, Peer& peer) {
  ssize_t got = 0;
  try {
    const bool reads_body = peer.body.has_value();
    if (!reads_body && peer.input.empty()) {
      peer.input.resize(kInputBytes);
    }
    RankBytes& target = reads_body ? peer.bytes : peer.input;
    std::size_t& have = reads_body ? peer.body_have : peer.have;
    got = ::recv(peer.socket.get(), target.data() + have, target.size() - have, MSG_DONTWAIT);
    if (got > 0) {
      have += static_cast<std::size_t>(got);
      return take_apart(rank, peer);
    }
  } catch (const std::bad_alloc&) {
    lose(rank, peer, "there is no memory for what it sends");
    return false;
  } catch (const Error& error) {
    lose(rank, peer, error.message());
    return false;
  }
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
    return errno == EINTR;
  }
  const bool is_broken = got < 0 && errno != ECONNRESET;
  lose(rank, peer,
       is_broken ? "the connection to it broke: " + system_error_text(errno)
                 : "its process is gone");
  return false;
}

/// Delivers all frames that are complete; false when the peer is closed.
bool RankMesh::take_apart(Rank rank, Peer& peer) {
  if (peer.body) {
    if (peer.body_have < peer.bytes.size()) {
      return true;
    }
    const Header header = *std::exchange(peer.body, std::nullopt);
    deliver(rank, peer, header, std::exchange(peer.bytes, {}));
  }
  std::size_t begin = 0;
  while (!peer.closed && peer.have - begin >= sizeof(Header)) {
    Header header;
    std::memcpy(&header, peer.input.data() + begin, sizeof(header));
    if (!is_known(header.kind) || header.bytes > kMostBytes) {
      throw Error(ErrorCode::InvalidData, "it sent what is no frame of gxr");
    }
    begin += sizeof(header);
    const std::size_t there = std::min<std::uint64_t>(peer.have - begin, header.bytes);
    RankBytes body(header.bytes);
    std::copy_n(peer.input.begin() + static_cast<std::ptrdiff_t>(begin), there, body.begin());
    begin += there;
    if (there < header.bytes) {
      peer.body = header;
      peer.bytes = std::move(body);
      peer.body_have = there;
    } else {
      deliver(rank, peer, header, std::move(body));
    }
  }
  std::copy(peer.input.begin() + static_cast<std::ptrdiff_t>(begin),
            peer.input.begin() + static_cast<std::ptrdiff_t>(peer.have), peer.input.begin());
  peer.have -= begin;
  return !peer.closed;
}

void RankMesh::deliver(Rank rank, Peer& peer, const Header& header, RankBytes body) {
  if (header.kind == RankFrame::Bye) {
    peer.closed = true;
    return;
  }
  listener_.frame(rank, header.kind, header.channel, std::move(body));
}

void RankMesh::lose(Rank rank, Peer& peer, const std::string& why) {
  peer.closed = true;
  {
    const std::lock_guard lock(mutex_);
    peer.open = false;
    peer.output.clear();
  }
  listener_.lost(rank, why);
}

}  // namespace gxr
