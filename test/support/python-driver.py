"""Runs operations of the Python client for tests: one request per line of standard input as JSON, one outcome per line of standard output."""

import base64
import json
import sys

from paydesk import ApprovalRequiredError, DeclinedError, File, Paydesk, PaydeskError, verify_webhook

settings = json.loads(sys.argv[1])
account = {name: settings[name] for name in ("base_url", "tenant_id")}
by_key = Paydesk(**account, api_key=settings["api_key"])
by_token = Paydesk(**account, access_token=settings["access_token"])


def outcome(given):
    responses = []
    client = (by_token if given["group"] == "admin" else by_key).with_options(on_response=responses.append)
    method = getattr(getattr(client, given["group"]), given["name"])
    arguments = list(given["path"])
    if "file" in given:
        arguments += [base64.b64decode(given["file"]["content"]), given["file"]["name"]]
    if "body" in given:
        arguments.append(given["body"])
    try:
        result = method(*arguments, **given["named"])
        if given["is_walk"]:
            result = list(result)
    except PaydeskError as error:
        data = error.data if isinstance(error, (ApprovalRequiredError, DeclinedError)) else None
        answer = {"error": {"name": type(error).__name__, "code": error.code, "requestId": error.request_id, "field": error.field, "data": data}}
    except (ValueError, TypeError) as error:
        answer = {"refused": str(error)}
    else:
        if isinstance(result, File):
            answer = {"file": {"content": base64.b64encode(result.content).decode(), "type": result.content_type, "name": result.name}}
        else:
            answer = {"data": result}
    last = responses[-1] if responses else None
    return {**answer, "requestId": last and last.request_id, "isReplayed": last is not None and last.is_replayed, "ignoredFields": last.ignored_fields if last else []}


for line in sys.stdin:
    request = json.loads(line)
    if "webhook" in request:
        given = request["webhook"]
        answer = {"data": verify_webhook(base64.b64decode(given["body"]), given["headers"], given["secret"])}
    else:
        answer = outcome(request)
    print(json.dumps(answer), flush=True)
