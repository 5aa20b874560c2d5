"""Sells, refunds, and verifies the webhooks of both, with the client of this repository. README.md of this folder says how to start it."""
import http.server, os, pathlib, queue, sys, time

sys.path.append(str(pathlib.Path(__file__).parents[2] / "clients/python"))
from paydesk import Paydesk, WebhookVerificationError, verify_webhook

env, events = os.environ, queue.Queue()

class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            events.put(verify_webhook(body, self.headers, env["PAYDESK_WEBHOOK_SECRET"]))
            self.send_response(200)
        except WebhookVerificationError:
            self.send_response(401)
        self.end_headers()
    def log_message(self, *_): pass

paydesk = Paydesk(base_url=env["PAYDESK_URL"], tenant_id=env["PAYDESK_TENANT_ID"], api_key=env["PAYDESK_API_KEY"])
server = http.server.ThreadingHTTPServer(("localhost", int(env.get("PORT", 4912))), Receiver)
card = {"CardNumber": "4111111111111111", "ExpiryMonth": "12", "ExpiryYear": "2031", "CVV": "123"}
sale = paydesk.public.create_transaction({"Amount": "19.99", **card}, idempotency_key=f"order-{time.time_ns()}")
refund = paydesk.public.refund_transaction({"transactionId": sale["transactionId"], "amount": 5})
received = {}
while len(received) < 2:
    server.handle_request()
    while not events.empty():
        event = events.get()
        if event["data"].get("transactionId") == sale["transactionId"]: received[event["id"]] = event["type"]
print(f"Sold {sale['amount']}, refunded {refund['amount']}, received {' and '.join(received.values())}.")
