#include "tool/memory/memory_file.h"

#include "tool/base/files.h"

namespace agentic {

Result<Database> openMemoryFile(const std::string &file) {
  constexpr int kMemoryWaitSeconds = 3;
  if (file.contains('/'))
    TRY(createDirectories(fs::path(file).parent_path()));
  return Database::open(
      file, {.name = "memory", .repair = "remove the file: what it held is lost", .waitSeconds = kMemoryWaitSeconds});
}

} // namespace agentic
