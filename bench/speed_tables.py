"""What compare_speed.py prints: a table per work and, at the end, the bars and whether they are
reached. Figures are medians over the turns."""

import statistics


def median(measurement, system, field):
    return statistics.median(result[field] for result in measurement.results[system])


def seconds(measurement, system):
    return median(measurement, system, "seconds")


def peers_of(measurement):
    return [system for system in measurement.results if system != "coppice"]


def heading(measurement, arguments):
    work = measurement.work
    threads = 1 if work.kind == "single" else arguments.threads
    scale = "" if arguments.scale == 1 else f", scale {arguments.scale:g}"
    plural = "" if threads == 1 else "s"
    return (f"{work.name}: {work.about}; {threads} thread{plural}, "
            f"median of {arguments.repeats}{scale}")


def work_table(measurement):
    work = measurement.work
    figure = "us per row" if work.kind == "single" else "seconds"
    rate = ["rows/s"] if work.kind == "batch" else []
    error = "RMSE" if measurement.data.task == "regression" else "error %"
    rows = [["system", figure, *rate, "times coppice", error, "peak MB", "model MB"]]
    for system in measurement.results:
        time = seconds(measurement, system)
        rows.append([
            system_text(measurement, system),
            figure_text(work, time),
            *([f"{measurement.data.test_rows / time:,.0f}"] if rate else []),
            times_text(measurement, system),
            error_text(error, median(measurement, system, "error")),
            f"{median(measurement, system, 'peak_bytes') / 1e6:.0f}",
            f"{median(measurement, system, 'model_bytes') / 1e6:.1f}",
        ])
    return rows


def system_text(measurement, system):
    """Says so where a system has run less often than the one that ran most."""
    runs = {name: len(results) for name, results in measurement.results.items()}
    if runs[system] == max(runs.values()):
        return system
    return f"{system} ({runs[system]} run{'' if runs[system] == 1 else 's'})"


def figure_text(work, time):
    return f"{1e6 * time:.2f}" if work.kind == "single" else f"{time:.3f}"


def times_text(measurement, system):
    if "coppice" not in measurement.results:
        return "-"
    return f"{seconds(measurement, system) / seconds(measurement, 'coppice'):.2f} x"


def error_text(kind, error):
    return f"{100 * error:.2f}" if kind == "error %" else f"{error:.4f}"


# --- summary ------------------------------------------------------------------------------------

SUMMARY_HEADING = ["work", "fastest peer", "its figure", "ours", "times", "bar", "reached"]


def summary_table(measurements):
    rows = [SUMMARY_HEADING]
    for measurement in measurements:
        rows.append(time_row(measurement))
        if measurement.work.model_megabytes:
            rows.append(model_row(measurement))
        if measurement.work.memory_share:
            rows.append(memory_row(measurement))
    return rows


def bars_missed(summary):
    return any(row[-1] == "no" for row in summary)


def reached(claim):
    return "yes" if claim else "no"


def time_row(measurement):
    work, peers = measurement.work, peers_of(measurement)
    bar = f">= {work.bar:g} x"
    if "coppice" not in measurement.results or not peers:
        return [work.name, "-", "-", "-", "-", bar, "not measured"]
    fastest = min(peers, key=lambda system: seconds(measurement, system))
    theirs, ours = seconds(measurement, fastest), seconds(measurement, "coppice")
    unit = "us" if work.kind == "single" else "s"
    return [work.name, fastest, f"{figure_text(work, theirs)} {unit}",
            f"{figure_text(work, ours)} {unit}", f"{theirs / ours:.2f} x", bar,
            reached(theirs / ours >= work.bar)]


def model_row(measurement):
    """The peer shown is the one with the smallest model."""
    name, bar = f"{measurement.work.name}, model", f"<= {measurement.work.model_megabytes:g} MB"
    if "coppice" not in measurement.results:
        return [name, "-", "-", "-", "-", bar, "not measured"]
    sizes = {system: median(measurement, system, "model_bytes") / 1e6
             for system in measurement.results}
    ours, peers = sizes["coppice"], peers_of(measurement)
    smallest = min(peers, key=sizes.get) if peers else None
    return [name, smallest or "-", f"{sizes[smallest]:.1f} MB" if peers else "-", f"{ours:.1f} MB",
            f"{sizes[smallest] / ours:.2f} x" if peers else "-", bar,
            reached(ours <= measurement.work.model_megabytes)]


def memory_row(measurement):
    name = f"{measurement.work.name}, peak memory"
    bar = f">= {1 / measurement.work.memory_share:g} x of sklearn"
    if not {"coppice", "sklearn"} <= set(measurement.results):
        return [name, "-", "-", "-", "-", bar, "not measured"]
    ours, theirs = (median(measurement, system, "peak_bytes") / 1e6
                    for system in ("coppice", "sklearn"))
    return [name, "sklearn", f"{theirs:.0f} MB", f"{ours:.0f} MB", f"{theirs / ours:.2f} x", bar,
            reached(ours <= theirs * measurement.work.memory_share)]
