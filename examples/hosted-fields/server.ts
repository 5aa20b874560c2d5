// A shop that accepts cards without ever receiving a card number. Run it together with Paydesk:
//   PAYDESK_TENANT=ten_… PAYDESK_API_KEY=pk_sandbox_… node examples/hosted-fields/server.ts
// It requires Node 24 and no packages.
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

const { PAYDESK_URL = 'http://127.0.0.1:4801', PAYDESK_TENANT, PAYDESK_API_KEY, PORT = '4900' } = process.env;
if (!PAYDESK_TENANT || !PAYDESK_API_KEY)
  throw new Error('Set PAYDESK_TENANT and PAYDESK_API_KEY. The ready line of Paydesk contains both.');

const PRICE = '20.00';
const BODY_BYTES_MAX = 4_096;

/** Calls Paydesk with the shop's key, which never leaves this process. */
async function paydesk(method: 'GET' | 'POST', path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${PAYDESK_URL}/api/v1/public${path}`, {
    method,
    headers: {
      'x-api-key': PAYDESK_API_KEY as string,
      'X-Tenant-ID': PAYDESK_TENANT as string,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { success: boolean; data?: Record<string, string>; error?: object } };
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > BODY_BYTES_MAX) throw new Error('the body is too large');
  }
  return JSON.parse(text) as Record<string, unknown>;
}

function respond(response: ServerResponse, status: number, type: string, content: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...headers }).end(content);
}

const json = (response: ServerResponse, status: number, content: object) =>
  respond(response, status, 'application/json', JSON.stringify(content));

/** Charge of each order. A paid or pending order is not charged again. A real shop stores this in its database. */
const charges = new Map<string, ReturnType<typeof charge>>();

function chargeOnce(order: string, token: string): ReturnType<typeof charge> {
  const known = charges.get(order);
  if (known) return known;
  const result = charge(order, token);
  charges.set(order, result);
  const forget = () => charges.delete(order);
  // After a decline another card may be tried, but not while the outcome is unknown.
  result.then(({ isPaid, outcome }) => !isPaid && outcome === 'declined' && forget(), forget);
  return result;
}

/** Charges an order. The price comes from the shop's server, because a price from the browser cannot be trusted. */
async function charge(order: string, token: string) {
  const key = { 'Idempotency-Key': `${order}:${token}` };
  const { status, body } = await paydesk('POST', '/token-transaction', { token, amount: PRICE }, key);
  const { transactionId, status: outcome } = body.data ?? {};
  return { status, isPaid: body.success, transactionId, outcome, error: body.error };
}

/** Sends the page. Its policy allows scripts and frames of Paydesk, and connections to this server only. */
async function page(response: ServerResponse): Promise<void> {
  const { body } = await paydesk('GET', '/sdk-info');
  const fields = body.data?.hostedFieldsUrl ?? '';
  const { origin } = new URL(fields);
  const policy = `default-src 'self'; script-src 'self' ${origin}; frame-src ${origin}; style-src 'self' 'unsafe-inline'; img-src 'self' data:`;
  const html = await readFile(join(import.meta.dirname, 'page.html'), 'utf8');
  respond(response, 200, 'text/html', html.replace('FIELDS_URL', fields), { 'content-security-policy': policy });
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  switch (`${request.method} ${request.url}`) {
    case 'GET /':
      return page(response);
    case 'GET /shop.js':
      return respond(response, 200, 'text/javascript', await readFile(join(import.meta.dirname, 'shop.js'), 'utf8'));
    case 'POST /client-token': {
      const { status, body } = await paydesk('POST', '/client-token', {});
      return json(response, status, { clientToken: body.data?.clientToken, tenantId: PAYDESK_TENANT });
    }
    case 'POST /charge': {
      const { token, order } = await bodyOf(request);
      if (typeof token !== 'string' || typeof order !== 'string')
        return json(response, 400, { error: { message: '`token` and `order` are required.' } });
      const { status, ...charged } = await chargeOnce(order, token);
      return json(response, status, charged);
    }
    default:
      return respond(response, 404, 'text/plain', 'Not found');
  }
}

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    console.error(error);
    if (!response.headersSent)
      json(response, 500, { error: { message: 'The shop could not process the request. Nothing more was charged.' } });
  });
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  console.log(`The shop is running at http://127.0.0.1:${typeof address === 'object' && address ? address.port : PORT}`);
});
