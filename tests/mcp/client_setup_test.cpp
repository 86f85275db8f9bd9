// The set-up of a client leaves users' files alone, and is the same the second time.
#include "tool/mcp/client_setup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace agentic::mcp {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ClientSetup : public testing::Test {
protected:
  fs::path project() const { return scratch_.path(); }
  std::string read(const std::string &file) const { return readFile(project() / file).value_or("(none)"); }
  std::vector<SetupWritten> written(std::string_view client) const {
    auto result = writeSetup(setupFor(client, "build").value(), project());
    EXPECT_TRUE(result) << result.error().message;
    return result.value_or(std::vector<SetupWritten>());
  }

  ScratchDirectory scratch_ = ScratchDirectory::create(fs::temp_directory_path(), "setup-").value();
};

TEST_F(ClientSetup, OfEveryClientIsTheSameTwice) {
  for (const std::string_view client : setupClients()) {
    for (const SetupWritten &file : written(client))
      EXPECT_TRUE(file.isWritten || file.path == "AGENTS.md") << client << file.path;
    for (const SetupWritten &file : written(client))
      EXPECT_FALSE(file.isWritten) << client << file.path;
  }
  EXPECT_EQ(nlohmann::json::parse(read(".mcp.json"))["mcpServers"]["agentic-kernel"]["args"],
            nlohmann::json({"mcp", "--build-dir", "build"}));
  EXPECT_EQ(nlohmann::json::parse(read("opencode.json"))["mcp"]["agentic-kernel"]["command"],
            nlohmann::json({"agentic-kernel", "mcp", "--build-dir", "build"}));
  EXPECT_THAT(read(".claude/skills/agentic-kernel/SKILL.md"), StartsWith("---\nname: agentic-kernel\n"));
}

TEST_F(ClientSetup, WritesABlockBesideTheUsersWords) {
  ASSERT_TRUE(writeFileAtomic(project() / "AGENTS.md", "# Ours\nNo line end"));
  written("codex");
  EXPECT_THAT(read("AGENTS.md"), StartsWith("# Ours\nNo line end\n\n<!-- begin agentic-kernel"));
  const std::string once = read("AGENTS.md");
  // An older block is replaced where it stands.
  std::string older = once;
  older.replace(older.find("**Know the kernel.**"), 10, "older");
  ASSERT_TRUE(writeFileAtomic(project() / "AGENTS.md", older + "\n# Behind\n"));
  written("codex");
  EXPECT_EQ(read("AGENTS.md"), once + "\n# Behind\n");
}

TEST_F(ClientSetup, ReplacesNoFileOfTheUser) {
  ASSERT_TRUE(writeFileAtomic(project() / "opencode.json", "{ // mine\n}\n"));
  const auto refused = writeSetup(setupFor("opencode", "build").value(), project());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("opencode.json is there already"));
  EXPECT_EQ(read("opencode.json"), "{ // mine\n}\n");
  EXPECT_EQ(read("AGENTS.md"), "(none)") << "a half of it was written";
}

TEST_F(ClientSetup, RefusesAHalfOfABlock) {
  ASSERT_TRUE(writeFileAtomic(project() / "AGENTS.md", "<!-- end agentic-kernel -->\n"));
  EXPECT_FALSE(writeSetup(setupFor("codex", "build").value(), project()));
}

TEST_F(ClientSetup, QuotesTheBuildFolder) {
  EXPECT_THAT(setupFor("codex", "b \"x\"").value().lines, HasSubstr(R"("--build-dir", "b \"x\"")"));
  EXPECT_FALSE(setupFor("nobody", "build"));
}

} // namespace
} // namespace agentic::mcp
