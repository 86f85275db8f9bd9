# Writes OUTPUT, C++ with the texts of FILES (by their names) as string literals, behind the function that HEADER
# declares: std::string_view FUNCTION(std::string_view name), empty for an unknown name. With NAMES also
# std::vector<std::string_view> NAMES(), the names of all.
#   cmake -DOUTPUT=runner_text.cpp -DHEADER=tool/source/emit/runner_text.h -DFUNCTION=runnerText "-DFILES=a.h;b.h" -P embed_text.cmake
set(rows "")
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME)
  string(APPEND rows "    {\"${name}\", R\"AKTEXT(${text})AKTEXT\"sv},\n")
endforeach()
set(names "")
if(NAMES)
  set(names "std::vector<std::string_view> ${NAMES}() {
  std::vector<std::string_view> names;
  for (const Embedded &row : kEmbedded)
    if (!row.name.empty())
      names.push_back(row.name);
  return names;
}
")
  string(APPEND rows "    {},\n") # there may be no file
endif()
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"\n
namespace agentic {
namespace {
using namespace std::literals; // the lengths of megabytes are not counted at compile time
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
${names}} // namespace agentic
")
