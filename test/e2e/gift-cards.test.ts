import type { FileChooser } from '@playwright/test';
import { pause } from '../support/until.ts';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

test('gives a gift card, blocks it and replaces it, by keyboard only', async ({ signedIn: page }) => {
  await page.goto('/#/gift-cards');
  await expect(page.getByRole('button', { name: 'Give gift card' })).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByLabel('Amount, USD')).toBeFocused();
  await page.keyboard.type('25');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Late delivery');
  await page.keyboard.press('Enter');
  await expect(page.getByText('It can’t be shown again.')).toBeVisible();
  const code =
    (await page
      .locator('.mono')
      .filter({ hasText: /^(\w{4}-){3}\w{4}$/ })
      .textContent()) ?? '';
  const row = page.getByRole('row', { name: new RegExp(`${code.slice(-4)}.*25\\.00`) });
  await expect(row).toBeVisible();
  await expectAccessible(page, 'gift cards');

  await row.getByRole('gridcell').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /25\.00/ })).toBeFocused();
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Unblock card' })).toBeVisible();
  await page.keyboard.press('p');
  await page.keyboard.press('Enter');
  await expect(page.getByText('It can’t be shown again.')).toHaveCount(2);
  await expect(page.getByRole('listitem').filter({ hasText: 'Moved to another card' })).toBeVisible();
  await expectAccessible(page, 'a replaced gift card');
});

test('checks a file of balances before it is stored, names the lines with errors, and imports the corrected file, by keyboard', async ({
  signedIn: page,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Import balances' });
  const files: Buffer[] = [];
  const answer = (chooser: FileChooser) =>
    chooser.setFiles({ name: 'balances.csv', mimeType: 'text/csv', buffer: files.shift() ?? Buffer.alloc(0) });
  // One listener for both files: a second one may be added too late on a slow machine.
  page.on('filechooser', answer);
  const choose = async (lines: readonly string[]) => {
    files.push(Buffer.from(['Card number,Current balance', ...lines].join('\n')));
    await page.keyboard.press('Enter');
  };
  await page.goto('/#/gift-cards');
  await page.getByRole('button', { name: 'Import balances' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Choose file' }).first()).toBeFocused();
  await choose(['IMPORTED5W1TH16CHA,40.00', '12345678,5.00']);
  await expect(dialog.getByRole('status')).toContainText('1 new, 40.00 USD, 0 unchanged, 0 skipped, 1 with errors');
  await expect(dialog.getByRole('status')).toContainText('Nothing is stored until every line is correct.');
  await expect(dialog.getByRole('row').nth(1)).toContainText('This code can be guessed.');
  await expectAccessible(page, 'an import of balances with an error');
  await expect(dialog.getByRole('button', { name: 'Choose file', exact: true }).last()).toBeFocused();
  await choose(['IMPORTED5W1TH16CHA,40.00', 'IMPORTED5W1TH16CHB,0']);
  await expect(dialog.getByRole('status')).toContainText('1 new, 40.00 USD, 0 unchanged, 1 skipped, 0 with errors');
  await expect(dialog.getByRole('button', { name: 'Import balances' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 gift card imported')).toBeVisible();
  await expect(page.getByRole('row', { name: /6CHA.*40\.00/ })).toBeVisible();
  page.off('filechooser', answer);
});

test('extends a gift card with a reason, by keyboard only', async ({ signedIn: page, service }) => {
  const session = await ApiSession.open(service);
  type Card = Record<'giftCardId' | 'expiresOn' | 'merchantId', string>;
  const gift = { amount: 20, reason: 'Late delivery' };
  const { merchantId } = await session.post<Card>('/gift-cards', gift);
  const settings = `/merchants/${merchantId}/vt-settings`;
  await session.put(settings, { giftCardExpiryMonths: 12 });
  const { giftCardId, expiresOn } = await session.post<Card>('/gift-cards', gift);
  await session.put(settings, { giftCardExpiryMonths: null });
  await page.goto(`/#/gift-cards/${giftCardId}`);
  await expect(page.getByRole('heading', { name: /20\.00/ })).toBeFocused();
  await page.keyboard.press('e');
  await expect(page.getByLabel('Reason')).toBeFocused();
  await page.keyboard.type('Agreed with Ann');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /20\.00/ })).toBeFocused();
  const { data } = await session.read<Card>(`/gift-cards/${giftCardId}`);
  expect(Number(data.expiresOn.slice(0, 4))).toBe(Number(expiresOn.slice(0, 4)) + 1);
});

test('gives store credit in the record of a customer, by keyboard only', async ({ signedIn: page, service }) => {
  const session = await ApiSession.open(service);
  const { customerId } = await session.post<{ customerId: string }>('/customers', { firstName: 'Ann', lastName: 'Credit' });
  await page.goto(`/#/customers/${customerId}`);
  await page.getByRole('button', { name: 'Give store credit' }).press('Enter');
  await expect(page.getByLabel('Amount, USD')).toBeFocused();
  await page.keyboard.type('15');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Late delivery');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Store credit' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Late delivery');
});

test('finds a gift card in the command palette with the day of the merchant, and sends no whole code', async ({
  signedIn: page,
  service,
}) => {
  const session = await ApiSession.open(service);
  const { giftCardId, merchantId, code, createdAt } = await session.post<
    Record<'giftCardId' | 'merchantId' | 'code' | 'createdAt', string>
  >('/gift-cards', { amount: 20, reason: 'Late delivery' });
  const created = new Date(createdAt);
  // A time zone in which it is another day than in UTC.
  const timezone = created.getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
  const { data: merchant } = await session.read<{ timezone: string }>(`/merchants/${merchantId}`);
  await session.put(`/merchants/${merchantId}`, { timezone });
  try {
    const searched: string[] = [];
    page.on('request', (request) => {
      const q = new URL(request.url()).searchParams.get('q');
      if (q !== null) searched.push(q);
    });
    await page.goto('/#/gift-cards');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Give gift card' })).toBeVisible();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox', { name: 'Go to anything' });
    await palette.fill(code.toLowerCase().replaceAll('-', ' '));
    // The search begins after a pause in typing.
    await pause(200);
    await palette.fill(code.slice(-4));
    const day = new Intl.DateTimeFormat('en-US', { timeZone: timezone, month: 'short', day: 'numeric' }).format(created);
    const option = page.getByRole('option', { name: `Gift card ${code.slice(-4)} · 20.00 USD · ${day}` });
    await expect(option).toBeVisible();
    expect(new Set(searched)).toEqual(new Set([code.slice(-4)]));
    await option.click();
    await expect(page).toHaveURL(new RegExp(`/gift-cards/${giftCardId}`));
    await page.goto('/#/gift-cards');
    const search = page.getByRole('searchbox', { name: 'Search gift cards' });
    await search.fill(code.slice(-4));
    await expect(page.getByRole('row', { name: new RegExp(code.slice(-4)) })).toBeVisible();
    await expect(page.locator('[data-total]')).toContainText('Owed on gift cards and store credit');
    // The first groups of a code may have no digit.
    for (const part of [code.slice(0, 12), 'HKRA-DBGB-AZ']) {
      await search.fill(part);
      await search.press('Enter');
    }
    await search.fill(code);
    await expect(page).toHaveURL(new RegExp(`/gift-cards/${giftCardId}`));
    expect(new Set(searched)).toEqual(new Set([code.slice(-4)]));
  } finally {
    await session.put(`/merchants/${merchantId}`, { timezone: merchant.timezone });
  }
});
