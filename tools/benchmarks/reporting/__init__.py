# SPDX-License-Identifier: Apache-2.0
"""reporting: what tools/bench makes of a result file."""
