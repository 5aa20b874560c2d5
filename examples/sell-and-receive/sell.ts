// Sells, refunds, and verifies the webhooks of both. README.md of this folder says how to start it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Paydesk, verifyWebhook, type WebhookEvent } from '@paydesk/client';

const { READY_FILE = 'ready.json', TLS_KEY = 'key.pem', TLS_CERT = 'cert.pem' } = process.env;
const { baseUrl, credentials } = JSON.parse(readFileSync(READY_FILE, 'utf8'));
const { tenantId, apiKey, adminEmail: email, adminPassword: password } = credentials;
const paydesk = new Paydesk({ baseUrl, tenantId, apiKey });
const office = await Paydesk.signIn({ baseUrl, tenantId, email, password });

let secret = '';
const received = new Map<string, WebhookEvent>();
const { promise: bothReceived, resolve } = Promise.withResolvers<void>();
const receiver = createServer({ key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) }, async (request, response) => {
  try {
    const event = await verifyWebhook(await text(request), request.headers, secret);
    received.set(event.id, event);
    response.writeHead(200).end();
    if (received.size === 2) resolve();
  } catch {
    response.writeHead(401).end();
  }
});
await new Promise<void>((listening) => receiver.listen(0, 'localhost', listening));
const url = `https://localhost:${(receiver.address() as AddressInfo).port}/hooks`;
const endpoint = await office.post('/webhooks', { url, events: ['transaction.approved', 'refund.processed'] });
secret = endpoint.secret;

const card = { CardNumber: '4111111111111111', ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
const sale = await paydesk.post('/public/transaction', { Amount: '19.99', ...card }, { idempotencyKey: `order-${Date.now()}` });
const refund = await paydesk.post('/public/refund', { transactionId: sale.transactionId, amount: 5 });
await bothReceived;
console.log(`Sold ${sale.amount}, refunded ${refund.amount}, received ${[...received.values()].map(({ type }) => type).join(' and ')}.`);
await office.delete('/webhooks/{id}', { params: { id: endpoint.id } });
receiver.close();
