#include "monitor/web_access.hpp"

#include <string>

#include "catch.hpp"

namespace {

gxr::WebRequest request_to(const std::string& host, const std::string& method = "GET") {
  gxr::WebRequest request;
  request.method = method;
  request.host = host;
  request.path = "/api/status";
  request.local_ip = "192.0.2.7";
  return request;
}

/// 200: let in.
int status(const gxr::WebAccess& access, const gxr::WebRequest& request) {
  const auto answer = access.intercept(request);
  return answer ? answer->status : 200;
}

}  // namespace

TEST_CASE("only the names of the server are answered", "[monitor]") {
  const gxr::WebAccess access({"127.0.0.1", 8080}, false, "");
  CHECK(status(access, request_to("127.0.0.1:8080")) == 200);
  CHECK(status(access, request_to("localhost:8080")) == 200);
  CHECK(status(access, request_to("LOCALHOST:8080")) == 200);
  CHECK(status(access, request_to("[::1]:8080")) == 200);
  for (const char* const host :
       {"", "evil.example", "evil.example:8080", "localhost", "localhost:80",
        "localhost:8080.evil.example", "127.0.0.1.evil.example:8080", "192.0.2.7:8080"}) {
    CAPTURE(host);
    CHECK(status(access, request_to(host)) == 403);
  }
  const gxr::WebAccess usual({"127.0.0.1", 80}, false, "");
  CHECK(status(usual, request_to("localhost")) == 200);
}

TEST_CASE("a server at all addresses is known by the one that the client took", "[monitor]") {
  const gxr::WebAccess access({"0.0.0.0", 8080}, true, "");
  CHECK(status(access, request_to("192.0.2.7:8080")) == 200);
  CHECK(status(access, request_to("192.0.2.8:8080")) == 403);
  CHECK(status(access, request_to("evil.example:8080")) == 403);
}

TEST_CASE("a page of another site changes nothing", "[monitor]") {
  const gxr::WebAccess access({"127.0.0.1", 8080}, false, "");
  gxr::WebRequest change = request_to("localhost:8080", "POST");
  CHECK(status(access, change) == 200);
  change.origin = "http://localhost:8080";
  CHECK(status(access, change) == 200);
  for (const char* const origin : {"null", "http://evil.example", "https://localhost:8080",
                                   "http://localhost:8081", "http://127.0.0.1:8080"}) {
    CAPTURE(origin);
    change.origin = origin;
    CHECK(status(access, change) == 403);
  }
  change.origin.clear();
  change.fetch_site = "cross-site";
  CHECK(status(access, change) == 403);
  change.fetch_site = "same-origin";
  CHECK(status(access, change) == 200);
}

TEST_CASE("with a token nobody reads or changes without it", "[monitor]") {
  const gxr::WebAccess access({"192.0.2.7", 8080}, false, "secret");
  gxr::WebRequest request = request_to("192.0.2.7:8080");
  CHECK(status(access, request) == 401);
  CHECK(status(access, request_to("192.0.2.7:8080", "POST")) == 401);
  request.authorization = "Bearer secret";
  CHECK(status(access, request) == 200);
  for (const char* const wrong :
       {"Bearer secre", "Bearer secrets", "Bearer ", "secret", "Basic secret"}) {
    CAPTURE(wrong);
    request.authorization = wrong;
    CHECK(status(access, request) == 401);
  }
  request.authorization.clear();
  request.query["token"] = "secret";
  CHECK(status(access, request) == 200);
  request.query["token"] = "Secret";
  CHECK(status(access, request) == 401);
  request.query.clear();
  request.cookie = "other=1; gxr_token_8080=secret";
  CHECK(status(access, request) == 200);
  request.cookie = "gxr_token_8081=secret; xgxr_token_8080=secret";
  CHECK(status(access, request) == 401);
}

TEST_CASE("the page takes the token out of its address", "[monitor]") {
  const gxr::WebAccess access({"192.0.2.7", 8080}, false, "secret");
  CHECK(access.url() == "http://192.0.2.7:8080/?token=secret");
  gxr::WebRequest request = request_to("192.0.2.7:8080");
  request.path = "/";
  request.query["token"] = "secret";
  const auto answer = access.intercept(request);
  REQUIRE(answer);
  CHECK(answer->status == 303);
  CHECK(answer->headers.at(0).second == "/");
  CHECK(answer->headers.at(1).second == "gxr_token_8080=secret; Path=/; HttpOnly; SameSite=Strict");
}

TEST_CASE("tokens are random and compared as a whole", "[monitor]") {
  const std::string token = gxr::make_token();
  CHECK(token.size() == 64);
  CHECK(token != gxr::make_token());
  CHECK(gxr::equal_in_constant_time(token, token));
  CHECK_FALSE(gxr::equal_in_constant_time("", token));
  CHECK_FALSE(gxr::equal_in_constant_time(token + token, token));
  CHECK_FALSE(gxr::equal_in_constant_time(token.substr(1), token));
}

TEST_CASE("the target of a request is taken apart", "[monitor]") {
  gxr::WebRequest request;
  gxr::read_target("/api/entity?name=a%2Fb+c%&empty&x=1&x=2", request);
  CHECK(request.path == "/api/entity");
  CHECK(request.query["name"] == "a/b c%");
  CHECK(request.query.count("empty") == 1);
  CHECK(request.query["x"] == "2");
}
