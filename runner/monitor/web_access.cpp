#include "monitor/web_access.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <sys/random.h>
#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

WebAnswer refusal(int status, const std::string& text) {
  WebAnswer answer;
  answer.status = status;
  answer.body = text + "\n";
  return answer;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data())
                                                          : std::string("localhost");
}

std::string lower(std::string text) {
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

std::string cookie_of(const std::string& cookies, const std::string& name) {
  for (std::size_t begin = 0; begin < cookies.size();) {
    const std::size_t end = std::min(cookies.find(';', begin), cookies.size());
    const std::size_t first = std::min(cookies.find_first_not_of(' ', begin), end);
    if (cookies.compare(first, name.size() + 1, name + "=") == 0) {
      return cookies.substr(first + name.size() + 1, end - first - name.size() - 1);
    }
    begin = end + 1;
  }
  return {};
}

bool changes_something(const WebRequest& request) {
  return request.method != "GET" && request.method != "HEAD";
}

/// Browsers say so.
bool is_from_elsewhere(const WebRequest& request) {
  const bool foreign = !request.origin.empty() && request.origin != "http://" + request.host;
  return foreign || (!request.fetch_site.empty() && request.fetch_site != "same-origin" &&
                     request.fetch_site != "none");
}

}  // namespace

std::string make_token() {
  std::array<unsigned char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error(ErrorCode::InputOutput,
                "the system gives no random bytes for a token: " + system_error_text(errno));
  }
  std::string token;
  for (const unsigned char byte : bytes) {
    token += "0123456789abcdef"[byte >> 4U];
    token += "0123456789abcdef"[byte & 15U];
  }
  return token;
}

bool equal_in_constant_time(std::string_view given, std::string_view wanted) noexcept {
  volatile unsigned char difference = given.size() == wanted.size() ? 0 : 1;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const char other = given.empty() ? '\0' : given[i % given.size()];
    difference =
        static_cast<unsigned char>(difference | static_cast<unsigned char>(other ^ wanted[i]));
  }
  return difference == 0;
}

WebAccess::WebAccess(const WebListener& listener, std::string token)
    : WebAccess(listener.address(), listener.is_wildcard(), std::move(token)) {}

WebAccess::WebAccess(WebAddress address, bool wildcard, std::string token)
    : address_(std::move(address)),
      own_name_(wildcard ? host_name() : std::string()),
      token_(std::move(token)) {}

std::optional<WebAnswer> WebAccess::intercept(const WebRequest& request) const {
  if (!is_own_name(request.host, request.local_ip)) {
    return refusal(403, "the header Host names another server");
  }
  if (changes_something(request) && is_from_elsewhere(request)) {
    return refusal(403, "a page of another site must not change anything");
  }
  return token_.empty() ? std::nullopt : ask_for_token(request);
}

std::optional<WebAnswer> WebAccess::ask_for_token(const WebRequest& request) const {
  const auto token = request.query.find("token");
  if (token != request.query.end() && equal_in_constant_time(token->second, token_)) {
    return request.path == "/" && !changes_something(request) ? std::optional(give_cookie())
                                                              : std::nullopt;
  }
  if (has_token(request)) {
    return std::nullopt;
  }
  WebAnswer answer = refusal(401,
                             "the token is missing or wrong: the log of the application has "
                             "the whole address");
  answer.headers = {{"WWW-Authenticate", "Bearer"}};
  return answer;
}

WebAnswer WebAccess::give_cookie() const {
  WebAnswer answer = refusal(303, "this browser has a cookie now");
  answer.headers = {
      {"Location", "/"},
      {"Set-Cookie", cookie_name() + "=" + token_ + "; Path=/; HttpOnly; SameSite=Strict"}};
  return answer;
}

bool WebAccess::has_token(const WebRequest& request) const {
  constexpr std::string_view kBearer = "Bearer ";
  if (request.authorization.starts_with(kBearer)) {
    return equal_in_constant_time(request.authorization.substr(kBearer.size()), token_);
  }
  return equal_in_constant_time(cookie_of(request.cookie, cookie_name()), token_);
}

/// Cookies do not tell ports apart.
std::string WebAccess::cookie_name() const { return "gxr_token_" + std::to_string(address_.port); }

/// An address of a number names nobody else: only names can be made to lead here.
bool WebAccess::is_own_name(const std::string& host, const std::string& local_ip) const {
  const std::string given = lower(host);
  std::vector<std::string> names = {"localhost", "127.0.0.1", "::1", lower(address_.host)};
  if (!own_name_.empty()) {
    names.insert(names.end(), {lower(own_name_), lower(local_ip)});
  }
  return std::ranges::any_of(names, [&](const std::string& name) {
    const std::string full = to_text({name, address_.port});
    return given == full || (address_.port == 80 && given + ":80" == full);
  });
}

std::string WebAccess::url() const {
  const WebAddress shown{own_name_.empty() ? address_.host : own_name_, address_.port};
  return "http://" + to_text(shown) + "/" + (token_.empty() ? "" : "?token=" + token_);
}

}  // namespace gxr
