import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { HomePage } from './pages/home-page.ts';

const SIZES = [
  { width: 1280, height: 720 },
  { width: 640, height: 400 },
];
const written = (amount: number) => amount.toLocaleString('en-US', { minimumFractionDigits: 2 });

test('opens on Home, which compares today until now, lists what is to do and leads to it by keyboard', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  const api = await ApiSession.open(service);
  const sale = await api.sell({ amount: '48.20' });
  const { customerId } = await api.post<{ customerId: string }>('/customers', { firstName: 'Olga', lastName: 'Soon' });
  const { data: clock } = await api.read<{ now: string }>('/sandbox/clock');
  const soon = new Date(Date.parse(clock.now) + 20 * 86_400_000).toISOString();
  const card = { number: '4111111111111111', expiryMonth: soon.slice(5, 7), expiryYear: soon.slice(0, 4) };
  await api.post(`/customers/${customerId}/payment-methods`, { card });
  const home = new HomePage(page);
  await page.goto('/#/');
  await expect(home.heading).toBeVisible();
  interface Part {
    readonly salesAmount: number;
    readonly refundsAmount: number;
  }
  const { data: me } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const net = ({ salesAmount, refundsAmount }: Part) => written(salesAmount - refundsAmount);
  // Other tests sell for further merchants, and the service concludes their payments meanwhile: then both are read again.
  await expect(async () => {
    await page.reload();
    const { data } = await api.read<{ today: Part; weekBefore: Part }>(`/reporting/today?merchantId=${me.merchants[0]?.merchantId}`);
    await expect(home.figure('Net sales')).toContainText(net(data.today), { timeout: 5_000 });
    await expect(home.figure('Net sales')).toContainText(`: ${net(data.weekBefore)}`, { timeout: 5_000 });
  }).toPass();
  const chart = (name: string) => page.getByRole('listbox', { name: `${name} by day` });
  await expect(chart('Net sales').getByRole('option')).toHaveCount(7);
  await expect(chart('Net sales').getByRole('option').last()).toHaveText(/, so far: .*, before /);
  await home.figure('Refunds').press('Enter');
  await expect(chart('Refunds').getByRole('option')).toHaveCount(7);
  await page.getByRole('button', { name: 'Period: Today' }).press('Enter');
  await page.getByRole('menuitemradio', { name: 'Last 4 weeks' }).press('Enter');
  await expect(page).toHaveURL(/period=4-weeks/);
  await expect(page.getByRole('heading', { name: 'Refunds, USD, last 4 weeks' })).toBeVisible();
  await expect(chart('Refunds').getByRole('option')).toHaveCount(28);
  await page.goto('/#/transactions');
  await page.goto('/#/home');
  await expect(page.getByRole('button', { name: 'Period: Last 4 weeks' })).toBeVisible();
  await expect(home.latest.locator(`a[href="#/transactions/${sale.transactionId}"]`)).toBeVisible();
  await expect(home.part('Payouts')).toContainText('Unsettled');
  await strokes.reset();
  await expect(home.toDo.getByRole('link').first()).toBeVisible();
  await home
    .part('To do')
    .getByRole('link', { name: /^All \d+/ })
    .focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'To do', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: /cards? on file expires? within 60 days/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible();
  expect(strokes.clicks()).toBe(0);
  await home.open();
  await page.keyboard.press('F2');
  await expect(page.getByLabel('Amount')).toBeFocused();
});

test('the bell and a narrow Home show the most urgent items of To do, without their reasons @full', async ({ signedIn: page }) => {
  const home = new HomePage(page);
  await page.setViewportSize({ width: 1024, height: 768 });
  await home.open();
  const lines = home.toDo.getByRole('link');
  await expect(lines.first()).toBeVisible();
  await expect(lines.filter({ hasText: 'Unconfirmed payment' }).getByText('No answer since')).toBeHidden();
  const shown = await lines.count();
  await page.goto('/#/settings/profile');
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^To do: \d+$/ })
    .press('Enter');
  const bell = page.getByRole('dialog', { name: 'To do' });
  await expect(bell.getByRole('listitem')).toHaveCount(shown);
  await expectAccessible(page, 'bell');
  await bell.getByRole('link', { name: /^All \d+/ }).click();
  await expect(page.getByRole('heading', { name: 'To do', level: 1 })).toBeVisible();
  await expect(bell).toBeHidden();
});

test('has enough contrast and is not cut off in either color scheme @full', async ({ signedIn: page }) => {
  const home = new HomePage(page);
  await home.open();
  await expect(page.getByRole('listbox', { name: 'Net sales by day' })).toBeVisible();
  await expectAccessible(page, 'home');
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expect
      .poll(() => page.locator('main').evaluate((main) => main.scrollWidth <= main.clientWidth), `home at ${size.width}`)
      .toBe(true);
  }
});
