import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { openMerchantApi } from './pages/merchant-api.ts';

interface Shown {
  state: string;
  since: string | null;
  gateways: { name: string; state: string; cause: string | null }[];
  works: Record<string, boolean>;
}

interface Outage {
  readonly state: string;
  readonly cause: string;
  /** Time at which it began, in the tenant's time. */
  readonly since: string;
}

/** Makes the service answer as if no gateway of the merchant could be reached; null returns to its own answers. */
async function play(page: Page, outage: Outage | null): Promise<void> {
  await page.unroute('**/system/connectivity?*');
  if (outage === null) return;
  await page.route('**/system/connectivity?*', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: Shown };
    const gateways = data.gateways.map((gateway) => ({ ...gateway, name: 'NMI', state: 'down', cause: outage.cause }));
    const shown = {
      ...data,
      state: outage.state,
      since: outage.since,
      gateways,
      works: { ...data.works, cards: false, chargeLater: true },
    };
    await route.fulfill({ response, json: { success: true, data: shown } });
  });
}

/** Returns the tenant's time. Other tests move its clock. */
async function tenantTime(api: ApiSession): Promise<string> {
  return (await api.read<{ now: string }>('/sandbox/clock')).data.now;
}

test('says in an outage what still works, stops card entry with the reason, and takes cash by keyboard meanwhile', async ({
  signedIn: page,
  service,
}) => {
  const since = await tenantTime(await ApiSession.open(service));
  const banner = page.getByRole('main').getByText(/^No connection since/);
  const charge = page.getByRole('button', { name: /^Charge/ }).first();
  await play(page, { state: 'offline', cause: 'network', since });
  await page.reload();
  await expect(banner).toHaveText(
    /^No connection since \d{1,2}:\d\d [AP]M\. Cards and bank accounts can’t be charged\. Cash, checks, invoices and payment links work\. Emails and text messages are sent when the connection returns\.$/,
  );
  await page.keyboard.press('F2');
  await expect(page.locator('[data-outage]')).toContainText('Take cash or a check, or create an invoice or a payment link');
  await expect(charge).toBeDisabled();
  await expect(page.getByLabel('Card number')).toHaveJSProperty('readOnly', true);
  await expectAccessible(page, 'an outage');
  await expect(page.getByRole('textbox', { name: 'Amount', exact: true })).toBeFocused();
  await page.keyboard.type('12.50');
  await page.keyboard.press('F6');
  await expect(page.getByLabel('Amount given, USD')).toBeFocused();
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-change]')).toHaveText(/7\.50/);
  await page.keyboard.press('Enter');

  await play(page, null);
  await expect(banner).toBeHidden();
  await expect(page.getByText('The connection is back. Cards can be charged again.')).toBeAttached();
  await expect(charge).toBeEnabled();
});

test('queues a payment with a saved card during an outage by keyboard, and shows it in the list @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const merchantApi = await openMerchantApi(service);
  await merchantApi.change('vt-settings', { chargeLaterMaxAmount: 100 });
  await merchantApi.change('amount-settings', { surchargePercent: 3 });
  const { data: me } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  // Its former state forbids surcharges.
  await api.put(`/merchants/${me.merchants[0]?.merchantId}`, { state: 'NH' });
  const { customerId } = await api.post<{ customerId: string }>('/customers', {
    firstName: 'Later',
    lastName: 'Lane',
    email: 'lane@example.com',
  });
  const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2039' };
  await api.post(`/customers/${customerId}/payment-methods`, { card, consentText: 'Charge this card for my orders.' });
  await play(page, { state: 'gateway-down', cause: 'silent', since: await tenantTime(api) });
  await page.goto(`/#/sell?customerId=${customerId}`);
  await page.reload();
  await expect(page.getByRole('button', { name: /^Charge later/ })).toBeEnabled();
  await page.getByRole('textbox', { name: 'Amount', exact: true }).focus();
  await page.keyboard.type('41.20');
  // A payment that is charged later has no surcharge, so there is nothing to sum up.
  await expect(page.locator('[data-total]')).toHaveCount(0);
  await page.keyboard.press('Control+Shift+L');
  await expect(page.getByText('41.20 USD is charged when the gateway answers.').first()).toBeVisible();
  await page.goto('/#/queued-payments?tab=all');
  const row = page.getByRole('row', { name: /Later Lane/ });
  await expect(row).toContainText('Visa ••1111');
  await page.getByRole('heading', { name: 'Charge later' }).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /41\.20/ })).toBeFocused();
  await expectAccessible(page, 'a payment to charge later');
  await merchantApi.change('vt-settings', { chargeLaterMaxAmount: null });
  await merchantApi.change('amount-settings', { surchargePercent: 0 });
});
