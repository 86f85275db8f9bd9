// Tests the exchange itself, over real sockets: silence, cancelling, redirects, proxies, certificates, and keys.
#include "tests/llm/live_model.h"
#include "tool/base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <semaphore>

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST(HttpLive, AReplyStreamsIn) {
  LoopbackServer server([](const ServedRequest &, Served &served) {
    served.begin();
    for (const char *piece :
         {": hello\n\n", kToken, "data: {\"choices\":[{\"de", "lta\":{\"content\":\"y\"}}]}\n\n", kStop})
      served.send(piece);
    served.waitForEnd(); // the client closes at [DONE], whether we do or not
  });
  const auto reply = callOnce(server.url() + "#m", liveSettings());
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message.text, "xy");
  EXPECT_GT(reply->firstTokenSeconds, 0);
  const auto requests = server.requests();
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_EQ(requests[0].method, "POST");
  EXPECT_EQ(requests[0].target, "/v1/chat/completions");
  EXPECT_EQ(requests[0].headers.at("authorization"), std::string("Bearer ") + kLiveKey);
  EXPECT_EQ(requests[0].headers.at("content-type"), "application/json");
}

TEST(HttpLive, SilenceBeforeTheFirstTokenHasALimit) {
  LoopbackServer server([](const ServedRequest &, Served &served) {
    served.begin();
    while (!served.waitForEnd(10)) // a server that is alive, and a model that is stuck
      served.send(": ping\n\n");
  });
  ChatSettings settings = liveSettings();
  settings.firstTokenSeconds = 0.3;
  const auto reply = callOnce(server.url() + "#m", settings);
  EXPECT_EQ(kindText(reply), "network");
  EXPECT_THAT(reply.error().message, HasSubstr("nothing of its reply"));
  EXPECT_TRUE(reply.error().maybeBilled);
}

TEST(HttpLive, SilenceBetweenTokensHasALimit) {
  LoopbackServer server([](const ServedRequest &, Served &served) {
    served.begin();
    served.send(kToken);
    while (!served.waitForEnd(10))
      served.send("data: {\"choices\":[]}\n\n");
  });
  ChatSettings settings = liveSettings();
  settings.firstTokenSeconds = 600;
  settings.betweenTokensSeconds = 0.3;
  const auto reply = callOnce(server.url() + "#m", settings);
  EXPECT_EQ(kindText(reply), "network");
  EXPECT_THAT(reply.error().message, HasSubstr("the rest of its reply"));
}

TEST(HttpLive, ACallAsAWholeHasALimitIfOneIsGiven) {
  LoopbackServer server([](const ServedRequest &, Served &served) {
    served.begin();
    while (!served.waitForEnd(10))
      served.send(kToken);
  });
  ChatSettings settings = liveSettings();
  settings.totalSeconds = 1;
  const auto reply = callOnce(server.url() + "#m", settings);
  EXPECT_EQ(kindText(reply), "network");
  EXPECT_THAT(reply.error().message, HasSubstr("was not complete after"));
  EXPECT_TRUE(reply.error().maybeBilled);
}

TEST(HttpLive, ATokenNowAndThenIsNoSilence) {
  LoopbackServer server([](const ServedRequest &, Served &served) {
    served.begin();
    for (int i = 0; i < 12 && !served.waitForEnd(50); ++i)
      served.send(kToken);
    served.send(kStop);
  });
  ChatSettings settings = liveSettings();
  settings.firstTokenSeconds = settings.betweenTokensSeconds = 600; // far above the pauses: only the sum is long
  const auto reply = callOnce(server.url() + "#m", settings);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message.text, "xxxxxxxxxxxx");
}

TEST(HttpLive, CancellingEndsACallThatNothingElseWouldEnd) {
  for (const bool afterAToken : {false, true}) {
    std::binary_semaphore arrived(0), closed(0);
    LoopbackServer server([&](const ServedRequest &, Served &served) {
      served.begin();
      if (afterAToken)
        served.send(kToken);
      arrived.release();
      if (served.waitForEnd())
        closed.release();
    });
    std::atomic<bool> cancelled{false};
    std::jthread canceller([&] {
      arrived.acquire();
      cancelled = true;
    });
    ChatSettings settings = liveSettings();
    settings.firstTokenSeconds = settings.betweenTokensSeconds = 1e6;
    EXPECT_EQ(kindText(callOnce(server.url() + "#m", settings, &cancelled)), "cancelled");
    closed.acquire(); // the server sees it, too: it stops computing
  }
}

TEST(HttpLive, ACancelledCallIsNotEvenBegun) {
  LoopbackServer server([](const ServedRequest &, Served &) {});
  const std::atomic<bool> cancelled{true};
  EXPECT_EQ(kindText(callOnce(server.url() + "#m", liveSettings(), &cancelled)), "cancelled");
  EXPECT_THAT(server.requests(), IsEmpty());
}

TEST(HttpLive, RedirectsAreNotFollowed) {
  LoopbackServer thief([](const ServedRequest &, Served &served) { served.answer(200, "{}"); });
  for (const int status : {301, 302, 307, 308}) {
    LoopbackServer server([&](const ServedRequest &, Served &served) {
      served.answer(status, "", "Location: " + thief.url() + "/v1/chat/completions\r\n");
    });
    const auto reply = callOnce(server.url() + "#m", liveSettings());
    EXPECT_EQ(kindText(reply), "request");
    EXPECT_THAT(reply.error().message, HasSubstr("redirects"));
    EXPECT_FALSE(reply.error().maybeBilled);
  }
  EXPECT_THAT(thief.requests(), IsEmpty());
}

TEST(HttpLive, NoErrorHoldsTheKey) {
  LoopbackServer server([](const ServedRequest &request, Served &served) {
    const std::string echo = request.headers.at("authorization");
    if (request.body.contains("whole"))
      served.answer(200,
                    R"({"model":")" + echo + R"(","choices":[{"message":{"content":"your key is )" + echo +
                        R"("},"finish_reason":"stop"}]})",
                    "Content-Type: application/json\r\nX-Request-Id: " + echo + "\r\n");
    else if (request.body.contains("garbage"))
      served.answer(200, "garbage " + echo);
    else
      served.answer(401, R"({"error":{"message":"Incorrect API key: )" + echo + "\"}}");
  });
  ChatSettings settings = liveSettings();
  settings.redactor = std::make_shared<Redactor>();
  for (const char *text : {"refused", "garbage"}) {
    ChatRequest request = shortRequest();
    request.messages[0].text = text;
    const auto reply = callOnce(server.url() + "#m", settings, nullptr, request);
    ASSERT_FALSE(reply);
    EXPECT_THAT(reply.error().message + reply.error().next, Not(HasSubstr(kLiveKey)));
    EXPECT_THAT(reply.error().message, HasSubstr("[redacted]"));
  }
  ChatRequest request = shortRequest();
  request.messages[0].text = "whole";
  const auto reply = callOnce(server.url() + "#m", settings, nullptr, request);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message.text, "your key is Bearer [redacted]");
  EXPECT_THAT(reply->message.raw + reply->model + reply->headers.at("x-request-id"), Not(HasSubstr(kLiveKey)));
  EXPECT_TRUE(settings.redactor->containsSecret(std::string("x") + kLiveKey));
}

TEST(HttpLive, LargeRequestsDoNotWaitForPermission) {
  LoopbackServer server([](const ServedRequest &request, Served &served) {
    served.answer(200, R"({"choices":[{"message":{"content":")" + std::to_string(request.body.size() >> 20) +
                           R"("},"finish_reason":"stop"}]})");
  });
  ChatRequest request = shortRequest();
  request.messages[0].text = std::string(std::size_t{3} << 20, 'x');
  const auto reply = callOnce(server.url() + "#m", liveSettings(), nullptr, request);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message.text, "3");
  EXPECT_FALSE(server.requests().at(0).headers.contains("expect"));
}

TEST(HttpLive, AnEndlessAnswerIsCutOff) {
  LoopbackServer server([](const ServedRequest &, Served &served) {
    served.begin("Content-Type: application/json\r\n");
    const std::string megabyte(1u << 20, ' ');
    while (served.send(megabyte)) {
    }
  });
  EXPECT_EQ(kindText(callOnce(server.url() + "#m", liveSettings())), "garbage");
}

TEST(HttpLive, HowConnectionsBreak) {
  LoopbackServer silent([](const ServedRequest &, Served &) {});
  auto reply = callOnce(silent.url() + "#m", liveSettings());
  EXPECT_EQ(kindText(reply), "network");
  EXPECT_TRUE(reply.error().maybeBilled); // the request had arrived
  LoopbackServer cut([](const ServedRequest &, Served &served) {
    served.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100000\r\n\r\n");
    served.send(kToken);
  });
  EXPECT_EQ(kindText(callOnce(cut.url() + "#m", liveSettings())), "network");
  std::string gone;
  {
    LoopbackServer closed([](const ServedRequest &, Served &) {});
    gone = closed.url();
  }
  reply = callOnce(gone + "#m", liveSettings());
  EXPECT_EQ(kindText(reply), "network");
  EXPECT_FALSE(reply.error().maybeBilled);
}

TEST(HttpLive, A429WithAndWithoutAWait) {
  LoopbackServer server([](const ServedRequest &request, Served &served) {
    const std::string wait = request.body.contains("\"seconds\"") ? "Retry-After: 3\r\n"
                             : request.body.contains("\"ms\"")    ? "retry-after-ms: 1500\r\n"
                                                                  : "";
    served.answer(429, R"({"error":{"message":"easy"}})", wait);
  });
  for (const auto &[text, wait] : std::vector<std::pair<std::string, std::optional<double>>>{
           {"seconds", 3}, {"ms", 1.5}, {"none", std::nullopt}}) {
    ChatRequest request = shortRequest();
    request.messages[0].text = text;
    const auto reply = callOnce(server.url() + "#m", liveSettings(), nullptr, request);
    EXPECT_EQ(kindText(reply), "rate");
    EXPECT_EQ(reply.error().retryAfterSeconds, wait) << text;
  }
}

TEST(HttpLive, ErrorsInsideAStream) {
  const std::pair<const char *, const char *> rows[] = {
      {"data: {\"error\":{\"message\":\"overloaded\",\"code\":502},\"choices\":[]}\n\n", "overload"},
      {"data: {\"object\":\"error\",\"message\":\"maximum context length is 9 tokens\"}\n\n", "too-long"},
      {"[{\"error\":{\"code\":429,\"message\":\"RESOURCE_EXHAUSTED\"}}]", "rate"},
      {"<html>gateway</html>", "garbage"},
  };
  for (const auto &[text, kind] : rows)
    for (const bool afterAToken : {false, true}) {
      if (afterAToken && text[0] != 'd')
        continue;
      LoopbackServer server([&](const ServedRequest &, Served &served) {
        served.begin("");
        if (afterAToken)
          served.send(kToken);
        served.send(text);
      });
      EXPECT_EQ(kindText(callOnce(server.url() + "#m", liveSettings())), kind) << text;
    }
}

TEST(HttpLive, LoopbackIsNeverProxiedAndOthersAre) {
  LoopbackServer proxy([](const ServedRequest &, Served &served) {
    served.answer(200, R"({"choices":[{"message":{"content":"by proxy"},"finish_reason":"stop"}]})");
  });
  LoopbackServer server([](const ServedRequest &, Served &served) {
    served.answer(200, R"({"choices":[{"message":{"content":"direct"},"finish_reason":"stop"}]})");
  });
  const ChatSettings settings = liveSettings({{"http_proxy", proxy.url()}, {"AGENTIC_KERNEL_API_KEY", ""}});
  const auto direct = callOnce(server.url() + "#m", settings);
  ASSERT_TRUE(direct) << direct.error().message;
  EXPECT_EQ(direct->message.text, "direct");
  const auto far = callOnce("http://models.example/v1#m", settings);
  ASSERT_TRUE(far) << far.error().message;
  EXPECT_EQ(far->message.text, "by proxy");
  ASSERT_THAT(proxy.requests(), SizeIs(1));
  EXPECT_EQ(proxy.requests()[0].target, "http://models.example/v1/chat/completions");
}

TEST(HttpLive, CertificatesAreVerified) {
  LoopbackServer server(
      [](const ServedRequest &, Served &served) {
        served.answer(200, R"({"choices":[{"message":{"content":"safe"},"finish_reason":"stop"}]})");
      },
      true);
  const auto refused = callOnce(server.url() + "#m", liveSettings());
  EXPECT_EQ(kindText(refused), "request"); // trying again would not help
  EXPECT_FALSE(refused.error().maybeBilled);
  EXPECT_THAT(refused.error().next, HasSubstr("SSL_CERT_FILE"));
  EXPECT_THAT(server.requests(), IsEmpty());
  const auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "llm-tls-");
  ASSERT_TRUE(scratch);
  const fs::path file = scratch->path() / "own.pem";
  ASSERT_TRUE(writeFileAtomic(file, server.certificate()));
  const auto reply = callOnce(server.url() + "#m", liveSettings({{"SSL_CERT_FILE", file.string()}}));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message.text, "safe");
  // Somebody vouches for the certificate, but for another name.
  const std::string localhost = "https://localhost" + server.url().substr(server.url().rfind(':'));
  EXPECT_EQ(kindText(callOnce(localhost + "#m", liveSettings({{"SSL_CERT_FILE", file.string()}}))), "request");
}

} // namespace
} // namespace agentic
