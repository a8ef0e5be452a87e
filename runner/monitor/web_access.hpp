#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/web_address.hpp"
#include "monitor/web_request.hpp"

namespace gxr {

/// Decides which requests a web server answers. Pages of other sites, which a browser of the same
/// machine may show, must neither read nor change anything: the names of this server are known, and
/// a change must come from its own page. Where other machines reach the server, a token is needed.
class WebAccess {
 public:
  /// `token` empty: none is needed.
  WebAccess(const WebListener& listener, std::string token);
  WebAccess(WebAddress address, bool wildcard, std::string token);

  /// The answer to a request that is not let in: 403 for a wrong name, 401 for a wrong token; also
  /// that to a page asked for with the token, which sets a cookie in its place. Nothing: let in.
  [[nodiscard]] std::optional<WebAnswer> intercept(const WebRequest& request) const;
  /// "http://127.0.0.1:8080/", with the token if there is one.
  [[nodiscard]] std::string url() const;

 private:
  [[nodiscard]] bool is_own_name(const std::string& host, const std::string& local_ip) const;
  [[nodiscard]] std::optional<WebAnswer> ask_for_token(const WebRequest& request) const;
  [[nodiscard]] WebAnswer give_cookie() const;
  [[nodiscard]] bool has_token(const WebRequest& request) const;
  [[nodiscard]] std::string cookie_name() const;

  WebAddress address_;
  std::string own_name_;  // of this machine, when it listens at all addresses
  std::string token_;
};

/// 32 random bytes as hexadecimal digits. Throws Error(InputOutput) when the system has none.
std::string make_token();
/// Takes the same time wherever the texts differ.
bool equal_in_constant_time(std::string_view given, std::string_view wanted) noexcept;

}  // namespace gxr
