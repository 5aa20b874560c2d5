"""Sells, refunds, and verifies the webhooks of both, with the standard library. README.md of this folder says how to start it."""
import base64, hashlib, hmac, http.server, json, os, ssl, threading, time, urllib.request

ready = json.load(open(os.environ.get("READY_FILE", "ready.json")))
base, who, received = ready["baseUrl"] + "/api/v1", ready["credentials"], {}

def call(method, path, headers, body=None):
    headers = {"Content-Type": "application/json", "X-Tenant-ID": who["tenantId"], **headers}
    request = urllib.request.Request(base + path, body and json.dumps(body).encode(), headers, method=method)
    return json.load(urllib.request.urlopen(request))["data"]

def is_genuine(headers, body):
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.digest(base64.b64decode(endpoint["secret"].removeprefix("whsec_")), content, hashlib.sha256)).decode()
    return abs(time.time() - int(headers["webhook-timestamp"])) < 300 and any(hmac.compare_digest(f"v1,{expected}", each) for each in headers["webhook-signature"].split())

class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers, body)
        if genuine: received[json.loads(body)["id"]] = json.loads(body)["type"]
        self.send_response(200 if genuine else 401)
        self.end_headers()
    def log_message(self, *_): pass

server = http.server.ThreadingHTTPServer(("localhost", 0), Receiver)
tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
tls.load_cert_chain(os.environ.get("TLS_CERT", "cert.pem"), os.environ.get("TLS_KEY", "key.pem"))
server.socket = tls.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
token = call("POST", "/auth/login", {}, {"email": who["adminEmail"], "password": who["adminPassword"]})["token"]
office, shop = {"Authorization": f"Bearer {token}"}, {"x-api-key": who["apiKey"], "Idempotency-Key": f"order-{time.time_ns()}"}
hook = {"url": f"https://localhost:{server.server_port}/hooks", "events": ["transaction.approved", "refund.processed"]}
endpoint = call("POST", "/webhooks", office, hook)
card = {"CardNumber": "4111111111111111", "ExpiryMonth": "12", "ExpiryYear": "2031", "CVV": "123", "Amount": "19.99"}
sale = call("POST", "/public/transaction", shop, card)
refund = call("POST", "/public/refund", {"x-api-key": who["apiKey"]}, {"transactionId": sale["transactionId"], "amount": 5})
while len(received) < 2: time.sleep(0.1)
print(f"Sold {sale['amount']}, refunded {refund['amount']}, received {' and '.join(received.values())}.")
call("DELETE", f"/webhooks/{endpoint['id']}", office)
