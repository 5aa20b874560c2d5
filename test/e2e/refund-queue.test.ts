import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { Till } from './till.ts';

const MINUTES = 60;

test('a declined refund appears without a reload, is tried by the clock, needs somebody at last and is resolved by keyboard', async ({
  signedIn,
  service,
}) => {
  const till = await Till.open(service);
  await signedIn.goto('/#/refund-queue?tab=waiting');
  await expect(signedIn.getByRole('heading', { name: 'Refund queue' })).toBeVisible();
  const owed = await till.declinedRefund('61.00');
  const row = signedIn.locator(`[data-id="${owed.entryId}"]`);
  await expect(row).toContainText('61.00');
  await expect(row).toContainText('Not authorized by the business (R29)');
  await expect(row).toContainText('0 of 3');

  await row.click();
  const drawer = signedIn.getByRole('dialog', { name: 'Declined refund' });
  await expect(drawer).toContainText('after 3 tries it stops and 61.00 USD is free again');
  await till.post('/sandbox/clock', { advanceSeconds: 30 * MINUTES });
  await expect(drawer.locator('[data-state=failed]').first()).toBeVisible();
  await expect(drawer).toContainText('The customer is still owed 61.00 USD');
  await expect(drawer.getByRole('listitem')).toHaveCount(3);
  await expect(signedIn.getByRole('navigation', { includeHidden: true }).getByText(/needs? you/)).toBeAttached();
  await signedIn.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await signedIn.getByRole('tab', { name: 'Needs you' }).click();
  await row.click();
  await expect(drawer).toContainText('The customer is still owed 61.00 USD');
  await signedIn.keyboard.press('s');
  await expect(drawer.getByLabel('Given back by')).toBeFocused();
  await drawer.getByLabel('Notes, optional').fill('Check 17');
  await signedIn.keyboard.press('Enter');
  await expect(drawer).toContainText('The customer has 61.00 USD back.');
  await expect(drawer).toContainText('Check 17');

  await signedIn.keyboard.press('Escape');
  await signedIn.getByRole('button', { name: /^Period:/ }).click();
  await signedIn.getByRole('menuitemradio', { name: 'All time' }).click();
  const { data } = await till.read<{ totalEntries: number; resolved: number; failed: number }>('/refund-decline-queue/stats?period=all');
  const figures = signedIn.getByRole('region', { name: 'Figures of the queue' });
  await expect(figures).toContainText(`Entries${data.totalEntries}`);
  await expect(figures).toContainText(`Needs you${data.failed}`);
  await expect(figures).toContainText(`Resolved${data.resolved}`);
});

test('what somebody else closed meanwhile says who, and shows it', async ({ signedIn, service, faults }) => {
  faults.expect(/409/);
  const till = await Till.open(service);
  const owed = await till.declinedRefund('62.00');
  await signedIn.route('**/api/v1/changes', (route) => route.abort());
  await signedIn.goto(`/#/refund-queue/${owed.entryId}?tab=waiting`);
  await signedIn.reload();
  const drawer = signedIn.getByRole('dialog', { name: 'Declined refund' });
  await expect(drawer.getByRole('button', { name: 'Try again now' })).toBeVisible();
  faults.expect(/changes/);
  await till.post(`/refund-decline-queue/${owed.entryId}/cancel`, { reason: 'kept' });
  await signedIn.keyboard.press('t');
  await expect(drawer).toContainText(`This refund is cancelled already, by ${service.adminEmail}.`);
  await expect(drawer.locator('[data-state=cancelled]').first()).toBeVisible();
  await expect(drawer.getByRole('button', { name: 'Try again now' })).toBeHidden();
});

test('the refund queue has no accessibility fault in either scheme and fits a small screen', async ({ signedIn, service }) => {
  const owed = await (await Till.open(service)).declinedRefund('63.00');
  await signedIn.goto('/#/refund-queue?tab=waiting');
  await expect(signedIn.locator(`[data-id="${owed.entryId}"]`)).toBeVisible();
  await expectAccessible(signedIn, 'queue');
  await signedIn.locator(`[data-id="${owed.entryId}"]`).click();
  const drawer = signedIn.getByRole('dialog', { name: 'Declined refund' });
  await expect(drawer.getByRole('button', { name: 'Try again now' })).toBeVisible();
  await signedIn.keyboard.press('x');
  await expect(signedIn.getByLabel('Reason, optional')).toBeFocused();
  await expectAccessible(signedIn, 'entry');
  await signedIn.setViewportSize({ width: 640, height: 360 });
  expect(await signedIn.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
});
