#include "textflag.h"

// Trampolines, through which Go calls functions of libSystem, as package syscall does.

TEXT getattrlistbulkTrampoline<>(SB),NOSPLIT,$0-0
	JMP	libc_getattrlistbulk(SB)
GLOBL	·getattrlistbulkAddr(SB), RODATA, $8
DATA	·getattrlistbulkAddr(SB)/8, $getattrlistbulkTrampoline<>(SB)

TEXT setiopolicyTrampoline<>(SB),NOSPLIT,$0-0
	JMP	libc_setiopolicy_np(SB)
GLOBL	·setiopolicyAddr(SB), RODATA, $8
DATA	·setiopolicyAddr(SB)/8, $setiopolicyTrampoline<>(SB)
