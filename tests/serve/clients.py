"""The official Python client (PyPI typesafe-sdk 0.7.5) against a running server.

Usage: clients.py URL KEY. The server must run with --strict-model and that key.
Prints what was checked; exits 1 at the first surprise. Called by conformance.sh.
"""
import struct
import sys
import urllib.request
import zlib

import typesafe_sdk as sdk

url, key = sys.argv[1:3]
n_checks = 0


def check(fact, what):
    global n_checks
    n_checks += 1
    if not fact:
        sys.exit(f"python client: FAILED: {what}")


def replies_counted(code):
    """How many /v1/systemone replies had this status: a retry would show here."""
    request = urllib.request.Request(url + "/metrics", headers={"Authorization": f"Bearer {key}"})
    wanted = f'logit_requests_total{{route="/v1/systemone",code="{code}"}} '
    text = urllib.request.urlopen(request, timeout=10).read().decode()
    return sum(int(line[len(wanted):]) for line in text.splitlines() if line.startswith(wanted))


def refused(kind, code, what, ask):
    before = replies_counted(code)
    try:
        ask()
    except sdk.TypeSafeAPIError as error:
        check(isinstance(error, kind), f"{what}: {type(error).__name__}, not {kind.__name__}")
        check(error.status == code, f"{what}: status {error.status}, not {code}")
        check(error.request_id.startswith("req_"), f"{what}: no request id")
    else:
        check(False, f"{what}: was answered")
    check(replies_counted(code) - before <= 1, f"{what}: was sent again")


def png():
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    rows = zlib.compress(b"\0\xff\0\0" * 1)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", rows) + chunk(b"IEND", b""))


mixed = {
    "angry": sdk.Noul(instructions="Is the writer angry?"),
    "desk": sdk.Choice(instructions="Which desk?",
                       criteria={"billing": None, "technical": "broken things", "sales": None}),
    "mood": sdk.Score(criteria=["calm", "cross", "furious"]),
}
client = sdk.TypeSafeClient(api_key=key, base_url=url, timeout=120)

reply = client.system_one(state="Charged twice, fix it now!", questions=mixed)
check(0 <= reply.nouls["angry"].noul <= 1, "noul")
check(reply.choices["desk"].choice in {"billing", "technical", "sales"}, "choice")
check(0 <= reply.scores["mood"].score <= 2, "score")
check(reply.usage.input_tokens > 0 and reply.usage.output_tokens == 0, "usage")

names = [model.name for model in client.models.list().models]
check("jev-latest" in names and len(names) == 5, f"models: {names}")

long_state = "The invoice was charged twice. " * 100  # above 1 KiB: sent as zstd by default
packed = client.system_one(state=long_state, questions={"q": mixed["desk"]})
plain_client = sdk.TypeSafeClient(api_key=key, base_url=url, timeout=120, compression=False)
plain = plain_client.system_one(state=long_state, questions={"q": mixed["desk"]})
check(packed.answers == plain.answers, "a zstd body is answered like a plain one")
zstd_client = sdk.TypeSafeClient(api_key=key, base_url=url, timeout=120, compression="zstd")
check(zstd_client.system_one(state=long_state, questions={"q": mixed["desk"]}).answers
      == plain.answers, "compression='zstd'")

ask = {"q": mixed["desk"]}
refused(sdk.TypeSafeUnprocessableEntityError, 422, "a bad question",
        lambda: client.system_one(state="x", questions=ask, extra_body={"state": 7}))
refused(sdk.TypeSafeBadRequestError, 400, "an unknown model",
        lambda: client.system_one(state="x", questions=ask, model="no-such-model"))
refused(sdk.TypeSafeAuthenticationError, 401, "a wrong key",
        lambda: sdk.TypeSafeClient(api_key="wrong", base_url=url).system_one(
            state="x", questions=ask))
refused(sdk.TypeSafePermissionDeniedError, 403, "a foreign page",
        lambda: client.system_one(state="x", questions=ask,
                                  extra_headers={"Origin": "https://evil.example"}))
refused(sdk.TypeSafeNotFoundError, 404, "a wrong path",
        lambda: sdk.TypeSafeClient(api_key=key, base_url=url + "/nowhere").system_one(
            state="x", questions=ask))
refused(sdk.TypeSafeAPIError, 413, "a state beyond the context",
        lambda: client.system_one(state="word " * 20000, questions=ask))
refused(sdk.TypeSafeAPIError, 415, "a picture",
        lambda: client.system_one(state={"photo": sdk.Image(png())}, questions=ask))
try:
    client.system_one(state={"photo": sdk.Image(png())}, questions=ask)
except sdk.TypeSafeAPIError as error:
    check("pictures are not supported" in str(error), f"picture: {error}")

print(f"python client: {n_checks} checks passed (typesafe-sdk {sdk.__version__})")
