// A shop that accepts cards without ever receiving a card number. Run it together with Paydesk:
//   PAYDESK_TENANT=ten_… PAYDESK_API_KEY=pk_sandbox_… node examples/hosted-fields/server.ts
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DeclinedError, Paydesk, PaydeskError } from '@paydesk/client';

const { PAYDESK_URL = 'http://127.0.0.1:4801', PAYDESK_TENANT, PAYDESK_API_KEY, PORT = '4900' } = process.env;
if (!PAYDESK_TENANT || !PAYDESK_API_KEY)
  throw new Error('Set PAYDESK_TENANT and PAYDESK_API_KEY. The ready line of Paydesk contains both.');

const PRICE = '20.00';
const BODY_BYTES_MAX = 4_096;

/** Client with the shop's key, which never leaves this process. */
const paydesk = new Paydesk({ baseUrl: PAYDESK_URL, tenantId: PAYDESK_TENANT, apiKey: PAYDESK_API_KEY });

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

interface Charge {
  readonly status: number;
  readonly isPaid: boolean;
  readonly transactionId?: unknown;
  readonly outcome?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Charge of each order. A paid or pending order is not charged again. A real shop stores this in its database. */
const charges = new Map<string, Promise<Charge>>();

function chargeOnce(order: string, token: string): Promise<Charge> {
  const known = charges.get(order);
  if (known) return known;
  const result = charge(order, token);
  charges.set(order, result);
  const forget = () => charges.delete(order);
  // After a decline another card may be tried, but not while the outcome is unknown.
  result.then(({ outcome }) => outcome === 'declined' && forget(), forget);
  return result;
}

/** Charges an order. The price comes from the shop's server, because a price from the browser cannot be trusted. */
async function charge(order: string, token: string): Promise<Charge> {
  try {
    const paid = await paydesk.post('/public/token-transaction', { token, amount: PRICE }, { idempotencyKey: `${order}:${token}` });
    return { status: 200, isPaid: true, transactionId: paid.transactionId, outcome: paid.status };
  } catch (error) {
    if (error instanceof DeclinedError)
      return { status: 200, isPaid: false, transactionId: error.data.transactionId, outcome: error.data.status };
    if (error instanceof PaydeskError)
      return { status: error.status || 502, isPaid: false, error: { code: error.code, message: error.message } };
    throw error;
  }
}

/** Sends the page. Its policy allows scripts and frames of Paydesk, and connections to this server only. */
async function page(response: ServerResponse): Promise<void> {
  const { hostedFieldsUrl: fields } = await paydesk.get('/public/sdk-info');
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
      const { clientToken } = await paydesk.post('/public/client-token', {});
      return json(response, 200, { clientToken, tenantId: PAYDESK_TENANT });
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
