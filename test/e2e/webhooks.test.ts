import { createHmac } from 'node:crypto';
import { type Receiver, refuse, startReceiver } from '../support/receiver.ts';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { Till } from './till.ts';

let receiver: Receiver;
test.beforeAll(async () => {
  receiver = await startReceiver();
});
test.afterAll(() => receiver.stop());

interface Registered {
  readonly id: string;
  readonly secret: string;
}

test('an endpoint is registered, its secret shown once, a test event sent, and a sale appears in the log by itself', async ({
  signedIn,
  service,
  faults,
}) => {
  faults.expect(/400/);
  const till = await Till.open(service);
  await signedIn.goto('/#/webhooks');
  await signedIn.getByRole('button', { name: 'New endpoint' }).first().click();
  await signedIn.getByLabel('Address, HTTPS').fill('http://localhost/');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByText('url must use HTTPS.')).toBeVisible();
  await signedIn.getByLabel('Address, HTTPS').fill(receiver.url('/shop'));
  await signedIn.keyboard.press('Enter');
  const kept = signedIn.getByRole('dialog', { name: 'The secret of this endpoint' });
  const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec((await kept.textContent()) ?? '')?.[0] ?? '';
  expect(secret).not.toBe('');
  for (const language of ['PHP', 'Python', 'C#', 'Node']) {
    await kept.getByRole('tab', { name: language }).click();
    await expect(kept.getByRole('region')).toContainText(/hmac/i);
  }
  await kept.getByRole('button', { name: 'I have kept it' }).click();
  await expect(signedIn.getByRole('heading', { name: receiver.url('/shop') })).toBeVisible();
  expect(await signedIn.content()).not.toContain(secret);

  await signedIn.keyboard.press('t');
  await expect(signedIn.getByLabel('Event type', { exact: true })).toBeFocused();
  await signedIn.getByRole('button', { name: 'Send it now' }).click();
  const drawer = signedIn.getByRole('dialog', { name: 'Delivery' });
  await expect(drawer.locator('[data-state=delivered]')).toBeVisible();
  await expect(drawer).toContainText('"test":true');
  await expect(drawer).toContainText('X-Service-Signature');
  await signedIn.keyboard.press('Escape');

  const sale = await till.sell({ amount: '71.00' });
  const grid = signedIn.getByRole('grid', { name: 'Deliveries' });
  await expect(grid.getByText('transaction.approved', { exact: true })).toBeVisible();
  const [received] = receiver.at('/shop').filter(({ event }) => event.data.transactionId === sale.transactionId);
  expect(received?.headers['x-service-signature']).toBe(
    createHmac('sha256', secret)
      .update(received?.body ?? '')
      .digest('hex'),
  );

  await signedIn.goto('/#/webhooks');
  await signedIn.getByRole('button', { name: 'Check a signature' }).click();
  const checker = signedIn.getByRole('dialog', { name: 'Check a signature' });
  await checker.getByLabel(/^Body/).fill(received?.body ?? '');
  await checker.getByLabel('X-Service-Signature').fill(String(received?.headers['x-service-signature']));
  await checker.getByLabel('Secret of the endpoint').fill(secret);
  await checker.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(checker).toContainText('The signature matches');
  await checker.getByLabel(/^Body/).fill(`${received?.body} changed`);
  await checker.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(checker).toContainText('It does not match');
});

test('a failing receiver shows each attempt at its time, and a redelivery sends the same bytes', async ({ signedIn, service }) => {
  const till = await Till.open(service);
  receiver.answers.set('/failing', refuse(503));
  const endpoint = await till.post<Registered>('/webhooks', { url: receiver.url('/failing'), events: ['transaction.approved'] });
  const sale = await till.sell({ amount: '72.00' });
  await signedIn.goto(`/#/webhooks/${endpoint.id}`);
  const grid = signedIn.getByRole('grid', { name: 'Deliveries' });
  await expect(grid.getByText('Not 200 (503)')).toBeVisible();
  await till.post('/sandbox/clock', { advanceSeconds: 361 });
  await grid.getByText('transaction.approved', { exact: true }).click();
  const drawer = signedIn.getByRole('dialog', { name: 'Delivery' });
  await expect(drawer.locator('details')).toHaveCount(3);
  const { data } = await till.read<{ id: string }[]>(`/webhooks/${endpoint.id}/deliveries`);
  const { data: shown } = await till.read<{ attempts: { attemptedAt: string }[] }>(`/webhooks/${endpoint.id}/deliveries/${data[0]?.id}`);
  const [first, second, third] = shown.attempts.map(({ attemptedAt }) => Date.parse(attemptedAt));
  expect([(second ?? 0) - (first ?? 0), (third ?? 0) - (second ?? 0)]).toEqual([60_000, 300_000]);
  receiver.answers.delete('/failing');
  await signedIn.keyboard.press('r');
  await expect(drawer.locator('[data-state=delivered]')).toBeVisible();
  await expect(drawer).toContainText('by hand');
  expect(new Set(receiver.at('/failing').map(({ body }) => body)).size).toBe(1);

  await signedIn.goto(`/#/transactions/${sale.transactionId}`);
  await expect(signedIn.getByRole('dialog', { name: 'Transaction' })).toContainText('Webhook deliveries');
  await signedIn.locator(`a[href*="${endpoint.id}"]`).click();
  await expect(signedIn.getByRole('dialog', { name: 'Delivery' })).toBeVisible();
});

test('a disabled endpoint says that nothing is queued; rotated, it shows a new secret once; deleted, it is gone', async ({
  signedIn,
  service,
}) => {
  const till = await Till.open(service);
  const endpoint = await till.post<Registered>('/webhooks', { url: receiver.url('/quiet'), events: ['refund.processed'] });
  await signedIn.goto(`/#/webhooks/${endpoint.id}`);
  const more = async (name: string) => {
    await signedIn.getByRole('button', { name: 'More' }).click();
    await signedIn.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
  };
  await more('Disable');
  await expect(signedIn.getByText('Disabled: nothing is queued for it.', { exact: false }).first()).toBeVisible();
  await more('Rotate the secret');
  await signedIn.getByRole('button', { name: 'Make a new secret' }).click();
  const kept = signedIn.getByRole('dialog', { name: 'The new secret' });
  await expect(kept).toContainText('whsec_');
  await expect(kept).not.toContainText(endpoint.secret);
  await kept.getByRole('button', { name: 'I have kept it' }).click();
  await more('Delete');
  // The stream of changes may tell of the deletion before its answer is here: nothing may ask for what is gone.
  await signedIn.route(`**/webhooks/${endpoint.id}`, async (route) => {
    const isDeletion = route.request().method() === 'DELETE';
    const answer = await route.fetch();
    if (isDeletion) await signedIn.waitForRequest(new RegExp(endpoint.id), { timeout: 500 }).catch(() => undefined);
    await route.fulfill({ response: answer });
  });
  await signedIn.getByRole('button', { name: 'Delete the endpoint' }).click();
  await expect(signedIn.getByRole('heading', { name: 'Webhooks' })).toBeVisible();
  await expect(signedIn.locator(`[data-id="${endpoint.id}"]`)).toBeHidden();
});

test('the test clock of the sandbox goes ahead and says what it ran', async ({ signedIn }) => {
  await signedIn.goto('/#/webhooks');
  const clock = signedIn.getByRole('region', { name: 'Test clock' });
  const before = await clock.locator('time').getAttribute('datetime');
  await clock.getByRole('button', { name: '+1 hour' }).click();
  await expect(clock).toContainText(/Nothing fell due\.|Ran /);
  const after = await clock.locator('time').getAttribute('datetime');
  expect(Date.parse(after ?? '') - Date.parse(before ?? '')).toBeGreaterThanOrEqual(3_599_000);
});

test('an owner registers an endpoint for security events and sees a failed sign-in delivered', async ({ signedIn, service }) => {
  await signedIn.goto('/#/webhooks');
  await signedIn.getByRole('button', { name: 'New endpoint' }).first().click();
  await signedIn.getByLabel('Address, HTTPS').fill(receiver.url('/security'));
  await signedIn.getByLabel(/^Every payment event/).uncheck();
  await signedIn.getByRole('checkbox', { name: 'security.sign_in_failed' }).check();
  await signedIn.getByRole('button', { name: 'Register the endpoint' }).click();
  await signedIn.getByRole('button', { name: 'I have kept it' }).click();
  const answer = await fetch(`${service.baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'X-Tenant-ID': service.tenantId, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'unknown@demo.example', password: 'a wrong password' }),
  });
  expect(answer.status).toBe(401);
  const grid = signedIn.getByRole('grid', { name: 'Deliveries' });
  await grid.getByText('security.sign_in_failed', { exact: true }).click();
  await expect(signedIn.getByRole('dialog', { name: 'Delivery' })).toContainText('session.refused');
  expect(receiver.at('/security').map(({ event }) => event.type)).toEqual(['security.sign_in_failed']);
});

test('webhooks have no accessibility fault in either scheme and fit a small screen', async ({ signedIn, service }) => {
  const till = await Till.open(service);
  receiver.answers.set('/odd', refuse(500));
  const endpoint = await till.post<Registered>('/webhooks', { url: receiver.url('/odd'), events: ['*'] });
  await till.sell({ amount: '73.00' });
  await signedIn.goto('/#/webhooks');
  await expect(signedIn.locator(`[data-id="${endpoint.id}"]`)).toBeVisible();
  await expectAccessible(signedIn, 'endpoints');
  await signedIn.getByRole('button', { name: 'New endpoint' }).first().click();
  await signedIn.getByLabel(/^Every payment event/).uncheck();
  await expectAccessible(signedIn, 'new endpoint');
  await signedIn.keyboard.press('Escape');
  await signedIn.goto(`/#/webhooks/${endpoint.id}`);
  await signedIn.getByText('transaction.approved', { exact: true }).first().click();
  await expect(signedIn.getByRole('dialog', { name: 'Delivery' }).locator('details').first()).toBeVisible();
  await expectAccessible(signedIn, 'delivery');
  await signedIn.setViewportSize({ width: 640, height: 360 });
  expect(await signedIn.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await till.post(`/webhooks/${endpoint.id}/rotate-secret`, {});
});
