"""Verifies the signature of webhooks (Standard Webhooks 1.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import cast

from .generated.operations import WebhookEvent

_TOLERANCE_SECONDS = 300


class WebhookVerificationError(Exception):
    """Raised if a request is not a genuine delivery. Respond with 401 and ignore it."""


def verify_webhook(body: bytes, headers: Mapping[str, str], secret: str, *, tolerance_seconds: int = _TOLERANCE_SECONDS) -> WebhookEvent:
    """Returns the event of a delivery after checking its signature.

    `body` must be the received bytes, not a parsed object. `tolerance_seconds` is the greatest accepted age, and protects against a recorded delivery that is
    sent again. Raises WebhookVerificationError if the headers are incomplete, the signature is wrong or the delivery is too old.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        event_id, timestamp, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        age_seconds = abs(time.time() - int(timestamp))
    except (KeyError, ValueError):
        raise WebhookVerificationError("The headers webhook-id, webhook-timestamp and webhook-signature are required.") from None
    if age_seconds > tolerance_seconds:
        raise WebhookVerificationError(f"The delivery is not within {tolerance_seconds} seconds of the present time.")
    content = f"{event_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(_key(secret), content, hashlib.sha256)).decode()
    # A delivery has two signatures while a secret is being replaced. Compared as bytes: compare_digest refuses texts that are not ASCII.
    if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures.split(" ")):
        raise WebhookVerificationError("The signature does not match the body.")
    return cast(WebhookEvent, json.loads(body))


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise WebhookVerificationError("The secret must be the `whsec_…` text of the endpoint.")
    return key
