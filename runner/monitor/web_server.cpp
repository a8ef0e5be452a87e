#include "monitor/web_server.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <list>
#include <optional>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <fcntl.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "observe/own_thread.hpp"

namespace gxr {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Tcp = asio::ip::tcp;
using ErrorOfAsio = boost::system::error_code;

constexpr std::chrono::milliseconds kFarewell{200};         // for last bytes when the server goes
constexpr std::chrono::milliseconds kAcceptPause{100};      // until there are descriptors again
constexpr std::chrono::seconds kDrainPatience{1};           // for what a refused client still sends
constexpr std::size_t kMostDrained = std::size_t{1} << 20;  // bytes of it

/// What all answers carry: nothing may be loaded from elsewhere, kept, or shown inside of another
/// site.
constexpr std::array<std::pair<const char*, const char*>, 6> kHeaders{
    {{"Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src "
      "'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
     {"Cache-Control", "no-store"},
     {"X-Content-Type-Options", "nosniff"},
     {"X-Frame-Options", "DENY"},
     {"Referrer-Policy", "no-referrer"},
     {"Cross-Origin-Resource-Policy", "same-origin"}}};

template <class Text>
std::string text_of(const Text& text) {
  return {text.data(), text.size()};
}

WebAnswer plain_answer(int status, const std::string& text) {
  WebAnswer answer;
  answer.status = status;
  answer.body = text + "\n";
  return answer;
}

/// To what could not be read; nothing when there is nobody to answer.
std::optional<WebAnswer> answer_to_error(const ErrorOfAsio& error) {
  if (error == http::error::end_of_stream || error == http::error::partial_message ||
      error.category() != make_error_code(http::error::bad_method).category()) {
    return std::nullopt;
  }
  if (error == http::error::header_limit) {
    return plain_answer(
        431, "the header has more than " + std::to_string(WebServer::kLongestHeader) + " bytes");
  }
  if (error == http::error::body_limit) {
    return plain_answer(
        413, "the body has more than " + std::to_string(WebServer::kLongestBody) + " bytes");
  }
  return plain_answer(400, "that is no request of HTTP");
}

WebRequest plain_request(const http::request<http::string_body>& from) {
  WebRequest request;
  request.method = text_of(from.method_string());
  read_target(text_of(from.target()), request);
  request.host = text_of(from[http::field::host]);
  request.origin = text_of(from[http::field::origin]);
  request.fetch_site = text_of(from["Sec-Fetch-Site"]);
  request.cookie = text_of(from[http::field::cookie]);
  request.authorization = text_of(from[http::field::authorization]);
  request.content_type = text_of(from[http::field::content_type]);
  request.accept = text_of(from[http::field::accept]);
  request.body = from.body();
  return request;
}

std::string address_text(const Tcp::endpoint& end) { return end.address().to_string(); }

class Session;

/// What sessions need of their server; on the thread that moves bytes.
class Hub {
 public:
  [[nodiscard]] virtual const WebAccess& access() const noexcept = 0;
  /// The session gets its answer by send().
  virtual void make_answer(std::shared_ptr<Session> session, WebRequest request) = 0;
  /// False when there are too many that follow events.
  [[nodiscard]] virtual bool add_stream() = 0;
  virtual void remove(Session& session) = 0;

 protected:
  ~Hub() = default;
};

/// A connection; on the thread that moves bytes.
class Session final : public std::enable_shared_from_this<Session> {
 public:
  Session(Tcp::socket socket, Hub& hub) : stream_(std::move(socket)), hub_(hub) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(WebServer::kLongestHeader));
    parser_->body_limit(WebServer::kLongestBody);
    stream_.expires_after(WebServer::kPatience);
    is_idle_ = true;
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](const ErrorOfAsio& error, std::size_t /*size*/) {
                       self->take(error);
                     });
  }

  void send(WebAnswer answer) {
    if (is_closed_) {
      return;
    }
    if (answer.opens_stream && !is_head_ && !hub_.add_stream()) {
      answer = plain_answer(503, "as many clients follow this application as may");
    }
    if (answer.opens_stream && !is_head_) {
      open_stream(answer);
    } else {
      send_whole(answer);
    }
  }

  /// Of those that have not gone yet only the last event counts.
  void send_event(const std::shared_ptr<const std::string>& event) {
    if (is_stream_ && sent_) {
      next_ = event;
    } else if (is_stream_) {
      sent_ = event;
      write_event();
    }
  }

  /// Closes when what is being sent has gone.
  void end() {
    ends_ = true;
    if (sent_ == nullptr && !is_answering_) {
      close();
    }
  }

  void close() {
    const std::shared_ptr<Session> self = shared_from_this();
    is_closed_ = true;
    stream_.close();
    hub_.remove(*self);
  }

  /// Does it wait for a request?
  [[nodiscard]] bool is_idle() const noexcept { return is_idle_; }
  [[nodiscard]] bool is_stream() const noexcept { return is_stream_; }

 private:
  void take(const ErrorOfAsio& error) {
    is_idle_ = false;
    if (error) {
      if (std::optional<WebAnswer> answer = answer_to_error(error)) {
        keeps_ = false;
        send_whole(*answer);
      } else {
        close();
      }
      return;
    }
    const http::request<http::string_body> message = parser_->release();
    keeps_ = message.keep_alive();
    is_head_ = message.method() == http::verb::head;
    WebRequest request = plain_request(message);
    ErrorOfAsio ignored;
    request.client = address_text(stream_.socket().remote_endpoint(ignored));
    request.local_ip = address_text(stream_.socket().local_endpoint(ignored));
    if (const std::optional<WebAnswer> answer = hub_.access().intercept(request)) {
      send_whole(*answer);
    } else {
      is_answering_ = true;
      hub_.make_answer(shared_from_this(), std::move(request));
    }
  }

  void send_whole(const WebAnswer& answer) {
    is_answering_ = true;
    auto response = std::make_shared<http::response<http::string_body>>();
    response->version(11);
    response->result(static_cast<unsigned>(answer.status));
    response->set(http::field::content_type, answer.content_type);
    for (const auto& [name, value] : kHeaders) {
      response->set(name, value);
    }
    for (const auto& [name, value] : answer.headers) {
      response->set(name, value);
    }
    response->content_length(answer.body.size());
    response->keep_alive(keeps_ && !ends_);
    if (!is_head_) {
      response->body() = answer.body;
    }
    stream_.expires_after(WebServer::kPatience);
    http::async_write(stream_, *response,
                      [self = shared_from_this(), response](const ErrorOfAsio& error, std::size_t) {
                        self->go_on(error);
                      });
  }

  void go_on(const ErrorOfAsio& error) {
    is_answering_ = false;
    if (error || ends_) {
      close();
    } else if (keeps_) {
      read();
    } else {
      ErrorOfAsio ignored;
      stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
      stream_.expires_after(kDrainPatience);
      drain();
    }
  }

  /// Closing at once would take the answer away from a client that still sends.
  void drain() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(4096), [self = shared_from_this()](
                                                       const ErrorOfAsio& error, std::size_t size) {
      self->drained_ += size;
      if (error || self->drained_ > kMostDrained) {
        self->close();
      } else {
        self->drain();
      }
    });
  }

  void open_stream(const WebAnswer& answer) {
    std::string text =
        "HTTP/1.1 200 OK\r\nContent-Type: " + answer.content_type + "\r\nConnection: close\r\n";
    for (const auto& [name, value] : kHeaders) {
      text += std::string(name) + ": " + value + "\r\n";
    }
    is_stream_ = true;
    is_answering_ = false;
    stream_.expires_never();
    watch_for_end();
    send_event(std::make_shared<const std::string>(text + "\r\n" + answer.body));
  }

  /// Who follows events has nothing more to say.
  void watch_for_end() {
    buffer_.clear();
    stream_.async_read_some(
        buffer_.prepare(1),
        [self = shared_from_this()](const ErrorOfAsio& /*error*/, std::size_t) { self->close(); });
  }

  void write_event() {
    stream_.expires_after(WebServer::kPatience);
    asio::async_write(stream_, asio::buffer(*sent_),
                      [self = shared_from_this()](const ErrorOfAsio& error, std::size_t) {
                        self->sent_ = std::exchange(self->next_, nullptr);
                        if (error || (self->ends_ && self->sent_ == nullptr)) {
                          self->close();
                        } else if (self->sent_ != nullptr) {
                          self->write_event();
                        }
                      });
  }

  beast::tcp_stream stream_;
  Hub& hub_;
  beast::flat_buffer buffer_{2 * (WebServer::kLongestHeader + WebServer::kLongestBody)};
  std::optional<http::request_parser<http::string_body>> parser_;
  std::shared_ptr<const std::string> sent_;  // event on its way
  std::shared_ptr<const std::string> next_;  // event behind it
  std::size_t drained_ = 0;
  bool is_idle_ = false;
  bool is_answering_ = false;
  bool is_stream_ = false;
  bool is_head_ = false;
  bool keeps_ = false;
  bool ends_ = false;
  bool is_closed_ = false;
};

Tcp::socket::native_handle_type duplicate(const WebListener& listener) {
  const int descriptor = ::fcntl(listener.descriptor(), F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) {
    throw Error(ErrorCode::OutOfMemory,
                "no file descriptor is free for the page: " + system_error_text(errno));
  }
  return descriptor;
}

}  // namespace

class WebServer::Threads final : public Hub {
 public:
  Threads(const WebListener& listener, WebAccess access, Content content)
      : access_(std::move(access)), content_(std::move(content)) {
    acceptor_.assign(listener.is_ipv6() ? Tcp::v6() : Tcp::v4(), duplicate(listener));
    accept();
    bytes_thread_ = start_thread("the thread that serves the page", [this] { bytes_.run(); });
    try {
      work_thread_ = start_thread("the thread that answers the page", [this] { work_.run(); });
    } catch (...) {
      bytes_.stop();
      bytes_thread_.join();
      throw;
    }
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() {
    work_.stop();
    work_thread_.join();
    asio::post(bytes_, [this] { leave(); });
    bytes_thread_.join();
  }

  void finish(const std::string& event) {
    asio::post(bytes_, [this, text = std::make_shared<const std::string>(event)] {
      finished_ = true;
      for (const std::shared_ptr<Session>& session : std::list(sessions_)) {
        if (session->is_stream()) {
          session->send_event(text);
          session->end();
        }
      }
    });
  }

 private:
  // Hub
  [[nodiscard]] const WebAccess& access() const noexcept override { return access_; }
  /// The session must not end on the thread that makes answers, so it is handed back.
  void make_answer(std::shared_ptr<Session> session, WebRequest request) override {
    asio::post(work_, [this, session = std::move(session), request = std::move(request)]() mutable {
      auto answer = std::make_shared<WebAnswer>(content_.answer(request));
      asio::post(bytes_, [session = std::move(session), answer] { session->send(*answer); });
    });
  }
  [[nodiscard]] bool add_stream() override {
    if (streams_ >= kMostStreams || finished_) {
      return false;
    }
    ++streams_;
    asio::post(work_, [this] { follow(); });
    return true;
  }
  void remove(Session& session) override {
    const auto found = std::ranges::find(sessions_, &session, &std::shared_ptr<Session>::get);
    if (found != sessions_.end()) {
      streams_ -= session.is_stream() ? 1 : 0;
      sessions_.erase(found);
    }
    if (leaves_ && sessions_.empty()) {
      bytes_.stop();
    }
  }

  void accept() {
    acceptor_.async_accept([this](const ErrorOfAsio& error, Tcp::socket socket) {
      if (leaves_) {
        return;
      }
      if (error) {
        pause_.expires_after(kAcceptPause);
        pause_.async_wait([this](const ErrorOfAsio& /*error*/) { accept(); });
        return;
      }
      take_in(std::move(socket));
      accept();
    });
  }
  /// The one that has waited longest without asking goes for a new one; the rest is served.
  void take_in(Tcp::socket socket) {
    ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
    if (sessions_.size() >= kMostClients) {
      const auto idle = std::ranges::find_if(
          sessions_, [](const std::shared_ptr<Session>& each) { return each->is_idle(); });
      if (idle == sessions_.end()) {
        return;  // closes it
      }
      const std::shared_ptr<Session> longest = *idle;
      longest->close();
    }
    sessions_.push_back(std::make_shared<Session>(std::move(socket), *this));
    sessions_.back()->read();
  }
  void leave() {
    leaves_ = true;
    ErrorOfAsio ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    pause_.expires_after(kFarewell);
    pause_.async_wait([this](const ErrorOfAsio& /*error*/) { bytes_.stop(); });
    for (const std::shared_ptr<Session>& session : std::list(sessions_)) {
      session->end();
    }
    if (sessions_.empty()) {
      bytes_.stop();
    }
  }

  // On the thread that makes answers:

  void follow() {
    if (!follows_) {
      follows_ = true;
      make_event();
    }
  }
  void make_event() {
    if (streams_ == 0) {
      follows_ = false;
      return;
    }
    auto [event, wait] = content_.event();
    asio::post(bytes_, [this, text = std::make_shared<const std::string>(std::move(event))] {
      for (const std::shared_ptr<Session>& session : sessions_) {
        session->send_event(text);
      }
    });
    next_event_.expires_after(wait);
    next_event_.async_wait([this](const ErrorOfAsio& /*error*/) { make_event(); });
  }

  const WebAccess access_;
  const Content content_;
  asio::io_context bytes_{1};
  asio::io_context work_{1};
  asio::executor_work_guard<asio::io_context::executor_type> bytes_stay_{bytes_.get_executor()};
  asio::executor_work_guard<asio::io_context::executor_type> work_stays_{work_.get_executor()};
  std::atomic<std::size_t> streams_{0};

  // Of the thread that moves bytes:
  Tcp::acceptor acceptor_{bytes_};
  asio::steady_timer pause_{bytes_};
  std::list<std::shared_ptr<Session>> sessions_;  // the oldest first
  bool finished_ = false;
  bool leaves_ = false;

  // Of the thread that makes answers:
  asio::steady_timer next_event_{work_};
  bool follows_ = false;

  std::thread bytes_thread_;
  std::thread work_thread_;
};

void WebServer::require() {}

WebServer::WebServer(const WebListener& listener, WebAccess access, Content content)
    : threads_(std::make_unique<Threads>(listener, std::move(access), std::move(content))) {}

WebServer::~WebServer() = default;

void WebServer::finish(const std::string& event) { threads_->finish(event); }

}  // namespace gxr
