#include "tool/doctor/bundle.h"

#include "tool/base/files.h"
#include "tool/base/process.h"
#include "tool/base/text.h"
#include "tool/llm/secrets.h"

#include <algorithm>
#include <map>

namespace agentic {
namespace {

constexpr const char *kFolder = "agentic-kernel-doctor";

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return text;
}

class Redaction {
public:
  explicit Redaction(const BundleRequest &request) {
    add(request.host, "host");
    for (const std::string &variable : request.environment) {
      const std::size_t equals = variable.find('=');
      if (equals == std::string::npos)
        continue;
      const std::string name = upper(variable.substr(0, equals)), value = variable.substr(equals + 1);
      for (const char *secret : {"KEY", "TOKEN", "SECRET", "PASSW", "CREDENTIAL", "AUTH"})
        if (name.find(secret) != std::string::npos)
          secrets_.add(value);
      if (name == "HOME" && value.size() > 1)
        replaced_.insert(replaced_.begin(), {value, "~"}); // before the user's name, which it may hold
      if (name == "USER" || name == "LOGNAME")
        add(value, "user");
    }
  }

  std::string of(std::string text) const {
    text = secrets_.redact(text);
    for (const auto &[what, by] : replaced_)
      text = replaceAll(std::move(text), what, by);
    return text;
  }

private:
  /// Short ones stand in many other words.
  void add(const std::string &word, const std::string &by) {
    if (word.size() >= 4)
      replaced_.emplace_back(word, by);
  }

  Redactor secrets_;
  std::vector<std::pair<std::string, std::string>> replaced_;
};

/// Name in the archive → file.
std::map<std::string, fs::path> filesOf(const BundleRequest &request) {
  std::map<std::string, fs::path> files;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(fs::path(request.buildDir) / "_agentic" / "manifests", ignored))
    if (entry.path().extension() == ".json")
      files["manifests/" + entry.path().filename().string()] = entry.path();
  for (const char *name : {"journal.jsonl", "calls.jsonl"})
    if (const fs::path file = fs::path(request.runDir) / name; !request.runDir.empty() && fs::exists(file, ignored))
      files[std::string("run/") + name] = file;
  return files;
}

} // namespace

Result<std::vector<std::string>> writeBundle(const BundleRequest &request) {
  auto scratch = ScratchDirectory::create(fs::temp_directory_path(), "agentic-doctor-");
  if (!scratch)
    return std::unexpected(scratch.error());
  const Redaction redaction(request);
  std::vector<std::string> names;
  const auto put = [&](const std::string &name, const std::string &text) {
    names.push_back(name);
    return writeFileAtomic(scratch->path() / kFolder / name, redaction.of(text));
  };
  if (auto written = put("doctor.json", request.doctorJson); !written)
    return std::unexpected(written.error());
  for (const auto &[name, file] : filesOf(request)) {
    const auto text = readFile(file);
    if (!text)
      return std::unexpected(text.error());
    if (auto written = put(name, *text); !written)
      return std::unexpected(written.error());
  }
  const std::string archive = (scratch->path() / "bundle.tar.gz").string();
  const auto packed = runProcess({.argv = {"tar", "--sort=name", "--mtime=@0", "--owner=0", "--group=0",
                                           "--numeric-owner", "-czf", archive, "-C", scratch->path().string(), kFolder},
                                  .mergeOutput = true});
  if (!packed)
    return std::unexpected(packed.error());
  if (!packed->ok())
    return userError("tar " + packed->describe() + ": " + std::string(trim(packed->out)), "install GNU tar");
  const auto bytes = readFile(archive);
  if (!bytes)
    return std::unexpected(bytes.error());
  if (auto written = writeFileAtomic(request.file, *bytes); !written)
    return std::unexpected(written.error());
  return names;
}

} // namespace agentic
