import type { Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

interface Shown {
  state: string;
  since: string | null;
  gateways: { name: string; state: string; cause: string | null }[];
  works: Record<string, boolean>;
}

/** Makes the service answer as if no gateway of the merchant could be reached; null returns to its own answers. */
async function play(page: Page, outage: { readonly state: string; readonly cause: string } | null): Promise<void> {
  await page.unroute('**/system/reach?*');
  if (outage === null) return;
  await page.route('**/system/reach?*', async (route) => {
    const response = await route.fetch();
    const { data } = (await response.json()) as { data: Shown };
    const gateways = data.gateways.map((gateway) => ({ ...gateway, name: 'NMI', state: 'down', cause: outage.cause }));
    const shown = { ...data, state: outage.state, since: new Date().toISOString(), gateways, works: { ...data.works, cards: false } };
    await route.fulfill({ response, json: { success: true, data: shown } });
  });
}

test('says in an outage what still works, stops card entry with the reason, and takes cash by keyboard meanwhile', async ({
  signedIn: page,
}) => {
  const banner = page.getByRole('main').getByText(/^No connection since/);
  const charge = page.getByRole('button', { name: /^Charge/ }).first();
  await play(page, { state: 'offline', cause: 'network' });
  await page.reload();
  await expect(banner).toHaveText(
    /^No connection since \d{1,2}:\d\d [AP]M\. Cards and bank accounts can’t be charged\. Cash, checks, invoices and payment links work\. Emails and text messages are sent when the connection returns\.$/,
  );
  await page.keyboard.press('F2');
  await expect(page.locator('[data-outage]')).toContainText('Take cash or a check, or create an invoice or a payment link');
  await expect(charge).toBeDisabled();
  await expect(page.getByLabel('Card number')).toHaveJSProperty('readOnly', true);
  await expectAccessible(page, 'an outage');
  await page.keyboard.type('12.50');
  await page.keyboard.press('F6');
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-change]')).toHaveText(/7\.50/);
  await page.keyboard.press('Enter');

  await play(page, null);
  await expect(banner).toBeHidden();
  await expect(page.getByText('The connection is back. Cards can be charged again.')).toBeAttached();
  await expect(charge).toBeEnabled();
});
