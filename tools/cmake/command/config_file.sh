# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154 # a part of cudax++
#
# config_file: clang's configuration file, from cudax.cfg.in.

# --- the configuration file -------------------------------------------------------------------------------------------

# Writes the configuration file beside the BMIs, and prints its name.
write_config_file() {
  local file=$folder/cudax.cfg text library=$cuda/lib64 name
  [ -e "$library/libcudart.so" ] || library=$cuda/lib
  # In a configuration file white space separates arguments, and a backslash escapes the next character.
  escaped() { printf '%s' "$1" | sed "s/[\\\\ \"']/\\\\&/g"; }
  text=$(<"$config_template")
  text=${text//-std=@CUDAX_AT@CUDAX_SYNC_CONFIG_STANDARD@CUDAX_AT@/$(for name in "${language[@]}"; do escaped "$name"; echo; done)}
  text=${text//@CUDAX_AT@CUDAX_SYNC_DEVICE_PASSES@CUDAX_AT@/$device_passes}
  text=${text//@CUDAX_AT@CUDAX_CFG_CUDA_PATH@CUDAX_AT@/$(escaped "$cuda")}
  text=${text//@CUDAX_AT@CUDAX_CFG_INCLUDE@CUDAX_AT@/$(escaped "$root/modules/include")}
  text=${text//@CUDAX_AT@CUDAX_CFG_CUDART@CUDAX_AT@/$(escaped "$library/libcudart.so")}
  text=${text//@CUDAX_AT@CUDAX_CFG_CUDART_DIR@CUDAX_AT@/$(escaped "$library")}
  text=${text//'<CFGDIR>/../libcudax_sync.a'/$(escaped "$(readlink -f "$archive")")}
  text=${text//'--cuda-path=<CFGDIR>'/--cuda-path=$(escaped "$(readlink -f "$tools")")}
  if ! { name=$(mktemp "$file.XXXXXX" 2>/dev/null) && printf '%s\n' "$text" >"$name" && chmod "$(printf '%04o' $((0644 & ~$(umask))))" "$name" &&
    mv -f "$name" "$file"; }; then
    fail "cannot write $file; set XDG_CACHE_HOME to a writable folder"
  fi
  printf '%s\n' "$file"
}
