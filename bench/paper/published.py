"""Errors printed in Grabner 2016, tables 4.4, 4.8 and 4.9, and in Jiang's notes, table 1."""

CLASSIFICATION = {  # percent
    "letter": {"RF": 3.01, "RF+GR": 2.75, "RF+GP": 2.65, "ADF": 2.85, "ADF+GR": 2.84},
    "mnist": {"RF": 3.37, "RF+GR": 2.97, "RF+GP": 2.88, "ADF": 3.18, "ADF+GR": 2.74},
    "pendigits": {"RF": 2.91, "RF+GR": 2.50, "RF+GP": 2.50, "ADF": 2.67, "ADF+GR": 2.52},
    "usps": {"RF": 5.73, "RF+GR": 5.66, "RF+GP": 5.43, "ADF": 5.58, "ADF+GR": 5.63},
}

_LOSSES = ["logit", "hinge", "exponential", "savage", "tangent"]


def _jiang(alternating, boosted, forest):
    errors = {f"ADF {loss}": error for loss, error in zip(_LOSSES, alternating)}
    errors.update({f"boosted {loss}": error for loss, error in zip(_LOSSES, boosted)})
    return {**errors, "RF": forest}


JIANG = {  # percent
    "g50c": _jiang([19.83, 19.47, 19.09, 19.00, 18.71], [18.99, 18.97, 18.91, 18.87, 18.90], 18.91),
    "letter": _jiang([6.81, 4.89, 4.27, 3.94, 3.52], [4.98, 4.87, 4.78, 4.65, 4.70], 4.75),
    "usps": _jiang([6.31, 5.87, 6.03, 5.76, 5.59], [5.99, 5.90, 5.83, 5.92, 5.93], 5.96),
    "mnist": _jiang([3.82, 3.20, 2.96, 2.78, 2.71], [3.18, 3.23, 3.17, 3.19, 3.15], 3.21),
}

METHODS = ["RF", "RF+GR", "RF+AGR", "RF+GP", "ARF", "ARF+GR", "ARF+AGR", "IRRF"]

# name -> (factor that brings an error to the printed unit, errors in the order of METHODS)
_ROWS = {
    "abalone": (1, [2.38, 2.51, 2.51, 2.42, 2.38, 2.51, 2.49, 2.47]),
    "ailerons": (1e4, [1.74, 1.80, 1.80, 1.80, 1.68, 1.77, 1.76, 1.80]),
    "auto_mpg": (1, [3.14, 3.17, 3.16, 3.14, 3.10, 3.22, 3.19, 3.26]),
    "auto_price": (1e-3, [1.63, 2.01, 1.60, 1.84, 1.71, 1.99, 1.72, 1.78]),
    "breast_cancer": (1e-1, [3.29, 3.53, 3.57, 3.31, 3.28, 3.45, 3.49, 3.54]),
    "california_housing": (1e-4, [5.53, 5.73, 5.65, 5.56, 5.31, 5.66, 5.56, 5.98]),
    "cart_delve": (1, [1.01, 1.00, 0.99, 0.94, 1.01, 1.00, 0.98, 1.00]),
    "cpu_act": (1, [2.54, 2.68, 2.61, 2.65, 2.41, 2.63, 2.49, 2.62]),
    "cpu_small": (1, [2.89, 3.15, 3.03, 3.06, 2.78, 3.05, 2.90, 3.08]),
    "delta_ailerons": (1e4, [1.66, 1.64, 1.63, 1.65, 1.64, 1.66, 1.65, 1.65]),
    "delta_elevators": (1e3, [1.45, 1.48, 1.47, 1.46, 1.44, 1.47, 1.47, 1.47]),
    "diabetes": (1e1, [6.02, 6.07, 5.86, 5.74, 5.67, 5.95, 5.66, 6.31]),
    "elevators": (1e3, [3.15, 2.98, 2.87, 2.77, 2.76, 2.95, 2.73, 2.96]),
    "friedman_delve": (1, [1.50, 1.35, 1.30, 1.32, 1.17, 1.23, 1.22, 1.30]),
    "housing": (1, [3.69, 4.09, 3.68, 4.04, 3.72, 3.98, 3.52, 3.59]),
    "kin8nm": (1e1, [1.26, 1.22, 1.16, 1.21, 1.10, 1.21, 1.11, 1.38]),
    "machine": (1e-1, [3.53, 3.91, 3.71, 3.44, 3.94, 3.89, 4.05, 4.66]),
    "pol": (1, [6.24, 6.04, 5.94, 5.86, 6.41, 6.27, 6.17, 9.06]),
    "pyrimidines": (1e2, [5.63, 6.02, 5.47, 5.78, 5.05, 6.33, 5.35, 5.12]),
    "servo": (1e1, [4.50, 4.35, 3.43, 3.54, 4.16, 4.37, 3.29, 3.16]),
    "stock": (1, [0.69, 1.18, 0.70, 1.15, 0.73, 1.18, 0.72, 0.90]),
    "triazines": (1e1, [1.25, 1.40, 1.32, 1.23, 1.24, 1.36, 1.32, 1.44]),
}
UNIT = {name: factor for name, (factor, _) in _ROWS.items()}
REGRESSION = {name: dict(zip(METHODS, errors)) for name, (_, errors) in _ROWS.items()}
