# SPDX-License-Identifier: Apache-2.0
"""families: the litmus programs. The function make() of each module adds its programs (program.py)."""
from families import (barriers, coherence, four_threads, kinds_of_memory, load_buffering, locks, message_passing, promises,
                      release_sequences, scopes, sizes, store_buffering, three_threads, timelines, writes)

FAMILIES = (message_passing, store_buffering, load_buffering, writes, coherence, release_sequences, three_threads, four_threads,
            scopes, sizes, barriers, locks, timelines, kinds_of_memory, promises)
