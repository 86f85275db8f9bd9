#include "tool/doctor/bundle.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"

#include <map>

namespace agentic {
namespace {

constexpr const char *kFolder = "agentic-kernel-doctor";

/// Reads a file's text; an error for a pipe or the like, which would block.
Result<std::string> textOf(const fs::path &file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!error && !fs::is_regular_file(status))
    return userError(file.string() + " is no file", "");
  return readFile(file);
}

struct Found {
  std::map<std::string, fs::path> files;       ///< name in the archive → file
  std::map<std::string, std::string> troubles; ///< unreadable files → the reason
};

Found filesOf(const BundleRequest &request) {
  Found found;
  const auto list = [&](const std::string &name, const fs::path &folder, auto &&add) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
      add(entry->path());
    if (error && error != std::errc::no_such_file_or_directory)
      found.troubles[name] = folder.string() + ": " + error.message();
  };
  const auto addIfThere = [&](const std::string &name, const fs::path &file) {
    std::error_code error;
    if (fs::symlink_status(file, error).type() != fs::file_type::not_found)
      found.files[name] = file;
  };
  list("manifests", fs::path(request.buildDir) / "_agentic" / "manifests", [&](const fs::path &file) {
    if (file.extension() == ".json")
      found.files["manifests/" + file.filename().string()] = file;
  });
  if (request.runDir.empty())
    return found;
  const fs::path run = request.runDir;
  addIfThere("run/journal.jsonl", run / "journal.jsonl");
  addIfThere("run/calls.jsonl", run / "calls.jsonl");
  list("run/agents", run / "agents", [&](const fs::path &agent) {
    addIfThere("run/agents/" + agent.filename().string() + "/calls.jsonl", agent / "calls.jsonl");
  });
  return found;
}

} // namespace

Result<std::vector<std::string>> writeBundle(const BundleRequest &request) {
  std::error_code error;
  fs::path temporary = fs::temp_directory_path(error);
  if (error) // TMPDIR is no folder, which may be the subject of the report
    temporary = fs::absolute(request.file, error).parent_path();
  auto scratch = TRY(ScratchDirectory::create(temporary, "agentic-doctor-"));
  const Redaction redaction(request.identity);
  std::vector<std::string> names;
  const auto put = [&](const std::string &name, const std::string &text) {
    names.push_back(name);
    return writeFileAtomic(scratch.path() / kFolder / name, redaction.of(text));
  };
  TRY(put("doctor.json", request.doctorJson));
  Found found = filesOf(request);
  for (const auto &[name, file] : found.files) {
    const auto text = textOf(file);
    if (!text)
      found.troubles[name] = text.error().message;
    else if (auto written = put(name, *text); !written)
      return std::unexpected(written.error());
  }
  for (const auto &[name, why] : found.troubles)
    TRY(put(name + ".unreadable.txt", why + "\n"));
  const std::string archive = (scratch.path() / "bundle.tar.gz").string();
  const auto packed =
      TRY(runProcess({.argv = {"tar", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "-czf",
                               archive, "-C", scratch.path().string(), kFolder},
                      .mergeOutput = true}));
  if (!packed.ok())
    return userError("tar " + packed.describe() + ": " + std::string(trim(packed.out)), "install GNU tar");
  const auto bytes = TRY(readFile(archive));
  TRY(writeFileAtomic(request.file, bytes));
  return names;
}

} // namespace agentic
