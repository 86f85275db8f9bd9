// Calls that read all registers, and leave values in them.
#pragma once

/// The values that a call finds in registers that nobody set for it, and a call that leaves values in all of them.
struct Registers {
  unsigned long general[16], vectors[32][8];
  unsigned long masks[8], mmx[8];
};
constexpr unsigned long kMemo = 0xc0ffeec0ffeec0ff;
extern "C" void findRegisters(void *registers);
extern "C" void leaveRegisters(void *registers);
extern "C" void findWideRegisters(void *registers);
extern "C" void leaveWideRegisters(void *registers);
// Symbols, not labels of the file alone: of those, g++ -O0 for aarch64 takes addresses through a table that the linker
// fills with the begin of the section.
__asm__(".irp ak_name, findRegisters,leaveRegisters,findWideRegisters,leaveWideRegisters\n"
        ".weak \\ak_name\n"
        ".hidden \\ak_name\n"
        ".type \\ak_name, %function\n"
        ".endr\n");
#if defined(__x86_64__)
constexpr int kGeneral = 7, kVectors = 16, kWords = 2, kMmx = 8; // rdi is the closure's, r11 the body's
__asm__(".pushsection .text\n"
        "findRegisters:\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7\n"
        "movq %mm\\ak_n, 2240+8*\\ak_n(%rdi)\n"
        ".endr\n"
        "emms\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "movups %xmm\\ak_n, 128+64*\\ak_n(%rdi)\n"
        ".endr\n"
        "movq %rax, (%rdi)\n"
        "movq %rdx, 8(%rdi)\n"
        "movq %rsi, 16(%rdi)\n"
        "movq %r8, 24(%rdi)\n"
        "movq %r9, 32(%rdi)\n"
        "movq %r10, 40(%rdi)\n"
        "movq %rcx, 48(%rdi)\n"
        "ret\n"
        "leaveRegisters:\n"
        "movabsq $0xc0ffeec0ffeec0ff, %rax\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7\n"
        "movq %rax, %mm\\ak_n\n"
        ".endr\n"
        "emms\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
        "movq %rax, %xmm\\ak_n\n"
        "punpcklqdq %xmm\\ak_n, %xmm\\ak_n\n"
        ".endr\n"
        "movq %rax, %rdx\n"
        "movq %rax, %rsi\n"
        "movq %rax, %r8\n"
        "movq %rax, %r9\n"
        "movq %rax, %r10\n"
        "movq %rax, %rcx\n"
        "ret\n"
        "findWideRegisters:\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "vmovdqu64 %zmm\\ak_n, 128+64*\\ak_n(%rdi)\n"
        ".endr\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7\n"
        "kmovw %k\\ak_n, 2176+8*\\ak_n(%rdi)\n"
        ".endr\n"
        "vzeroupper\n"
        "ret\n"
        "leaveWideRegisters:\n"
        "movl $-1, %eax\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7\n"
        "kmovw %eax, %k\\ak_n\n"
        ".endr\n"
        "movabsq $0xc0ffeec0ffeec0ff, %rax\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "vpbroadcastq %rax, %zmm\\ak_n\n"
        ".endr\n"
        "ret\n"
        ".popsection\n");
#else
constexpr int kGeneral = 16, kVectors = 32, kWords = 2, kMmx = 0; // x1 to x16
__asm__(".pushsection .text\n"
        "findRegisters:\n"
        ".irp ak_n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\n"
        "str x\\ak_n, [x0, #8*(\\ak_n-1)]\n"
        ".endr\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "str q\\ak_n, [x0, #128+64*\\ak_n]\n"
        ".endr\n"
        ".irp ak_n, 8,9,10,11,12,13,14,15\n"
        "umov x9, v\\ak_n\\().d[1]\n"
        "str x9, [x0, #128+64*\\ak_n]\n"
        "str x9, [x0, #136+64*\\ak_n]\n"
        ".endr\n"
        "ret\n"
        "leaveRegisters:\n"
        "ldr x1, =0xc0ffeec0ffeec0ff\n"
        ".irp ak_n, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\n"
        "mov x\\ak_n, x1\n"
        ".endr\n"
        ".irp ak_n, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
        "dup v\\ak_n\\().2d, x1\n"
        ".endr\n"
        ".irp ak_n, 8,9,10,11,12,13,14,15\n"
        "ins v\\ak_n\\().d[1], x1\n"
        ".endr\n"
        "ret\n"
        ".ltorg\n"
        "findWideRegisters: ret\n"
        "leaveWideRegisters: ret\n"
        ".popsection\n");
#endif
