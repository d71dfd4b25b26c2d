"""From a CSV file to a saved forest with pandas and scikit-learn, as a user would write it.

The job (JSON, see systems.py) says the file, the target and the settings. All features are numbers.
"""

import json
import pickle
import sys

import pandas
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

job = json.loads(sys.argv[1])
table = pandas.read_csv(job["train"])
y = table.pop(job["target"])
kind = RandomForestClassifier if job["task"] == "classification" else RandomForestRegressor
forest = kind(
    n_estimators=job["trees"],
    max_features=job["max_features"],
    min_samples_leaf=job["min_leaf"],
    random_state=job["seed"],
    n_jobs=job["threads"],
)
forest.fit(table.to_numpy(), y.to_numpy())
with open(job["model"], "wb") as file:
    pickle.dump(forest, file, protocol=pickle.HIGHEST_PROTOCOL)
