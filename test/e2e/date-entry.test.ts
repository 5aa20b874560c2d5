import type { Page } from '@playwright/test';
import spanish from '../../renderer/base/language/es.json' with { type: 'json' };
import { expectAccessible } from './accessibility.ts';
import { dateField, expectDate, partsOf, typeDate } from './date-entry.ts';
import { expect, test } from './fixtures.ts';
import { resumeIn, takeBack } from './session.ts';

const es = (text: keyof typeof spanish) => spanish[text];
const openPeriod = (page: Page, name: string = 'Period') => page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
const openTestClock = async (page: Page) => {
  await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Test clock' }).click();
};
const calendarOf = (page: Page, label: string) => page.getByRole('dialog', { name: label, exact: true });

test('loads the calendar and its library with the first field, not with Sell @full', async ({ page, service }) => {
  // Not the page of the other tests, which has loaded them.
  await resumeIn(page, service);
  await page.goto('/#/sell');
  await page.locator('[data-area="sell"] h1').waitFor({ state: 'attached' });
  const loaded = () =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /(-picker|dayjs\.min|spanish)-/.test(name)).length);
  await page.waitForLoadState('load');
  expect(await loaded()).toBe(0);
  await page.goto('/#/audit');
  await openPeriod(page);
  await expect(partsOf(dateField(page, 'From')).first()).toBeVisible();
  expect(await loaded()).toBeGreaterThan(0);
  await takeBack(page, service);
});

test('takes a date that is typed in the order of English, and submits the form on Enter', async ({ signedIn: page, strokes }) => {
  await page.goto('/#/audit');
  await openPeriod(page);
  const from = dateField(page, 'From');
  await expect(partsOf(from)).toHaveText(['MM', 'DD', 'YYYY']);
  await partsOf(from).first().click();
  await strokes.reset();
  await page.keyboard.type('05022026');
  await expect.poll(() => strokes.keys()).toBe(8);
  await expectDate(from, '2026-05-02');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/startDate=2026-05-02$/);
  await page.reload();
  await openPeriod(page);
  await expectDate(from, '2026-05-02');
});

test('keeps an incomplete date in the field without using it, and asks for the rest @full', async ({ signedIn: page }) => {
  await page.goto('/#/audit?startDate=2026-05-02');
  await openPeriod(page);
  const from = dateField(page, 'From');
  await expectDate(from, '2026-05-02');
  await partsOf(from).first().click();
  await page.keyboard.press('Backspace');
  await expect(partsOf(from)).toHaveText(['MM', '02', '2026']);
  await expect(page.getByText('Complete or clear this field.')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/startDate=2026-05-02$/);
  await partsOf(dateField(page, 'To')).first().click();
  await expect(from).toHaveAccessibleDescription('Complete or clear this field.');
  await expect(partsOf(from)).toHaveText(['MM', '02', '2026']);
  await partsOf(from).first().click();
  await page.keyboard.type('04');
  await expect(page.getByText('Complete or clear this field.')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/startDate=2026-04-02$/);
});

test('does not use a year before its four digits are typed @full', async ({ signedIn: page }) => {
  await page.goto('/#/audit?startDate=2026-05-02');
  await openPeriod(page);
  const from = dateField(page, 'From');
  await partsOf(from).last().click();
  await page.keyboard.type('202');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/startDate=2026-05-02$/);
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/startDate=2025-05-02$/);
});

test('takes a pasted date in the form of the API @full', async ({ signedIn: page }) => {
  await page.goto('/#/audit');
  const user = page.getByLabel('User', { exact: true });
  const from = dateField(page, 'From');
  for (const [text, date] of [
    ['2026-11-05', '2026-11-05'],
    ['2027-01-31T18:30:00Z', '2027-01-31'],
    ['12/24/2026', '2026-12-24'],
  ] as const) {
    await user.fill(text);
    await user.press('ControlOrMeta+a');
    await user.press('ControlOrMeta+x');
    await openPeriod(page);
    await partsOf(from).first().click();
    await page.keyboard.press('ControlOrMeta+v');
    await expectDate(from, date);
    await page.keyboard.press('Escape');
    await expect(from).toHaveCount(0);
  }
});

test('chooses a day from the calendar by keyboard, and Esc closes the calendar only', async ({ signedIn: page }) => {
  await page.goto('/#/recurring?new=1');
  const dialog = page.getByRole('dialog', { name: 'New subscription' });
  const first = dateField(dialog, 'First payment');
  await typeDate(first, '2039-01-31');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(calendarOf(page, 'First payment').getByRole('gridcell', { name: '31' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Escape');
  await expect(calendarOf(page, 'First payment')).toHaveCount(0);
  await expect(dialog).toBeVisible();
  await expectDate(first, '2039-01-31');
  await page.keyboard.press('Tab');
  await expect(first.getByRole('button', { name: 'Choose the date: Jan 31, 2039' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(calendarOf(page, 'First payment').getByRole('gridcell', { name: '31' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(calendarOf(page, 'First payment')).toHaveCount(0);
  await expectDate(first, '2039-01-23');
  await expect(first.getByRole('button')).toBeFocused();
  await expect(dialog).toBeVisible();
});

test('keeps the parts of a date that are typed when the default of the form arrives @full', async ({ signedIn: page }) => {
  const { promise: isTyped, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/recurring/preview', async (route) => {
    await isTyped;
    await route.fallback();
  });
  await page.goto('/#/recurring?new=1');
  const dialog = page.getByRole('dialog', { name: 'New subscription' });
  const first = dateField(dialog, 'First payment');
  await partsOf(first).first().click();
  await page.keyboard.type('0131');
  const answered = page.waitForResponse('**/recurring/preview');
  answer();
  await answered;
  await page.keyboard.type('2039');
  await expectDate(first, '2039-01-31');
  await expect(dialog.getByRole('list', { name: 'Payment dates' }).locator('time').first()).toHaveText('Jan 31, 2039');
});

test('uses a day of the calendar immediately in a report that waits for the end of typing @full', async ({ signedIn: page }) => {
  await page.goto('/#/settlement?tab=funding&from=2026-05-02&to=2026-05-20');
  const from = dateField(page, 'From');
  await expectDate(from, '2026-05-02');
  await from.getByRole('button').click();
  await calendarOf(page, 'From').getByRole('gridcell', { name: '12', exact: true }).click();
  await expect(page).toHaveURL(/from=2026-05-12&to=2026-05-20/);
  await expectDate(from, '2026-05-12');
});

test('asks for the missing part of a time and focuses it @full', async ({ signedIn: page }) => {
  await page.goto('/#/settlement');
  await page.getByRole('button', { name: 'Change schedule' }).press('Enter');
  const cutoff = dateField(page, 'Cutoff time');
  await partsOf(cutoff).nth(1).click();
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await expect(cutoff).toHaveAccessibleDescription('Enter a time.');
  await expect(partsOf(cutoff).nth(1)).toBeFocused();
  await page.keyboard.type('15p');
  await expectDate(cutoff, '12:15');
  await page.getByLabel('Settlement date delay, in days', { exact: true }).click();
  await page.locator('label', { hasText: 'Cutoff time' }).click();
  await expect(partsOf(cutoff).first()).toBeFocused();
});

test('has a field, a calendar and lists of hours that are accessible in both color schemes @full', async ({ signedIn: page }) => {
  await page.goto('/#/audit');
  await openPeriod(page);
  const from = dateField(page, 'From');
  await expectAccessible(page, 'empty date fields');
  await typeDate(from, '2026-05-02');
  await from.getByRole('button').click();
  await expect(calendarOf(page, 'From').getByRole('gridcell', { name: '2', exact: true })).toBeFocused();
  await expectAccessible(page, 'a calendar');
  // The calendar and the window of the filter.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(from).toHaveCount(0);

  await openTestClock(page);
  const time = dateField(page, 'Date and time');
  await time.getByRole('button').click();
  await expect(page.getByRole('listbox', { name: 'Select hours' })).toBeVisible();
  await expectAccessible(page, 'a calendar with hours');
  // The window of the test clock must not cover the lists.
  await page.getByRole('option', { name: '03 hours', exact: true }).click();
  await expect(partsOf(time).nth(3)).toHaveText('03');
});

test('sends the chosen date and time of the test clock as a time of the merchant @full', async ({ signedIn: page, faults }) => {
  faults.expect(/Failed to load resource.*sandbox\/clock/);
  await openTestClock(page);
  const time = dateField(page, 'Date and time');
  await typeDate(time, '2038-03-14T02:30');
  await expectDate(time, '2038-03-14T02:30');
  const sent = page.waitForRequest((request) => request.url().endsWith('/sandbox/clock') && request.method() === 'POST');
  await page.route('**/sandbox/clock', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  await page.keyboard.press('Enter');
  // Clocks in New York skip this time, so it is an hour later.
  expect((await sent).postDataJSON()).toEqual({ now: '2038-03-14T07:30:00.000Z' });
});

for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/Sao_Paulo'])
  test.describe(`on a computer in ${timezoneId}`, () => {
    test.use({ timezoneId });

    test(`keeps the day in ${timezoneId}, also on days that begin with a clock change @full`, async ({ signedIn: page }) => {
      await page.goto('/#/audit');
      const from = dateField(page, 'From');
      for (const day of ['2018-11-04', '2026-03-08', '2026-12-31']) {
        await openPeriod(page);
        await typeDate(from, day);
        await page.keyboard.press('Enter');
        await expect(page).toHaveURL(new RegExp(`startDate=${day}$`));
      }
    });
  });

test.describe('in Spanish', () => {
  test.use({ locale: 'es-US' });

  test('has the day first, Spanish names, and weeks that begin on Monday @full', async ({ signedIn: page }) => {
    await page.goto('/#/audit');
    await openPeriod(page, es('Period'));
    const from = dateField(page, es('From'));
    await expect(partsOf(from)).toHaveText(['DD', 'MM', 'AAAA']);
    await partsOf(from).first().click();
    await page.keyboard.type('02052026');
    await expectDate(from, '2026-05-02');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/startDate=2026-05-02$/);
    await openPeriod(page, es('Period'));
    await partsOf(from).first().click();
    await page.keyboard.press('Alt+ArrowDown');
    await expect(page.getByText('mayo 2026')).toBeVisible();
    await expect(calendarOf(page, es('From')).getByRole('columnheader').first()).toHaveAccessibleName('lunes');
    await expect(calendarOf(page, es('From')).getByRole('button', { name: 'Mes siguiente' })).toBeVisible();
    await expectAccessible(page, 'a calendar in Spanish');
  });
});
