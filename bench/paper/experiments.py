"""What is trained for the tables: sets, methods with their options and depths, errors published."""

from dataclasses import dataclass, field, replace

import published

DEPTHS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20]
SHALLOW = [depth for depth in DEPTHS if depth <= 10]  # deeper ones overfit, as in the thesis
ALL_DEPTHS = list(range(21))


@dataclass(frozen=True)
class Method:
    options: dict
    values: list  # of the option that the experiment varies
    # How values are measured: "each" by a training of its own; "cuts": all depths from one forest,
    # whose trees are cut; "pruned on test": validation rows are the test rows, as in the thesis.
    measure: str = "each"


@dataclass(frozen=True)
class Experiment:
    task: str
    methods: dict  # name -> Method
    published: dict  # set -> method -> error, in the unit of the set
    unit: dict  # set -> factor that brings an error to the unit
    metric: str  # of coppice evaluate --json
    official: set = field(default_factory=set)  # sets with a split of their own
    option: str = "--max-depth"  # what values are values of
    train_share: float = 0.6  # of sets that are cut anew for every run
    validated: bool = True  # once more on four fifths of the training rows
    train_errors: bool = False

    def target(self):
        return "target" if self.task == "regression" else "label"


def method(name):
    return {"--method": name}


def refined(how, cost, loss=None):
    return {"--refine": how, "--refine-cost": cost, **({"--refine-loss": loss} if loss else {})}


# Tables 4.3 and 4.7; the energy of numbers is the variance of the targets alone.
SETTINGS = {"--n-estimators": 50, "--bagging": "none", "--max-node-samples": 25}
SETTINGS |= {"--split": "axis,difference", "--max-features": 0.5}
OWN = {"--n-estimators": 50}  # and the program's own choices
FOREST, ADF, ARF, IRRF = (method(name) for name in ("forest", "adf", "arf", "irrf"))
# Splits that look at more of a node than 25 samples and half of its features.
MORE_SEEN = {"--max-features": "all", "--max-node-samples": 400, "--min-samples-leaf": 5}
BOOSTED = method("boosted")
GR, AGR, GP = (refined(how, 0.05) for how in ("gr", "agr", "gp"))

# The eight methods of table 4.5, with the settings of table 4.7.
EIGHT = {
    "RF": SETTINGS | FOREST,
    "RF+GR": SETTINGS | FOREST | GR,
    "RF+AGR": SETTINGS | FOREST | AGR,
    "RF+GP": SETTINGS | FOREST | GP,
    "ARF": SETTINGS | ARF,
    "ARF+GR": SETTINGS | ARF | GR,
    "ARF+AGR": SETTINGS | ARF | AGR,
    "IRRF": SETTINGS | IRRF,
}


def over_depths(methods):
    """Plain forests at all depths, the others at those that may be good."""
    depths = {"RF": ALL_DEPTHS, "ARF": DEPTHS, "RF+GP": [2, 4, 6, 8, 12]}
    return {
        name: Method(options, depths.get(name, SHALLOW), "cuts" if name == "RF" else "each")
        for name, options in methods.items()
    }


NUMBERS = over_depths(EIGHT) | {
    "RF+GP on test": Method(SETTINGS | FOREST | GP, [2, 4, 6, 8, 12], "pruned on test"),
    "RF own": Method(OWN | FOREST, ALL_DEPTHS, "cuts"),
    "ARF own": Method(OWN | ARF, DEPTHS[5:]),
    "ARF+AGR own": Method(OWN | ARF | AGR, SHALLOW),
    "ARF oblique": Method(
        OWN | ARF | {"--split": "oblique", "--max-features": "all"}, [8, 12, 20]
    ),
    "extra trees": Method(OWN | {"--recipe": "extra-trees", "--max-features": "all"}, [20]),
    "linear leaves": Method(OWN | {"--leaf": "linear", "--min-samples-leaf": 5}, [2, 4, 6, 20]),
    "boosted": Method(BOOSTED | {"--n-estimators": 500}, [2, 3, 4, 6, 8]),
}

# Small sets, cut many times: how much of an error is the cut.
CUT_DEPTHS = {
    "RF": [2, 4, 6, 10], "RF+AGR": [3, 5], "RF+GP on test": [5], "ARF": [6, 10], "ARF+AGR": [3, 5],
    "IRRF": [3, 6], "ARF oblique": [8], "linear leaves": [2, 4], "boosted": [3],
}
CUTS = {
    name: Method(NUMBERS[name].options, depths, NUMBERS[name].measure)
    for name, depths in CUT_DEPTHS.items()
}
SMALL_SETS = ["auto_price", "breast_cancer", "diabetes", "machine", "pyrimidines", "servo"]

_RANDOM = {"--threshold": "random", "--candidates": 1}  # table 4.12: no energy is computed
CRITERIA = {
    f"{name}, {energy}": Method(options | more, [d for d in way.values if d > 3], way.measure)
    for energy, more in (
        ("targets and features", {"--criterion": "variance-features"}),
        ("targets", {}),
        ("random", _RANDOM),
    )
    for name, options in EIGHT.items()
    for way in [over_depths(EIGHT)[name]]
    # Stages learn other targets than those of the data, of which features would be told.
    if options["--method"] == "forest" or "--criterion" not in more
}

ENTROPY = SETTINGS | {"--criterion": "entropy"}
HINGE, GP_HINGE = refined("gr", 1, "hinge"), refined("gp", 1, "hinge")
REFINED_DEPTHS = [8, 10, 12, 14, 16]
CLASSES = {
    "RF": Method(ENTROPY | FOREST, ALL_DEPTHS, "cuts"),
    "RF+GR": Method(ENTROPY | FOREST | HINGE, REFINED_DEPTHS),
    "RF+GP": Method(ENTROPY | FOREST | GP_HINGE, [14, 18]),
    "RF+GP on test": Method(ENTROPY | FOREST | GP_HINGE, [12, 14, 18], "pruned on test"),
    "ADF": Method(ENTROPY | ADF, ALL_DEPTHS, "cuts"),
    "ADF+GR": Method(ENTROPY | ADF | HINGE, REFINED_DEPTHS),
    "ADF+GP on test": Method(ENTROPY | ADF | GP_HINGE, [12, 14, 18], "pruned on test"),
    "boosted": Method(ENTROPY | BOOSTED, [20]),
    "newton": Method(method("newton") | {"--n-estimators": 200}, [4, 6]),
}
# Without differences of features: better for pixels.
AXIS = ENTROPY | {"--split": "axis"}
CLASSES |= {
    "RF axis": Method(AXIS | FOREST, ALL_DEPTHS, "cuts"),
    "RF+GR axis": Method(AXIS | FOREST | HINGE, [12, 16]),
    "RF+GP axis": Method(AXIS | FOREST | GP_HINGE, [14]),
    "RF+GP axis on test": Method(AXIS | FOREST | GP_HINGE, [14], "pruned on test"),
    "ADF axis": Method(AXIS | ADF, ALL_DEPTHS, "cuts"),
    "ADF+GR axis": Method(AXIS | ADF | HINGE, [12, 16]),
}

# Random thresholds on all rows and many candidates; and ten times as many trees.
RANDOM = {"--n-estimators": 50, "--recipe": "extra-trees", "--split": "axis,difference"}
RANDOM |= {"--max-features": "all"}
# Means of rectangles of pixels, one less another.
BOXES = {"--n-estimators": 50, "--recipe": "extra-trees", "--split": "boxes", "--candidates": 200}
MANY_RANDOM = {"--n-estimators": 500, "--recipe": "extra-trees"}
QUARTER, HALF = {"--max-features": 0.25}, {"--max-features": 0.5, "--split": "axis,difference"}
CLASSES |= {
    "ADF random": Method(RANDOM | ADF, ALL_DEPTHS, "cuts"),
    "ADF random+GR": Method(RANDOM | ADF | HINGE, [10, 12, 14, 16]),
    "ADF boxes": Method(BOXES | ADF | {"--margin-scale": 6}, [20]),
    "RF boxes": Method(BOXES | FOREST, [20]),
    "RF+GR boxes": Method(BOXES | FOREST | HINGE, [14]),
    "RF+GP boxes": Method(BOXES | FOREST | GP_HINGE, [14]),
    "RF random 500": Method(MANY_RANDOM | QUARTER | FOREST, [20]),
    "ADF random 500": Method(MANY_RANDOM | QUARTER | ADF, [20]),
    "ADF random 500 differences": Method(MANY_RANDOM | HALF | ADF, [20]),
}

# Methods in stages by themselves, all at the full depth.
STAGES = {
    "RF": Method(ENTROPY | FOREST, [20]),
    "ADF tangent": Method(ENTROPY | ADF, [20]),
    "ADF logit": Method(ENTROPY | ADF | {"--loss": "logit"}, [20]),
    "boosted": Method(ENTROPY | BOOSTED, [20]),
    "dynamic": Method(OWN | method("dynamic"), [20]),
    "RF own": Method(OWN | FOREST, [20]),
    "ADF own": Method(OWN | ADF, [20]),
}

_HUNDRED = {"--n-estimators": 100, "--criterion": "entropy"}
JIANG = {"RF": Method(_HUNDRED | FOREST, [20])}
JIANG |= {
    f"{name} {loss}": Method(_HUNDRED | staged | {"--loss": loss}, [20])
    for name, staged in (("ADF", ADF), ("boosted", BOOSTED))
    for loss in published.LOSSES
}
# Random thresholds on all rows: trees that differ more, and pay less for weights.
_RANDOMISED = _HUNDRED | {"--threshold": "random", "--bagging": "none"}
_TANGENT = {"--loss": "tangent", "--margin-scale": 6}
JIANG |= {
    "RF random": Method(_RANDOMISED | FOREST, [20]),
    "ADF tangent random": Method(_RANDOMISED | ADF | _TANGENT, [20]),
    "boosted tangent random": Method(_RANDOMISED | BOOSTED | _TANGENT, [20]),
}

_CLASS_SETS = [*published.CLASSIFICATION, *published.PARTIAL, *published.JIANG]
_PERCENT = {name: 100 for name in _CLASS_SETS}
_SPLIT = set(published.CLASSIFICATION)
_FLIGHTS = {"ailerons", "elevators", "pol"}


def of_numbers(methods, **more):
    return Experiment(
        "regression", methods, published.REGRESSION, published.UNIT, "rmse", _FLIGHTS, **more
    )


def only(sets, experiment):
    """The experiment on some sets."""
    return replace(experiment, published={name: experiment.published[name] for name in sets})


def of_classes(methods, errors, **more):
    return Experiment("classification", methods, errors, _PERCENT, "error", _SPLIT, **more)


EXPERIMENTS = {
    "regression": of_numbers(NUMBERS),
    "criteria": only(["elevators"], of_numbers(CRITERIA, validated=False)),
    "cuts": only(SMALL_SETS, of_numbers(CUTS, validated=False)),
    "classification": of_classes(CLASSES, published.CLASSIFICATION),
    "partial": of_classes(CLASSES, published.PARTIAL, train_share=0.7),
    "stages": of_classes(STAGES, published.CLASSIFICATION),
    "jiang": of_classes(JIANG, published.JIANG, train_share=1 / 11),
}
