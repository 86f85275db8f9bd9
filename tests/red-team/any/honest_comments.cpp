// expect: valid
// style: Comments that name what is banned: static, asm, malloc, fork
/* static thread_local asm("syscall") malloc fork() #include <thread> */
@SIGNATURE@ {
  // __builtin_return_address, std::thread, printf("[  PASSED  ]")
  @BODY@
}
