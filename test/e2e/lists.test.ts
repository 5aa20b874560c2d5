import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { test } from './business-service.ts';
import { cutCells, cutColumns, cutTabs } from './cut-cells.ts';
import { dateField, typeDate } from './date-entry.ts';
import { expect } from './fixtures.ts';
import { createPerson, signInElsewhere } from './people.ts';

const LISTS = ['transactions', 'invoices', 'customers', 'disputes', 'gift-cards', 'reconciliation/bank', 'messages', 'recurring', 'cash'];

/** Returns the amounts of a list on a phone that reach out of the window, or that are missing. */
const amountsOutside = (page: Page) =>
  page.locator('[data-cell=amount]').evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const { left, right } = cell.getBoundingClientRect();
      return right > innerWidth || (left === right && !location.hash.startsWith('#/customers')) ? [cell.textContent] : [];
    }),
  );

const rowsOf = (page: Page) => page.locator('[role=row][data-id]');

for (const [width, tag] of [
  [1024, ''],
  [1280, ' @full'],
  [1920, ' @full'],
] as const)
  test(`no fact of a list is cut off at ${width} pixels${tag}`, async ({ signedIn: page }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const list of LISTS) {
      await page.goto(`/#/${list}`);
      await expect(rowsOf(page).first()).toBeVisible();
      // A list measures itself after its rows are there.
      await expect.poll(() => cutCells(page), list).toEqual([]);
    }
  });

test('no tab is cut off at 1024 pixels', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  for (const screen of ['reports', 'system', 'recurring', 'reconciliation/bank']) {
    await page.goto(`/#/${screen}`);
    await expect(page.locator('main').getByRole('tab').last()).toBeVisible();
    await expect.poll(() => cutTabs(page), screen).toEqual([]);
  }
});

test('the footer of Transactions beside a record, and the actions of a dispute on a phone, take one line', async ({ signedIn: page }) => {
  const areInLine = async (one: Locator, other: Locator) => {
    const [a, b] = [await one.boundingBox(), await other.boundingBox()];
    return a !== null && b !== null && Math.abs(a.y + a.height / 2 - b.y - b.height / 2) < 8;
  };
  await page.setViewportSize({ width: 1100, height: 800 });
  await page.goto('/#/transactions');
  await rowsOf(page).first().getByRole('gridcell').nth(1).click();
  await expect(page.locator('[data-total]')).toHaveText(/^Net: [\d,.]+ USD$/);
  const nextPage = page.getByRole('button', { name: 'Go to next page' });
  await expect.poll(() => areInLine(page.locator('[data-total]'), nextPage)).toBe(true);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/#/disputes');
  await rowsOf(page).first().getByRole('gridcell').first().click();
  const actions = page.getByRole('dialog').getByRole('group', { name: 'Actions' });
  await expect.poll(() => areInLine(actions.getByRole('button').first(), actions.getByRole('button', { name: 'More' }))).toBe(true);
});

for (const [lists, tag] of [
  [['transactions', 'disputes'], ''],
  [[...LISTS, 'cash?tab=shifts', 'audit', 'users', 'settlement?tab=payouts', 'invoices?tab=links'], ' @full'],
] as const)
  test(`no column of ${lists.length} lists is cut off beside an open record at 1280 pixels${tag}`, async ({ signedIn: page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const list of lists) {
      await page.goto(`/#/${list}`);
      await rowsOf(page).first().getByRole('gridcell').nth(1).click();
      await expect(page.locator('[data-panel] h2').first()).toBeVisible();
      const totals = page.locator('[data-total]');
      await expect.poll(() => totals.evaluateAll((all) => all.every(({ clientHeight }) => clientHeight < 24)), list).toBe(true);
      await expect.poll(() => cutColumns(page), list).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });

test('a list beside a record keeps the name and the status of its rows, and drops the boxes @full', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const [list, fields] of [
    ['invoices', ['number', 'customer', 'amountDue', 'status']],
    ['messages', ['createdAt', 'to', 'status']],
    ['disputes', ['dueDate', 'status', 'customer', 'amount']],
    ['approvals', ['createdAt', 'status', 'name', 'amount']],
  ] as const) {
    await page.goto(`/#/${list}`);
    await rowsOf(page).first().getByRole('gridcell').nth(1).click();
    const shown = page.locator('main [role=columnheader][data-field]');
    await expect.poll(() => shown.evaluateAll((headers) => headers.map((header) => header.getAttribute('data-field')))).toEqual(fields);
  }
});

test('a record opens beside its list, which stays usable; J, K and Esc move and close it', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/#/transactions');
  // The third payment of the demo may be a tender.
  const panel = page.getByRole('dialog', { name: /^(Transaction|Payment)$/ });
  await expect(rowsOf(page).nth(5)).toBeVisible();
  // A payment that arrives meanwhile moves the rows, not their IDs.
  const ids = await rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id')));
  const [first, second, third] = ids.slice(3);
  const cellOf = (id: string | null | undefined) => page.locator(`[data-id="${id}"]`).getByRole('gridcell').nth(1);
  await cellOf(first).click();
  await expect(panel.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`/transactions/${first}$`));
  await page.keyboard.press('j');
  await expect(page).toHaveURL(new RegExp(`/transactions/${second}$`));
  // The page is live: a click on another row opens its record.
  await cellOf(third).click();
  await expect(page).toHaveURL(new RegExp(`/transactions/${third}$`));
  await page.keyboard.press('k');
  await expect(page).toHaveURL(new RegExp(`/transactions/${second}$`));
  await expect(panel.getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page.locator(`[data-id="${second}"] [role=gridcell]:focus`)).toBeVisible();
});

test('the menu of a row has the actions of its record and runs them in the panel, by mouse and keyboard', async ({
  signedIn: page,
  service,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { transactionId } = await (await ApiSession.open(service)).sell({ amount: '31.47' });
  await page.goto('/#/transactions');
  const row = page.locator(`[data-id="${transactionId}"]`);
  const menu = page.getByRole('menu', { name: 'Actions' });
  const panel = page.getByRole('dialog', { name: 'Transaction' });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(`**/api/v1/transactions/${transactionId}`, async (route) => {
    await answered;
    await route.continue();
  });
  await row.getByRole('gridcell').nth(1).click({ button: 'right' });
  await expect(menu.getByRole('menuitem').first()).toHaveText('Open');
  await expect(menu.getByRole('menuitem', { name: 'Copy ID' })).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: 'Copy link to record' })).toBeVisible();
  // What is possible is unknown until the record is read.
  await expect(menu.getByRole('menuitem', { name: 'Loading…' })).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: /^Void/ })).toBeHidden();
  answer();
  // An action that is not possible is there with the reason of the service, as in the panel.
  await expect(menu.getByRole('menuitem', { name: /^Rerun/ })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page, 'menu of a row');
  // The keys of the record wait until it is open.
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(panel).toBeHidden();

  await row.getByRole('gridcell').nth(1).focus();
  await page.keyboard.press('Shift+F10');
  await menu.getByRole('menuitem', { name: /^Void/ }).press('Enter');
  await expect(panel.getByRole('button', { name: /^Void 31\.47/ })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/transactions/${transactionId}$`));

  // The record is open already.
  await row.getByRole('gridcell').nth(1).click({ button: 'right' });
  await menu.getByRole('menuitem', { name: /^Record dispute/ }).click();
  await expect(panel.getByRole('button', { name: /^Void 31\.47/ })).toBeHidden();
  await page.keyboard.press('Escape');
});

test('a list is sorted by its headers over all pages, and shows the totals of its filter', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const amounts = async () =>
    (await rowsOf(page).locator('[data-field=amount]').allInnerTexts()).map((text) =>
      Math.abs(Number(text.replace('−', '-').replaceAll(/[^\d.-]/g, ''))),
    );
  for (const list of ['cash?tab=payments', 'transactions']) {
    await page.goto(`/#/${list}`);
    await expect(rowsOf(page).nth(2)).toBeVisible();
    await page.getByRole('columnheader', { name: /^Amount/ }).click();
    await expect(page).toHaveURL(/sort=amount/);
    await expect
      .poll(async () => (await amounts()).every((amount, index, all) => index === 0 || (all[index - 1] ?? 0) <= amount))
      .toBe(true);
    await page.getByRole('columnheader', { name: /^Amount/ }).click();
    await expect(page).toHaveURL(/sort=-amount/);
    await expect
      .poll(async () => (await amounts()).every((amount, index, all) => index === 0 || (all[index - 1] ?? 0) >= amount))
      .toBe(true);
  }
  await expect(page.locator('[data-total]')).toContainText(/Taken, less refunds: [\d,.]+ USD/);
});

test('Register and Shifts are filtered by chips, with the totals of the filter', async ({ signedIn: page, service }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const api = await ApiSession.open(service);
  const orderId = 'register-chips';
  for (const amount of ['61.17', '7.03']) await api.post('/tenders', { kind: 'cash', amount, orderId });
  await api.post('/tenders', { kind: 'check', checkNumber: '8842', amount: '5.00', orderId });
  await page.goto('/#/cash?tab=payments');
  await page.getByLabel('Find a payment').fill(orderId);
  await expect(page.locator('[data-total]')).toHaveText('Taken, less refunds: 73.20 USD');
  await page.getByRole('button', { name: /^Method/ }).click();
  await page.getByRole('menuitemradio', { name: 'Cash', exact: true }).click();
  await expect(page.locator('[data-total]')).toHaveText('Taken, less refunds: 68.20 USD');
  await expect(rowsOf(page)).toHaveCount(2);
  await page.getByRole('button', { name: /^Status/ }).click();
  await page.getByRole('menuitemradio', { name: 'Returned' }).click();
  await expect(page.getByText('No payments match')).toBeVisible();
  await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/#\/cash\?tab=payments$/);

  const open = await api.post<{ shiftId: string }>('/shifts/open', { drawer: 'Chips', amount: '10.00' });
  await api.post(`/shifts/${open.shiftId}/close`, { amount: '9.25' });
  await page.goto('/#/cash?tab=shifts&drawer=Chips');
  await expect(rowsOf(page)).toHaveCount(1);
  await expect(page.locator('[data-total]')).toHaveText(/Variance of closed shifts: [-−]0\.75 USD/);
  await page.getByRole('button', { name: /^Status/ }).click();
  await page.getByRole('menuitemradio', { name: 'Open' }).click();
  await expect(page.getByText('No shifts match')).toBeVisible();

  // On a phone, the second line of a shift says when it was opened.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/#/cash?tab=shifts&drawer=Chips');
  await expect(rowsOf(page)).toContainText(/Today, \d+:\d\d [AP]M/);
});

test('the front desk sees the payments of today by every way, and finds those of all days', async ({ service, browser }) => {
  const cashier = 'today@demo.example';
  await createPerson(service, 'cashier', cashier);
  const page = await signInElsewhere(browser, service, cashier);
  const period = page.getByRole('search').getByRole('button', { name: /^Period/ });
  await page.keyboard.press('F9');
  await expect(period).toContainText('Today');
  await expect(page.locator('[data-total]')).toHaveCount(0);
  await page.goto('/#/transactions');
  await expect(period).toContainText('Today');
  await page.getByLabel('Search transactions').fill('4444');
  await expect(rowsOf(page).nth(2)).toBeVisible();
  await expect(period).not.toContainText('Today');
  await page.context().close();
});

test('Go to date opens the page with the first row of a day, in both orders, and the nearest page for other days', async ({
  signedIn: page,
  service,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { data } = await (await ApiSession.open(service)).read<{ paymentId: string; createdAt: string }[]>('/payments?limit=200');
  const dayOf = ({ createdAt }: { createdAt: string }) => new Date(createdAt).toLocaleDateString('en-CA', { timeZone: 'America/New_York' });
  const day = dayOf(data[140] as (typeof data)[0]);
  const rows = data.filter((payment) => dayOf(payment) === day);
  const shown = page.getByText(/^[\d,]+–[\d,]+ of [\d,]+$/);
  const goTo = async (to: string) => {
    await page.getByRole('button', { name: 'Go to date' }).click();
    const dialog = page.getByRole('dialog', { name: 'Go to date' });
    await typeDate(dateField(dialog, 'Date'), to);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
  };
  const rangeOf = async () => (await shown.textContent())?.match(/[\d,]+/g)?.map((text) => Number(text.replaceAll(',', ''))) ?? [];
  await page.goto('/#/transactions');
  await expect(rowsOf(page).first()).toBeVisible();
  const [, , total = 0] = await rangeOf();

  await goTo(day);
  const newest = data.findIndex((payment) => dayOf(payment) === day);
  await expect(shown).toHaveText(new RegExp(`^${Math.floor(newest / 50) * 50 + 1}–`));
  expect((await rangeOf())[1]).toBeGreaterThan(newest);

  await page.getByRole('columnheader', { name: /^Time/ }).click();
  await expect(page).toHaveURL(/sort=createdAt/);
  await goTo(day);
  const oldest = total - newest - rows.length;
  await expect(shown).toHaveText(new RegExp(`^${(Math.floor(oldest / 50) * 50 + 1).toLocaleString('en-US')}–`));

  await goTo('2090-01-01');
  await expect(shown).toHaveText(new RegExp(`–${total.toLocaleString('en-US')} of`));
  await goTo('2001-01-01');
  await expect(shown).toHaveText(/^1–/);
});

test('Space selects rows, and a bulk action says what it does and shows the result of each row', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/#/transactions');
  for (let row = 0; row < 6; row += 1) {
    const cell = rowsOf(page).nth(row).getByRole('gridcell').nth(2);
    await cell.focus();
    await expect(cell).toBeFocused();
    await page.keyboard.press(' ');
    await expect(rowsOf(page).nth(row)).toHaveAttribute('aria-selected', 'true');
  }
  const bar = page.getByRole('toolbar', { name: 'Selected rows' });
  await expect(bar).toContainText('6 selected');
  await bar.getByRole('button', { name: 'Email receipts' }).click();
  const dialog = page.getByRole('dialog', { name: 'Email receipts' });
  await expect(dialog).toContainText('No money moves.');
  await expect(dialog).toContainText('Left out: no email address');
  await dialog.getByRole('button', { name: /^Email receipts \(\d\)$/ }).click();
  await expect(dialog.getByRole('list', { name: 'Results' })).toContainText('Waits until email is set up');
  await dialog.getByRole('button', { name: 'Close' }).click();
  const saved = page.waitForEvent('download');
  await bar.getByRole('button', { name: 'Export CSV' }).click();
  expect((await saved).suggestedFilename()).toBe('transactions.csv');

  await page.goto('/#/cash?tab=payments');
  await rowsOf(page).first().getByRole('checkbox').check();
  await expect(bar.getByRole('button')).toHaveText(['Print receipts', 'Email receipts', /Clear/]);
});

for (const [width, tag] of [
  [390, ''],
  [768, ' @full'],
  [1100, ' @full'],
] as const)
  test(`lists and records fit a touch screen of ${width} pixels, with targets of 44 pixels${tag}`, async ({
    browser,
    service,
    signedIn,
  }) => {
    const state = await signedIn.context().storageState();
    const context = await browser.newContext({
      viewport: { width, height: 844 },
      hasTouch: true,
      isMobile: true,
      storageState: state,
      baseURL: service.baseUrl,
    });
    const page = await context.newPage();
    await page.goto('/');
    await page.locator('#sign-in-email').fill(service.adminEmail);
    await page.locator('input[type=password]').fill(service.adminPassword);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('navigation').first()).toBeVisible();
    for (const list of ['transactions', 'invoices', 'customers', 'disputes', 'recurring']) {
      await page.goto(`/#/${list}`);
      await page.locator(`[data-area=${list}]`).waitFor();
      await expect(rowsOf(page).first()).toBeVisible();
      const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      await expect.poll(fits, list).toBe(true);
      await expect(page.getByText(/^[\d,]+–[\d,]+ of [\d,]+$/)).toBeInViewport({ ratio: 1 });
      // On a phone, each row has two lines, so that its amount is in the window.
      if (width === 390) await expect.poll(() => amountsOutside(page), list).toEqual([]);
      await expect(page.locator('kbd:visible')).toHaveCount(0);
      await rowsOf(page).first().getByRole('gridcell').last().tap();
      const panel = page.locator('[data-panel]');
      await expect(panel.getByRole('heading', { level: 2 })).toBeVisible();
      await expect.poll(fits, list).toBe(true);
      const small = () =>
        panel.getByRole('button').evaluateAll((buttons) =>
          buttons.flatMap((button) => {
            const { height, width: across } = button.getBoundingClientRect();
            return button.classList.contains('MuiButton-root') && (height < 44 || across < 44) ? [button.textContent] : [];
          }),
        );
      await expect.poll(small, list).toEqual([]);
    }
    await context.close();
  });
