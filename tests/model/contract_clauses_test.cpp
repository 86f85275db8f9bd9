#include "tool/model/contract_clauses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agentic {
namespace {

using testing::HasSubstr;
using Kind = ContractParameter::Kind;

const std::vector<ContractParameter> kParameters = {
    {"A", Kind::Pointer, true},        {"C", Kind::Pointer, false}, {"handle", Kind::Opaque, false},
    {"M", Kind::Integer, false},       {"K", Kind::Integer, false}, {"eps", Kind::Floating, false},
    {"flag", Kind::Boolean, false},    {"v", Kind::Sized, false},   {"state", Kind::Memory, false},
    {"columns", Kind::Integer, false}, {"", Kind::Integer, false},  {"mode", Kind::Other, false}};

using Clauses = std::vector<std::pair<std::string_view, std::string>>;

Result<Contract> contractOf(const Clauses &written) {
  std::vector<ContractClause> clauses;
  for (const auto &[macro, arguments] : written)
    clauses.push_back({macro, arguments, "k.cpp:" + std::to_string(clauses.size() + 3) + ":1: "});
  return parseContract("gemm", clauses, kParameters);
}

TEST(ContractClauses, AllOfThem) {
  const Result<Contract> contract = contractOf({{"AGENTIC_IN", "A, M * K"},
                                                {"AGENTIC_INOUT", "C, (M + 1) * v.size() % 7"},
                                                {"AGENTIC_REQUIRES", "K % 32 == 0 && eps > 0.5f"},
                                                {"AGENTIC_REQUIRES", "flag || (M & (M - 1)) == 0"},
                                                {"AGENTIC_MAY_ALIAS", "A, C"},
                                                {"AGENTIC_MAY_ALIAS", "C, A"},
                                                {"AGENTIC_MAY_ALIAS", "v, state"},
                                                {"AGENTIC_TOLERANCE", "relative 1e-5"},
                                                {"AGENTIC_FP", "strict"},
                                                {"AGENTIC_FP", "strict"},
                                                {"AGENTIC_SPECIAL_VALUES", ""}});
  ASSERT_TRUE(contract) << contract.error().message;
  ASSERT_EQ(contract->extents.size(), 2u);
  EXPECT_EQ(contract->extents[0].parameter, "A");
  EXPECT_EQ(contract->extents[0].text, "M * K");
  EXPECT_EQ(contract->extents[1].direction, Direction::InOut);
  ASSERT_EQ(contract->requirements.size(), 2u);
  EXPECT_EQ(contract->requirements[0], "K % 32 == 0 && eps > 0.5f");
  EXPECT_EQ(contract->mayAlias.size(), 2u);
  EXPECT_TRUE(mayAlias(*contract, "state", "v"));
  EXPECT_EQ(contract->tolerance->kind, Tolerance::Kind::Relative);
  EXPECT_EQ(contract->tolerance->value, 1e-5);
  EXPECT_EQ(contract->floatingPoint, FloatingPoint::Strict);
  EXPECT_TRUE(contract->specialValues);
}

TEST(ContractClauses, WhatIsNoContradiction) {
  EXPECT_TRUE(contractOf({{"AGENTIC_IN", "C, M"}})) << "IN of a pointer to non-const";
  EXPECT_TRUE(contractOf({{"AGENTIC_OUT", "C, 4"}}));
  EXPECT_TRUE(contractOf({{"AGENTIC_FP", "strict"}, {"AGENTIC_TOLERANCE", "ulp 2"}}));
  EXPECT_TRUE(contractOf({{"AGENTIC_TOLERANCE", "absolute 0"}}));
  EXPECT_TRUE(contractOf({{"AGENTIC_TOLERANCE", "absolute 0.01f"}}));
  EXPECT_TRUE(contractOf({{"AGENTIC_REQUIRES", "v.size() >= M"}}));
  EXPECT_TRUE(contractOf({}));
}

struct Wrong {
  Clauses clauses;
  const char *message, *next;
};

class ContractErrors : public testing::TestWithParam<Wrong> {};

TEST_P(ContractErrors, SayWhatAndWhatToDo) {
  const Result<Contract> contract = contractOf(GetParam().clauses);
  ASSERT_FALSE(contract) << GetParam().message;
  const Error &error = contract.error();
  EXPECT_EQ(error.kind, ErrorKind::User);
  const auto &[macro, arguments] = GetParam().clauses.back();
  EXPECT_THAT(error.message, HasSubstr("k.cpp:" + std::to_string(GetParam().clauses.size() + 2) +
                                       ":1: kernel 'gemm': " + std::string(macro) + "(" + arguments + ") "));
  EXPECT_THAT(error.message, HasSubstr(GetParam().message));
  EXPECT_THAT(error.next, HasSubstr(GetParam().next));
}

INSTANTIATE_TEST_SUITE_P(
    All, ContractErrors,
    testing::Values(
        Wrong{{{"AGENTIC_IN", "B, M"}}, "'B', which is no parameter", "'A', 'C', 'handle'"},
        Wrong{{{"AGENTIC_IN", "a, M"}}, "'a', which is no parameter", "did you mean 'A'?"},
        Wrong{{{"AGENTIC_IN", "A, colums * 2"}}, "'colums', which is no parameter", "did you mean 'columns'?"},
        Wrong{{{"AGENTIC_IN", ", M"}}, "'', which is no parameter", "its parameters are"},
        Wrong{{{"AGENTIC_IN", "A"}}, "number of elements", "AGENTIC_IN(p, extent)"},
        Wrong{{{"AGENTIC_IN", ""}}, "number of elements", "AGENTIC_IN(p, extent)"},
        Wrong{{{"AGENTIC_IN", "A, M, K"}}, "number of elements", "AGENTIC_IN(p, extent)"},
        Wrong{{{"AGENTIC_IN", "M, K"}}, "gives an extent to 'M', which is no pointer", "pointer parameters only"},
        Wrong{{{"AGENTIC_OUT", "handle, K"}}, "no pointer to elements", "pointer parameters only"},
        Wrong{{{"AGENTIC_IN", "v, K"}}, "carries its own", "v.size()"},
        Wrong{{{"AGENTIC_OUT", "A, M"}}, "points to const", "AGENTIC_IN"},
        Wrong{{{"AGENTIC_INOUT", "A, M"}}, "points to const", "AGENTIC_IN"},
        Wrong{{{"AGENTIC_IN", "A, eps"}}, "'eps', which is no integer parameter", "integer parameters"},
        Wrong{{{"AGENTIC_IN", "A, C"}}, "'C', which is no integer parameter", "integer parameters"},
        Wrong{{{"AGENTIC_IN", "A, mode"}}, "'mode', which is no integer parameter", "integer parameters"},
        Wrong{{{"AGENTIC_IN", "A, flag"}}, "'flag', which is no integer parameter", "integer parameters"},
        Wrong{{{"AGENTIC_IN", "A, 2.5 * M"}}, "2.5, which is no integer", "integer literals"},
        Wrong{{{"AGENTIC_IN", "A, M < K"}}, "uses '<', which an extent may not", "+ - * / %"},
        Wrong{{{"AGENTIC_IN", "A, -M"}}, "uses '-', which an extent may not", "+ - * / %"},
        Wrong{{{"AGENTIC_IN", "A, M << 2"}}, "uses '<<'", "+ - * / %"},
        Wrong{{{"AGENTIC_IN", "A, M *"}}, "cannot be read: 'M *'", "integer literals"},
        Wrong{{{"AGENTIC_IN", "A, f(M)"}}, "cannot be read", "integer literals"},
        Wrong{{{"AGENTIC_IN", "A, "}}, "cannot be read", "integer literals"},
        Wrong{{{"AGENTIC_IN", "A, M / 0"}}, "divides by zero", "divisor"},
        Wrong{{{"AGENTIC_IN", "A, A.size()"}}, "'A' carries no size", "integer parameter"},
        Wrong{{{"AGENTIC_IN", "A, M"}, {"AGENTIC_IN", "A, M"}}, "second extent of 'A', after in M", "AGENTIC_INOUT"},
        Wrong{{{"AGENTIC_IN", "C, M"}, {"AGENTIC_OUT", "C, M"}}, "second extent of 'C'", "AGENTIC_INOUT"},
        Wrong{{{"AGENTIC_REQUIRES", "N % 2 == 0"}}, "'N', which is no parameter", "its parameters are"},
        Wrong{{{"AGENTIC_REQUIRES", "K % 32"}}, "no condition", "AGENTIC_REQUIRES(n % 8 == 0"},
        Wrong{{{"AGENTIC_REQUIRES", "K"}}, "no condition", "AGENTIC_REQUIRES(n"},
        Wrong{{{"AGENTIC_REQUIRES", "K && M > 0"}}, "no condition", "AGENTIC_REQUIRES(n"},
        Wrong{{{"AGENTIC_REQUIRES", "K = 32"}}, "'=='", "AGENTIC_REQUIRES(n"},
        Wrong{{{"AGENTIC_REQUIRES", "0 < M < K"}}, "compares the result of '<'", "&&"},
        Wrong{{{"AGENTIC_REQUIRES", "A != 0"}}, "'A', which is no integer or floating-point", "condition"},
        Wrong{{{"AGENTIC_REQUIRES", "K % eps == 0"}}, "'eps', which is no integer, with", "condition"},
        Wrong{{{"AGENTIC_REQUIRES", "K % 0 == 1"}}, "divides by zero", "divisor"},
        Wrong{{{"AGENTIC_REQUIRES", "K % 2.0 == 1"}}, "2.0 with an operator of integers", "condition"},
        Wrong{{{"AGENTIC_REQUIRES", ""}}, "cannot be read", "condition"},
        Wrong{{{"AGENTIC_MAY_ALIAS", "A, A"}}, "names 'A' twice", "the other parameter"},
        Wrong{{{"AGENTIC_MAY_ALIAS", "A"}}, "two parameters", "AGENTIC_MAY_ALIAS(p, q)"},
        Wrong{{{"AGENTIC_MAY_ALIAS", "A, C, v"}}, "two parameters", "AGENTIC_MAY_ALIAS(p, q)"},
        Wrong{{{"AGENTIC_MAY_ALIAS", "A, M"}}, "'M', which refers to no memory", "pointers"},
        Wrong{{{"AGENTIC_MAY_ALIAS", "A, B"}}, "'B', which is no parameter", "its parameters are"},
        Wrong{{{"AGENTIC_TOLERANCE", "0.01"}}, "neither absolute, relative nor ulp", "AGENTIC_TOLERANCE("},
        Wrong{{{"AGENTIC_TOLERANCE", "absolute"}}, "neither", "AGENTIC_TOLERANCE("},
        Wrong{{{"AGENTIC_TOLERANCE", "absolute small"}}, "'small', which is no number", "AGENTIC_TOLERANCE("},
        Wrong{{{"AGENTIC_TOLERANCE", "absolute inf"}}, "'inf', which is no number", "AGENTIC_TOLERANCE("},
        Wrong{{{"AGENTIC_TOLERANCE", "absolute -0.01"}}, "is negative", "0 or more"},
        Wrong{{{"AGENTIC_TOLERANCE", "absolute 0.01"}, {"AGENTIC_TOLERANCE", "ulp 3"}},
              "second tolerance, after absolute 0.01",
              "keep one"},
        Wrong{{{"AGENTIC_FP", "fast"}}, "none of strict, contract, reassociate and finite", "AGENTIC_FP("},
        Wrong{{{"AGENTIC_FP", "reasociate"}}, "none of", "did you mean AGENTIC_FP(reassociate)?"},
        Wrong{
            {{"AGENTIC_FP", "strict"}, {"AGENTIC_FP", "reassociate"}}, "contradicts AGENTIC_FP(strict)", "keep one"}));

TEST(ContractClauses, FiniteStandsBesideTheOtherPolicies) {
  const Result<Contract> contract = contractOf({{"AGENTIC_FP", "finite"}, {"AGENTIC_FP", "reassociate"}});
  ASSERT_TRUE(contract) << contract.error().message;
  EXPECT_TRUE(contract->isFinite);
  EXPECT_EQ(contract->floatingPoint, FloatingPoint::Reassociate);
  EXPECT_FALSE(contractOf({{"AGENTIC_FP", "finite"}, {"AGENTIC_SPECIAL_VALUES", ""}}));
  EXPECT_FALSE(contractOf({{"AGENTIC_SPECIAL_VALUES", ""}, {"AGENTIC_FP", "finite"}}));
}

TEST(ContractClauses, MacrosAreKnownByName) {
  for (const ContractMacro &macro : contractMacros()) {
    EXPECT_TRUE(isMarkerMacro(macro.name));
    EXPECT_EQ(macro.example.substr(0, macro.name.size()), macro.name);
  }
  EXPECT_TRUE(isMarkerMacro("AGENTIC_KERNEL"));
  EXPECT_FALSE(isMarkerMacro("AGENTIC_KERNEL_MODE"));
  EXPECT_FALSE(isMarkerMacro("IN"));
}

} // namespace
} // namespace agentic
