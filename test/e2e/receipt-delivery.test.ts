import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { type MailBox, openMailBox } from './mailbox.ts';
import { MessagesPage } from './pages/messages-page.ts';
import { SellPage } from './pages/sell-page.ts';
import { TransactionsPage } from './pages/transactions-page.ts';
import { expectRefused } from './record-actions.ts';

let box: MailBox;
test.beforeAll(async () => {
  box = await openMailBox();
});
test.afterAll(() => box.stop());
test.afterEach(async ({ service }) => (await ApiSession.open(service)).remove('/notifications/channels/email'));

const SCREENS = [
  { width: 1280, height: 720 },
  { width: 640, height: 400 },
] as const;

interface Written {
  readonly to: string;
  readonly channel: string;
  readonly body: string;
}

test('emails the receipt to the customer with E and Enter after a sale; without a mail server it waits in the outbox', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  const sell = new SellPage(page);
  const to = `ada${process.pid}@example.com`;
  await sell.open(`?customer=${to}`);
  await sell.sell({ amount: '733.10' });
  await expect(sell.approved).toBeVisible();
  await strokes.reset();
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Email' })).toHaveValue(to);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const words = `The receipt for ${to} waits in the outbox: email isn’t set up.`;
  await expect(sell.announcement).toHaveText(words);
  await expect.poll(() => strokes.keys()).toBe(2);
  expect(strokes.clicks()).toBe(0);
  const { data } = await (await ApiSession.open(service)).read<Written[]>(`/notifications/messages?q=${encodeURIComponent(to)}`);
  expect(data).toHaveLength(1);
  expect(data[0]?.body).toContain('733.10');
  expect(data[0]?.body).toContain('1111');

  await page.getByRole('link', { name: 'Open message' }).press('Enter');
  await expect(new MessagesPage(page).drawer).toContainText(to);
});

test('says how long to wait before a receipt is sent to one address again @full', async ({ signedIn: page, faults }) => {
  faults.expect(/429/);
  const sell = new SellPage(page);
  const to = `again${process.pid}@example.com`;
  await sell.open(`?customer=${to}`);
  await sell.sell({ amount: '733.15' });
  await expect(sell.approved).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Email the receipt' });
  const send = async () => {
    await page.keyboard.press('e');
    await expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveValue(to);
    await page.keyboard.press('Enter');
  };
  await send();
  await expect(sell.announcement).toHaveText(/^The receipt for again.* waits in the outbox/);
  await send();
  await expect(dialog).toContainText('A message was sent to this recipient a short time ago.');
  await expect(dialog).toContainText(/Try again in \d+ s/);
});

test('starts the next sale with the next key after a receipt was sent @full', async ({ signedIn: page }) => {
  const sell = new SellPage(page);
  await sell.open();
  await sell.sell({ amount: '733.20' });
  await expect(sell.approved).toBeVisible();
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Email' })).toBeFocused();
  await page.keyboard.type('next@example.com');
  await page.keyboard.press('Enter');
  await expect(sell.announcement).toHaveText(/^The receipt for next@example\.com waits/);
  await page.keyboard.press('Enter');
  await expect(sell.amount).toBeFocused();
  await expect(sell.amount).toHaveValue('');
});

test('T sends the receipt as a text message and refuses an invalid number at its field @full', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/400/);
  const sell = new SellPage(page);
  await sell.open();
  await sell.sell({ amount: '733.30' });
  await expect(sell.approved).toBeVisible();
  await page.keyboard.press('t');
  const phone = page.getByRole('dialog').getByRole('textbox', { name: 'Phone' });
  await expect(phone).toBeFocused();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await expect(phone).toHaveAttribute('aria-invalid', 'true');
  await phone.fill('+12075550142');
  await page.keyboard.press('Enter');
  await expect(sell.announcement).toHaveText('The receipt for +12075550142 waits in the outbox: text messages aren’t set up.');
  const { data } = await (await ApiSession.open(service)).read<Written[]>('/notifications/messages?channel=sms&limit=1');
  expect(data[0]?.to).toBe('+12075550142');
  expect(data[0]?.body).toContain('733.30');
});

test('D saves the receipt as a PDF @full', async ({ signedIn: page }) => {
  const sell = new SellPage(page);
  await sell.open();
  await sell.sell({ amount: '733.40' });
  await expect(sell.approved).toBeVisible();
  const answer = page.waitForResponse(/\/notifications\/receipts\//);
  const download = page.waitForEvent('download');
  await page.keyboard.press('d');
  expect((await answer).headers()['content-type']).toContain('application/pdf');
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^receipt-txn_[0-9a-z]+\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 5).toString('latin1')).toBe('%PDF-');
});

test('emails a receipt from the list, and lists it with the messages of its payment without a reload @full', async ({
  signedIn: page,
  service,
}) => {
  const sale = await (await ApiSession.open(service)).sell({ amount: '734.00', email: `list${process.pid}@example.com` });
  const outbox = new MessagesPage(page);
  await page.goto('/#/settings/channels');
  await outbox.setUpMail(box);
  const list = new TransactionsPage(page);
  await list.open();
  await list.find(sale.orderId);
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Email' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(list.announcement).toHaveText(`Receipt sent to list${process.pid}@example.com.`);
  const [mail] = await box.mailFor(`list${process.pid}@example.com`);
  expect(mail?.text).toContain('734.00');
  expect(mail?.attachments[0]?.mimeType).toBe('application/pdf');
  await expect(list.drawer.getByRole('link', { name: `Receipt to list${process.pid}@example.com` })).toBeVisible();
});

test('explains that a declined payment has no receipt to send; emails the receipt of a refund @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  const declined = await api.sell({ amount: '734.10', card: '4000000000000002' });
  const list = new TransactionsPage(page);
  await list.open();
  await list.find(declined.orderId);
  await expectRefused(list.drawer, 'Email the receipt', 'This payment was declined, so there is no receipt to send.');
  await page.keyboard.press('e');
  await expect(page.getByText('Email the receipt: This payment was declined, so there is no receipt to send.')).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'Email the receipt' })).toHaveCount(0);

  const email = `refund${process.pid}@example.com`;
  const paid = await api.sell({ amount: '734.20', email });
  await api.post(`/transactions/${paid.transactionId}/refund`, { amount: '4.35' });
  await list.open();
  await list.find(paid.orderId);
  await list.drawer.getByRole('button', { name: 'Email the receipt for this refund' }).press('Enter');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Email' })).toHaveValue(email);
  await page.keyboard.press('Enter');
  await expect(list.announcement).toHaveText(`The receipt for ${email} waits in the outbox: email isn’t set up.`);
  const { data } = await api.read<Written[]>(`/notifications/messages?q=${encodeURIComponent(email)}`);
  expect(data[0]?.body).toContain('4.35');
});

test('the receipt dialog has no accessibility fault in either color scheme and fits a small screen @full', async ({
  signedIn: page,
  service,
}) => {
  const sell = new SellPage(page);
  await sell.open();
  await sell.sell({ amount: '735.00' });
  await expect(sell.approved).toBeVisible();
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Email' })).toBeFocused();
  await page.keyboard.type('small@example.com');
  await expectAccessible(page, 'where to');
  for (const size of SCREENS) {
    await page.setViewportSize(size);
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeInViewport();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Open message' })).toBeVisible();
  await expectAccessible(page, 'result');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

  const sale = await (await ApiSession.open(service)).sell({ amount: '735.10' });
  const list = new TransactionsPage(page);
  await list.open();
  await list.find(sale.orderId);
  await expect(list.action('Print receipt')).toBeInViewport();
  await expectAccessible(page, 'transaction');
  expect(await list.drawer.evaluate((drawer) => drawer.scrollWidth <= drawer.clientWidth)).toBe(true);
});
