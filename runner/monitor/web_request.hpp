#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gxr {

/// What a client of the web server wants. Texts are as they came, not to be trusted.
struct WebRequest {
  std::string method;                        ///< "GET", "HEAD", "POST", …
  std::string path;                          ///< "/api/entity"
  std::map<std::string, std::string> query;  ///< behind the path, decoded; the last of equal keys
  // Headers; empty: there is none.
  std::string host;
  std::string origin;
  std::string fetch_site;  ///< "same-origin", "cross-site", …: how a browser came to ask
  std::string cookie;
  std::string authorization;
  std::string content_type;
  std::string accept;
  std::string body;
  // The connection.
  std::string client;    ///< "127.0.0.1"
  std::string local_ip;  ///< the address of this machine that the client has connected to
};

/// What it gets.
struct WebAnswer {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  ///< further ones
  bool opens_stream = false;                                 ///< the body begins a stream of events
};

/// Takes "/a?b=c" apart into path and query; "%41" and, in the query, "+" are decoded.
void read_target(const std::string& target, WebRequest& request);

}  // namespace gxr
