#!/usr/bin/env python3
"""The service under many clients: 200 that idle, 50 that send their heads a byte at a time, 8 that
ask all the time, and one that looks at /healthz.

    bench/serve_load.py PROGRAM [--model FILE] [--requests 2000] [--busy 8] [--threads N]

Starts `PROGRAM serve` itself, on a quiet machine. Prints one line a fact; exits 1 when a request
fails, an answer differs from the one given alone, /healthz takes over a second, or memory still
grows after the first tenth of the requests. Needs nothing but Python.
"""
import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import time

N_IDLE, N_SLOW = 200, 50
MOST_HEALTH_S = 1.0
MOST_GROWTH_MIB = 16


def body(text, questions):
    return json.dumps({"state": text, "questions": questions}).encode()


DESK = {"type": "choice", "criteria": {"billing": None, "technical": None, "sales": None}}
ANGRY = {"type": "noul", "instructions": "Is the writer angry?"}
MOOD = {"type": "score", "criteria": ["calm", "cross", "furious"]}
TEXTS = ["Charged twice, fix it now!", "The app crashes when I log in.", "Do you sell gift cards?",
         "Thank you, that was quick.", "Where is my parcel? " * 40]
BODIES = ([body(text, {"desk": DESK, "angry": ANGRY, "mood": MOOD}) for text in TEXTS]
          + [body(text, {"desk": DESK}) for text in TEXTS]
          + [body(TEXTS[0], {f"q{i}": DESK for i in range(12)})])


class Server:
    def __init__(self, arguments):
        command = [arguments.program, "serve", "--port", "0", "--log-requests", "0"]
        if arguments.model:
            command += ["--model", arguments.model]
        if arguments.threads:
            command += ["--threads", arguments.threads]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.port = None
        for line in self.process.stderr:
            if found := re.match(r"listening on http://[^:]+:(\d+)", line):
                self.port = int(found[1])
                break
        if self.port is None:
            sys.exit(f"no server: exit code {self.process.wait()}")

    def resident_mib(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=15)


class Client:
    """One kept connection, opened again when the server has closed it."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def send(self, data):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writer.write(data)
        await self.writer.drain()

    async def read(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        length = int(re.search(r"Content-Length: (\d+)", head)[1])
        return int(head[9:12]), await self.reader.readexactly(length)

    async def ask(self, data=None):
        if data is None:
            await self.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        else:
            await self.send(b"POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d"
                            b"\r\n\r\n%s" % (len(data), data))
        return await self.read()

    def close(self):
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


class Run:
    def __init__(self, server, n_requests):
        self.server, self.n_requests = server, n_requests
        self.n_sent = self.n_answered = self.n_different = self.n_reopened = self.n_dropped = 0
        self.errors, self.health_s, self.memory_mib, self.alone = [], [], [], []

    async def idle(self):
        client = Client(self.server.port)
        while True:
            await client.ask()
            await client.reader.read(1)  # nothing comes until the server closes
            self.n_reopened += 1
            client.close()

    async def slow(self):
        client = Client(self.server.port)
        while True:
            try:
                for byte in b"POST /v1/systemone HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"x" * 999:
                    await client.send(bytes([byte]))
                    await asyncio.sleep(0.5)
            except ConnectionError:
                self.n_dropped += 1
                client.close()

    async def watch(self):
        client = Client(self.server.port)
        while True:
            start = time.monotonic()
            await client.ask()
            self.health_s.append(time.monotonic() - start)
            await asyncio.sleep(0.1)

    async def busy(self, first):
        client = Client(self.server.port)
        which = first
        while self.n_sent < self.n_requests:
            self.n_sent += 1
            which = (which + 1) % len(BODIES)
            status, reply = await client.ask(BODIES[which])
            self.n_answered += 1
            if status != 200:
                self.errors.append(f"status {status}: {reply[:200]!r}")
            elif json.loads(reply)["answers"] != self.alone[which]:
                self.n_different += 1
            if self.n_answered % max(1, self.n_requests // 20) == 0:
                self.memory_mib.append(self.server.resident_mib())

    async def run(self, n_busy):
        client = Client(self.server.port)
        for data in BODIES:
            status, reply = await client.ask(data)
            assert status == 200, reply
            self.alone.append(json.loads(reply)["answers"])
        others = [asyncio.create_task(work) for work in
                  [self.idle() for _ in range(N_IDLE)] + [self.slow() for _ in range(N_SLOW)]
                  + [self.watch()]]
        start = time.monotonic()
        results = await asyncio.gather(*[self.busy(i) for i in range(n_busy)],
                                       return_exceptions=True)
        self.errors += [repr(one) for one in results if isinstance(one, BaseException)]
        for task in others:
            if task.done():
                self.errors.append(f"a waiting client ended: {task.exception()!r}")
            task.cancel()
        return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description="see the head of this file")
    parser.add_argument("program")
    parser.add_argument("--model")
    parser.add_argument("--threads")
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--busy", type=int, default=8)
    arguments = parser.parse_args()
    server = Server(arguments)
    run = Run(server, arguments.requests)
    try:
        seconds = asyncio.run(run.run(arguments.busy))
    finally:
        exit_code = server.stop()
    settled = run.memory_mib[len(run.memory_mib) // 10:]
    growth = settled[-1] - settled[0] if settled else 0.0
    print(f"machine: {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"requests: {run.n_answered} in {seconds:.0f} s, {run.n_answered / seconds:.2f} a second")
    print(f"errors: {len(run.errors)} {run.errors[:3] if run.errors else ''}")
    print(f"answers that differ from those given alone: {run.n_different}")
    print(f"/healthz: {len(run.health_s)} times, longest {max(run.health_s) * 1000:.0f} ms")
    print(f"memory: {settled[0]:.0f} MiB after a tenth, {settled[-1]:.0f} MiB at the end, "
          f"{max(settled):.0f} MiB at most")
    print(f"slow heads that were dropped: {run.n_dropped}; idle connections closed: {run.n_reopened}")
    print(f"exit code of the server: {exit_code}")
    good = (not run.errors and run.n_different == 0 and max(run.health_s) < MOST_HEALTH_S
            and growth < MOST_GROWTH_MIB and exit_code == 0)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
