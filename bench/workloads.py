"""The works that compare_speed.py measures: data, settings, systems, and the bars to reach.

A bar is how many times faster than the fastest peer coppice is to be. --scale shrinks rows and
trees alike; the bars are meant for scale 1.
"""

from dataclasses import dataclass, field

import datasets
import made_data

SINGLE_ROWS = 2000


@dataclass(frozen=True)
class Work:
    name: str
    kind: str  # train, batch, single, csv: the actions of systems.py
    data: str  # a function of this file
    trees: int
    bar: float
    max_features: int
    about: str
    systems: tuple = ("coppice", "sklearn", "ranger")
    on_request: tuple = ()  # systems whose settings are not equal: only if --systems names them
    slow: tuple = ()  # systems that --skip-slow runs once
    settings: dict = field(default_factory=dict)  # for all systems
    own_settings: dict = field(default_factory=dict)  # by system
    model_megabytes: float = 0  # bar: the size of the model, at most
    memory_share: float = 0  # bar: peak memory, at most this share of scikit-learn's


@dataclass(frozen=True)
class Data:
    task: str
    target: object  # a name, or for .npy a number from 1
    train: str
    test: str
    few: str = ""  # the first rows of `test`
    test_rows: int = 0  # where rows per second are asked for


WORKS = {
    work.name: work
    for work in (
        Work("synthetic", "train", "synthetic", 100, 8, 7,
             "training, 100,000 x 50 numbers, 10 classes, 100 trees",
             on_request=("xgboost",), slow=("ranger",), model_megabytes=70, memory_share=1 / 3),
        Work("letter", "train", "letter", 100, 3, 4,
             "training, 16,000 x 16 numbers, 26 classes, 100 trees",
             on_request=("xgboost",)),
        Work("mnist", "train", "mnist", 100, 6, 28,
             "training, 60,000 x 784 numbers, 10 classes, 100 trees",
             on_request=("xgboost",), slow=("ranger",)),
        Work("friedman", "train", "friedman", 20, 8, 6,
             "training, regression, 1,000,000 x 20 numbers, 20 trees, leaves of 5",
             on_request=("xgboost",), slow=("ranger",), settings={"min_leaf": 5}),
        Work("extra", "train", "synthetic", 100, 5, 7,
             "training, extremely randomised trees on the data of synthetic",
             settings={"extra": True}),
        Work("batch", "batch", "synthetic", 100, 5, 7,
             "predicting 200,000 rows with the forest of synthetic"),
        Work("shallow", "batch", "synthetic", 500, 8, 7,
             "predicting 200,000 rows, 500 trees of depth 10",
             systems=("coppice", "sklearn", "xgboost"), settings={"max_depth": 10},
             own_settings={"xgboost": {"trees": 50}}),  # of every class: 500 in all
        Work("single", "single", "synthetic", 100, 3, 7,
             "predicting one row at a time with the forest of synthetic, 1 thread",
             systems=("coppice", "sklearn", "xgboost", "opencv"),
             own_settings={"sklearn": {"rows": 300}, "xgboost": {"rounds": 10, "max_depth": 6},
                           "opencv": {"max_depth": 30}}),
        Work("csv-letter", "csv", "letter", 100, 5, 4,
             "from CSV file to saved model, whole process, letter, 100 trees",
             systems=("coppice", "sklearn")),
        Work("csv-friedman", "csv", "friedman_csv", 20, 5, 6,
             "from CSV file to saved model, whole process, 1,000,000 x 20, 20 trees, leaves of 5",
             systems=("coppice", "sklearn"), settings={"min_leaf": 5}),
    )
}
GROUPS = {
    "training": ("synthetic", "letter", "mnist", "friedman", "extra"),
    "prediction": ("batch", "shallow", "single"),
    "csv": ("csv-letter", "csv-friedman"),
}


def chosen_works(names):
    """The works of these names, groups being taken apart; raises KeyError for an unknown name."""
    works = [work for name in names for work in GROUPS.get(name, (name,))]
    return [WORKS[name] for name in dict.fromkeys(works)]


def scaled(count, scale, least=2):
    return max(least, round(count * scale))


def data_of(work, scratch, scale):
    """The files of the work; they are made in folder `scratch` unless they are there."""
    return {"synthetic": synthetic, "letter": letter, "mnist": mnist, "friedman": friedman,
            "friedman_csv": friedman_csv}[work.data](scratch / "data", scale)


def synthetic(folder, scale):
    rows, features, classes = scaled(300_000, scale, 600), 50, 10
    border = rows // 3
    names = [str(folder / f"synthetic-{rows}.{part}.npy") for part in ("train", "test", "few")]
    ranges = ((0, border), (border, rows), (border, min(rows, border + SINGLE_ROWS)))
    parts = [[name, *limits] for name, limits in zip(names, ranges)]
    recipe = made_data.classification(parts, rows, features, classes)
    return Data("classification", features + 1, *made_data.files_of(recipe), rows - border)


def friedman(folder, scale, suffix="npy"):
    rows, features = scaled(1_100_000, scale, 1100), 20
    border = rows * 10 // 11
    names = [str(folder / f"friedman-{rows}.{part}.{suffix}") for part in ("train", "test")]
    parts = [[names[0], 0, border], [names[1], border, rows]]
    target = features + 1 if suffix == "npy" else "target"
    paths = made_data.files_of(made_data.friedman(parts, rows, features))
    return Data("regression", target, *paths)


def friedman_csv(folder, scale):
    return friedman(folder, scale, "csv")


def letter(folder, scale):
    """The official split; of a smaller scale, the first rows of each part."""
    split = datasets.split_of("letter", 1, folder)
    train, test = split.train, split.test
    if scale != 1:
        train, test = (
            made_data.first_lines(path, scaled(count, scale, 300), folder / f"{part}-{scale}.csv")
            for path, count, part in ((train, 16_000, "letter-train"), (test, 4_000, "letter-test"))
        )
    return Data(split.task, split.target, train, test)


def mnist(folder, scale):
    """The official split, converted to float32."""
    paths = []
    for part, count in (("train", 60_000), ("test", 10_000)):
        rows = scaled(count, scale, 300)
        source = datasets.existing(datasets.data_folder() / "classification", f"mnist.{part}.csv")
        path = str(folder / f"mnist-{rows}.{part}.npy")
        paths += made_data.files_of(made_data.csv_table(path, source, "label", rows))
    return Data("classification", 28 * 28 + 1, *paths)
