import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessibility.ts';
import { expect, test } from './fixtures.ts';
import { type MailBox, openMailBox } from './mail-box.ts';
import { MessagesPage } from './pages/messages-page.ts';
import { SellPage } from './pages/sell-page.ts';
import { TransactionsPage } from './pages/transactions-page.ts';
import { Till } from './till.ts';

let box: MailBox;
test.beforeAll(async () => {
  box = await openMailBox();
});
test.afterAll(() => box.stop());
test.afterEach(async ({ service }) => (await Till.open(service)).remove('/notifications/channels/email'));

const SCREENS = [
  { width: 1280, height: 720 },
  { width: 640, height: 400 },
] as const;

interface Written {
  readonly to: string;
  readonly channel: string;
  readonly body: string;
}

test('after a sale E and Enter e-mail the receipt to the customer; without mail it waits in the outbox', async ({
  signedIn: page,
  service,
  strokes,
}) => {
  const sell = new SellPage(page);
  const to = `ada${process.pid}@example.com`;
  await sell.open(`?customer=${to}`);
  await sell.sell({ amount: '733.10' });
  await expect(sell.approved).toBeVisible();
  strokes.reset();
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'E-mail' })).toHaveValue(to);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const words = `The receipt for ${to} waits in the outbox: mail is not set up.`;
  await expect(sell.said).toHaveText(words);
  expect(strokes.keys()).toBe(2);
  expect(strokes.clicks()).toBe(0);
  const { data } = await (await Till.open(service)).read<Written[]>(`/notifications/messages?q=${encodeURIComponent(to)}`);
  expect(data).toHaveLength(1);
  expect(data[0]?.body).toContain('733.10');
  expect(data[0]?.body).toContain('1111');

  await page.getByRole('link', { name: 'Open it' }).press('Enter');
  await expect(new MessagesPage(page).drawer).toContainText(to);
});

test('the next key after a receipt was sent begins the next sale', async ({ signedIn: page }) => {
  const sell = new SellPage(page);
  await sell.open();
  await sell.sell({ amount: '733.20' });
  await expect(sell.approved).toBeVisible();
  await page.keyboard.press('e');
  await page.keyboard.type('next@example.com');
  await page.keyboard.press('Enter');
  await expect(sell.said).toHaveText(/^The receipt for next@example\.com waits/);
  await page.keyboard.press('Enter');
  await expect(sell.amount).toBeFocused();
  await expect(sell.amount).toHaveValue('');
});

test('T texts the receipt, and a number that is none is refused at its field', async ({ signedIn: page, service, faults }) => {
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
  await expect(sell.said).toHaveText('The receipt for +12075550142 waits in the outbox: texts are not set up.');
  const { data } = await (await Till.open(service)).read<Written[]>('/notifications/messages?channel=sms&limit=1');
  expect(data[0]?.to).toBe('+12075550142');
  expect(data[0]?.body).toContain('733.30');
});

test('D saves the receipt as a PDF', async ({ signedIn: page }) => {
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

test('from the list a receipt arrives while one looks, and stands among the messages of its payment', async ({
  signedIn: page,
  service,
}) => {
  const sale = await (await Till.open(service)).sell({ amount: '734.00', email: `list${process.pid}@example.com` });
  const outbox = new MessagesPage(page);
  await page.goto('/#/settings/channels');
  await outbox.setUpMail(box, service);
  const list = new TransactionsPage(page);
  await list.open();
  await list.find(sale.orderId);
  await page.keyboard.press('e');
  await page.keyboard.press('Enter');
  await expect(list.said).toHaveText(`Receipt sent to list${process.pid}@example.com.`);
  const [mail] = await box.mailFor(`list${process.pid}@example.com`);
  expect(mail?.text).toContain('734.00');
  expect(mail?.attachments[0]?.mimeType).toBe('application/pdf');
  await expect(list.drawer.getByRole('link', { name: `Receipt to list${process.pid}@example.com` })).toBeVisible();
});

test('a declined payment has no receipt to send, and says so; the receipt of a refund goes by e-mail', async ({
  signedIn: page,
  service,
}) => {
  const till = await Till.open(service);
  const declined = await till.sell({ amount: '734.10', card: '4000000000000002' });
  const list = new TransactionsPage(page);
  await list.open();
  await list.find(declined.orderId);
  await expect(list.action('E-mail')).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('e');
  await expect(page.getByText('E-mail: It was declined: there is nothing to send.')).toBeVisible();
  await expect(page.getByRole('dialog', { name: 'E-mail the receipt' })).toHaveCount(0);

  const email = `refund${process.pid}@example.com`;
  const paid = await till.sell({ amount: '734.20', email });
  await till.post(`/transactions/${paid.transactionId}/refund`, { amount: '4.35' });
  await list.open();
  await list.find(paid.orderId);
  await list.drawer.getByRole('button', { name: 'E-mail the receipt of this refund' }).press('Enter');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'E-mail' })).toHaveValue(email);
  await page.keyboard.press('Enter');
  await expect(list.said).toHaveText(`The receipt for ${email} waits in the outbox: mail is not set up.`);
  const { data } = await till.read<Written[]>(`/notifications/messages?q=${encodeURIComponent(email)}`);
  expect(data[0]?.body).toContain('4.35');
});

test('sending a receipt has no accessibility fault in either scheme and fits a small screen', async ({ signedIn: page, service }) => {
  const sell = new SellPage(page);
  await sell.open();
  await sell.sell({ amount: '735.00' });
  await expect(sell.approved).toBeVisible();
  await page.keyboard.press('e');
  await page.keyboard.type('small@example.com');
  await expectAccessible(page, 'where to');
  for (const size of SCREENS) {
    await page.setViewportSize(size);
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeInViewport();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Open it' })).toBeVisible();
  await expectAccessible(page, 'result');
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

  const sale = await (await Till.open(service)).sell({ amount: '735.10' });
  const list = new TransactionsPage(page);
  await list.open();
  await list.find(sale.orderId);
  await expect(list.action('PDF')).toBeInViewport();
  await expectAccessible(page, 'transaction');
  expect(await list.drawer.evaluate((drawer) => drawer.scrollWidth <= drawer.clientWidth)).toBe(true);
});
