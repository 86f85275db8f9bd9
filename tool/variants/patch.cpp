#include "tool/variants/patch.h"

#include "tool/base/files.h"
#include "tool/base/process.h"

namespace agentic {

Result<std::string> makePatch(const std::string &directory, const std::string &root,
                              const std::vector<GeneratedFile> &files, const std::string &scratchParent) {
  auto scratch = TRY(ScratchDirectory::create(scratchParent, "patch-"));
  std::string patch;
  for (const GeneratedFile &file : files) {
    const fs::path target = fs::path(directory) / file.name, staged = scratch.path() / file.name;
    TRY(writeFileAtomic(staged, file.text));
    const std::string name = target.lexically_relative(root).generic_string();
    const bool isNew = !fs::exists(target);
    auto diff = TRY(runProcess({.argv = {"diff", "-u", "--label", isNew ? "/dev/null" : "a/" + name, "--label",
                                         "b/" + name, isNew ? "/dev/null" : target.string(), staged.string()},
                                .timeoutSeconds = 30,
                                .outputCapBytes = 64u << 20}));
    if (diff.end != ProcessResult::End::Exited || diff.code > 1) // diff returns 0: same, 1: different, 2: trouble
      return userError("diff " + diff.describe() + ": " + diff.err, "install diffutils");
    patch += diff.out;
  }
  return patch;
}

} // namespace agentic
