# Computes every measure of a report from its predictions with scikit-learn and numpy and compares.
# Usage: oracle.py REPORT PREDICTIONS
import json
import sys

import numpy as np
from sklearn import metrics

reports = json.load(open(sys.argv[1]))["reports"]
lines = [json.loads(line) for line in open(sys.argv[2])]
n_failed = n_checks = 0


def index_of(label, names, kind):
    if kind == "noul":
        return 0 if label is True else 1
    return label if kind == "score" else names.index(label)


def equal_mass_error(confidence, right, n_bins=15):
    order = np.argsort(confidence, kind="stable")
    confidence, right = confidence[order], right[order]
    n, begin, error = len(confidence), 0, 0.0
    for k in range(1, n_bins + 1):
        end = max(begin, k * n // n_bins)
        while begin < end < n and confidence[end] == confidence[end - 1]:
            end += 1
        error += abs((confidence[begin:end] - right[begin:end]).sum())
        begin = end
    return error / n


def expected(report, rows):
    kind, n_candidates = report["type"], report["candidates"]
    p = np.array([row["probabilities"] for row in rows])
    # The order of a choice's candidates, from where each prediction has its largest number.
    names = [None] * n_candidates
    for row in rows:
        names[int(np.argmax(row["probabilities"]))] = row["predicted"]
    label_of = [row["label"] for row in rows]
    if kind == "choice":
        for label, row in zip(label_of, rows):
            if label not in names:
                names[row["probabilities"].index(row["p_label"])] = label
    y = np.array([index_of(label, names, kind) for label in label_of])
    best = p.argmax(1)
    confidence, right = p.max(1), (best == y).astype(float)
    one_hot = np.eye(n_candidates)[y]
    by_confidence = right[np.argsort(-confidence, kind="stable")]
    values = {
        "accuracy": metrics.accuracy_score(y, best),
        "balanced_accuracy": metrics.recall_score(y, best, average="macro", labels=np.unique(y)),
        "macro_f1": metrics.f1_score(
            y, best, average="macro", labels=np.unique(np.concatenate([y, best]))),
        "log_loss": metrics.log_loss(y, p, labels=range(n_candidates)),
        "brier": ((p - one_hot) ** 2).sum(1).mean(),
        "ece": equal_mass_error(confidence, right),
        "accuracy_se": np.sqrt(right.mean() * (1 - right.mean()) / len(y)),
        "majority": np.bincount(y).max() / len(y),
    }
    if len(set(confidence)) == len(confidence):
        values["aurc"] = (np.cumsum(1 - by_confidence) / np.arange(1, len(y) + 1)).mean()
    if kind == "noul":
        values["auroc"] = metrics.roc_auc_score(y == 0, p[:, 0])
    if kind == "score":
        below = np.cumsum(p, 1)[:, :-1]
        reached = (y[:, None] <= np.arange(n_candidates - 1)).astype(float)
        values["mae"] = np.abs(p @ np.arange(n_candidates) - y).mean()
        values["within_1"] = (np.abs(best - y) <= 1).mean()
        values["rps"] = ((below - reached) ** 2).sum(1).mean() / (n_candidates - 1)
        values["quadratic_kappa"] = metrics.cohen_kappa_score(
            y, best, weights="quadratic", labels=range(n_candidates))
    return values


for report in reports:
    rows = [row for row in lines if row["task"] == report["task"] and row["label"] is not None]
    for name, value in expected(report, rows).items():
        n_checks += 1
        if abs(report[name] - value) > 1e-9:
            n_failed += 1
            print(f"FAILED: {report['task']} {name}: {report[name]}, scikit-learn {value}")
print(f"{n_checks} measures, {n_failed} differ")
sys.exit(n_failed > 0 or n_checks < 24)
