import { createHmac } from 'node:crypto';
import { type Receiver, refuse, startReceiver } from '../support/webhook-receiver.ts';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

let receiver: Receiver;
test.beforeAll(async () => {
  receiver = await startReceiver();
});
test.afterAll(() => receiver.stop());

interface Registered {
  readonly id: string;
  readonly secret: string;
}

test("registers an endpoint, shows its secret once, sends a test event, and lists a sale's delivery without a reload", async ({
  signedIn,
  service,
  faults,
}) => {
  faults.expect(/400/);
  const api = await ApiSession.open(service);
  await signedIn.goto('/#/webhooks');
  await signedIn.getByRole('button', { name: 'New endpoint' }).first().click();
  await expect(signedIn.getByLabel('URL (HTTPS)')).toHaveValue('');
  await signedIn.getByLabel('URL (HTTPS)').fill('http://localhost/');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByText('url must use HTTPS.')).toBeVisible();
  await signedIn.getByLabel('URL (HTTPS)').fill('https://https://shop.example/hook');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByText('url begins twice.')).toBeVisible();
  await signedIn.getByLabel('URL (HTTPS)').fill(receiver.url('/shop'));
  await signedIn.keyboard.press('Enter');
  const kept = signedIn.getByRole('dialog', { name: 'Signing secret' });
  const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec((await kept.textContent()) ?? '')?.[0] ?? '';
  expect(secret).not.toBe('');
  for (const language of ['PHP', 'Python', 'C#', 'Node']) {
    await kept.getByRole('tab', { name: language }).click();
    await expect(kept.getByRole('region')).toContainText(/hmac/i);
  }
  await kept.getByRole('button', { name: 'I’ve saved it' }).click();
  await expect(signedIn.getByRole('heading', { name: receiver.url('/shop') })).toBeVisible();
  expect(await signedIn.content()).not.toContain(secret);

  await signedIn.keyboard.press('t');
  await expect(signedIn.getByLabel('Event type', { exact: true })).toBeFocused();
  await signedIn.getByRole('button', { name: 'Send event' }).click();
  const drawer = signedIn.getByRole('dialog', { name: 'Delivery' });
  await expect(drawer.locator('[data-state=delivered]')).toBeVisible();
  await expect(drawer).toContainText('"test":true');
  await expect(drawer).toContainText('X-Service-Signature');
  await signedIn.keyboard.press('Escape');

  const sale = await api.sell({ amount: '71.00' });
  const grid = signedIn.getByRole('grid', { name: 'Deliveries' });
  await expect(grid.getByText('transaction.approved', { exact: true })).toBeVisible();
  const receivedOf = () => receiver.receivedAt('/shop').find(({ event }) => event.data.transactionId === sale.transactionId);
  // A delivery is listed before its receiver has it.
  await expect.poll(receivedOf).toBeDefined();
  const received = receivedOf();
  expect(received?.headers['x-service-signature']).toBe(
    createHmac('sha256', secret)
      .update(received?.body ?? '')
      .digest('hex'),
  );

  await signedIn.goto('/#/webhooks');
  await signedIn.getByRole('button', { name: 'Check signature' }).click();
  const checker = signedIn.getByRole('dialog', { name: 'Check signature' });
  await checker.getByLabel('Raw request body').fill(received?.body ?? '');
  await checker.getByLabel('X-Service-Signature').fill(String(received?.headers['x-service-signature']));
  await checker.getByLabel('Secret of the endpoint').fill(secret);
  await checker.getByRole('button', { name: 'Check signature' }).click();
  await expect(checker).toContainText('The signature matches');
  await checker.getByLabel('Raw request body').fill(`${received?.body} changed`);
  await checker.getByRole('button', { name: 'Check signature' }).click();
  await expect(checker).toContainText('The signature doesn’t match');
});

test('shows each attempt of a failing receiver with its time, and redelivers the same bytes @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  receiver.answers.set('/failing', refuse(503));
  const endpoint = await api.post<Registered>('/webhooks', { url: receiver.url('/failing'), events: ['transaction.approved'] });
  const sale = await api.sell({ amount: '72.00' });
  await signedIn.goto(`/#/webhooks/${endpoint.id}`);
  const grid = signedIn.getByRole('grid', { name: 'Deliveries' });
  await expect(grid.getByText('Not 200 (503)')).toBeVisible();
  await api.post('/sandbox/clock', { advanceSeconds: 361 });
  await grid.getByText('transaction.approved', { exact: true }).click();
  const drawer = signedIn.getByRole('dialog', { name: 'Delivery' });
  await expect(drawer.locator('details')).toHaveCount(3);
  const { data } = await api.read<{ id: string }[]>(`/webhooks/${endpoint.id}/deliveries`);
  const { data: shown } = await api.read<{ attempts: { attemptedAt: string }[] }>(`/webhooks/${endpoint.id}/deliveries/${data[0]?.id}`);
  const [first, second, third] = shown.attempts.map(({ attemptedAt }) => Date.parse(attemptedAt));
  expect([(second ?? 0) - (first ?? 0), (third ?? 0) - (second ?? 0)]).toEqual([60_000, 300_000]);
  receiver.answers.delete('/failing');
  await signedIn.keyboard.press('r');
  await expect(drawer.locator('[data-state=delivered]')).toBeVisible();
  await expect(drawer).toContainText('manual');
  expect(new Set(receiver.receivedAt('/failing').map(({ body }) => body)).size).toBe(1);

  await signedIn.goto(`/#/transactions/${sale.transactionId}`);
  await expect(signedIn.getByRole('dialog', { name: 'Transaction' })).toContainText('Webhook delivered · transaction.approved');
  await signedIn.locator(`a[href*="${endpoint.id}"]`).click();
  await expect(signedIn.getByRole('dialog', { name: 'Delivery' })).toBeVisible();
});

test('explains that a disabled endpoint queues nothing, shows a rotated secret once, and deletes an endpoint @full', async ({
  signedIn,
  service,
}) => {
  const api = await ApiSession.open(service);
  const endpoint = await api.post<Registered>('/webhooks', { url: receiver.url('/quiet'), events: ['refund.processed'] });
  await signedIn.goto(`/#/webhooks/${endpoint.id}`);
  const more = async (name: string) => {
    await signedIn.getByRole('button', { name: 'More' }).click();
    await signedIn.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
  };
  await more('Disable endpoint');
  await expect(signedIn.getByText('Disabled. New events are not queued.', { exact: false }).first()).toBeVisible();
  await more('Rotate secret');
  await signedIn.getByRole('button', { name: 'Rotate secret' }).click();
  const kept = signedIn.getByRole('dialog', { name: 'New signing secret' });
  await expect(kept).toContainText('whsec_');
  await expect(kept).not.toContainText(endpoint.secret);
  await kept.getByRole('button', { name: 'I’ve saved it' }).click();
  await more('Delete endpoint');
  // The change stream may report the deletion before its response arrives: nothing may request the deleted endpoint.
  await signedIn.route(`**/webhooks/${endpoint.id}`, async (route) => {
    const isDeletion = route.request().method() === 'DELETE';
    const answer = await route.fetch();
    if (isDeletion) await signedIn.waitForRequest(new RegExp(endpoint.id), { timeout: 500 }).catch(() => undefined);
    await route.fulfill({ response: answer });
  });
  await signedIn.getByRole('button', { name: 'Delete endpoint' }).click();
  await expect(signedIn.getByRole('heading', { name: 'Webhooks' })).toBeVisible();
  await expect(signedIn.locator(`[data-id="${endpoint.id}"]`)).toBeHidden();
});

test('sends earlier events to a new endpoint, and lists every event with its body @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const sale = await api.sell({ amount: '73.00' });
  await signedIn.goto('/#/webhooks');
  await signedIn.getByRole('button', { name: 'New endpoint' }).first().click();
  await signedIn.getByLabel('URL (HTTPS)').fill(receiver.url('/late'));
  await signedIn.getByLabel('Also send what happened earlier').check();
  const dialog = signedIn.getByRole('dialog', { name: 'New webhook endpoint' });
  await expect(dialog.getByText(/^[\d,]+ events?$/)).toBeVisible();
  await signedIn.keyboard.press('Enter');
  await signedIn.getByRole('button', { name: 'I’ve saved it' }).click();
  await expect.poll(() => receiver.receivedAt('/late').some(({ event }) => event.data.transactionId === sale.transactionId)).toBe(true);

  await signedIn.goto('/#/events');
  const grid = signedIn.getByRole('grid', { name: 'Events' });
  await signedIn.getByRole('button', { name: 'Type' }).click();
  await signedIn.getByRole('menuitemradio', { name: 'transaction.approved' }).click();
  await expect(signedIn).toHaveURL(/events\?type=transaction\.approved/);
  await grid.getByText(sale.transactionId).click();
  const event = signedIn.getByRole('dialog', { name: 'Event' });
  await expect(event).toContainText('"amount": 73');
  await expect(event.getByText('Matches')).toHaveCount(2);
  await expectAccessible(signedIn, 'events');
  await event.getByRole('combobox', { name: 'Endpoint' }).press('Enter');
  await signedIn.getByRole('option', { name: receiver.url('/late') }).press('Enter');
  await event.getByRole('button', { name: 'Send event' }).press('Enter');
  await expect(event.getByRole('alert')).toContainText('Delivered in');
});

test('registers an endpoint for security events as owner and delivers a failed sign-in @full', async ({ signedIn, service }) => {
  await signedIn.goto('/#/webhooks');
  await signedIn.getByRole('button', { name: 'New endpoint' }).first().click();
  await signedIn.getByLabel('URL (HTTPS)').fill(receiver.url('/security'));
  await signedIn.getByLabel(/^All payment events/).uncheck();
  await signedIn.getByRole('checkbox', { name: 'security.sign_in_failed' }).check();
  await signedIn.getByRole('button', { name: 'Create endpoint' }).click();
  await signedIn.getByRole('button', { name: 'I’ve saved it' }).click();
  const answer = await fetch(`${service.baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'X-Tenant-ID': service.tenantId, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'unknown@demo.example', password: 'a wrong password' }),
  });
  expect(answer.status).toBe(401);
  const grid = signedIn.getByRole('grid', { name: 'Deliveries' });
  await grid.getByText('security.sign_in_failed', { exact: true }).click();
  await expect(signedIn.getByRole('dialog', { name: 'Delivery' })).toContainText('session.refused');
  expect(receiver.receivedAt('/security').map(({ event }) => event.type)).toEqual(['security.sign_in_failed']);
});

test('webhooks have no accessibility fault in either color scheme and fit a small screen @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  receiver.answers.set('/odd', refuse(500));
  const endpoint = await api.post<Registered>('/webhooks', { url: receiver.url('/odd'), events: ['*'] });
  await api.sell({ amount: '73.00' });
  await signedIn.goto('/#/webhooks');
  await expect(signedIn.locator(`[data-id="${endpoint.id}"]`)).toBeVisible();
  await expectAccessible(signedIn, 'endpoints');
  await signedIn.getByRole('button', { name: 'New endpoint' }).first().click();
  await signedIn.getByLabel(/^All payment events/).uncheck();
  await expectAccessible(signedIn, 'new endpoint');
  await signedIn.keyboard.press('Escape');
  await signedIn.goto(`/#/webhooks/${endpoint.id}`);
  await signedIn.getByText('transaction.approved', { exact: true }).first().click();
  await expect(signedIn.getByRole('dialog', { name: 'Delivery' }).locator('details').first()).toBeVisible();
  await expectAccessible(signedIn, 'delivery');
  await signedIn.setViewportSize({ width: 640, height: 360 });
  expect(await signedIn.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await api.post(`/webhooks/${endpoint.id}/rotate-secret`, {});
});
