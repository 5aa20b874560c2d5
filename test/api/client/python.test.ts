import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { whyNotRun } from '../../support/other-programs.ts';
import { ROOT } from '../../support/sources.ts';

const reason = whyNotRun('python3');
const SECRET_BYTES = Buffer.alloc(32, 7);

/** Runs a program with the client. Its first argument is the address of a server. Returns its output. */
async function runPython(program: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn('python3', ['-', ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(program);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(code).toBe(0);
  return output.trim();
}

type Reply = { readonly status: number; readonly headers?: Record<string, string>; readonly body: unknown };

/** Starts a server that gives these replies in order. */
async function serveReplies(replies: readonly Reply[]) {
  const received: { key: string | undefined; reason: string | undefined; url: string | undefined; body: unknown }[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const [key, reason] = ['idempotency-key', 'paydesk-approval-reason'].map((name) => request.headers[name] as string | undefined);
    received.push({ key, reason, url: request.url, body: await json(request).catch(() => null) });
    const { status, headers, body } = replies[received.length - 1] ?? { status: 500, body: {} };
    response.writeHead(status, { 'x-request-id': `req_${received.length}`, ...headers }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close: () => server.close() };
}

const failure = (code: string) => ({ success: false, error: { code, message: 'No.', field: 'amount', docUrl: `/docs/errors/${code}` } });

describe.skipIf(reason !== undefined)(`client for Python${reason === undefined ? '' : ` (not run: ${reason})`}`, () => {
  test('repeats a request with its key, requests all pages, and raises the class of an error code', async () => {
    const server = await serveReplies([
      { status: 503, headers: { 'retry-after': '0' }, body: failure('SERVICE_UNAVAILABLE') },
      { status: 409, headers: { 'retry-after': '0' }, body: failure('RESOURCE_CONFLICT') },
      { status: 200, body: { success: true, data: { transactionId: 'txn_1' } } },
      { status: 200, body: { success: true, data: [{ customerId: 'cus_1' }], pagination: { nextCursor: 'c1', page: 1, pages: 2 } } },
      { status: 200, body: { success: true, data: [{ customerId: 'cus_2' }], pagination: { nextCursor: null, page: 2, pages: 2 } } },
      { status: 422, body: failure('INVALID_AMOUNT') },
      { status: 200, body: { success: false, data: { transactionId: 'txn_1', declineCode: 'card_declined' } } },
      { status: 202, body: { success: true, data: { approvalRequired: true, approvalId: 'apr_1' } } },
      { status: 429, headers: { 'retry-after': '60' }, body: failure('RATE_LIMIT_EXCEEDED') },
    ]);
    const output = await runPython(
      `
import sys
from paydesk import ApprovalRequiredError, DeclinedError, InvalidAmountError, Paydesk, RateLimitExceededError
paydesk = Paydesk(base_url=sys.argv[1], tenant_id="ten_1", api_key="key")
print(paydesk.public.create_transaction({"Amount": "5.00"}, idempotency_key="order-1")["transactionId"])
print([each["customerId"] for each in paydesk.public.list_customers(limit=1)])
for expected in (InvalidAmountError, DeclinedError, ApprovalRequiredError, RateLimitExceededError):
    try:
        paydesk.public.refund_transaction({"transactionId": "txn_1"}, approval_reason="Café, 50 %")
    except expected as error:
        print(type(error).__name__, error.code, error.request_id, error.field)
`,
      server.url,
    );
    expect(output.split('\n')).toEqual([
      'txn_1',
      "['cus_1', 'cus_2']",
      'InvalidAmountError INVALID_AMOUNT req_6 amount',
      'DeclinedError TRANSACTION_DECLINED req_7 None',
      'ApprovalRequiredError APPROVAL_REQUIRED req_8 None',
      'RateLimitExceededError RATE_LIMIT_EXCEEDED req_9 amount',
    ]);
    expect(server.received.slice(0, 3).map(({ key }) => key)).toEqual(['order-1', 'order-1', 'order-1']);
    expect(server.received.map((each) => each.reason)).toEqual([...Array(5).fill(undefined), ...Array(4).fill('Caf%C3%A9%2C%2050%20%25')]);
    expect(server.received.slice(3, 5).map(({ url }) => url)).toEqual([
      '/api/v1/public/customers?limit=1',
      '/api/v1/public/customers?limit=1&cursor=c1',
    ]);
    server.close();
  });

  test('follows no redirect, so that its target receives no credential', async () => {
    const stranger = await serveReplies([{ status: 200, body: { success: true, data: {} } }]);
    const server = await serveReplies([{ status: 307, headers: { location: `${stranger.url}/api/v1` }, body: {} }]);
    const output = await runPython(
      `
import sys
from paydesk import ConnectionFailedError, Paydesk
try:
    Paydesk(base_url=sys.argv[1], tenant_id="ten_1", api_key="key").public.get_api_key()
except ConnectionFailedError as error:
    print(error.status, "redirect" in str(error))
`,
      server.url,
    );
    expect([output, stranger.received]).toEqual(['307 True', []]);
    for (const { close } of [server, stranger]) close();
  });

  test('sends exact amounts as text, stops at a repeated cursor, and takes options for one request', async () => {
    const page = { success: true, data: [{ id: 'evt_1' }], pagination: { limit: 1, total: 9, nextCursor: 'c1' } };
    const server = await serveReplies([
      { status: 200, body: { success: true, data: { transactionId: 'txn_1' } } },
      { status: 200, body: page },
      { status: 200, body: page },
      { status: 503, headers: { 'retry-after': '0' }, body: failure('SERVICE_UNAVAILABLE') },
    ]);
    const output = await runPython(
      `
import sys
from decimal import Decimal
from paydesk import Paydesk, PaydeskError, ServiceUnavailableError
paydesk = Paydesk(base_url=sys.argv[1], tenant_id="ten_1", api_key="key")
paydesk.public.create_transaction({"Amount": Decimal("1E+1"), "TipAmount": Decimal("2.50")})
try:
    list(paydesk.public.list_events(after="evt_0"))
except PaydeskError as error:
    print(error.code)
try:
    paydesk.with_options(retries=0).public.get_api_key()
except ServiceUnavailableError as error:
    print(error.code)
`,
      server.url,
    );
    expect(output.split('\n')).toEqual(['CURSOR_REPEATED', 'SERVICE_UNAVAILABLE']);
    expect(server.received.map(({ body }) => body)[0]).toEqual({ Amount: '10', TipAmount: '2.50' });
    expect(server.received).toHaveLength(4);
    server.close();
  });

  test('raises an error without a server, and refuses webhooks that are not genuine', async () => {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const body = '{"id":"evt_1","type":"transaction.approved","data":{}}';
    const signature = createHmac('sha256', SECRET_BYTES).update(`evt_1.${timestamp}.${body}`).digest('base64');
    const output = await runPython(
      `
import sys
from paydesk import ConnectionFailedError, Paydesk, WebhookVerificationError, verify_webhook
try:
    Paydesk(base_url="http://127.0.0.1:1", retries=0).service.health()
except ConnectionFailedError as error:
    print(error.code)
timestamp, body, signature, secret = sys.argv[1:]
headers = {"Webhook-Id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": f"v1,aaaa v1,{signature}"}
print(verify_webhook(body.encode(), headers, secret)["type"])
for changed in ({"webhook-timestamp": "1"}, {"webhook-signature": "v1,ü"}, {"Webhook-Id": "evt_2"}, {"webhook-timestamp": "x"}):
    try:
        verify_webhook(body.encode(), {**headers, **changed}, secret)
    except WebhookVerificationError as error:
        print(error)
`,
      ...[timestamp, body, signature, `whsec_${SECRET_BYTES.toString('base64')}`],
    );
    expect(output.split('\n')).toEqual([
      'CONNECTION_FAILED',
      'transaction.approved',
      'The delivery is not within 300 seconds of the present time.',
      'The signature does not match the body.',
      'The signature does not match the body.',
      'The headers webhook-id, webhook-timestamp and webhook-signature are required.',
    ]);
  });
});
