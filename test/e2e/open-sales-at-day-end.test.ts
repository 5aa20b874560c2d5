import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import type { Order } from './orders.ts';

test('keeps parked sales by rule at the end of the day, and lists open sales with money in To do', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const { orderId: parked } = await api.post<Order>('/orders', { amount: 13, name: 'Table 2' });
  await api.post(`/orders/${parked}/park`, {});
  await page.goto('/#/reports/daily-close');
  await expect(page.getByText(/still parked. They stay for tomorrow unless you cancel them\..*Table 2, .*13\.00/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel all parked sales' })).toBeVisible();

  await page.goto('/#/settings/terminal');
  await page.getByLabel('Parked sales at the end of the day').click();
  await page.getByRole('option', { name: 'Keep them for tomorrow' }).click();
  await page.getByRole('button', { name: /^Save/ }).click();
  // The screen asks before it leaves a form that is still being saved.
  await expect(page.getByText('No changes')).toBeVisible();
  await page.goto('/#/reports/daily-close');
  await expect(page.getByText(/still parked. They stay for tomorrow\. Table 2, .*13\.00/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel all parked sales' })).toHaveCount(0);

  const { orderId } = await api.post<Order>('/orders', { amount: 44, name: 'Table 17' });
  await api.post('/tenders', { kind: 'cash', amount: 4.5, orderId });
  await api.post('/sandbox/clock', { advanceSeconds: 86_400 });
  await page.goto('/#/to-do?kind=open_order');
  const line = page.getByRole('list', { name: 'To do' }).getByRole('link').filter({ hasText: 'Table 17' });
  await expect(line).toContainText('Open sale with money, Table 17');
  await expect(line).toContainText('4.50');
  await expectAccessible(page, 'open sales in To do');
  await line.click();
  await expect(page).toHaveURL(new RegExp(`/orders/${orderId}`));
});
