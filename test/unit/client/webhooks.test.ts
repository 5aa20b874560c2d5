import { describe, expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../../clients/node/src/index.ts';
import { newWebhookSecret, signedHeaders } from '../../../core/records/webhooks/signature.ts';

const secret = newWebhookSecret();
const body = JSON.stringify({ id: 'evt_1', type: 'transaction.approved', data: { amount: 12.5, customer: { email: 'é@x.test' } } });
const signed = (nowMs = Date.now(), secrets: readonly [string] | readonly [string, string] = [secret]) =>
  signedHeaders({ eventId: 'evt_1', eventType: 'transaction.approved', deliveryId: 'dlv_1', body, secrets, tenantTime: '', nowMs });

describe('verifyWebhook', () => {
  test.each([
    ['Node', (headers: Record<string, string>) => headers],
    ['the Fetch API', (headers: Record<string, string>) => new Headers(headers)],
  ])('returns the event of a genuine delivery with the headers of %s', async (_, as) => {
    const event = await verifyWebhook(new TextEncoder().encode(body), as(signed()), secret);
    expect(event).toMatchObject({ id: 'evt_1', data: { amount: 12.5 } });
  });

  test('accepts either secret during a rotation', async () => {
    const headers = signed(Date.now(), [newWebhookSecret(), secret]);
    expect(await verifyWebhook(body, headers, secret)).toMatchObject({ id: 'evt_1' });
  });

  test.each([
    ['a changed body', () => verifyWebhook(body.replace('12.5', '1.5'), signed(), secret)],
    ['another secret', () => verifyWebhook(body, signed(), newWebhookSecret())],
    ['an old delivery', () => verifyWebhook(body, signed(Date.now() - 301_000), secret)],
    ['a delivery from the future', () => verifyWebhook(body, signed(Date.now() + 310_000), secret)],
    ['a missing header', () => verifyWebhook(body, { ...signed(), 'webhook-id': undefined }, secret)],
    ['a signature that is not base64', () => verifyWebhook(body, { ...signed(), 'webhook-signature': 'v1,%%%' }, secret)],
    ['a secret that is not one', () => verifyWebhook(body, signed(), 'whsec_%')],
  ])('refuses %s', async (_, verify) => {
    await expect(verify()).rejects.toThrow(WebhookVerificationError);
  });
});
