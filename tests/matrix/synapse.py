"""A real homeserver on this machine: Synapse, on loopback, federated with nobody."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECRET = "registers anybody"
START_SECONDS = 60.0
STOP_SECONDS = 20.0
LIMITS = (
    "rc_message",
    "rc_registration",
    "rc_joins_per_room",
    "rc_invites.per_room",
    "rc_invites.per_user",
    "rc_invites.per_issuer",
    "rc_joins.local",
    "rc_login.address",
    "rc_login.account",
    "rc_login.failed_attempts",
    "rc_media_create",
    "rc_room_creation",
    "rc_key_requests",
)
"""What Synapse would count; without limits each may come as often as it likes."""
LOG = """\
version: 1
formatters: {{line: {{format: "%(asctime)s %(levelname)s %(name)s %(message)s"}}}}
handlers: {{file: {{class: logging.FileHandler, formatter: line, filename: {file}}}}}
root: {{level: WARNING, handlers: [file]}}
loggers: {{synapse.http.server: {{level: INFO}}}}
disable_existing_loggers: false
"""

Json = dict[str, Any]


@dataclass(frozen=True)
class Member:
    """An account of the homeserver, and how to log in to it."""

    id: str
    password: str


class Refusal(Exception):
    """What the homeserver has against a call."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"{status} {code}")
        self.status = status
        self.code = code


class Synapse:
    """*python* has the package; all that the server keeps is in *folder*. *limits*: those that it has without
    a word in its configuration, else none."""

    def __init__(self, python: Path, folder: Path, *, limits: bool = False) -> None:
        self.python = python
        self._folder = folder
        self._limits = limits
        self._members = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._admin = ""
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Until it answers; what it kept is there again."""
        self._folder.mkdir(parents=True, exist_ok=True)
        config, log, key = (self._folder / name for name in ("homeserver.yaml", "log.yaml", "signing.key"))
        config.write_text(json.dumps(self._configuration()))  # JSON is YAML too
        log.write_text(LOG.format(file=self._folder / "homeserver.log"))
        if not key.exists():
            key.write_text(f"ed25519 a_test {'A' * 43}\n")
        with (self._folder / "output").open("ab") as output:
            self._process = subprocess.Popen(
                [self.python, "-m", "synapse.app.homeserver", "-c", config],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=os.environ | {"SYNAPSE_CACHE_FACTOR": "0.5", "PYTHONPATH": "", "NO_PROXY": "127.0.0.1"},
            )
        self._answers()

    def kill(self) -> None:
        """In the middle of whatever it does; nobody listens at its address from then on."""
        process, self._process = self._process, None
        assert process
        process.kill()
        process.wait()

    def freeze(self) -> None:
        """It takes calls and answers none, until it thaws."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """Nobody listens at its address from then on."""
        process, self._process = self._process, None
        if process:
            process.send_signal(signal.SIGCONT)
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def member(self, name: str = "", *, admin: bool = False) -> Member:
        """A new account, called like nobody else here."""
        self._members += 1
        name = f"{name or 'somebody'}{self._members}"
        password = f"{name}'s secret"
        path = "/_synapse/admin/v1/register"
        nonce = str(self.call("GET", path)["nonce"])
        parts = (nonce, name, password, "admin" if admin else "notadmin")
        mac = hmac.new(SECRET.encode(), "\0".join(parts).encode(), hashlib.sha1).hexdigest()
        asked = {"nonce": nonce, "username": name, "password": password, "admin": admin, "mac": mac}
        made = self.call("POST", path, asked)
        if admin:
            self._admin = str(made["access_token"])
        return Member(str(made["user_id"]), password)

    def lift_limits(self, member: Member) -> None:
        """The one call by which who runs the server lets an account write as often as it likes."""
        if not self._admin:
            self.member("admin", admin=True)
        path = f"/_synapse/admin/v1/users/{member.id}/override_ratelimit"
        self.call("POST", path, {"messages_per_second": 0, "burst_count": 0}, token=self._admin)

    def log_in(self, member: Member) -> str:
        """The token of a new device, which has no keys yet."""
        who = {"type": "m.id.user", "user": member.id}
        asked = {"type": "m.login.password", "identifier": who, "password": member.password}
        return str(self.call("POST", "/_matrix/client/v3/login", asked)["access_token"])

    def revoke(self, token: str) -> None:
        """Whoever has it is logged out."""
        self.call("POST", "/_matrix/client/v3/logout", {}, token=token)

    def call(self, method: str, path: str, body: Json | None = None, *, token: str = "") -> Json:
        """One call of its API. Errors: `Refusal`."""
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {token}"} if token else {}
        )
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                found: Json = json.loads(answer.read() or b"{}")
                return found
        except urllib.error.HTTPError as error:
            with error:
                raise Refusal(error.code, str(json.loads(error.read()).get("errcode", ""))) from None

    @property
    def complaints(self) -> str:
        """What it logged as a warning or worse, and each call that it refused."""
        return (self._folder / "homeserver.log").read_text()

    def _answers(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            assert self._process
            alive = self._process.poll() is None
            assert alive, (self._folder / "output").read_text()[-3_000:]
            try:
                self.call("GET", "/_matrix/client/versions")
            except OSError:
                assert time.monotonic() < deadline, "Synapse does not answer"
                time.sleep(0.05)
            else:
                return

    def _configuration(self) -> Json:
        """No cost that a test would pay for: passwords are hashed once."""
        listener = {
            "port": self.port,
            "bind_addresses": ["127.0.0.1"],
            "type": "http",
            "resources": [{"names": ["client"], "compress": False}],
        }
        return {
            "server_name": "localhost",
            "public_baseurl": f"{self.url}/",
            "pid_file": str(self._folder / "pid"),
            "listeners": [listener],
            "database": {"name": "sqlite3", "args": {"database": str(self._folder / "homeserver.db")}},
            "log_config": str(self._folder / "log.yaml"),
            "media_store_path": str(self._folder / "media"),
            "signing_key_path": str(self._folder / "signing.key"),
            "registration_shared_secret": SECRET,
            "macaroon_secret_key": "for tests",
            "form_secret": "for tests",
            "bcrypt_rounds": 4,
            "report_stats": False,
            "trusted_key_servers": [],
            "suppress_key_server_warning": True,
            "federation_domain_whitelist": [],
            "presence": {"enabled": False},
            "url_preview_enabled": False,
            **({} if self._limits else _unlimited()),
        }


@contextmanager
def synapse(python: Path, folder: Path, *, limits: bool = False) -> Iterator[Synapse]:
    """A homeserver that runs meanwhile."""
    server = Synapse(python, folder, limits=limits)
    try:
        server.start()
        yield server
    finally:
        server.stop()


def _unlimited() -> Json:
    """The settings of `LIMITS`, each at a height that nobody reaches."""
    settings: Json = {}
    for name in LIMITS:
        table, *inner = name.split(".")
        height = {"per_second": 100_000, "burst_count": 100_000}
        if inner:
            settings.setdefault(table, {})[inner[0]] = height
        else:
            settings[table] = height
    return settings


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
