#include "tool/cli/report_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Served : public testing::Test {
protected:
  void SetUp() override {
    auto started = ReportServer::start(
        {.state = [this] { return std::to_string(state_.load()); },
         .page = [this](const std::string &) { return "<p>page " + std::to_string(++pages_) + "</p>"; }});
    ASSERT_TRUE(started) << started.error().message;
    server_ = std::move(*started);
    const std::string rest = server_->url().substr(std::string_view("http://").size());
    host_ = rest.substr(0, rest.find('/'));
    path_ = rest.substr(rest.find('/'));
  }

  std::string ask(const std::string &path, const std::string &host, const std::string &method = "GET") const {
    const int connection = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(host_.substr(host_.find(':') + 1))));
    std::string answer;
    if (::connect(connection, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0) {
      const std::string request = method + " " + path + " HTTP/1.1\r\n" +
                                  (host.empty() ? "" : "Host: " + host + "\r\n") + "Connection: close\r\n\r\n";
      EXPECT_EQ(::send(connection, request.data(), request.size(), MSG_NOSIGNAL), static_cast<ssize_t>(request.size()));
      char bytes[4096];
      for (ssize_t got; (got = ::recv(connection, bytes, sizeof bytes, 0)) > 0;)
        answer.append(bytes, static_cast<std::size_t>(got));
    }
    ::close(connection);
    return answer;
  }

  std::atomic<int> state_ = 1, pages_ = 0;
  std::unique_ptr<ReportServer> server_;
  std::string host_, path_;
};

TEST_F(Served, ThePageAndItsStateToWhoeverKnowsTheToken) {
  EXPECT_THAT(server_->url(), StartsWith("http://127.0.0.1:"));
  EXPECT_EQ(path_.size(), 34u);
  const std::string page = ask(path_, host_);
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(page, HasSubstr("Cache-Control: no-store"));
  EXPECT_THAT(page, HasSubstr("<p>page 1</p>"));
  EXPECT_THAT(ask(path_ + "state", host_), testing::EndsWith("\r\n\r\n1"));
  EXPECT_THAT(ask(path_, host_, "HEAD"), Not(HasSubstr("<p>")));
}

TEST_F(Served, MakesThePageAgainWhenTheStateChanges) {
  ask(path_, host_);
  EXPECT_THAT(ask(path_, host_), HasSubstr("page 1"));
  state_ = 2;
  EXPECT_THAT(ask(path_, host_), HasSubstr("page 2"));
}

TEST_F(Served, NothingWithoutTheToken) {
  for (const std::string &path :
       {std::string("/"), std::string("/state"), path_.substr(0, 33), "/" + std::string(32, '0') + "/", path_ + "other",
        path_ + "../state", std::string("//"), path_ + "state/"})
    EXPECT_THAT(ask(path, host_), StartsWith("HTTP/1.1 404")) << path;
  EXPECT_EQ(pages_, 0);
}

TEST_F(Served, NothingUnderAnotherName) {
  EXPECT_THAT(ask(path_, "rebound.example:" + host_.substr(host_.find(':') + 1)), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(ask(path_, "127.0.0.1"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(ask(path_, ""), Not(StartsWith("HTTP/1.1 200")));
  EXPECT_THAT(ask(path_, host_, "POST"), StartsWith("HTTP/1.1 405"));
  EXPECT_EQ(pages_, 0);
}

TEST_F(Served, AnotherTokenEachTime) {
  auto other = ReportServer::start({.state = [] { return ""; }, .page = [](const std::string &) { return ""; }});
  ASSERT_TRUE(other) << other.error().message;
  EXPECT_THAT((*other)->url(), Not(HasSubstr(path_)));
}

} // namespace
} // namespace agentic
