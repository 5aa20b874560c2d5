// The minimal delivery: signs and posts bodies of the same size through an undici pool with the same concurrency, and prints the rate per second. With the
// folder of a SQLite database it also keeps the promises of a delivery. Arguments: origin, number, concurrency, file of the certificate, folder.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'undici';
import { promisedDeliveries } from './promised-deliveries.ts';

const [origin = '', count = '0', atOnce = '64', ca, folder] = process.argv.slice(2);
const SECRET = `whsec_${'a'.repeat(43)}=`;
const DATA = {
  transactionId: 'txn_00000000000000000000000000',
  type: 'sale',
  amount: 49.99,
  currency: 'USD',
  authCode: '123456',
  card: { brand: 'visa', last4: '1111' },
  customer: { email: 'ada@example.com' },
};
const BODY = JSON.stringify({
  id: 'evt_00000000000000000000000000',
  type: 'transaction.approved',
  createdAt: '2026-01-01T00:00:00.000Z',
  data: DATA,
  tenantId: 'ten_00000000000000000000000000',
  merchantId: 'mer_00000000000000000000000000',
});

const agent = new Agent({
  connections: Number(atOnce),
  pipelining: 1,
  allowH2: false,
  ...(ca ? { connect: { ca: readFileSync(ca) } } : {}),
});

async function send(requestHeaders: Record<string, string>, requestBody: string) {
  const startedMs = performance.now();
  const {
    statusCode: status,
    headers,
    body,
  } = await agent.request({ origin, path: '/', method: 'POST', headers: requestHeaders, body: requestBody });
  if (status !== 200) throw new Error(`answered ${status}`);
  return { status, headers, body, startedMs };
}

async function post(): Promise<void> {
  const signature = createHmac('sha256', SECRET).update(BODY).digest('hex');
  const { body } = await send({ 'content-type': 'application/json', 'x-service-signature': signature }, BODY);
  await body.dump();
}

const promised = folder === undefined ? null : promisedDeliveries(folder, SECRET);

function deliver(): Promise<void> {
  if (promised === null) return post();
  return promised.deliver(async (requestHeaders, requestBody) => {
    const { status, headers, body, startedMs } = await send(requestHeaders, requestBody);
    const text = await body.text();
    return { status, headers: JSON.stringify(headers), text, durationMs: Math.round(performance.now() - startedMs) };
  });
}

async function run(total: number): Promise<number> {
  promised?.fill(total, JSON.stringify(DATA));
  let left = total;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: Number(atOnce) }, async () => {
      while (left > 0) {
        left -= 1;
        await deliver();
      }
    }),
  );
  return total / ((performance.now() - began) / 1_000);
}

await run(Number(count) / 4);
process.stdout.write(`${JSON.stringify({ perSecond: await run(Number(count)) })}\n`);
await agent.destroy();
