"""Cases C121, C122 and C80 on real weights: answers follow the state and the wording of the
question, and are the same whoever else asks.

Usage: real_weights.py URL [KEY]. Prints what was found; exits 1 at a score that does not follow, at
a wrong yes or no that does not come with a warning (a model that cannot do it must say so), and at
two different replies to one request. Called by conformance.sh.
"""
import concurrent.futures
import json
import sys
import urllib.request

url = sys.argv[1]
key = sys.argv[2] if len(sys.argv) > 2 else ""
faults = []


def ask(state, questions):
    data = json.dumps({"state": state, "questions": questions}).encode()
    request = urllib.request.Request(url + "/v1/systemone", data,
                                     {"Authorization": f"Bearer {key}"})
    return json.load(urllib.request.urlopen(request, timeout=120))["answers"]


def noul(instructions):
    return {"type": "noul", "instructions": instructions}


LAMP = {"on": noul("Is the lamp on?"), "off": noul("Is the lamp off?"),
        "not on": noul("Is it false that the lamp is on?")}
n_right = n_warned = 0
for state, yes in (("The lamp is on.", {"on"}), ("The lamp is off.", {"off", "not on"})):
    for name, answer in ask(state, LAMP).items():
        is_right = (answer["noul"] > 0.5) == (name in yes)
        n_right += is_right
        n_warned += "x_warning" in answer
        if not is_right and "x_warning" not in answer:
            faults.append(f"C121: {state} {name}: {answer['noul']:.3f}, without a warning")

LEVELS = ["no problem", "small", "medium", "severe"]
BOTH = {"up": {"type": "score", "instructions": "Severity", "criteria": LEVELS},
        "down": {"type": "score", "instructions": "Calmness", "criteria": LEVELS[::-1]}}
for state, up in (("Everything is perfect, zero problems.", 0),
                  ("Total disaster, everything is on fire.", 3)):
    for name, answer in ask(state, BOTH).items():
        wanted = up if name == "up" else 3 - up
        if abs(answer["score"] - wanted) > 1:
            faults.append(f"C122: {state} {name}: {answer['score']:.2f}, not near {wanted}")

THREE = {"desk": {"type": "choice", "criteria": {"billing": None, "technical": None}},
         "mood": {"type": "score", "criteria": ["calm", "cross", "furious"]},
         "money": noul("Is it about money?")}
with concurrent.futures.ThreadPoolExecutor(16) as pool:
    replies = list(pool.map(lambda _: json.dumps(ask("Charged twice, fix it!", THREE)), range(64)))
if len(set(replies)) != 1:
    faults.append(f"C80: {len(set(replies))} different replies to one request")

for fault in faults:
    print("real weights: FAILED:", fault)
if faults:
    sys.exit(1)
print(f"real weights: scores follow the state both ways round; {n_right} of 6 nouls right, "
      f"{n_warned} with a warning; {len(replies)} requests, 16 at once, one reply")
