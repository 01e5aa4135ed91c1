#include "healthvault.h"

/* The functions are implemented in Swift; only what a compiler can check is here. */
_Static_assert(sizeof(hv_error) == 512, "the size of an error is a part of the ABI");
