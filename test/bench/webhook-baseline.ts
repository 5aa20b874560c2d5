// The minimal delivery: signs and posts bodies of the same size through an undici pool with the same concurrency, and prints the rate per second.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'undici';

const [origin = '', count = '0', atOnce = '64', ca] = process.argv.slice(2);
const SECRET = `whsec_${'a'.repeat(43)}=`;
const BODY = JSON.stringify({
  id: 'evt_00000000000000000000000000',
  type: 'transaction.approved',
  createdAt: '2026-01-01T00:00:00.000Z',
  data: {
    transactionId: 'txn_00000000000000000000000000',
    type: 'sale',
    amount: 49.99,
    currency: 'USD',
    authCode: '123456',
    card: { brand: 'visa', last4: '1111' },
    customer: { email: 'ada@example.com' },
  },
  tenantId: 'ten_00000000000000000000000000',
  merchantId: 'mer_00000000000000000000000000',
});

const agent = new Agent({
  connections: Number(atOnce),
  pipelining: 1,
  allowH2: false,
  ...(ca ? { connect: { ca: readFileSync(ca) } } : {}),
});

async function post(): Promise<void> {
  const signature = createHmac('sha256', SECRET).update(BODY).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-service-signature': signature };
  const { statusCode, body } = await agent.request({ origin, path: '/', method: 'POST', headers, body: BODY });
  await body.dump();
  if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
}

async function run(total: number): Promise<number> {
  let left = total;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: Number(atOnce) }, async () => {
      while (left > 0) {
        left -= 1;
        await post();
      }
    }),
  );
  return total / ((performance.now() - began) / 1_000);
}

await run(Number(count) / 4);
process.stdout.write(`${JSON.stringify({ perSecond: await run(Number(count)) })}\n`);
await agent.destroy();
