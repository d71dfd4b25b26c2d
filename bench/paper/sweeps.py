"""What is trained for the figures of Grabner 2016, 4.1 to 4.16: one option after the other varied."""

import math

from experiments import EIGHT, FOREST, GP, SETTINGS
from experiments import Method, of_numbers, only, refined

LINEAR = {"--leaf": "linear", "--leaf-ridge": 0.05}  # of 8 features at most
# Leaves of pruned and of intermediately refined forests are constant.
NOT_CONSTANT = {name: of for name, of in EIGHT.items() if name not in ("RF+GP", "IRRF")}


def swept(methods, data, values, option="--max-depth", **more):
    """Each method at each value; plain forests over depths need one training."""
    ways = {}
    for name, options in methods.items():
        from_one = option == "--max-depth" and is_plain(options)
        highest = limit_of(options, option)
        of_method = [value for value in values if value <= highest]
        ways[name] = Method(options, of_method, "cuts" if from_one else "each")
    return only([data], of_numbers(ways, option=option, validated=False, **more))


def limit_of(options, option):
    """Where a method would take too long: pruning of many trees, deep trees of linear leaves."""
    if options.get("--refine") == "gp" and option == "--n-estimators":
        return 100
    return 10 if option == "--max-depth" and "--leaf" in options else math.inf


def is_plain(options):
    return options["--method"] == "forest" and not {"--refine", "--leaf"} & set(options)


def each(methods, more):
    return {name: options | more for name, options in methods.items()}


def constant_and_linear():
    two = {name: EIGHT[name] for name in ("RF", "ARF+AGR")}
    return two | {f"{name} linear": options | LINEAR for name, options in two.items()}


def pruned(options):
    return Method(SETTINGS | FOREST | GP | {"--max-depth": 12} | options, [12], "pruned on test")


def paths(methods):
    return only(["elevators"], of_numbers(methods, validated=False))


def of_costs():
    costs = {"RF": EIGHT["RF"]}
    return costs | {f"C = {c:g}": SETTINGS | FOREST | refined("gr", c) for c in (1, 0.1, 0.01, 0.001)}


_DEPTHS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20]
_SHARES = [0.25, 0.4, 0.55, 0.7, 0.85, 1]
_AILERONS = {"--max-depth": 4}
_KIN = _DEPTHS[:11]
_LOSSES = {
    "RF": EIGHT["RF"],
    "L2 loss": SETTINGS | FOREST | refined("gr", 0.05, "squared"),
    "L1 loss": SETTINGS | FOREST | refined("gr", 0.05, "absolute"),
}
_RATIOS = {f"{share:.0%}": pruned({"--merge": share}) for share in (0.05, 0.1, 0.2, 0.3, 0.5)}
_ORDERS = {f"{order} significant": order for order in ("least", "most")} | {"random": "random"}
_BASE = {"RF": Method(SETTINGS | FOREST, [12])}

SWEEPS = {
    "4.1": swept(EIGHT, "elevators", _DEPTHS),
    "4.2": swept(each(NOT_CONSTANT, LINEAR), "elevators", [0, 1, 2, 4, 6, 8, 10]),
    "4.3": swept(constant_and_linear(), "elevators", _DEPTHS),
    "4.4": swept(constant_and_linear(), "delta_ailerons", _DEPTHS),
    "4.5": swept(EIGHT, "stock", [2, 5, 10, 20, 50, 100, 200], "--min-samples-split"),
    "4.5b": swept(EIGHT, "stock", [1, 2, 3, 5, 8, 12], "--min-samples-leaf"),
    "4.6": swept(each(EIGHT, {"--max-depth": 5}), "cpu_small", [1, 2, 5, 10, 20, 50, 100, 200, 500],
                 "--n-estimators"),
    "4.7": swept(each(EIGHT, _AILERONS | {"--bagging": "without-replacement"}), "ailerons", _SHARES,
                 "--max-samples"),
    "4.8": swept(each(EIGHT, _AILERONS | {"--bagging": "with-replacement"}), "ailerons", _SHARES,
                 "--max-samples"),
    "4.9": swept(each(EIGHT, _AILERONS), "ailerons", [1, 2, 6, 10, 20, 30, 40], "--max-features"),
    "4.10": swept(each(EIGHT, _AILERONS), "ailerons", [5, 10, 25, 100, 500, 2500, 10000],
                  "--max-node-samples"),
    "4.11": swept(of_costs(), "kin8nm", _KIN),
    "4.12": swept(_LOSSES, "kin8nm", _KIN),
    "4.13": paths(_BASE | {"RF+GP": pruned({})}),
    "4.14": paths(_RATIOS),
    "4.15": paths({name: pruned({"--strategy": order}) for name, order in _ORDERS.items()}),
    "4.16": swept({name: EIGHT[name] for name in ("ARF+AGR", "IRRF")}, "cpu_small",
                  _DEPTHS[1:12], train_errors=True),
}
