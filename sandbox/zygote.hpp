// The one function that makes an interpreter a zygote of a jail.
// Does not load anything, needs no C library.
// Called by perfjudge-lua and, through libperfjudge-zygote.so, by Python's entry code.
#pragma once

extern "C" {

/// In a zygote: waits for cases and forks for each; returns only in a case's child, which is
/// confined then (limits, Landlock, system-call filter), has its streams at 0 to 3 and nothing
/// else. Where the process was not started as a zygote, returns at once.
__attribute__((visibility("default"))) void perfjudge_zygote_serve();
}
