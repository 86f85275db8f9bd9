// Tests whether a run may send the kernel to a host that bills for it: asked once in a project and for each host.
#include "tool/base/files.h"
#include "tool/run/model_setup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace agentic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Answering : public Messages {
public:
  explicit Answering(std::optional<bool> answer) : answer_(answer) {}
  void note(const std::string &) override {}
  void warn(const std::string &) override {}
  void progress(const std::string &) override {}
  void endProgress() override {}
  std::optional<bool> agrees(const std::string &question) override {
    questions.push_back(question);
    return answer_;
  }
  std::vector<std::string> questions;

private:
  std::optional<bool> answer_;
};

class ConsentTest : public testing::Test {
protected:
  ConsentTest() {
    manifest_.kernel = "gemm";
    manifest_.sourceDir = "/src/project";
    config_.budgetUsd = 2;
    surroundings_.environment = [this](const std::string &name) {
      return name == "XDG_CACHE_HOME" ? std::optional(cache_.path().string()) : std::nullopt;
    };
  }
  static ReadyModel model(const std::string &host, bool isPaid) {
    ReadyModel ready{.label = "model of " + host};
    ready.facts.host = host;
    ready.isPaid = isPaid;
    return ready;
  }
  Result<void> ask(Answering &messages, const std::vector<ReadyModel> &models) {
    std::vector<const ReadyModel *> all;
    for (const ReadyModel &one : models)
      all.push_back(&one);
    return consentToPay(messages, all, options_, config_, manifest_, surroundings_);
  }

  ScratchDirectory cache_ = ScratchDirectory::create(fs::temp_directory_path(), "consent-").value();
  Manifest manifest_;
  ModelConfig config_;
  LlmOptions options_;
  Surroundings surroundings_;
};

TEST_F(ConsentTest, IsNotAskedForWhatCostsNothing) {
  std::vector<ReadyModel> models;
  models.push_back(model("localhost", false));
  Answering nobody(std::nullopt);
  EXPECT_TRUE(ask(nobody, models));
  EXPECT_THAT(nobody.questions, IsEmpty());
}

TEST_F(ConsentTest, IsAskedOnceForAHostAndKept) {
  std::vector<ReadyModel> models;
  models.push_back(model("api.one", true));
  Answering yes(true);
  EXPECT_TRUE(ask(yes, models));
  EXPECT_TRUE(ask(yes, models));
  EXPECT_THAT(yes.questions, ElementsAre(HasSubstr("gemm sends the kernel's source to model of api.one (api.one) and "
                                                   "may cost up to $2")));
  EXPECT_EQ(readFile(cache_.path() / "agentic-kernel/paid-projects.txt").value_or(""), "/src/project\tapi.one\n");

  models.push_back(model("api.two", true));
  Answering nobody(std::nullopt);
  const auto refused = ask(nobody, models);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("to model of api.two (api.two) and"));
  EXPECT_THAT(refused.error().message, HasSubstr("nobody can be asked"));
  EXPECT_EQ(refused.error().next, "agree with --yes");
}

TEST_F(ConsentTest, IsNotKeptWhenItIsRefused) {
  std::vector<ReadyModel> models;
  models.push_back(model("api.one", true));
  Answering no(false);
  const auto refused = ask(no, models);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::User);
  EXPECT_THAT(refused.error().message, HasSubstr("nothing was sent"));
  EXPECT_FALSE(readFile(cache_.path() / "agentic-kernel/paid-projects.txt"));
  EXPECT_FALSE(ask(no, models));
  EXPECT_EQ(no.questions.size(), 2u);
}

TEST_F(ConsentTest, IsGivenBeforehand) {
  options_.yes = true;
  std::vector<ReadyModel> models;
  models.push_back(model("api.one", true));
  Answering nobody(std::nullopt);
  EXPECT_TRUE(ask(nobody, models));
  EXPECT_THAT(nobody.questions, IsEmpty());
}

} // namespace
} // namespace agentic
