# Writes OUTPUT, C++ with the texts of FILES (by their names) as string literals, behind the function that HEADER
# declares: std::string_view FUNCTION(std::string_view name), empty for an unknown name.
#   cmake -DOUTPUT=runner_text.cpp -DHEADER=tool/source/emit/runner_text.h -DFUNCTION=runnerText "-DFILES=a.h;b.h" -P embed_text.cmake
set(rows "")
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME)
  string(APPEND rows "    {\"${name}\", R\"AKTEXT(${text})AKTEXT\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"\n
namespace agentic {
namespace {
struct Embedded {
  std::string_view name, text;
};
constexpr Embedded kEmbedded[] = {
${rows}};
} // namespace
std::string_view ${FUNCTION}(std::string_view name) {
  for (const Embedded &row : kEmbedded)
    if (row.name == name)
      return row.text;
  return {};
}
} // namespace agentic
")
