// Loops over neighbouring numbers, compiled twice: for every processor, and for those with AVX2,
// which is chosen at run time. Both round alike, since no multiplication is fused with an addition
// and every sum keeps its order.
#pragma once

namespace coppice {

#if defined(__x86_64__) && defined(__GNUC__)

// Whether run_loop() takes the wide ones, if the processor has them; tests compare both.
inline bool wide_loops_wanted = true;

inline bool processor_has_wide_loops() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}

inline bool takes_wide_loops() { return processor_has_wide_loops() && wide_loops_wanted; }

template <class Loop, class... Arguments>
[[gnu::target("avx2"), gnu::noinline]] void run_wide(Arguments... arguments) {
  Loop::run(arguments...);
}

// Calls Loop::run(arguments...), which is [[gnu::always_inline]] and takes pointers and numbers.
template <class Loop, class... Arguments>
void run_loop(Arguments... arguments) {
  if (takes_wide_loops()) {
    run_wide<Loop>(arguments...);
  } else {
    Loop::run(arguments...);
  }
}

#else

inline bool wide_loops_wanted = false;
inline bool takes_wide_loops() { return false; }

template <class Loop, class... Arguments>
void run_loop(Arguments... arguments) {
  Loop::run(arguments...);
}

#endif

}  // namespace coppice
