// Lists of words, looked up a few times a value.
#include "ir/module/taken_names.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <unordered_set>

namespace sinter {
namespace {

constexpr std::string_view kKeywords =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class "
    "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype "
    "default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline "
    "int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register "
    "reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch "
    "template this thread_local throw true try typedef typeid typename typeof union unsigned using virtual void "
    "volatile wchar_t while xor xor_eq ";

constexpr std::string_view kMacros =
    " BIG_ENDIAN BUFSIZ BYTE_ORDER CHAR_BIT CLOCKS_PER_SEC E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT "
    "EAGAIN EALREADY EBADE EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM "
    "ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG "
    "EHOSTDOWN EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED "
    "EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP "
    "EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET ENETUNREACH ENFILE ENOANO "
    "ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET ENOPKG "
    "ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE ENOTSOCK "
    "ENOTSUP ENOTTY ENOTUNIQ ENXIO EOF EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO "
    "EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT "
    "ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK "
    "EXDEV EXFULL EXIT_FAILURE EXIT_SUCCESS HUGE_VAL HUGE_VALF HUGE_VALL INFINITY INT16_C INT32_C INT64_C INT8_C "
    "INTMAX_C LITTLE_ENDIAN L_INCR L_SET L_XTND L_ctermid L_tmpnam MATH_ERREXCEPT MATH_ERRNO MAXFLOAT NAN NULL "
    "NZERO PDP_ENDIAN PIPE_BUF P_tmpdir R_OK SIGABRT SIGALRM SIGBUS SIGCHLD SIGCONT SIGFPE SIGHUP SIGILL SIGINT "
    "SIGIO SIGKILL SIGPIPE SIGPROF SIGPWR SIGQUIT SIGSEGV SIGSTKSZ SIGSTOP SIGSYS SIGTERM SIGTRAP SIGTSTP SIGTTIN "
    "SIGTTOU SIGURG SIGUSR1 SIGUSR2 SIGVTALRM SIGXCPU SIGXFSZ SIZE_C SNAN SNANF SNANL UINT16_C UINT32_C UINT64_C "
    "UINT8_C UINTMAX_C WEOF W_OK X_OK alloca assert blockDim blockIdx complex errno gridDim imaginary isascii "
    "issubnormal linux major makedev math_errhandling minor noreturn offsetof sched_priority st_atime st_ctime "
    "st_mtime stderr stdin stdout strdupa strndupa threadIdx timeradd timerclear timercmp timerisset timersub "
    "toascii unix warpSize ";

// How macros of the C library and of CUDA begin, before a digit or a capital, and end.
constexpr std::array<std::string_view, 35> kMacroBeginnings = {
    "ADJ_",  "ATOMIC_",  "BC_",     "CLOCK_", "CLONE_", "CPU_", "CUDART_", "CUDA_",   "CU_",  "DBL_", "FD_", "FLT_",
    "FP_",   "F_",       "LC_",     "LDBL_",  "MADV_",  "MAP_", "MFD_",    "MREMAP_", "MS_",  "M_",   "NV_", "POSIX_",
    "PROT_", "PTHREAD_", "RENAME_", "SCHED_", "SEEK_",  "SIG_", "SINTER_", "STATX_",  "STA_", "SYS_", "S_I"};
constexpr std::array<std::string_view, 4> kMacroEndings = {"_MAX", "_MIN", "_WIDTH", "_FILENO"};

constexpr std::string_view kKernelWords =
    " Add And BlockReduceShared BlockScanShared BlockTeam BlockTree CellRow Cells ColumnReduceShared ColumnScanShared "
    "Complex "
    "Divisor F4E2M1FN F6E2M3FN F6E3M2FN F8E3M4 F8E4M3 F8E4M3B11FNUZ F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ F8E8M0FNU "
    "GridBarrier LaneTurns LaunchConfig Maximum Minimum Multiply Or PhaseBarrier PivotCandidate RealPart RoundTo "
    "RowRun RowsOfWarps RunMerge "
    "RunSplits Shared SharedOperand SharedRowRuns SmallFloat SmallFloatKind ThreadTeam Threefry2x32 TileMap TileRows "
    "TiledMatrices UncheckedDivisor Vector WarpTeam Xor dim3 launch library main size_t stream ";

// Of C's integers, and of the emitted C++ interface.
constexpr std::string_view kInterfaceTypes = " Span int16_t int32_t int64_t int8_t uint16_t uint32_t uint64_t uint8_t ";

constexpr std::string_view kCFunctions =
    " abs acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor fma fmod "
    "gamma index isfinite j0 j1 log log1p log2 pow rint round rsqrt sin sinh sqrt tan "
    "tanh y0 y1 ";

constexpr std::string_view kNamedAsTheirs = " logistic maximum minimum sign ";  // functions of ours, as those of C

// Beside kCFunctions; those that a model is called like by nobody are left out.
constexpr std::string_view kGlobalNames =
    " CUstream_st FILE abort accept access acct alarm alloca arc4random asctime asprintf atexit basename bcopy bind "
    "brk bsearch bzero calloc canonicalize carg cimag clock clone close conj connect copysign cproj creal creat "
    "crypt ctime daemon daylight difftime dim3 dirent dirfd dirname div dladdr dlopen dlsym dprintf drand48 drem "
    "dup dup2 environ err error exec execl execv exit exp10 fclose fcntl fcvt fdim ffs ffsl ffsll fileno finite "
    "flock fmax fmaximum fmin fminimum fopen fork fpclassify fprintf fputs fread free freopen frexp fscanf fseek "
    "fstat fsync ftell ftime ftok ftruncate ftw futimes fwrite getc getchar getcwd getdate getenv getline getopt "
    "getpass getpid getppid getrandom gets getuid getw group half half2 hostent hypot iconv ilogb imaxabs imaxdiv "
    "initgroups initstate ioctl iovec isalnum isalpha isatty isblank iscntrl isdigit isgraph isinf islower isnan "
    "isprint ispunct isspace isupper itimerval jn jrand48 kill labs lconv ldexp ldiv lfind lgamma linger link "
    "listen llabs lldiv llrint llround localeconv localtime lockf log10 logb longjmp lrand48 lrint lround lsearch "
    "lseek lstat malloc mblen memccpy memchr memcmp memcpy memfrob memmem memmove memset mincore mkdir mkfifo mknod "
    "mktemp mktime mlock mmap modf mount mprotect mremap msync munmap nan nanf nanosleep nearbyint nextafter "
    "nexttoward nftw nice norm norm3d norm4d normcdf normcdfinv open openat opendir optarg opterr optind option "
    "optopt passwd pause pclose perror pipe pipe2 poll pollfd popen pread printf profil psignal putc putchar putenv "
    "puts pwrite qsort raise rand random rcbrt read readdir readlink readv realloc realpath reboot recv regcomp "
    "remainder remove remquo rename rewind rhypot rindex rmdir rnorm rsqrt rusage sbrk scalb scalbln scalbn scanf "
    "seed48 select semctl semop send sendfile sendto setbuf setenv setitimer setjmp setlocale setns setsid setstate "
    "shutdown sigaction siggetmask signal signbit signgam significand sigpause sigset sigstack sigval sigvec sincos "
    "sincospi sinpi sleep snprintf sockaddr socket socketpair splice sprintf srand srandom sscanf stat statfs stime "
    "strcat strchr strcmp strcpy strdup strftime strlen strncmp strncpy strndup strsep strstr strtod strtok strtol "
    "swab symlink sync syscall sysconf sysinfo system tee tempnam tgamma time timegm times timespec timeval "
    "timezone tm tmpfile tmpnam tms tolower toupper trunc truncate ttyname tzset uint ulong umask umount uname "
    "ungetc unlink unsetenv unshare ushort usleep utime utimes utsname valloc vfork vprintf wait wait3 wait4 waitid "
    "waitpid wcslen write writev yn ";

constexpr std::string_view kHelpers =
    " across_k add_and_clear add_bytes add_part add_row advance along_k arrive arrive_and_expect arrives_last "
    "asinh_of_special "
    "atomic_combine begin bytes_from "
    "big_part bit_cast bit_piece bits block_fft block_reduce block_scan block_shared block_sort butterfly butterfly_4 "
    "chosen_element "
    "clamped_index clear_bins clear_elements climb column_reduce column_scan combine_bins commit_copies conj conjugate "
    "copy_async "
    "copy_elements copy_tile "
    "count_finished count_leading_zeros differ_bytes direction divide_slowpath divide_twice eighth_turn exp2_approx "
    "factor_cholesky "
    "elements_an_access equal_bytes factor_lu "
    "factor_qr factor_small_cholesky factor_small_lu factor_small_qr "
    "fence_async_proxy fft_passes fft_radix fft_room find_encoder from_lane from_real give_up_registers "
    "goes_on "
    "imaginary_part infinite_product integer_divide integer_power integer_remainder is_last_block "
    "is_last_of is_own is_whole isinf join_bits join_runs keep_best kth_best lane launch_resident ldmatrix_x4 "
    "ldmatrix_x4_trans "
    "load_acquire load_neighbours load_row load_vector load_vector_if load_words log_abs lower_bound made_barriers "
    "make_barrier "
    "make_tile_map "
    "matrix_descriptor merge_runs merge_split mirror_cells mma_bf16 mma_f16 mma_f64 mma_s8 mma_tf32 mma_u8 "
    "multiply_high "
    "multiply_reflectors multiply_small_reflectors "
    "nearest_float next offer one_minus one_plus pack_row part_shared permute_by_pivots permute_small phase "
    "polar "
    "population_count "
    "quarter_turn quick_quotient rank real_part reduce reduce_batch reduce_precision reduce_rows refined_quotient "
    "reflect_column reflect_small_column "
    "reflected_index reload_each_step resident_blocks root_of_unity rotate_left round_to round_to_odd "
    "row_of_bytes "
    "saturate_cast select_bytes set_cells share_rows shared_address shift_left shift_right_arithmetic "
    "shift_right_logical "
    "shuffle_up shuffle_xor "
    "sign_extend small_part solve_small_triangle solve_triangular spin_until split_chunk split_runs split_tf32 "
    "squared_size "
    "stochastic_convert "
    "store_bins store_neighbours store_release store_vector store_word subtract_bytes swap_pointers symmetric_index "
    "sync take_columns "
    "take_registers take_rows "
    "thread_sort threefry2x32 threefry_rounds "
    "times_i "
    "times_minus_i to_bfloat16 to_complex to_float to_half to_tf32 total_order_key turn unpack_row unzip_bytes "
    "wait_copies "
    "wait_for_all wait_for_last "
    "wait_phase warp warp_reduce warp_scan wgmma_bf16 wgmma_commit wgmma_f16 wgmma_fence wgmma_s8 wgmma_tf32 wgmma_u8 "
    "wgmma_wait wrapped_index "
    "wrapping_abs "
    "wrapping_add wrapping_multiply wrapping_negate wrapping_subtract zero_extend ";

constexpr std::string_view kIndexWords =
    " arrays batch block column element lane lhs_k lhs_row rhs_column rhs_k row shared step t thread tile tree tx "
    "ty warp ";

constexpr std::string_view kProjectWords =
    " ALIAS ALL ALL_BUILD DESCRIPTION EXCLUDE_FROM_ALL GLOBAL HOMEPAGE_URL IMPORTED INTERFACE LANGUAGES "
    "LINK_INTERFACE_LIBRARIES LINK_PRIVATE LINK_PUBLIC MODULE NONE OBJECT OFF ON PRIVATE PUBLIC RUN_TESTS SHARED "
    "STATIC UNKNOWN VERSION ZERO_CHECK all build clean cnd cpu debug device edit_cache epoll general help include "
    "install kernels launch list_install_components main mtx optimized package package_source pkey plan preinstall "
    "pthread pthread_attr pthread_barrier pthread_barrierattr pthread_cond pthread_condattr pthread_key "
    "pthread_mutex pthread_mutexattr pthread_rwlock pthread_rwlockattr pthread_spin rebuild_cache report runner sem "
    "std test thrd timer tss weights ";

using Words = std::unordered_set<std::string_view>;

Words words_of(std::initializer_list<std::string_view> lists) {
  Words words;
  for (const std::string_view list : lists) {
    for (size_t begin = 0, end = 0; begin < list.size(); begin = end + 1) {
      end = std::min(list.find(' ', begin), list.size());
      if (end > begin) words.insert(list.substr(begin, end - begin));
    }
  }
  return words;
}

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_capital_or_digit(char c) { return is_capital(c) || (c >= '0' && c <= '9'); }

}  // namespace

bool is_reserved_word(std::string_view name) {
  static const Words words = words_of({kKeywords, kMacros, kInterfaceTypes});
  return words.contains(name);
}

bool has_macro_form(std::string_view name) {
  if (name.size() < 3 || !is_capital(name[0])) return false;
  const auto begins = [&](std::string_view part) {
    return name.size() > part.size() && name.starts_with(part) && is_capital_or_digit(name[part.size()]);
  };
  const auto ends = [&](std::string_view part) { return name.size() > part.size() && name.ends_with(part); };
  return std::any_of(kMacroBeginnings.begin(), kMacroBeginnings.end(), begins) ||
         std::any_of(kMacroEndings.begin(), kMacroEndings.end(), ends);
}

bool is_kernel_word(std::string_view name) {
  static const Words words = words_of({kKernelWords});
  return words.contains(name);
}

bool has_kernel_form(std::string_view name) {
  const auto goes_on_with_capital = [&](std::string_view part) {
    return name.size() > part.size() && name.starts_with(part) && is_capital(name[part.size()]);
  };
  return goes_on_with_capital("k") || goes_on_with_capital("cuda");
}

bool is_c_function_name(std::string_view name) {
  static const Words words = words_of({kCFunctions, kNamedAsTheirs});
  return words.contains(name);
}

// CUDA has types of one to four numbers (`float4`) and functions with `f` and `l`, POSIX types that end in `_t`.
bool is_global_name(std::string_view name) {
  static const Words words = words_of({kCFunctions, kGlobalNames});
  static const Words numbers =
      words_of({" char double float int long longlong short uchar uint ulong ulonglong ushort "});
  if (words.contains(name) || name.ends_with("_t") || has_kernel_form(name)) return true;
  const std::string_view stem = name.substr(0, name.size() - 1);
  const char last = name.back();
  if (last == 'f' || last == 'l') return words.contains(stem);
  return last >= '1' && last <= '4' && numbers.contains(stem);
}

bool is_helper_name(std::string_view name) {
  static const Words words = words_of({kHelpers});
  return words.contains(name);
}
bool is_index_word(std::string_view name) {
  static const Words words = words_of({kIndexWords});
  return words.contains(name);
}

bool is_project_word(std::string_view name) {
  static const Words words = words_of({kProjectWords});
  return words.contains(name);
}

}  // namespace sinter
