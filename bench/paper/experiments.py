"""What is trained: sets, methods with their options and depths, and the errors published."""

from dataclasses import dataclass

import published

DEPTHS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20]
SHALLOW = [depth for depth in DEPTHS if depth <= 10]  # deeper ones overfit, as in the thesis

# Tables 4.3 and 4.7; the energy of numbers is the variance of the targets alone.
SETTINGS = ["--n-estimators", 50, "--bagging", "none", "--max-node-samples", 25]
SETTINGS += ["--split", "axis,difference", "--max-features", 0.5]
OWN = ["--n-estimators", 50]  # and the program's own choices
FOREST, ADF, ARF, IRRF = (["--method", name] for name in ("forest", "adf", "arf", "irrf"))


@dataclass(frozen=True)
class Experiment:
    task: str
    published: dict  # set -> method -> error, in the unit of the set
    methods: dict  # name -> (options, depths)
    official: set  # sets with a split of their own
    unit: dict  # set -> factor that brings an error to the unit
    metric: str  # of coppice evaluate --json
    train_share: float = 0.6  # of sets that are cut anew for every run

    def target(self):
        return "target" if self.task == "regression" else "label"


def refined(how, cost, *more):
    return ["--refine", how, "--refine-cost", cost, *more]


GR, AGR = refined("gr", 0.05), refined("agr", 0.05)
NUMBERS = {
    "RF": ([*SETTINGS, *FOREST], DEPTHS),
    "RF+GR": ([*SETTINGS, *FOREST, *GR], SHALLOW),
    "RF+AGR": ([*SETTINGS, *FOREST, *AGR], SHALLOW),
    "ARF": ([*SETTINGS, *ARF], DEPTHS),
    "ARF+GR": ([*SETTINGS, *ARF, *GR], SHALLOW),
    "ARF+AGR": ([*SETTINGS, *ARF, *AGR], SHALLOW),
    "IRRF": ([*SETTINGS, *IRRF], SHALLOW),
    "RF own": ([*OWN, *FOREST], [20]),
    "ARF own": ([*OWN, *ARF], DEPTHS[5:]),
    "ARF+AGR own": ([*OWN, *ARF, *AGR], SHALLOW),
    "ARF oblique": ([*OWN, *ARF, "--split", "oblique", "--max-features", "all"], [8, 12, 20]),
    "extra trees": ([*OWN, "--recipe", "extra-trees", "--max-features", "all"], [20]),
    "linear leaves": ([*OWN, "--leaf", "linear", "--min-samples-leaf", 5], [2, 4, 6, 20]),
    "boosted": (["--method", "boosted", "--n-estimators", 500], [2, 3, 4, 6, 8]),
}

ENTROPY = [*SETTINGS, "--criterion", "entropy"]
HINGE = refined("gr", 1, "--refine-loss", "hinge")
CLASSES = {
    "RF": ([*ENTROPY, *FOREST], [12, 16, 20]),
    "RF+GR": ([*ENTROPY, *FOREST, *HINGE], [8, 10, 12, 14, 16]),
    "ADF": ([*ENTROPY, *ADF], [12, 16, 20]),
    "ADF+GR": ([*ENTROPY, *ADF, *HINGE], [8, 10, 12, 14, 16]),
    "IRRF": ([*OWN, *IRRF, "--stage-cost", 0.1], [4, 6, 8]),
    "RF own": ([*OWN, *FOREST], [20]),
    "ADF own": ([*OWN, *ADF], [20]),
    "ADF lda": ([*OWN, *ADF, "--split", "lda,axis"], [20]),
    "extra trees": ([*OWN, "--recipe", "extra-trees"], [25]),
    "boosted": ([*ENTROPY, "--method", "boosted"], [20]),
    "newton": (["--method", "newton", "--n-estimators", 200], [4, 6]),
}

# Methods in stages by themselves, all at the full depth.
STAGES = {
    "RF": ([*ENTROPY, *FOREST], [20]),
    "ADF tangent": ([*ENTROPY, *ADF], [20]),
    "ADF logit": ([*ENTROPY, *ADF, "--loss", "logit"], [20]),
    "boosted": ([*ENTROPY, "--method", "boosted"], [20]),
    "dynamic": ([*OWN, "--method", "dynamic"], [20]),
    "RF own": ([*OWN, *FOREST], [20]),
    "ADF own": ([*OWN, *ADF], [20]),
}

_LOSSES = ["logit", "hinge", "exponential", "savage", "tangent"]
_HUNDRED = ["--n-estimators", 100, "--criterion", "entropy"]
JIANG = {"RF": ([*_HUNDRED, *FOREST], [20])}
JIANG.update({f"ADF {loss}": ([*_HUNDRED, *ADF, "--loss", loss], [20]) for loss in _LOSSES})
JIANG.update(
    {
        f"boosted {loss}": ([*_HUNDRED, "--method", "boosted", "--loss", loss], [20])
        for loss in _LOSSES
    }
)

_PERCENT = {name: 100 for name in [*published.CLASSIFICATION, *published.JIANG]}
_SPLIT = set(published.CLASSIFICATION)
EXPERIMENTS = {
    "regression": Experiment(
        "regression",
        published.REGRESSION,
        NUMBERS,
        {"ailerons", "elevators", "pol"},
        published.UNIT,
        "rmse",
    ),
    "classification": Experiment(
        "classification", published.CLASSIFICATION, CLASSES, _SPLIT, _PERCENT, "error"
    ),
    "stages": Experiment(
        "classification", published.CLASSIFICATION, STAGES, _SPLIT, _PERCENT, "error"
    ),
    "jiang": Experiment("classification", published.JIANG, JIANG, _SPLIT, _PERCENT, "error", 1 / 11),
}
