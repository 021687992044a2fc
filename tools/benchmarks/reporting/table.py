# SPDX-License-Identifier: Apache-2.0
"""table: prints a result file as text."""
from .results import AS_COMPILED, PEERS, SIDES


def number(value):
    return f"{value:.4g}"


def _heading(results):
    build, machine = results.build, results.machine
    print(f"commit {build['commit']}, {build.get('compiler', '?')}, {build.get('flags', '?')}" +
          (f", built for sm {build['built_sm']}" if build.get("built_sm") else ""))
    if machine:
        print(f"{machine['gpu']}, {machine.get('multiprocessors', '?')} SMs, sm_{machine.get('sm', '?')} running "
              f"sm_{machine.get('code_sm', '?')} code, SM clock {machine.get('clock_measured_mhz', '?')} MHz "
              f"(limit {machine.get('clock_limit_mhz', '?')})")
        print(f"driver {machine.get('driver', '?')} (CUDA {machine.get('driver_cuda', '?')}), CUDA runtime "
              f"{machine.get('runtime_cuda', '?')}, libcu++ {machine.get('libcuxx_version', '?')}" +
              (f", newest libcu++ {machine['newest_libcuxx_version']}" if machine.get("newest_libcuxx_version") else ""))
    if results.host:
        print(f"host {results.host['host']}, {results.host.get('cores', '?')} cores, load average "
              f"{results.host.get('load', '?')} when the measurement began")
    if results.no_device is not None:
        print(f"No device rows: they need a CUDA device, and there is none here ({results.no_device}).")
    if build.get("without_newest"):
        print(f"No column of the newest libcu++: {build['without_newest']}.")
    if build.get("without_nvcc"):
        print(f"Nothing is compiled by nvcc (libcu++ and CUDA's own atomics): {build['without_nvcc']}.")


def _compile_times(results):
    if not results.compile_times:
        return
    print("\nSeconds to compile one translation unit: wall (CPU), median; the libraries over the empty one")
    print(f"  {'':38} {'empty':>15}  {'cudax.sync':>18}  {'libcu++':>18}")
    for fields in results.compile_times:
        if "trouble" in fields:
            print(f"  {fields['compile']:38} not measured: {fields['trouble']}")
            continue
        cells = [f"{fields['empty']:.3f} ({fields['empty_cpu']:.3f})"]
        for side in ("cudax", "libcuxx"):
            if side in fields:
                over = fields[side] - fields["empty"]
                cells.append(f"{over:+.3f} ({fields[side + '_cpu'] - fields['empty_cpu']:+.3f})")
            else:
                cells.append("-")
        print(f"  {fields['compile']:38} {cells[0]:>15}  {cells[1]:>18}  {cells[2]:>18}")


def _cell(row, side):
    """The number of a side, and how many times as fast cudax.sync is."""
    if not row.has(side):
        return ""
    value, ratio = row.value(side), row.ratio(side)
    if value is None:
        return "-"
    return number(value) + (f"  {ratio:.2f}x" if ratio else "")


def _section(name, rows):
    peers = [side for side in PEERS if any(row.has(side) for row in rows)]
    width = max(len(row.name) for row in rows)
    print(f"\n{name}")
    print(f"  {'':{width}} {'':7} {'cudax.sync':>26}" + "".join(f" {SIDES[side]:>18}" for side in peers))
    names = {row.name for row in rows}
    for row in rows:
        shown = row.name
        if row.is_as_compiled and shown.removesuffix(AS_COMPILED) in names:  # below its other form
            shown = " " * 4 + AS_COMPILED.removeprefix(", ")
        ours = "-"
        if row.value("cudax") is not None:
            low, high = row.fields.get("cudax_min"), row.fields.get("cudax_max")
            ours = number(row.value("cudax")) + (f" ({number(low)}-{number(high)})" if low and high else "")
        more = row.fields.get("cudax_fairness")
        print(f"  {shown:{width}} {row.unit:7} {ours:>26}" + "".join(f" {_cell(row, side):>18}" for side in peers) +
              (f"  longest wait {number(more)} medians" if more else ""))


def _lacking(rows):
    """Says what the device, the build or the machine lacks, once for all rows; of sides that lack the same, the first."""
    counts = {}
    for row in rows:
        first = {}
        for side in SIDES:
            if row.lacks(side):
                first.setdefault(row.lacks(side), side)
        for text, side in first.items():
            counts[side, text] = counts.get((side, text), 0) + 1
    if counts:
        print()
    for (side, text), count in counts.items():
        print(f"{SIDES[side]}: {count} rows without a number: {text}")


def show(results):
    _heading(results)
    _compile_times(results)
    if results.rows:
        print("\nMedian (minimum-maximum). After the number of another side: how many times as fast cudax.sync is; more "
              "is better.")
    if any(row.has("ptx") for row in results.rows):
        print("\"PTX by hand\" is the floor: 1.00x is the speed of the instructions.")
    for name, rows in results.sections().items():
        _section(name, rows)
    troubles = [f"{row.name}: {SIDES[side]}: {row.trouble(side)}" for row in results.rows for side in SIDES
                if row.trouble(side)] + results.troubles
    if troubles:
        print("\nWithout a number:")
        for trouble in troubles:
            print(f"  {trouble}")
    _lacking(results.rows)
