#include "tool/knowledge/licence.h"

#include <gtest/gtest.h>

namespace agentic {
namespace {

TEST(Licences, AreReadFromTags) {
  EXPECT_EQ(licenceOf("// SPDX-License-Identifier: Apache-2.0\nint x;"), "Apache-2.0");
  EXPECT_EQ(licenceOf("/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */"),
            "GPL-2.0-only WITH Linux-syscall-note");
  EXPECT_EQ(licenceOf("# SPDX-License-Identifier: (MIT OR Apache-2.0)\n"), "(MIT OR Apache-2.0)");
  EXPECT_EQ(licenceOf("// SPDX-License-Identifier: <script>\n"), "");
}

TEST(Licences, AreReadFromTheirFirstSentences) {
  EXPECT_EQ(licenceOf("/*\n * Permission is hereby granted, free of\n * charge, to any person\n */"), "MIT");
  EXPECT_EQ(licenceOf("Redistribution and use in source and binary forms, with or without\n modification. Neither the "
                      "name of"),
            "BSD-3-Clause");
  EXPECT_EQ(licenceOf("Redistribution and use in source and binary forms, with or without"), "BSD-2-Clause");
  EXPECT_EQ(licenceOf("// Licensed under the Apache License, Version 2.0 (the\n// \"License\")"), "Apache-2.0");
  EXPECT_EQ(licenceOf("GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007"), "GPL-3.0");
  EXPECT_EQ(licenceOf("GNU LESSER GENERAL PUBLIC LICENSE\n Version 2.1"), "LGPL-2.1");
  EXPECT_EQ(licenceOf("Mozilla Public License Version 2.0"), "MPL-2.0");
  EXPECT_EQ(licenceOf("Boost Software License - Version 1.0"), "BSL-1.0");
  EXPECT_EQ(licenceOf("int main() { return 0; }"), "");
  EXPECT_EQ(licenceOf(std::string(10'000, ' ') + "MIT License"), ""); // too far down to be of the file
}

TEST(Licences, OfAnExpressionAreListedOrNot) {
  const std::vector<std::string> listed = {"MIT", "BSD-3-Clause", "Apache-2.0"};
  for (const char *permitted : {"MIT", "mit", "MIT OR GPL-2.0-only", "(GPL-2.0-only OR MIT)", "MIT AND BSD-3-Clause",
                                "Apache-2.0 WITH LLVM-exception", "GPL-3.0 AND Zlib OR MIT",
                                "(MIT AND BSD-3-Clause) OR GPL-2.0-only", "((MIT))"})
    EXPECT_TRUE(isUnderListed(permitted, listed)) << permitted;
  for (const char *refused : {"", "GPL-2.0-only", "MITX", "MIT AND GPL-2.0-only", "GPL-2.0-only WITH MIT", "(MIT",
                              "MIT)", "MIT OR", "AND MIT", "MIT BSD-3-Clause", "MIT AND (GPL-3.0 OR Zlib)", "()"})
    EXPECT_FALSE(isUnderListed(refused, listed)) << refused;
  EXPECT_FALSE(isUnderListed("MIT", {}));
  EXPECT_FALSE(isUnderListed(std::string(100'000, '('), listed));
}

TEST(Licences, HaveFilesOfTheirOwn) {
  for (const char *name : {"LICENSE", "LICENSE.txt", "Licence.md", "COPYING", "COPYING.LESSER", "LICENSE-MIT"})
    EXPECT_TRUE(isLicenceFile(name)) << name;
  for (const char *name : {"licensing.cpp", "README.md", "copy.c"})
    EXPECT_FALSE(isLicenceFile(name)) << name;
}

} // namespace
} // namespace agentic
