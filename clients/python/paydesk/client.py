"""The client: one object with the operations of each surface."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, cast

from .generated.operations import ERROR_CLASSES, AdminOperations, PublicOperations, SdkOperations, ServiceOperations
from .runtime import PaydeskError, ResponseInfo, Transport

_RENEW_BEFORE_SECONDS = 30


class Paydesk:
    """Client of a Paydesk server.

    `public` and `sdk` have the operations of API keys, `admin` those of signed-in users, `service` the health and the setup of a server. Each method returns `data` of the
    response, or a File. Errors, declines and operations that wait for an approval are raised as subclasses of PaydeskError. Each POST has an Idempotency-Key, which its retries repeat, so that nothing is charged twice.

    `base_url`: address of the server, http://127.0.0.1:4801 by default.
    `tenant_id`: ID of the account (`ten_…`).
    `api_key`: API key for `public` and `sdk`.
    `access_token`: access token of a user for `admin`, or a function that returns a fresh one. `Paydesk.sign_in` gets one.
    `retries`: retries after 429, 503, a 409 of a running request, and failed connections; 4 by default.
    `retry_wait_seconds_max`: longest wait before one retry. If a response asks for a longer one, its error is raised at once.
    `timeout_seconds`: time limit for each read of a response.
    `on_response`: called with each received response, also with those of errors and of attempts that are repeated.
    """

    def __init__(
        self,
        *,
        base_url: str = "http://127.0.0.1:4801",
        tenant_id: str | None = None,
        api_key: str | None = None,
        access_token: str | Callable[[], str] | None = None,
        retries: int = 4,
        retry_wait_seconds_max: float = 30,
        timeout_seconds: float = 60,
        on_response: Callable[[ResponseInfo], object] | None = None,
    ) -> None:
        self._options: dict[str, Any] = {
            "base_url": base_url,
            "tenant_id": tenant_id,
            "api_key": api_key,
            "access_token": access_token,
            "retries": retries,
            "retry_wait_seconds_max": retry_wait_seconds_max,
            "timeout_seconds": timeout_seconds,
            "on_response": on_response,
        }
        transport = Transport(**self._options, error_classes=ERROR_CLASSES)
        self.public = PublicOperations(transport)
        self.sdk = SdkOperations(transport)
        self.admin = AdminOperations(transport)
        self.service = ServiceOperations(transport)

    def with_options(
        self,
        *,
        retries: int | None = None,
        retry_wait_seconds_max: float | None = None,
        timeout_seconds: float | None = None,
        on_response: Callable[[ResponseInfo], object] | None = None,
    ) -> Paydesk:
        """Returns a client with the same credentials and other options, such as for one request: `paydesk.with_options(timeout_seconds=5, retries=0).public`."""
        changes = {
            "retries": retries,
            "retry_wait_seconds_max": retry_wait_seconds_max,
            "timeout_seconds": timeout_seconds,
            "on_response": on_response,
        }
        return Paydesk(**{**self._options, **{name: value for name, value in changes.items() if value is not None}})

    @staticmethod
    def sign_in(*, email: str, password: str, tenant_id: str, **options: Any) -> Paydesk:
        """Signs a user in and returns a client for `admin`, which renews its access token. `options` are those of the constructor.

        Raises InvalidCredentialsError for a wrong password, PaydeskError if the user has a second factor.
        """
        return Paydesk(tenant_id=tenant_id, access_token=_Session(Paydesk(tenant_id=tenant_id, **options), email, password), **options)


class _Session:
    """Access token of a user, renewed shortly before it expires. Threads share one renewal, because a refresh token works once."""

    def __init__(self, client: Paydesk, email: str, password: str) -> None:
        self._client = client
        self._lock = threading.Lock()
        signed_in = cast(dict[str, Any], client.public.access_token({"email": email, "password": password}))
        if "token" not in signed_in:
            message = "This user has a second factor. Pass `access_token`."
            raise PaydeskError({"code": "SECOND_FACTOR_REQUIRED", "message": message}, 200, None)
        self._keep(signed_in)

    def __call__(self) -> str:
        with self._lock:
            if time.monotonic() > self._ends - _RENEW_BEFORE_SECONDS:
                self._keep(cast(dict[str, Any], self._client.public.refresh_token({"refreshToken": self._refresh_token})))
            return self._token

    def _keep(self, session: dict[str, Any]) -> None:
        self._token: str = session["token"]
        self._refresh_token: str = session["refreshToken"]
        self._ends = time.monotonic() + session["expiresIn"]
