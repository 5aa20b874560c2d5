import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

test('works through To do by keyboard: J and K, Enter, and the next item after one is done', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  const api = await ApiSession.open(service);
  const dispute = async (amount: string) => {
    const { transactionId } = await api.sell({ amount });
    return api.post<{ disputeId: string }>('/disputes', { transactionId });
  };
  const first = await dispute('31.70');
  const second = await dispute('31.60');
  await page.goto('/#/to-do?kind=dispute');
  const list = page.getByRole('list', { name: 'To do' });
  const line = (amount: string) => list.getByRole('link').filter({ hasText: amount });
  await expect(line('31.70')).toContainText('Respond');
  await expectAccessible(page, 'to do');
  await strokes.reset();
  await page.keyboard.press('j');
  await expect(list.getByRole('link').first()).toBeFocused();
  while (!(await line('31.70').evaluate((link) => link === document.activeElement))) await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect(line('31.60')).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(first.disputeId));
  const bar = page.getByRole('navigation', { name: 'To do' });
  await expect(bar).toContainText('Dispute');

  await api.post(`/disputes/${first.disputeId}/submit`, {});
  await expect(bar).toContainText('Done: Dispute');
  await page.keyboard.press('.');
  await expect(page.getByRole('dialog')).toContainText('31.60');
  await page.keyboard.press(',');
  await expect(line('31.60')).toBeFocused();
  await expect(line('31.70')).toHaveCount(0);
  expect(strokes.clicks()).toBe(0);
  // Other tests of this service expect no withheld money.
  for (const { disputeId } of [first, second]) await api.post(`/disputes/${disputeId}/conclude`, { outcome: 'won' });
});
