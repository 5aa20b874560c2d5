"""Client of the Paydesk payment API, with the standard library only. README.md beside this package explains it."""

from .client import Paydesk as Paydesk
from .generated.operations import *  # noqa: F403
from .runtime import ApprovalRequiredError as ApprovalRequiredError
from .runtime import ConnectionFailedError as ConnectionFailedError
from .runtime import DeclinedError as DeclinedError
from .runtime import File as File
from .runtime import IgnoredFieldWarning as IgnoredFieldWarning
from .runtime import PaydeskError as PaydeskError
from .runtime import ResponseInfo as ResponseInfo
from .webhooks import WebhookVerificationError as WebhookVerificationError
from .webhooks import verify_webhook as verify_webhook
