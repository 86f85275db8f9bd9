// The worker of this build, as hosts get it.
#pragma once

#include "tool/base/files.h"
#include "tool/base/hash.h"
#include "tool/base/shared_libraries.h"
#include "tool/farm/host.h"

#include <gtest/gtest.h>

namespace agentic {

/// `cache`: the user's cache folder there.
inline WorkerProgram builtWorker(const fs::path &cache) {
  auto files = sharedLibraries(AGENTIC_WORKER);
  EXPECT_TRUE(files) << files.error().message;
  WorkerProgram worker;
  if (files)
    worker.files = std::move(*files);
  worker.files[kWorkerProgram] = AGENTIC_WORKER;
  worker.hash = fileHash(AGENTIC_WORKER);
  worker.environment = {"PATH=/usr/bin:/bin", "XDG_CACHE_HOME=" + cache.string()};
  return worker;
}

} // namespace agentic
