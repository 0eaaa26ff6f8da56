# SPDX-License-Identifier: MIT
# Toolchain of the module: clang for wasm32-wasi, with Debian's wasi-libc and libclang-rt for wasm32.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# an executable has no start of its own here, so tests of the compiler stop short of linking
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
