# Flags and checks for people who change this project. Consumers never see them.
add_library(logit_flags INTERFACE)
target_compile_options(logit_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast)
if(LOGIT_DEVELOPER)
  target_compile_options(logit_flags INTERFACE -Werror)
endif()

set(LOGIT_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize: address,undefined or thread")
if(LOGIT_SANITIZE)
  # Directory-wide on purpose: every object in the build must agree.
  add_compile_options(-fsanitize=${LOGIT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LOGIT_SANITIZE})
endif()
