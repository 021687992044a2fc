#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# setup: two tools/setup that run at the same time do not both work in one folder, and a shell that is reading
# environment.sh reads it completely, either the old or the new one. --cuda-version chooses the toolkit of that version,
# and what it cannot do is an error before anything is installed.
#
#   setup.sh SETUP DIRECTORY
#
# Works on a copy of SETUP in DIRECTORY, where apt-get, sudo and pip fail, so that nothing is installed. If something
# had to be installed, the test is skipped.
set -euo pipefail

setup=$1 directory=$2
rm -rf "$directory"
mkdir -p "$directory/tools" "$directory/build/setup" "$directory/none"
cp "$setup" "$directory/tools/setup"
for tool in apt-get sudo pip; do
  printf '#!/bin/sh\nexit 1\n' >"$directory/none/$tool"
  chmod +x "$directory/none/$tool"
done
export PATH=$directory/none:$PATH
cd "$directory"
environment=build/setup/environment.sh

fail() {
  echo "$*" >&2
  exit 1
}

# The second setup waits while the first holds the lock, reports that it waits, and writes nothing.
echo "# before" >$environment
exec 9>build/setup/lock
flock 9
tools/setup --cuda off >output 2>&1 9>&- &
second=$!
for ((i = 0; i < 1200; ++i)); do # minutes
  if grep -qs "waiting for another tools/setup" output || ! kill -0 $second 2>/dev/null; then break; fi
  sleep 0.1
done
grep -q "waiting for another tools/setup" output || fail "a second tools/setup did not wait: $(<output)"
[[ $(<$environment) == "# before" ]] || fail "a second tools/setup wrote environment.sh while the first held the lock"

# The reader opens environment.sh before the second setup writes it.
exec 8<$environment
flock -u 9
result=0
wait $second || result=$?
if ((result)); then
  ! grep -qE "missing:|failed:" output || { echo "skipped: $(<output)"; exit 0; }
  fail "tools/setup ended with $result: $(<output)"
fi
grep -q "^export CUDAX_SYNC_CUDA=off" $environment || fail "environment.sh: $(<$environment)"
[[ $(cat <&8) == "# before" ]] || fail "environment.sh changed under a shell that was reading it"

# pip accepts a wheel only with the hash that setup names.
grep -A 1 'python3 -I -m pip install' tools/setup | grep -q -- --require-hashes || fail "setup installs wheels without hashes"
echo "waited, and wrote environment.sh in one step"

# A toolkit that could not be completed is removed; otherwise the next setup would use it incomplete.
(
  eval "$(sed -n '/^\(install_wheels\|complete_toolkit\|choose_toolkit_wheels\|install_toolkit\)() {/,/^}/p' tools/setup)"
  folder=$directory/wheels toolkit_wheels=none log=/dev/null
  wheel_version=13.0 toolkit_folder=$folder/cuda wheel_toolkit=$folder/cuda/nvidia/cu13
  mkdir -p "$folder"
  say() { :; }
  has_pip() { :; }
  logged() { mkdir -p "$folder/cuda.part/nvidia/cu13/include" "$folder/cuda.part/nvidia/cu13/lib"; } # as pip
  ln() { return 1; }
  ! install_toolkit || fail "setup has installed a toolkit that it could not complete"
  [[ ! -e $folder/cuda ]] || fail "setup does not remove a toolkit that it could not complete"
  unset -f ln
  install_toolkit || fail "setup does not install a toolkit that it can complete"
  [[ -L $wheel_toolkit/lib/libcudart.so && -e $wheel_toolkit/lib64 && -e $wheel_toolkit/include/curand_mtgp32_kernel.h ]] ||
    fail "setup has not completed the toolkit"
)

# --cuda-version: the toolkit of this version, and not the first one that is found.
for version in 42.1 42.2; do
  mkdir -p "cuda-$version/bin" "cuda-$version/include"
  touch "cuda-$version/include/cuda_runtime.h"
  printf '#!/bin/sh\necho "Cuda compilation tools, release %s, V%s.1"\n' $version $version >"cuda-$version/bin/ptxas"
  for tool in nvcc nvdisasm; do printf '#!/bin/sh\n' >"cuda-$version/bin/$tool"; done
  chmod +x "cuda-$version/bin/"*
done
chooses() { # VERSION FOLDER
  CUDAToolkit_ROOT=$directory/cuda-42.1 CUDA_PATH=$directory/cuda-42.2 tools/setup --cuda-version "$1" >output 2>&1 ||
    fail "tools/setup --cuda-version $1 failed: $(<output)"
  grep -q "CUDAToolkit_ROOT=$directory/$2\$" $environment || fail "--cuda-version $1 did not choose $2: $(<$environment)"
}
chooses 42.1 cuda-42.1
chooses 42.2 cuda-42.2
rejects() { # MESSAGE ARGUMENT...
  local result=0
  tools/setup "${@:2}" >output 2>&1 || result=$?
  [[ $result != 0 ]] || fail "tools/setup ${*:2} did not fail"
  grep -qF -- "$1" output || fail "tools/setup ${*:2} does not say '$1': $(<output)"
}
rejects "use two numbers" --cuda-version
rejects "use two numbers" --cuda-version 13
rejects "needs CUDA 12.8 or later" --cuda-version 12.6
rejects "leave out one of the two" --cuda off --cuda-version 13.5
rejects "there is no CUDA 42.3 toolkit on this machine, and from wheels only 13.0 and 13.5" --cuda-version 42.3
echo "chose the toolkit of the version"
