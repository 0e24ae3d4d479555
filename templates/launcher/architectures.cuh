// architectures.cuh: the devices that a library has code for, as its build says: "80, 90a"; "cpu".

#pragma once

// CMakeLists.txt defines SINTER_ARCHITECTURES. Without it, nvcc knows: "800,900".
#if defined(SINTER_CPU)
#define SINTER_BUILT_FOR "cpu"
#elif defined(SINTER_ARCHITECTURES)
#define SINTER_BUILT_FOR SINTER_ARCHITECTURES
#elif defined(__CUDA_ARCH_LIST__)
#define SINTER_TEXT(...) #__VA_ARGS__
#define SINTER_TEXT_OF(...) SINTER_TEXT(__VA_ARGS__)
#define SINTER_BUILT_FOR SINTER_TEXT_OF(__CUDA_ARCH_LIST__)
#else
#define SINTER_BUILT_FOR "unknown"
#endif

inline namespace sinter_helpers {

[[maybe_unused]] constexpr char kBuiltFor[] = SINTER_BUILT_FOR;

}  // namespace sinter_helpers
