#include "tool/build/linked_targets.h"

#include <gmock/gmock.h>

namespace agentic {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// As CMake 3.25 writes it.
constexpr const char *kNinja = R"(# Link the static library work

build sub/libwork.a: CXX_STATIC_LIBRARY_LINKER__work_Release sub/CMakeFiles/work.dir/a_b.cpp.o
  LANGUAGE_COMPILE_FLAGS = -O3
  OBJECT_DIR = sub/CMakeFiles/work.dir
  TARGET_FILE = sub/libwork.a

# Order-only phony target for bench

build cmake_object_order_depends_target_bench: phony || cmake_object_order_depends_target_work

build bench$ 2: CXX_EXECUTABLE_LINKER__bench_Release CMakeFiles/bench.dir/b.cpp.o | sub/libwork.a libs.so || sub/libwork.a
  LINK_LIBRARIES = -Wl,-rpath,/b  sub/libwork.a  libs.so  -lbenchmark
  OBJECT_DIR = CMakeFiles/bench.dir
  TARGET_FILE = bench$ 2
build libs.so: C_SHARED_LIBRARY_LINKER__s_Release CMakeFiles/s.dir/s.c.o
  OBJECT_DIR = CMakeFiles/s.dir
  TARGET_FILE = libs.so)";

TEST(LinkedTargets, OfNinja) {
  const std::vector<LinkedTarget> targets = linkedTargetsOfNinja(kNinja, "/b");
  ASSERT_EQ(targets.size(), 3u);
  const LinkedTarget &work = targets[0], &bench = targets[1], &shared = targets[2];
  EXPECT_EQ(work.name, "work");
  EXPECT_EQ(work.kind, LinkedTarget::Kind::Static);
  EXPECT_EQ(work.file, "/b/sub/libwork.a");
  EXPECT_EQ(work.folder, "/b/sub");
  EXPECT_EQ(bench.kind, LinkedTarget::Kind::Program);
  EXPECT_EQ(bench.file, "/b/bench 2");
  EXPECT_EQ(bench.folder, "/b");
  EXPECT_THAT(bench.inputs, Contains("/b/CMakeFiles/bench.dir/b.cpp.o"));
  EXPECT_TRUE(bench.uses(work) && bench.uses(shared) && bench.uses(bench));
  EXPECT_FALSE(work.uses(bench));
  EXPECT_TRUE(bench.usesLibrary("benchmark"));
  EXPECT_FALSE(bench.usesLibrary("gtest"));
  EXPECT_EQ(shared.kind, LinkedTarget::Kind::Shared);
}

TEST(LinkedTargets, OfMake) {
  const auto library =
      linkedTargetsOfMake("/usr/bin/ar qc libwork.a CMakeFiles/work.dir/a.cpp.o\n/usr/bin/ranlib libwork.a\n",
                          "/b/sub/CMakeFiles/work.dir");
  ASSERT_EQ(library.size(), 1u);
  EXPECT_EQ(library[0].file, "/b/sub/libwork.a");
  EXPECT_EQ(library[0].kind, LinkedTarget::Kind::Static);
  const auto program =
      linkedTargetsOfMake("/usr/bin/c++ -O3 CMakeFiles/t.dir/t.cpp.o -o t -Wl,-rpath,/x ../sub/libwork.a "
                          "/usr/lib/libgtest_main.a /usr/lib/libgtest.so.1.12 \n",
                          "/b/t/CMakeFiles/t.dir");
  ASSERT_EQ(program.size(), 1u);
  EXPECT_EQ(program[0].file, "/b/t/t");
  EXPECT_TRUE(program[0].uses(library[0]));
  EXPECT_TRUE(program[0].usesLibrary("gtest"));
  EXPECT_EQ(linkedTargetsOfMake("c++ -shared -o libs.so x.o", "/b/CMakeFiles/s.dir").at(0).kind,
            LinkedTarget::Kind::Shared);
}

TEST(LinkedTargets, OfWhatLinksNothing) {
  EXPECT_THAT(linkedTargetsOfNinja("", "/b"), IsEmpty());
  EXPECT_THAT(linkedTargetsOfNinja("build x: CXX_EXECUTABLE_LINKER__x_ y.o", "/b"), IsEmpty());
  EXPECT_THAT(linkedTargetsOfNinja("build x: CXX_EXECUTABLE_LINKER__x_ $", "/b"), IsEmpty());
  EXPECT_THAT(linkedTargetsOfNinja("  OBJECT_DIR = CMakeFiles/x.dir\n  \n  x\n", "/b"), IsEmpty());
  EXPECT_THAT(linkedTargetsOfMake("", "/b/CMakeFiles/x.dir"), IsEmpty());
  EXPECT_THAT(linkedTargetsOfMake("c++ x.o -o", "/b/CMakeFiles/x.dir"), IsEmpty());
  EXPECT_THAT(linkedTargetsOfMake("c++ x.o -o x", "/b/x.dir"), IsEmpty());
}

TEST(TargetOfObject, IsTheFolderOfItsObjects) {
  EXPECT_EQ(targetOfObject("sub/CMakeFiles/t.dir/src/x.cpp.o"), "t");
  EXPECT_EQ(targetOfObject("CMakeFiles/my.dir.dir/x.cpp.o"), "my.dir");
  EXPECT_EQ(targetOfObject("x.o"), "");
}

} // namespace
} // namespace agentic
