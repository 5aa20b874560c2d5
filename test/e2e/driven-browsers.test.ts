import { isAskedFor, mustBePresent } from '../support/browser-choice.ts';
import { type DrivenPage, KEYS } from '../support/driven-page.ts';
import { FirefoxBidi } from '../support/firefox-bidi.ts';
import type { InvoiceRecord } from '../support/invoices.ts';
import { firefoxPath } from '../support/other-browsers.ts';
import { NO_WEBKIT_GTK, WebKitGtk } from '../support/webkit-gtk.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

/** Heading of each screen by its address. */
const SCREENS = {
  transactions: 'Transactions',
  customers: 'Customers',
  invoices: 'Invoices',
  settlement: 'Payouts',
  reports: 'Reports',
  settings: 'Profile',
};
const ERRORS = `window.foundErrors = []; window.addEventListener('error', ({ message }) => window.foundErrors.push(message));`;
const hasHeading = (text: string) =>
  `[...document.querySelectorAll('h1, h2, h3')].some(({ textContent }) => textContent.trim() === '${text}')`;
const hasFocus = (label: string) =>
  `[...(document.activeElement.labels ?? [])].some(({ textContent }) => textContent.trim().startsWith('${label}'))`;

interface Driven {
  readonly name: string;
  readonly isAskedFor: boolean;
  readonly start: () => Promise<DrivenPage>;
  readonly reason: string | undefined;
}

const firefox = firefoxPath();
const BROWSERS: readonly Driven[] = [
  { name: 'WebKitGTK', isAskedFor: isAskedFor('webkit'), start: () => WebKitGtk.start(), reason: NO_WEBKIT_GTK },
  {
    name: 'Firefox by WebDriver BiDi',
    isAskedFor: isAskedFor('firefox'),
    start: () => FirefoxBidi.start(firefox ?? ''),
    reason: firefox === undefined ? 'there is no Firefox 143 or later' : undefined,
  },
];

for (const [index, { name, start, reason }] of BROWSERS.filter((browser) => browser.isAskedFor).entries())
  test.describe(`in ${name}${reason === undefined ? '' : ` (not run: ${reason})`}`, () => {
    let browser: DrivenPage;
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a hook's needs from this pattern.
    test.beforeAll(async ({}, info) => {
      info.skip(reason !== undefined && !mustBePresent, reason);
      if (reason !== undefined) throw new Error(`${name} was asked for, but ${reason}.`);
      browser = await start();
    });
    test.afterAll(() => browser?.stop());

    test('signs in, keys a sale by keyboard, and shows six screens', async ({ service }) => {
      await browser.open(service.baseUrl);
      await browser.waitFor('the email address has the focus', hasFocus('Email'));
      await browser.run(ERRORS);
      await browser.type(service.adminEmail + KEYS.Tab + service.adminPassword + KEYS.Enter);
      await browser.waitFor('Home is shown', hasHeading('Home'));
      await browser.run("location.hash = '#/sell'");
      await browser.waitFor('the amount has the focus', hasFocus('Amount'));
      // The same amount on the same card would be asked about as a possible duplicate.
      await browser.type(`48.2${index}${KEYS.Enter}4111111111111111122812304101${KEYS.Enter}`);
      await browser.waitFor('the sale is approved', hasHeading('Approved'));
      for (const [screen, heading] of Object.entries(SCREENS)) {
        await browser.run(`location.hash = '#/${screen}'`);
        await browser.waitFor(`${screen} is shown`, `document.querySelector('main h1')?.textContent.trim().startsWith('${heading}')`);
      }
      expect(await browser.run('return window.foundErrors')).toEqual([]);
    });

    test('pays a payment link by card', async ({ service }) => {
      const api = await ApiSession.open(service);
      const link = await api.post<{ invoiceId: string }>('/payment-links', { amount: 49.99, description: 'Deposit' });
      const { url } = (await api.read<InvoiceRecord>(`/invoices/${link.invoiceId}`)).data;
      await browser.open(url);
      await browser.waitFor('the form is shown', "document.querySelector('#number')");
      await browser.run(ERRORS);
      for (const [name, value] of Object.entries({
        number: '4111111111111111',
        expiry: '1239',
        cvv: '123',
        zip: '04101',
        name: 'Ann Marsh',
      })) {
        await browser.run(`document.querySelector('#${name}').focus()`);
        await browser.type(value);
      }
      expect(await browser.run('return window.foundErrors')).toEqual([]);
      await browser.type(KEYS.Enter);
      await browser.waitFor('the payment is confirmed', hasHeading('Paid. Thank you.'));
      expect((await api.read<InvoiceRecord>(`/invoices/${link.invoiceId}`)).data).toMatchObject({ status: 'paid', amountPaid: 49.99 });
    });
  });
