// syevd: eigenvalues, ascending, and eigenvectors, as columns, of a Hermitian matrix of which one
// triangle is read. `info` is 0 where they were found.
#pragma once

#include "library/library.cuh"
#ifdef SINTER_CPU
#include "library/lapack.cuh"
#endif

inline namespace sinter_helpers {

namespace library {

#ifdef SINTER_CPU

struct SyevdSizes {
  int work = 0, real_work = 0, integer_work = 0;
};

// One call of LAPACK's: with sizes of -1 it says which sizes it needs, in the first elements.
template <class T>
void call_syevd(bool lower, int n, T* a, Real<T>* values, T* work, Real<T>* real_work,
                int* integer_work, const SyevdSizes& sizes, int* info) {
  const char* const uplo = lower ? "L" : "U";
  if constexpr (kIsComplex<T>) {
    of_type<T>(nullptr, nullptr, cheevd_, zheevd_)("V", uplo, &n, a, &n, values, work, &sizes.work,
                                                   real_work, &sizes.real_work, integer_work,
                                                   &sizes.integer_work, info);
  } else {
    of_type<T>(ssyevd_, dsyevd_, nullptr, nullptr)("V", uplo, &n, a, &n, values, work, &sizes.work,
                                                   integer_work, &sizes.integer_work, info);
  }
}

template <class T>
SyevdSizes syevd_sizes(bool lower, int n) {
  int info = 0, integers = 0;
  T size = {};
  Real<T> reals = 0;
  call_syevd<T>(lower, n, nullptr, nullptr, &size, &reals, &integers, {-1, -1, -1}, &info);
  return {elements(size), kIsComplex<T> ? elements(reals) : 0, integers};
}

template <class T>
Workspace syevd_workspace(Library&, bool lower, int n, int) {
  const SyevdSizes sizes = syevd_sizes<T>(lower, n);
  return {0, aligned(sizes.work * sizeof(T)) + aligned(sizes.real_work * sizeof(Real<T>)) +
                 sizes.integer_work * sizeof(int)};
}

template <class T>
cudaError_t syevd(Library& library, bool lower, int n, int batch, const T* a, T* vectors,
                  Real<T>* values, int* info, cudaStream_t stream) {
  const int64_t size = int64_t(n) * n;
  const SyevdSizes sizes = syevd_sizes<T>(lower, n);
  const size_t reals = aligned(sizes.work * sizeof(T)),
               integers = reals + aligned(sizes.real_work * sizeof(Real<T>));
  const cudaError_t error = copy(a, vectors, batch * size, stream);
  for (int64_t i = 0; i < batch; ++i) {
    call_syevd<T>(lower, n, vectors + i * size, values + i * n, library.at<T>(0),
                  library.at<Real<T>>(reals), library.at<int>(integers), sizes, info + i);
  }
  return error;
}

#else

template <class T>
Workspace syevd_workspace(Library& library, bool lower, int n, int) {
  Workspace needed;
  needed.error = as_error(cusolverDnXsyevd_bufferSize(
      library.solver, library.options, CUSOLVER_EIG_MODE_VECTOR, triangle(lower), n, kType<T>,
      nullptr, n, kType<Real<T>>, nullptr, kType<T>, &needed.device, &needed.host));
  return needed;
}

template <class T>
cudaError_t syevd(Library& library, bool lower, int n, int batch, const T* a, T* vectors,
                  Real<T>* values, int* info, cudaStream_t stream) {
  const int64_t size = int64_t(n) * n;
  const Workspace needed = syevd_workspace<T>(library, lower, n, batch);
  cudaError_t error = needed.error;
  if (error == cudaSuccess) error = library.use(stream);
  if (error == cudaSuccess) error = copy(a, vectors, batch * size, stream);
  for (int64_t i = 0; i < batch && error == cudaSuccess; ++i) {
    error = as_error(cusolverDnXsyevd(
        library.solver, library.options, CUSOLVER_EIG_MODE_VECTOR, triangle(lower), n, kType<T>,
        vectors + i * size, n, kType<Real<T>>, values + i * n, kType<T>, library.memory.data,
        needed.device, library.host_memory.data(), needed.host, info + i));
  }
  return error;
}

#endif

}  // namespace library

}  // namespace sinter_helpers
