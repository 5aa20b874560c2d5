import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { newWebhookSecret, signedHeaders } from '../../../core/records/webhooks/signature.ts';

const PRESENT = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const PREVIOUS = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const OF = {
  eventId: 'evt_1',
  eventType: 'refund.approved',
  deliveryId: 'dlv_1',
  body: '{"reason":"été"}',
  secrets: [PRESENT],
  tenantTime: '2027-05-01T00:00:00.000Z',
  nowMs: 1_763_600_000_999,
} as const;

const hex = (secret: string) => createHmac('sha256', secret).update(Buffer.from(OF.body, 'utf8')).digest('hex');
const standard = (secret: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`evt_1.1763600000.${OF.body}`)
    .digest('base64')}`;

test("signs the UTF-8 bytes with the real second beside the tenant's time", () => {
  expect(signedHeaders(OF)).toEqual({
    'Content-Type': 'application/json',
    'User-Agent': expect.stringMatching(/^Paydesk\//),
    'X-Service-Event': 'refund.approved',
    'X-Service-Delivery': 'dlv_1',
    'X-Service-Timestamp': '2027-05-01T00:00:00.000Z',
    'X-Service-Signature': hex(PRESENT),
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1763600000',
    'webhook-signature': standard(PRESENT),
  });
});

test('gives each of two active secrets its own header or part, the current one first', () => {
  const headers = signedHeaders({ ...OF, secrets: [PRESENT, PREVIOUS] });
  expect(headers['X-Service-Signature']).toBe(hex(PRESENT));
  expect(headers['X-Service-Signature-Previous']).toBe(hex(PREVIOUS));
  expect(headers['webhook-signature']).toBe(`${standard(PRESENT)} ${standard(PREVIOUS)}`);
});

test('creates a secret of 32 random bytes after whsec_, never the same', () => {
  const made = Array.from({ length: 200 }, newWebhookSecret);
  expect(new Set(made).size).toBe(made.length);
  for (const secret of made) expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  expect(made.every((secret) => /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret))).toBe(true);
});
