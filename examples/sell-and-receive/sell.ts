// Sells, refunds, and verifies the webhooks of both. README.md of this folder says how to start it.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Paydesk, verifyWebhook } from '@paydesk/client';

const { PAYDESK_URL = '', PAYDESK_TENANT_ID = '', PAYDESK_API_KEY = '', PAYDESK_WEBHOOK_SECRET = '', PORT = '4911' } = process.env;
const paydesk = new Paydesk({ baseUrl: PAYDESK_URL, tenantId: PAYDESK_TENANT_ID, apiKey: PAYDESK_API_KEY });

/** Types of the genuine events by transaction, each once however often an event arrives. */
const received = new Map<unknown, Set<string>>();
const receiver = createServer(async (request, response) => {
  try {
    const { type, data } = await verifyWebhook(await text(request), request.headers, PAYDESK_WEBHOOK_SECRET);
    const { transactionId } = data as { transactionId?: string };
    received.set(transactionId, (received.get(transactionId) ?? new Set()).add(type));
    response.writeHead(200).end();
    receiver.emit('event');
  } catch {
    response.writeHead(401).end();
  }
});
await new Promise<void>((listening) => receiver.listen(Number(PORT), 'localhost', listening));

const card = { CardNumber: '4111111111111111', ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
const sale = await paydesk.post('/public/transaction', { Amount: '19.99', ...card }, { idempotencyKey: `order-${Date.now()}` });
const refund = await paydesk.post('/public/refund', { transactionId: sale.transactionId, amount: 5 });
const own = () => [...(received.get(sale.transactionId) ?? [])];
while (own().length < 2) await new Promise((arrived) => receiver.once('event', arrived));
console.log(`Sold ${sale.amount}, refunded ${refund.amount}, received ${own().join(' and ')}.`);
receiver.close();
