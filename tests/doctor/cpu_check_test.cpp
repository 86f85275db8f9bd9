// Tests what doctor says about recorded machines' levels, and about files that contradict them or are damaged.
#include "tests/doctor/doctor_fixture.h"
#include "tests/model/recorded_machines.h"

#include "tool/base/text.h"

namespace agentic {
namespace {

using testing::HasSubstr;
using testing::Not;

class CpuCheck : public DoctorTest {
protected:
  Diagnosis lookAt(const RecordedMachine &machine, const std::string &cpuInfo) {
    view_.cpu = readCpu(sourceOf(machine));
    put("proc/cpuinfo", "processor\t: 0\n" + cpuInfo + "\n");
    return lookAtLevels(view_);
  }
};

class RecordedCpuCheck : public CpuCheck, public testing::WithParamInterface<RecordedMachine> {};

TEST_P(RecordedCpuCheck, NamesTheLevelsAndWhereCpuInfoDisagrees) {
  const RecordedMachine &machine = GetParam();
  const Diagnosis diagnosis = lookAt(machine, machine.cpuInfo);
  expectDiagnosis(diagnosis, machine.levels.empty() ? Health::Fail : Health::Ok,
                  machine.levels.empty() ? "none of this tool's levels" : join(machine.levels, ", "));
  if (!machine.lackedLevel.empty() && !findLevel(machine.lackedLevel)->onRequest) {
    EXPECT_THAT(diagnosis.found, HasSubstr(machine.lackedLevel + " would need " + join(machine.lacked, ", ")));
  }
  EXPECT_EQ(diagnosis.found.find("/proc/cpuinfo") != std::string::npos,
            !machine.notListed.empty() || !machine.onlyListed.empty())
      << diagnosis.found;
  for (const std::string &feature : machine.notListed)
    EXPECT_THAT(diagnosis.found, testing::ContainsRegex("does not list [^:]*" + feature));
  for (const std::string &feature : machine.onlyListed)
    EXPECT_THAT(diagnosis.found, testing::ContainsRegex("lists [^:]*" + feature));
}

INSTANTIATE_TEST_SUITE_P(Machines, RecordedCpuCheck, testing::ValuesIn(recordedMachines()),
                         [](const auto &info) { return info.param.name; });

TEST_F(CpuCheck, GivesBothNamesOfAFeature) {
  const RecordedMachine &machine = recordedMachine("cpuinfo_without_abm");
  EXPECT_THAT(lookAt(machine, machine.cpuInfo).found, HasSubstr("does not list abm (lzcnt): CPUID reports it"));
}

TEST_F(CpuCheck, WithoutAUsableFileThereIsNothingToContradict) {
  view_.cpu = readCpu(sourceOf(recordedMachine("haswell")));
  expectDiagnosis(lookAtLevels(view_), Health::Ok, "x86-64-v2, x86-64-v3");
  for (const std::string &nonsense : {std::string(), std::string(100000, '\x01'), std::string("flags\t\t:")}) {
    const Diagnosis diagnosis = lookAt(recordedMachine("haswell"), nonsense);
    expectDiagnosis(diagnosis, Health::Ok, "x86-64-v2, x86-64-v3");
    EXPECT_THAT(diagnosis.found, Not(HasSubstr("cpuinfo")));
  }
  view_.cpu = {};
  expectDiagnosis(lookAtLevels(view_), Health::Fail, "none of this tool's levels");
}

// A name that only begins with a feature's name is another one.
TEST_F(CpuCheck, ComparesWholeNames) {
  const RecordedMachine &machine = recordedMachine("haswell");
  std::string flags = machine.cpuInfo;
  flags.replace(flags.find(" avx "), 5, " avx2 ");
  EXPECT_THAT(lookAt(machine, flags).found, HasSubstr("does not list avx:"));
}

} // namespace
} // namespace agentic
