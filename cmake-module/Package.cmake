# `cpack` in the build tree makes agentic-kernel_<version>_<processor>.deb: the tool, what it starts, and the CMake package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME agentic-kernel)
set(CPACK_PACKAGE_CONTACT "Agentic Kernel contributors <agentic-kernel@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# dpkg-shlibdeps finds shared libraries. A run also needs Clang's own headers, for the parser of the kernels, CMake with
# Ninja for the copy of the build tree, and objdump for the audit.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "libclang-common-${LLVM_VERSION_MAJOR}-dev, cmake (>= 3.22), ninja-build, binutils")
# Recommended only: a project may bring its own compiler, and the tool has a weaker sandbox of its own.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "bubblewrap, g++ | c++-compiler, libgtest-dev, libbenchmark-dev, git")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/agentic-kernel RENAME copyright)
include(CPack)
