import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

const MINUTES = 60;

test('lists a declined refund without a reload, retries it by schedule, marks it as needing attention, and resolves it by keyboard', async ({
  signedIn,
  service,
}) => {
  const api = await ApiSession.open(service);
  await signedIn.goto('/#/refund-queue?tab=waiting');
  await expect(signedIn.getByRole('heading', { name: 'Failed refunds' })).toBeVisible();
  const owed = await api.createDeclinedRefund('61.00');
  const row = signedIn.locator(`[data-id="${owed.entryId}"]`);
  await expect(row).toContainText('61.00');
  await expect(row).toContainText('The account does not allow this entry. (R29)');
  await expect(row).toContainText('0 of 3');

  await row.click();
  const drawer = signedIn.getByRole('dialog', { name: 'Declined refund' });
  await expect(drawer).toContainText('After 3 attempts, we stop and 61.00 USD can be refunded again');
  await api.post('/sandbox/clock', { advanceSeconds: 30 * MINUTES });
  await expect(drawer.locator('[data-state=failed]').first()).toBeVisible();
  await expect(drawer).toContainText('The customer is still owed 61.00 USD');
  await expect(drawer.getByRole('listitem')).toHaveCount(3);
  await expect(signedIn.getByRole('navigation', { includeHidden: true }).getByText(/items, \d+ urgent/)).toBeAttached();
  await signedIn.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await signedIn.getByRole('tab', { name: 'Needs attention' }).click();
  await row.click();
  await expect(drawer).toContainText('The customer is still owed 61.00 USD');
  await signedIn.keyboard.press('s');
  await expect(drawer.getByLabel('Refund method')).toBeFocused();
  await drawer.getByLabel('Notes (optional)').fill('Check 17');
  await signedIn.keyboard.press('Enter');
  await expect(drawer).toContainText('Until then, you can undo it.');
  await signedIn.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(drawer).toContainText('The customer is still owed 61.00 USD');
  await expect(drawer.getByRole('button', { name: 'Resolve' })).toBeVisible();
  await signedIn.keyboard.press('s');
  await drawer.getByLabel('Notes (optional)').fill('Check 17');
  await signedIn.keyboard.press('Enter');
  await expect(drawer).toContainText('Until then, you can undo it.');
  // The page sends the change when it ends.
  await signedIn.reload();
  await expect(drawer).toContainText('The customer has received 61.00 USD.');
  await expect(drawer).toContainText('Check 17');

  await signedIn.keyboard.press('Escape');
  await signedIn.getByRole('button', { name: /^Period:/ }).click();
  await signedIn.getByRole('menuitemradio', { name: 'All time' }).click();
  const figures = signedIn.getByRole('region', { name: 'Queue statistics' });
  const stats = async () => {
    const { data } = await api.read<Record<'totalEntries' | 'failed' | 'resolved', number>>('/refund-decline-queue/stats?period=all');
    return [`Refunds${data.totalEntries}`, `Needs attention${data.failed}`, `Resolved${data.resolved}`];
  };
  // The service retries refunds of the sample data meanwhile: then both are read again.
  await expect(async () => {
    for (const text of await stats()) await expect(figures).toContainText(text, { timeout: 5_000 });
  }).toPass();
});

test('opens on the refunds that are being retried if none needs attention, with their number @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  await api.createDeclinedRefund('62.00');
  await signedIn.route(/refund-decline-queue\?.*status=failed/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { pagination: object };
    await route.fulfill({ response, json: { ...body, data: [], pagination: { ...body.pagination, total: 0 } } });
  });
  await signedIn.goto('/#/refund-queue');
  await expect(signedIn.getByRole('tab', { name: /^Retrying \(\d+\)$/ })).toHaveAttribute('aria-selected', 'true');
  await signedIn.getByRole('tab', { name: 'Needs attention', exact: true }).click();
  await expect(signedIn.getByText('No refunds need attention')).toBeVisible();
});

test('asks before a refund is retried, and retries it once if the key is pressed again before the response', async ({
  signedIn,
  service,
}) => {
  const owed = await (await ApiSession.open(service)).createDeclinedRefund('61.00');
  const { promise: isPressed, resolve: release } = Promise.withResolvers<void>();
  let retries = 0;
  await signedIn.route('**/retry', async (route) => {
    retries += 1;
    await isPressed;
    await route.fallback();
  });
  await signedIn.goto(`/#/refund-queue/${owed.entryId}?tab=waiting`);
  const drawer = signedIn.getByRole('dialog', { name: 'Declined refund' });
  await expect(drawer.getByRole('button', { name: 'Retry now' })).toBeVisible();
  await signedIn.keyboard.press('t');
  await expect(drawer.getByRole('form', { name: 'Retry now' })).toContainText('Sends the refund of 61.00 USD');
  expect(retries).toBe(0);
  await signedIn.keyboard.press('Enter');
  await expect.poll(() => retries).toBe(1);
  await signedIn.keyboard.press('Enter');
  const answered = signedIn.waitForResponse('**/retry');
  release();
  await answered;
  await expect(drawer.getByRole('button', { name: 'Retry now' })).toBeEnabled();
  expect(retries).toBe(1);
});

test('cancels a refund that is being retried at once, without a time for Undo', async ({ signedIn, service }) => {
  const owed = await (await ApiSession.open(service)).createDeclinedRefund('64.00');
  await signedIn.goto(`/#/refund-queue/${owed.entryId}?tab=waiting`);
  const drawer = signedIn.getByRole('dialog', { name: 'Declined refund' });
  await expect(drawer.getByRole('button', { name: 'Retry now' })).toBeVisible();
  await signedIn.keyboard.press('x');
  await expect(signedIn.getByLabel('Reason (optional)')).toBeFocused();
  const answered = signedIn.waitForResponse('**/cancel');
  await signedIn.keyboard.press('Enter');
  expect((await answered).ok()).toBe(true);
  await expect(drawer.locator('[data-state=cancelled]').first()).toBeVisible();
  await expect(signedIn.getByRole('button', { name: 'Undo', exact: true })).toBeHidden();
});

test('shows who closed an entry in the meantime, and the entry @full', async ({ signedIn, service, faults }) => {
  faults.expect(/409/);
  const api = await ApiSession.open(service);
  const owed = await api.createDeclinedRefund('62.00');
  await signedIn.route('**/api/v1/changes', (route) => route.abort());
  await signedIn.goto(`/#/refund-queue/${owed.entryId}?tab=waiting`);
  await signedIn.reload();
  const drawer = signedIn.getByRole('dialog', { name: 'Declined refund' });
  await expect(drawer.getByRole('button', { name: 'Retry now' })).toBeVisible();
  faults.expect(/changes/);
  await api.post(`/refund-decline-queue/${owed.entryId}/cancel`, { reason: 'kept' });
  await signedIn.keyboard.press('t');
  await signedIn.keyboard.press('Enter');
  await expect(drawer).toContainText('This refund was already canceled by Olivia Hart.');
  await expect(drawer.locator('[data-state=cancelled]').first()).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Retry now' })).toBeHidden();
});

test('the refund queue has no accessibility fault in either color scheme and fits a small screen @full', async ({ signedIn, service }) => {
  const owed = await (await ApiSession.open(service)).createDeclinedRefund('63.00');
  await signedIn.goto('/#/refund-queue?tab=waiting');
  await expect(signedIn.locator(`[data-id="${owed.entryId}"]`)).toBeVisible();
  await expectAccessible(signedIn, 'queue');
  await signedIn.locator(`[data-id="${owed.entryId}"]`).click();
  const drawer = signedIn.getByRole('dialog', { name: 'Declined refund' });
  await expect(drawer.getByRole('button', { name: 'Retry now' })).toBeVisible();
  await signedIn.keyboard.press('x');
  await expect(signedIn.getByLabel('Reason (optional)')).toBeFocused();
  await expectAccessible(signedIn, 'entry');
  await signedIn.setViewportSize({ width: 640, height: 360 });
  expect(await signedIn.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
