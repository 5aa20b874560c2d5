"""Sends requests to a Paydesk server: credentials, idempotency keys, retries, pages and errors. The operations are in `operations`."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

VERSION = "1"
_FIRST_WAIT_SECONDS = 0.25


class PaydeskError(Exception):
    """A response with an error. Each code has a subclass, such as `RateLimitExceededError` for RATE_LIMIT_EXCEEDED.

    `code`: code of the error, such as INVALID_AMOUNT.
    `status`: HTTP status.
    `request_id`: value of the X-Request-Id header, under which the server has the request in its logs; None without a response.
    `field`: name of the invalid field, as sent; None if the error concerns no field.
    `details`: further values of the error.
    `doc_url`: page that explains the code, relative to the address of the server.
    """

    def __init__(self, error: Mapping[str, Any], status: int, request_id: str | None) -> None:
        super().__init__(str(error["message"]))
        self.code = str(error["code"])
        self.status = status
        self.request_id = request_id
        self.field: str | None = error.get("field")
        self.details: Mapping[str, Any] = error.get("details") or {}
        self.doc_url: str | None = error.get("docUrl")


class IgnoredFieldWarning(UserWarning):
    """The server ignored a field of a request, because the operation has no such field."""


class DeclinedError(PaydeskError):
    """A declined payment or refund. The record exists: `data` is the declined transaction or refund.

    `decline_code`: reason as the processor gives it, such as `insufficient_funds`.
    """

    def __init__(self, data: Mapping[str, Any], status: int, request_id: str | None) -> None:
        code = data.get("errorCode") or data.get("ErrorCode") or "TRANSACTION_DECLINED"
        decline_code = data.get("declineCode") or data.get("DeclineCode")
        reason = data.get("declineReason") or data.get("DeclineReason") or decline_code or "no reason given"
        super().__init__({"code": code, "message": f"Declined: {reason}"}, status, request_id)
        self.data = data
        self.decline_code: str | None = decline_code


class ApprovalRequiredError(PaydeskError):
    """The operation waits for the approval of a second person, and nothing was done yet.

    `approval_id`: ID of the approval, under which its status and later its result can be read.
    `data`: the response: the approval and when it expires.
    """

    def __init__(self, data: Mapping[str, Any], request_id: str | None) -> None:
        super().__init__({"code": "APPROVAL_REQUIRED", "message": "A second person must approve the operation. Nothing was done yet."}, 202, request_id)
        self.approval_id = str(data.get("approvalId") or data.get("ApprovalId"))
        self.data = data


class ConnectionFailedError(PaydeskError):
    """No response arrived, or one that is not from Paydesk. The outcome of a change is unknown: repeat it with the same idempotency key."""

    def __init__(self, message: str, status: int = 0, request_id: str | None = None) -> None:
        super().__init__({"code": "CONNECTION_FAILED", "message": message}, status, request_id)


class Operation(NamedTuple):
    """Properties of an operation. `path` has its parameters as `{name}`."""

    method: str
    path: str
    is_idempotent: bool = False
    is_json: bool = True


class _WithoutRedirects(urllib.request.HTTPRedirectHandler):
    """Refuses redirects, because the library would send the credentials to their target, which may be a stranger."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_WithoutRedirects)


class File(NamedTuple):
    """A received file. `name` is empty if the response has none."""

    content: bytes
    content_type: str
    name: str


class ResponseInfo(NamedTuple):
    """A received response without its body.

    `request_id`: value of the X-Request-Id header, under which the server's log and audit log have the request.
    `is_replayed`: true if this is the stored response of an earlier request with the same idempotency key.
    `ignored_fields`: paths of the fields of the request that the operation does not have and ignored, such as `customer.nickname`.
    """

    method: str
    path: str
    status: int
    request_id: str | None
    is_replayed: bool
    ignored_fields: tuple[str, ...] = ()


class Response(NamedTuple):
    """A received response."""

    status: int
    headers: Message
    content: bytes


class Transport:
    """Sends the requests of all operations. Use `Paydesk`, which has the operations as methods."""

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
        error_classes: Mapping[str, type[PaydeskError]],
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._tenant_id = tenant_id
        self._api_key = api_key
        self._access_token = access_token
        self._retries = retries
        self._wait_max = retry_wait_seconds_max
        self._timeout = timeout_seconds
        self._on_response = on_response
        self._error_classes = error_classes

    def call(
        self,
        operation: Operation,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        file: tuple[str, str, bytes] | None = None,
        idempotency_key: str | None = None,
        approval_reason: str | None = None,
    ) -> Any:
        """Returns `data` of the response of an operation, or a file."""
        envelope = self._request(operation, path or {}, query or {}, body, file, idempotency_key, approval_reason)
        return envelope["data"] if isinstance(envelope, dict) and envelope.get("success") is True and "data" in envelope else envelope

    def pages(self, operation: Operation, *, path: Mapping[str, str] | None = None, query: Mapping[str, Any] | None = None) -> Iterator[Any]:
        """Iterates over all items of a list and requests the next page when it is needed.

        Raises PaydeskError CURSOR_REPEATED if a page leads back to an earlier one, so that the list would never end.
        """
        cursors: set[str] = set()
        cursor: str | None = None
        while True:
            envelope = self._request(operation, path or {}, {**(query or {}), "cursor": cursor}, None, None, None)
            yield from envelope["data"]
            cursor = envelope["pagination"]["nextCursor"]
            if cursor is None:
                return
            if cursor in cursors:
                message = f"The list {operation.path} returned the cursor {cursor} again."
                raise PaydeskError({"code": "CURSOR_REPEATED", "message": message}, 200, None)
            cursors.add(cursor)

    def _request(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        body: Any,
        file: tuple[str, str, bytes] | None,
        idempotency_key: str | None,
        approval_reason: str | None = None,
    ) -> Any:
        headers = {"Paydesk-Version": VERSION}
        content: bytes | None = None
        if file is not None:
            content, headers["Content-Type"] = _form(file, body or {})
        elif body is not None:
            content, headers["Content-Type"] = _json(body).encode(), "application/json"
        if operation.method == "POST":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if approval_reason is not None:
            headers["Paydesk-Approval-Reason"] = urllib.parse.quote(approval_reason, safe="")
        is_repeatable = operation.method != "POST" or operation.is_idempotent
        url = self._url(operation.path, path, query)
        attempt = 0
        while True:
            try:
                # The credentials are read for each attempt, because an access token may be renewed in between.
                response = self._send(operation, url, {**headers, **self._credentials(operation.path)}, content)
            except (OSError, http.client.HTTPException) as cause:
                wait = self._wait(attempt, None) if is_repeatable else None
                if wait is None:
                    raise ConnectionFailedError(f"Paydesk at {self._base_url} did not respond.") from cause
            else:
                info = _info(operation, response)
                _warn_of_ignored(info)
                if self._on_response is not None:
                    self._on_response(info)
                wait = self._wait_after(response, attempt, is_repeatable)
                if wait is None:
                    return self._result(operation, response)
            time.sleep(wait)
            attempt += 1

    def _send(self, operation: Operation, url: str, headers: Mapping[str, str], content: bytes | None) -> Response:
        request = urllib.request.Request(url, content, dict(headers), method=operation.method)
        try:
            with _OPENER.open(request, timeout=self._timeout) as answer:
                return Response(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as refusal:
            with refusal:
                return Response(refusal.code, refusal.headers, refusal.read())

    def _wait_after(self, response: Response, attempt: int, is_repeatable: bool) -> float | None:
        """Returns the seconds to wait before the request is sent again, or None if its response is final."""
        asked = response.headers.get("Retry-After")
        # A 409 with Retry-After means that a request with the same key is still running. After 503 the outcome of a change without a key is unknown.
        is_temporary = (
            response.status == 429
            or (response.status == 503 and is_repeatable)
            or (response.status == 409 and asked is not None)
        )
        return self._wait(attempt, asked) if is_temporary else None

    def _wait(self, attempt: int, asked: str | None) -> float | None:
        if attempt >= self._retries:
            return None
        if asked is None:
            # A random part, so that many programs do not retry in step.
            return min(_FIRST_WAIT_SECONDS * float(2**attempt) * random.uniform(0.75, 1.25), self._wait_max)
        seconds = float(asked) if asked.isdigit() else max(0.0, parsedate_to_datetime(asked).timestamp() - time.time())
        return None if seconds > self._wait_max else seconds

    def _result(self, operation: Operation, response: Response) -> Any:
        request_id = response.headers.get("X-Request-Id")
        if 300 <= response.status < 400:
            message = f"{self._base_url} answers with a redirect to {response.headers.get('Location')}, which is not followed. Set `base_url` to the address of the Paydesk server."
            raise ConnectionFailedError(message, response.status, request_id)
        if response.status < 400 and not operation.is_json:
            content_type = response.headers.get("Content-Type", "")
            # The byte order mark of a CSV file is for spreadsheets.
            content = response.content.removeprefix(b"\xef\xbb\xbf") if content_type.startswith("text/csv") else response.content
            return File(content, content_type, response.headers.get_filename(""))
        try:
            envelope = json.loads(response.content)
        except ValueError:
            message = "The response is not JSON. Check that `base_url` is a Paydesk server."
            raise ConnectionFailedError(message, response.status, request_id) from None
        error = envelope.get("error") if isinstance(envelope, dict) else None
        if error is not None and (response.status >= 400 or envelope.get("success") is False):
            raise self._error_classes.get(error["code"], PaydeskError)(error, response.status, request_id)
        if isinstance(envelope, dict) and envelope.get("success") is False:
            raise DeclinedError(envelope.get("data") or {}, response.status, request_id)
        data = envelope.get("data", envelope) if isinstance(envelope, dict) else None
        if response.status == 202 and isinstance(data, dict) and (data.get("approvalRequired") or data.get("ApprovalRequired")):
            raise ApprovalRequiredError(data, request_id)
        return envelope

    def _url(self, path: str, values: Mapping[str, str], query: Mapping[str, Any]) -> str:
        for name, value in values.items():
            # Each of these would turn the path into that of another operation.
            if value in (None, "", ".", ".."):
                raise ValueError(f"The parameter `{name}` of {path} is missing.")
            path = path.replace(f"{{{name}}}", urllib.parse.quote(value, safe=""))
        given = {name: _text(value) for name, value in query.items() if value is not None}
        return f"{self._base_url}{path}" + (f"?{urllib.parse.urlencode(given)}" if given else "")

    def _credentials(self, path: str) -> dict[str, str]:
        """Returns the headers that the surface of a path requires."""
        if path.startswith("/api/v1/sdk/"):
            return {} if self._api_key is None else {"Authorization": f"Bearer {self._api_key}"}
        headers = {} if self._tenant_id is None else {"X-Tenant-ID": self._tenant_id}
        if path.startswith("/api/v1/public/"):
            return headers if self._api_key is None else {**headers, "x-api-key": self._api_key}
        token = self._access_token() if callable(self._access_token) else self._access_token
        return headers if token is None else {**headers, "Authorization": f"Bearer {token}"}


def _info(operation: Operation, response: Response) -> ResponseInfo:
    is_replayed = response.headers.get("Idempotent-Replayed") == "true"
    ignored = tuple(urllib.parse.unquote(each) for each in response.headers.get("Paydesk-Ignored-Fields", "").split(", ") if each)
    return ResponseInfo(operation.method, operation.path, response.status, response.headers.get("X-Request-Id"), is_replayed, ignored)


_warned: set[str] = set()
_WARNINGS_MAX = 1_000


def _warn_of_ignored(info: ResponseInfo) -> None:
    """Warns once of each field of an operation that the server ignores: usually it is misspelled, or of another API."""
    for field in info.ignored_fields:
        message = f"{info.method} {info.path} ignored the field `{field}`, because it has no such field."
        if message not in _warned and len(_warned) < _WARNINGS_MAX:
            _warned.add(message)
            # The caller of the method of the operation.
            warnings.warn(message, IgnoredFieldWarning, stacklevel=5)


def _text(value: Any) -> str:
    if isinstance(value, Decimal):
        return format(value, "f")
    return str(value).lower() if isinstance(value, bool) else str(value)


def _json(value: Any) -> str:
    return json.dumps(value, default=_decimal)


def _decimal(value: Any) -> str:
    """Returns an amount as text, which keeps its digits."""
    if isinstance(value, Decimal):
        return _text(value)
    raise TypeError(f"A value of the type {type(value).__name__} cannot be sent.")


def _form(file: tuple[str, str, bytes], fields: Mapping[str, Any]) -> tuple[bytes, str]:
    """Returns a form with a file (field, name, content) and its content type. Objects among the fields are sent as JSON."""
    boundary = uuid.uuid4().hex
    field, file_name, content = file
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{_text(value) if isinstance(value, (str, Decimal)) else _json(value)}\r\n'
        for name, value in fields.items()
    ]
    quoted = file_name.replace('"', "%22").replace("\r", "").replace("\n", "")
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{quoted}"\r\nContent-Type: application/octet-stream\r\n\r\n'
    return "".join(parts).encode() + head.encode() + content + f"\r\n--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"
