import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, type Service, test } from './fixtures.ts';
import { type MailBox, openMailBox } from './mailbox.ts';
import { MessagesPage } from './pages/messages-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { expectRefused } from './record-actions.ts';

let box: MailBox;
let recipients = 0;
test.beforeAll(async () => {
  box = await openMailBox();
});
test.afterAll(() => box.stop());
test.afterEach(async ({ service }) => {
  for (const channel of ['email', 'sms']) await (await ApiSession.open(service)).remove(`/notifications/channels/${channel}`);
});

const SCREENS = [
  { width: 1280, height: 720 },
  { width: 640, height: 400 },
] as const;

/** Creates a receipt in the outbox to its own address. */
async function writtenReceipt(service: Service): Promise<{ to: string; messageId: string; transactionId: string }> {
  recipients += 1;
  const to = `ada${process.pid}-${recipients}@example.com`;
  const api = await ApiSession.open(service);
  const { transactionId } = await api.sell({ amount: '761.00' });
  const { messageId } = await api.post<{ messageId: string }>('/notifications/receipt/email', { transactionId, email: to });
  return { to, messageId, transactionId };
}

test('a waiting message states the reason and links to the settings; after the email setup a test arrives and R sends the message', async ({
  signedIn: page,
  service,
}) => {
  const { to, transactionId } = await writtenReceipt(service);
  const me = `desk${process.pid}@example.com`;
  const outbox = new MessagesPage(page);
  await outbox.open();
  await expect(page.getByRole('alert').filter({ hasText: 'Emails wait here until email is set up.' })).toBeVisible();
  await outbox.read(to);
  await expect(outbox.state('waiting_for_email')).toHaveText('Waiting for email');
  await expect(outbox.drawer.getByRole('region', { name: 'Message text' })).toContainText('761.00');
  await expect(outbox.drawer.getByRole('link', { name: /^Transaction: .+••\d{4}, 761\.00 USD$/ })).toHaveAttribute(
    'href',
    new RegExp(transactionId),
  );
  await expectRefused(outbox.drawer, 'Resend', 'Email isn’t set up.');
  await outbox.drawer.getByRole('button', { name: 'Set up email' }).press('Enter');

  await outbox.setUpMail(box);
  await outbox.sendTest(me);
  await expect(page.getByRole('form', { name: 'Send a test' })).toContainText(`The mail server accepted it. Check the inbox of ${me}.`);
  expect(await box.mailFor(me)).toHaveLength(1);
  expect(await box.mailFor(to)).toEqual([]);

  await outbox.open();
  await expect(page.getByRole('alert').filter({ hasText: 'They aren’t sent automatically' })).toBeVisible();
  await outbox.read(to);
  await page.keyboard.press('r');
  await expect(outbox.drawer.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(outbox.state('sent')).toBeVisible();
  const [receipt] = await box.mailFor(to);
  expect(receipt?.from?.address).toBe('desk@harbor.example');
  expect(receipt?.attachments.map(({ mimeType }) => mimeType)).toContain('application/pdf');
});

test('explains a wrong password of the mail server at the test, in the settings and above the outbox @full', async ({
  signedIn: page,
  service,
}) => {
  const { to } = await writtenReceipt(service);
  const outbox = new MessagesPage(page);
  await page.goto('/#/settings/channels');
  await outbox.setUpMail({ ...box, password: 'not the password' });
  await outbox.sendTest(to);
  await expect(page.getByRole('form', { name: 'Send a test' })).toContainText('rejected the sign-in');
  await expect(page.locator('[data-state=failed]')).toContainText('Can’t send');
  expect(await page.content()).not.toContain('not the password');
  await outbox.open();
  await expect(page.getByText('Emails can’t be sent: The mail server rejected the sign-in.')).toBeVisible();
  await page.getByRole('link', { name: 'Check settings' }).press('Enter');
  await page.getByLabel('Password', { exact: true }).fill(box.password);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Set up', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
});

test('sends a message to a corrected address and refuses an invalid address at its field @full', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/400/);
  const { to } = await writtenReceipt(service);
  const outbox = new MessagesPage(page);
  await page.goto('/#/settings/channels');
  await outbox.setUpMail(box);
  await outbox.read(to);
  await page.keyboard.press('r');
  const field = outbox.drawer.getByRole('textbox', { name: 'Email' });
  await field.fill('nobody');
  await page.keyboard.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill(`right-${to}`);
  await page.keyboard.press('Enter');
  await expect(outbox.state('sent')).toBeVisible();
  await expect(outbox.drawer).toContainText(`right-${to}`);
  expect(await box.mailFor(`right-${to}`)).toHaveLength(1);
});

test('sets up text messages by keyboard with a token that is never shown again, and removes them after one confirmation @full', async ({
  signedIn: page,
  faults,
}) => {
  faults.expect(/400/);
  const token = 'a token of thirty-two signs, twice';
  await page.goto('/#/settings/channels');
  await page.getByRole('button', { name: 'Text messages' }).press('Enter');
  await page.getByLabel('Account SID').focus();
  await page.keyboard.type('ACme');
  await page.keyboard.press('Tab');
  await page.keyboard.type(token);
  await page.getByRole('textbox', { name: 'From' }).fill('+12075550100');
  await page.keyboard.press('Control+s');
  await expect(page.getByLabel('Account SID')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Account SID').fill(`AC${'0a'.repeat(16)}`);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Set up', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText('Saved. Enter a new one to replace it.')).toBeVisible();
  await expect(page.getByLabel('Auth token')).toHaveValue('');
  expect(await page.content()).not.toContain(token);
  await page.getByLabel('Account SID').fill('AC');
  await page.getByRole('button', { name: 'Email' }).press('Enter');
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leave.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(leave).toBeHidden();
  await page.getByRole('button', { name: 'Discard' }).press('Enter');
  await expect(page.getByLabel('Account SID')).toHaveValue(`AC${'0a'.repeat(16)}`);
  await page.getByRole('button', { name: 'Remove the text message provider' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the text message provider' }).press('Enter');
  await expect(page.getByText('Not set up', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Account SID')).toHaveValue('');
});

test('keeps the filter in the URL, reports that nothing matches, and clears the filter @full', async ({ signedIn: page, service }) => {
  const { to } = await writtenReceipt(service);
  const outbox = new MessagesPage(page);
  await outbox.open();
  await page.keyboard.press('/');
  await expect(outbox.search).toBeFocused();
  await page.keyboard.type(to.toUpperCase());
  await expect(outbox.rows).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(outbox.drawer).toContainText(to);
  await page.keyboard.press('Escape');
  await expect(outbox.drawer).toBeHidden();
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Waiting' }).click();
  await expect(page).toHaveURL(/status=waiting/);
  await expect(outbox.rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Channel', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Text' }).click();
  await expect(page.getByText('No match')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(page).toHaveURL(/\/messages$/);
});

test('shows markup in a message as text @full', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const { transactionId } = await api.post<{ transactionId: string }>('/transactions', {
    type: 'sale',
    amount: '762.00',
    description: '<img src=x onerror="document.title=1"><b>bold</b>',
    card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' },
    billing: { zip: '04101' },
  });
  const { messageId } = await api.post<{ messageId: string }>('/notifications/receipt/email', {
    transactionId,
    email: 'mark@example.com',
  });
  const outbox = new MessagesPage(page);
  await page.goto(`/#/messages/${messageId}`);
  const text = outbox.drawer.getByRole('region', { name: 'Message text' });
  await expect(text).toContainText('<b>bold</b>');
  await expect(text.locator('img, b')).toHaveCount(0);
  await expect(page).toHaveTitle('Messages · Paydesk');
});

test('shows users who may only read the outbox no action to resend and no settings @full', async ({ service, browser }) => {
  const { messageId } = await writtenReceipt(service);
  const api = await ApiSession.open(service);
  const { data } = await api.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const user = { email: `looker${process.pid}@demo.example`, role: 'viewer', password: 'a looking password' };
  await api.post(`/merchants/${data.merchants[0]?.merchantId}/users`, user);
  const page = await (await browser.newContext()).newPage();
  await page.goto(service.baseUrl);
  await new SignInPage(page).enter(user.email, user.password);
  await page.getByRole('link', { name: 'Customers' }).click();
  await page.getByRole('link', { name: 'Messages', exact: true }).click();
  const outbox = new MessagesPage(page);
  await expect(outbox.heading).toBeVisible();
  await page.goto(`${service.baseUrl}/#/messages/${messageId}`);
  await expect(outbox.state('waiting_for_email')).toHaveText('Waiting for email');
  await expect(outbox.drawer.getByRole('button', { name: 'Resend' })).toHaveCount(0);
  await page.keyboard.press('r');
  await expect(outbox.drawer.getByRole('form')).toHaveCount(0);
  await page.goto(`${service.baseUrl}/#/settings`);
  const settings = page.getByRole('navigation', { name: 'Settings' });
  await expect(settings.getByRole('link', { name: 'Pay pages' })).toBeVisible();
  await expect(settings.getByRole('link', { name: 'Email and texts' })).toHaveCount(0);
  await page.context().close();
});

test('warns about a payer address that works on this computer only, and saves it with the language by Ctrl+S @full', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/400/);
  await page.goto('/#/settings/payers');
  const address = page.getByLabel('Public address');
  await expect(page.getByRole('alert')).toContainText('Links open only on this computer');
  await address.fill('pay.example.com/shop');
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/must be an address such as/)).toBeVisible();
  await address.fill('https://pay.example.com');
  await expect(page.getByRole('alert')).not.toContainText('only on this computer');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Paydesk did not reach https://pay.example.com')).toBeVisible();
  await address.fill(service.baseUrl);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('No changes')).toBeVisible();
  await page.getByRole('combobox', { name: 'Language for payers' }).press('Enter');
  await page.getByRole('option', { name: 'Español' }).press('Enter');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('No changes')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Language for payers' })).toHaveText('Español');
  await address.fill('');
  await page.getByRole('combobox', { name: 'Language for payers' }).press('Enter');
  await page.getByRole('option', { name: 'English' }).press('Enter');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('No changes')).toBeVisible();
});

test('messages and their settings have no accessibility fault in either color scheme and fit a small screen @full', async ({
  signedIn: page,
  service,
}) => {
  const { to } = await writtenReceipt(service);
  const outbox = new MessagesPage(page);
  const expectFit = async (what: string) => {
    await expectAccessible(page, what);
    for (const size of SCREENS) {
      await page.setViewportSize(size);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
  };
  await page.goto('/#/settings/channels?channel=sms');
  await expect(page.getByLabel('Account SID')).toBeVisible();
  await expectFit('texts');
  await page.goto('/#/settings/payers');
  await expect(page.getByLabel('Public address')).toBeVisible();
  await expectFit('payers');
  await page.goto('/#/settings/channels');
  await outbox.setUpMail({ ...box, password: 'not the password' });
  await outbox.sendTest(to);
  await expect(page.getByRole('form', { name: 'Send a test' })).toContainText('rejected the sign-in');
  await expectFit('mail');
  await outbox.open();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expectFit('outbox');
  // The small window has no room for rows below the notices about channels, whose number depends on the messages of other tests.
  await page.setViewportSize(SCREENS[0]);
  await outbox.read(to);
  await page.keyboard.press('r');
  await expect(outbox.drawer.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await expectFit('message');
  const send = outbox.drawer.getByRole('button', { name: /^Send to/ });
  await send.scrollIntoViewIfNeeded();
  await expect(send).toBeInViewport({ ratio: 1 });
  expect(await outbox.drawer.evaluate((drawer) => drawer.scrollWidth <= drawer.clientWidth)).toBe(true);
});
