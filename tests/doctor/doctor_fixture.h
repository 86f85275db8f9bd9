// A folder that replaces the machine: its /proc, /sys and build tree.
#pragma once

#include "tool/base/files.h"
#include "tool/doctor/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <unistd.h>

namespace agentic {

class DoctorTest : public testing::Test {
protected:
  void SetUp() override {
    auto scratch = ScratchDirectory::create(testing::TempDir(), "agentic-doctor-test-");
    ASSERT_TRUE(scratch.has_value()) << scratch.error().message;
    scratch_.emplace(std::move(*scratch));
    view_.root = scratch_->path();
    view_.buildDir = scratch_->path() / "build";
    view_.cacheDir = scratch_->path() / "cache";
    view_.sandbox = Sandbox::none;
    view_.tryNamespace = [] { return std::nullopt; };
  }
  const fs::path &root() const { return scratch_->path(); }
  void put(const std::string &file, const std::string &text) {
    const auto written = writeFileAtomic(root() / file, text);
    ASSERT_TRUE(written.has_value()) << written.error().message;
  }
  void remove(const std::string &file) { fs::remove_all(root() / file); }

  /// Looks without root's rights, which would open everything.
  Diagnosis asSomebody(const std::function<Diagnosis()> &look) {
    constexpr uid_t kNobody = 65534;
    fs::permissions(root(), fs::perms::all);
    const uid_t own = ::geteuid();
    const bool isRoot = own == 0 && ::seteuid(kNobody) == 0;
    Diagnosis diagnosis = look();
    if (isRoot) {
      EXPECT_EQ(::seteuid(own), 0);
    }
    return diagnosis;
  }

  DoctorView view_;

private:
  std::optional<ScratchDirectory> scratch_;
};

/// A result that is not ok must name consequence and remedy; an ok one has neither.
inline void expectDiagnosis(const Diagnosis &diagnosis, Health health, const std::string &found) {
  EXPECT_STREQ(healthName(diagnosis.health), healthName(health)) << diagnosis.found;
  EXPECT_THAT(diagnosis.found, testing::HasSubstr(found));
  EXPECT_EQ(diagnosis.consequence.empty(), health == Health::Ok) << diagnosis.consequence;
  EXPECT_EQ(diagnosis.remedy.empty(), health == Health::Ok) << diagnosis.remedy;
}

} // namespace agentic
