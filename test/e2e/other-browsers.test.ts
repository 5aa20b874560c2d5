import type { Browser, Page } from '@playwright/test';
import { mustBePresent } from '../support/browser-choice.ts';
import type { InvoiceRecord } from '../support/invoices.ts';
import { OTHER_BROWSERS } from '../support/other-browsers.ts';
import { NO_WEBKIT_GTK } from '../support/webkit-gtk.ts';
import { ApiSession } from './api-session.ts';
import { dateField, partsOf } from './date-entry.ts';
import { expect, test } from './fixtures.ts';
import { PayPage } from './pages/pay-page.ts';
import { SellPage } from './pages/sell-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';

for (const [index, { name, launch, reason }] of OTHER_BROWSERS.entries())
  test.describe(`in ${name}${reason === undefined ? '' : ` (not run: ${reason})`}`, () => {
    let browser: Browser;
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a hook's needs from this pattern.
    test.beforeAll(async ({}, info) => {
      // WebKitGTK counts as WebKit, too (webkit-gtk.test.ts).
      const isReplaced = name === 'WebKit' && NO_WEBKIT_GTK === undefined;
      info.skip(reason !== undefined && (!mustBePresent || isReplaced), reason);
      if (reason !== undefined) throw new Error(`${name} was asked for, but ${reason}.`);
      browser = await launch();
      info.skip(
        !(await canCreatePages(browser)),
        `${name} lacks a command that Playwright needs; driven-browsers.test.ts tests it without Playwright`,
      );
    });
    test.afterAll(() => browser?.close());

    /** Opens a page in its own context, and fails the test if a script of the page throws. */
    async function openPage(baseURL: string, viewport = { width: 1280, height: 800 }): Promise<{ page: Page; errors: Error[] }> {
      const context = await browser.newContext({
        baseURL,
        viewport,
        locale: 'en-US',
        timezoneId: 'America/New_York',
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const errors: Error[] = [];
      page.on('pageerror', (error) => errors.push(error));
      return { page, errors };
    }

    test('signs in, keys a sale by keyboard and shows its receipt', async ({ service }) => {
      const { page, errors } = await openPage(service.baseUrl);
      await page.goto('/');
      const signIn = new SignInPage(page);
      await expect(signIn.email).toBeFocused();
      await page.keyboard.type(service.adminEmail);
      await page.keyboard.press('Tab');
      await page.keyboard.type('not the password');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert')).toContainText('The email address or the password is wrong.');
      await expect(signIn.password).toBeFocused();
      await page.keyboard.type(service.adminPassword);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
      const sell = new SellPage(page, service);
      await sell.open();
      // The same amount on the same card would be asked about as a possible duplicate.
      await sell.sell({ amount: `47.2${index}` });
      await expect(sell.approved).toBeVisible();
      await expect(page.getByRole('button', { name: /^Print/ }).first()).toBeVisible();
      expect(errors).toEqual([]);
    });

    test('takes a typed date and a chosen day', async ({ service }) => {
      const { page, errors } = await openPage(service.baseUrl);
      await page.goto('/#/audit');
      const signIn = new SignInPage(page);
      await expect(signIn.email).toBeFocused();
      await page.keyboard.type(service.adminEmail);
      await page.keyboard.press('Tab');
      await page.keyboard.type(service.adminPassword);
      await page.keyboard.press('Enter');
      const from = dateField(page, 'From');
      await partsOf(from).first().click();
      await page.keyboard.type('05022026');
      await expect(partsOf(from)).toHaveText(['05', '02', '2026']);
      await from.getByRole('button').click();
      await page.getByRole('dialog', { name: 'From', exact: true }).getByRole('gridcell', { name: '12', exact: true }).click();
      await expect(partsOf(from)).toHaveText(['05', '12', '2026']);
      expect(errors).toEqual([]);
    });

    test('pays a payment link by card on a small screen', async ({ service }) => {
      const api = await ApiSession.open(service);
      const link = await api.post<{ url: string; invoiceId: string }>('/payment-links', {
        amount: 49.99,
        description: 'Deposit',
        allowPartial: true,
      });
      const { url } = (await api.read<InvoiceRecord>(`/invoices/${link.invoiceId}`)).data;
      const { page, errors } = await openPage(service.baseUrl, { width: 360, height: 740 });
      const pay = new PayPage(page);
      await page.goto(url);
      await pay.typeInto({ number: '4111111111111111', expiry: '1239', cvv: '123', zip: '04101', name: 'Ann Marsh' });
      await expect(pay.field('number')).toHaveValue('4111 1111 1111 1111');
      await expect(page.locator('#brand')).toHaveText('Visa');
      await page.keyboard.press('Enter');
      await expect(pay.paid).toBeVisible();
      expect((await api.read<InvoiceRecord>(`/invoices/${link.invoiceId}`)).data).toMatchObject({ status: 'paid', amountPaid: 49.99 });
      expect(errors).toEqual([]);
    });
  });

/** Returns false for a browser without the command that emulates media features, such as Firefox 153. */
async function canCreatePages(browser: Browser): Promise<boolean> {
  try {
    await (await browser.newContext()).close();
    return true;
  } catch (error) {
    if (String(error).includes('setMediaFeaturesOverride')) return false;
    throw error;
  }
}
