// Preloaded into every program of ours that qemu-user runs. qemu-user hands what such a program starts to this
// machine's kernel, which refuses programs for aarch64: they are started by qemu-user here, with this library again.
// Compiled with QEMU, ROOT (its -L) and SELF (where the emulated program finds this). Between fork and exec: system
// calls and no heap.
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char kPreload[] = "LD_PRELOAD=", kSelf[] = "LD_PRELOAD=" SELF ":";

/// The program has the environment that it would have without this.
__attribute__((constructor)) static void hide(void) {
  const char *preload = getenv("LD_PRELOAD");
  if (!preload || strncmp(preload, SELF, sizeof SELF - 1) != 0)
    return;
  preload += strspn(preload + sizeof SELF - 1, ":") + sizeof SELF - 1;
  if (*preload)
    setenv("LD_PRELOAD", preload, 1);
  else
    unsetenv("LD_PRELOAD");
}

static int isForAarch64(const char *path) {
  Elf64_Ehdr header;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t count = file < 0 ? -1 : read(file, &header, sizeof header);
  if (file >= 0)
    close(file);
  return count == (ssize_t)sizeof header && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_machine == EM_AARCH64 && access(path, X_OK) == 0;
}

static size_t countOf(char *const words[]) {
  size_t count = 0;
  while (words && words[count])
    ++count;
  return count;
}

__attribute__((visibility("default"))) int execve(const char *path, char *const argv[], char *const envp[]) {
  const size_t arguments = countOf(argv), variables = countOf(envp);
  // Libraries to preload are for aarch64: not for qemu-user itself, nor for this machine's programs.
  const char *preload = "";
  char *environment[variables + 1];
  size_t kept = 0;
  for (size_t i = 0; i < variables; ++i)
    if (strncmp(envp[i], kPreload, sizeof kPreload - 1) == 0)
      preload = envp[i] + sizeof kPreload - 1;
    else
      environment[kept++] = envp[i];
  environment[kept] = NULL;
  if (!isForAarch64(path))
    return (int)syscall(SYS_execve, path, argv, environment);

  char program[4096]; // what /proc/self/exe is here; there it would be qemu-user
  const ssize_t length = strncmp(path, "/proc/", 6) == 0 ? readlink(path, program, sizeof program - 1) : -1;
  if (length > 0)
    program[length] = '\0';
  char libraries[sizeof kSelf + strlen(preload)];
  strcpy(stpcpy(libraries, kSelf), preload);
  char *words[arguments + 8], **end = words;
  *end++ = (char *)QEMU;
  *end++ = (char *)"-L";
  *end++ = (char *)ROOT;
  *end++ = (char *)"-E";
  *end++ = libraries;
  *end++ = (char *)"-0";
  *end++ = arguments > 0 ? argv[0] : (char *)path;
  *end++ = length > 0 ? program : (char *)path;
  for (size_t i = 1; i < arguments; ++i)
    *end++ = argv[i];
  *end = NULL;
  return (int)syscall(SYS_execve, QEMU, words, environment);
}

// libc's own does not come by the above.
__attribute__((visibility("default"))) int execl(const char *path, const char *first, ...) {
  va_list list;
  size_t count = 1;
  va_start(list, first);
  while (va_arg(list, char *))
    ++count;
  va_end(list);
  char *words[count + 1];
  words[0] = (char *)first;
  va_start(list, first);
  for (size_t i = 1; i <= count; ++i)
    words[i] = va_arg(list, char *);
  va_end(list);
  return execve(path, words, environ);
}
