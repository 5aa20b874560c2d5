"""Sells, refunds, and verifies the webhooks of both, with the standard library. README.md of this folder says how to start it."""
import base64, hashlib, hmac, http.server, json, os, queue, time, urllib.request

env, events = os.environ, queue.Queue()

def call(path, body, key):
    headers = {"Content-Type": "application/json", "Idempotency-Key": key, "x-api-key": env["PAYDESK_API_KEY"], "X-Tenant-ID": env["PAYDESK_TENANT_ID"]}
    request = urllib.request.Request(env["PAYDESK_URL"] + "/api/v1/public" + path, json.dumps(body).encode(), headers)
    return json.load(urllib.request.urlopen(request))["data"]

def is_genuine(headers, body):
    secret = base64.b64decode(env["PAYDESK_WEBHOOK_SECRET"].removeprefix("whsec_"))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(secret, content, hashlib.sha256)).decode()
    is_signed = any(hmac.compare_digest(expected, each) for each in headers["webhook-signature"].split())
    return is_signed and abs(time.time() - int(headers["webhook-timestamp"])) < 300

class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers, body)
        self.send_response(200 if genuine else 401)
        self.end_headers()
        if genuine: events.put(json.loads(body))
    def log_message(self, *_): pass

server = http.server.ThreadingHTTPServer(("localhost", int(env.get("PORT", 4912))), Receiver)
card = {"CardNumber": "4111111111111111", "ExpiryMonth": "12", "ExpiryYear": "2031", "CVV": "123"}
sale = call("/transaction", {"Amount": "19.99", **card}, f"order-{time.time_ns()}")
refund = call("/refund", {"transactionId": sale["transactionId"], "amount": 5}, f"refund-{time.time_ns()}")
received = {}
while len(received) < 2:
    server.handle_request()
    while not events.empty():
        event = events.get()
        if event["data"].get("transactionId") == sale["transactionId"]: received[event["id"]] = event["type"]
print(f"Sold {sale['amount']}, refunded {refund['amount']}, received {' and '.join(received.values())}.")
