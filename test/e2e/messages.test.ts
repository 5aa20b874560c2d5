import { expectAccessible } from './accessibility.ts';
import { expect, type Service, test } from './fixtures.ts';
import { type MailBox, openMailBox } from './mail-box.ts';
import { confirmWithPassword } from './pages/confirmation-prompt.ts';
import { MessagesPage } from './pages/messages-page.ts';
import { SignInPage } from './pages/sign-in-page.ts';
import { Till } from './till.ts';

let box: MailBox;
let recipients = 0;
test.beforeAll(async () => {
  box = await openMailBox();
});
test.afterAll(() => box.stop());
test.afterEach(async ({ service }) => {
  for (const channel of ['email', 'sms']) await (await Till.open(service)).remove(`/notifications/channels/${channel}`);
});

const SCREENS = [
  { width: 1280, height: 720 },
  { width: 640, height: 400 },
] as const;

/** A receipt in the outbox, to an address of its own. */
async function writtenReceipt(service: Service): Promise<{ to: string; messageId: string; transactionId: string }> {
  recipients += 1;
  const to = `ada${process.pid}-${recipients}@example.com`;
  const till = await Till.open(service);
  const { transactionId } = await till.sell({ amount: '761.00' });
  const { messageId } = await till.post<{ messageId: string }>('/notifications/receipt/email', { transactionId, email: to });
  return { to, messageId, transactionId };
}

test('what waits says why and leads to the settings; once mail is set up a test arrives, and R sends what waited', async ({
  signedIn: page,
  service,
}) => {
  const { to, transactionId } = await writtenReceipt(service);
  const me = `desk${process.pid}@example.com`;
  const outbox = new MessagesPage(page);
  await outbox.open();
  await expect(page.getByRole('alert').filter({ hasText: 'E-mails wait here until mail is set up.' })).toBeVisible();
  await outbox.read(to);
  await expect(outbox.state('waiting')).toBeVisible();
  await expect(outbox.drawer.getByRole('region', { name: 'Text of the message' })).toContainText('761.00');
  await expect(outbox.drawer.getByRole('link', { name: transactionId })).toHaveAttribute('href', new RegExp(transactionId));
  await expect(outbox.drawer.getByRole('button', { name: 'Resend' })).toHaveAttribute('aria-disabled', 'true');
  await outbox.drawer.getByRole('link', { name: 'Set it up' }).press('Enter');

  await outbox.setUpMail(box, service);
  await outbox.sendTest(me);
  await expect(page.getByRole('form', { name: 'Send a test' })).toContainText(`The mail server took it. Look into the box of ${me}.`);
  expect(await box.mailFor(me)).toHaveLength(1);
  expect(await box.mailFor(to)).toEqual([]);

  await outbox.open();
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing old goes out by itself' })).toBeVisible();
  await outbox.read(to);
  await page.keyboard.press('r');
  await expect(outbox.drawer.getByRole('textbox', { name: 'E-mail' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(outbox.state('sent')).toBeVisible();
  const [receipt] = await box.mailFor(to);
  expect(receipt?.from?.address).toBe('desk@harbor.example');
  expect(receipt?.attachments.map(({ mimeType }) => mimeType)).toContain('application/pdf');
});

test('a wrong password is told in words at the test, on the settings and over the outbox', async ({ signedIn: page, service }) => {
  const { to } = await writtenReceipt(service);
  const outbox = new MessagesPage(page);
  await page.goto('/#/settings/channels');
  await outbox.setUpMail({ ...box, password: 'not the password' }, service);
  await outbox.sendTest(to);
  await expect(page.getByRole('form', { name: 'Send a test' })).toContainText('did not take the sign-in');
  await expect(page.locator('[data-state=failed]')).toContainText('Not going out');
  expect(await page.content()).not.toContain('not the password');
  await outbox.open();
  await expect(page.getByText('E-mails are not going out: The mail server did not take the sign-in.')).toBeVisible();
  await page.getByRole('link', { name: 'Check the settings' }).press('Enter');
  await page.getByLabel('Password', { exact: true }).fill(box.password);
  await page.keyboard.press('Control+s');
  await confirmWithPassword(page, service.adminPassword);
  await expect(page.getByText('Set up', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
});

test('a message goes to a corrected address, and an address that is none is refused at its field', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/400/);
  const { to } = await writtenReceipt(service);
  const outbox = new MessagesPage(page);
  await page.goto('/#/settings/channels');
  await outbox.setUpMail(box, service);
  await outbox.read(to);
  await page.keyboard.press('r');
  const field = outbox.drawer.getByRole('textbox', { name: 'E-mail' });
  await field.fill('nobody');
  await page.keyboard.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill(`right-${to}`);
  await page.keyboard.press('Enter');
  await expect(outbox.state('sent')).toBeVisible();
  await expect(outbox.drawer).toContainText(`right-${to}`);
  expect(await box.mailFor(`right-${to}`)).toHaveLength(1);
});

test('texts are set up by keyboard with a token that nobody reads again, and removed after one question', async ({
  signedIn: page,
  service,
  faults,
}) => {
  faults.expect(/400/);
  const token = 'a token of thirty-two signs, twice';
  await page.goto('/#/settings/channels');
  await page.getByRole('button', { name: 'Texts' }).press('Enter');
  await page.getByLabel('Account SID').focus();
  await page.keyboard.type('ACme');
  await page.keyboard.press('Tab');
  await page.keyboard.type(token);
  await page.getByRole('textbox', { name: 'From' }).fill('+12075550100');
  await page.keyboard.press('Control+s');
  await confirmWithPassword(page, service.adminPassword);
  await expect(page.getByLabel('Account SID')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Account SID').fill(`AC${'0a'.repeat(16)}`);
  await page.keyboard.press('Control+s');
  await confirmWithPassword(page, service.adminPassword);
  await expect(page.getByText('Set up', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText('One is kept. Type another to replace it.')).toBeVisible();
  await expect(page.getByLabel('Auth token')).toHaveValue('');
  expect(await page.content()).not.toContain(token);
  await page.getByLabel('Account SID').fill('AC');
  await page.getByRole('button', { name: 'E-mail' }).press('Enter');
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
  await leave.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(leave).toBeHidden();
  await page.getByRole('button', { name: 'Discard' }).press('Enter');
  await expect(page.getByLabel('Account SID')).toHaveValue(`AC${'0a'.repeat(16)}`);
  await page.getByRole('button', { name: 'Remove the provider of texts' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the provider of texts' }).press('Enter');
  await confirmWithPassword(page, service.adminPassword);
  await expect(page.getByText('Not set up', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Account SID')).toHaveValue('');
});

test('the filter lives in the address; what does not match says so and is cleared', async ({ signedIn: page, service }) => {
  const { to } = await writtenReceipt(service);
  const outbox = new MessagesPage(page);
  await outbox.open();
  await page.keyboard.press('/');
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
  await page.getByRole('button', { name: 'Sent by', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Text' }).click();
  await expect(page.getByText('No match')).toBeVisible();
  await page.reload();
  await expect(page.getByText('No match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(page).toHaveURL(/\/messages$/);
});

test('markup in a message is shown as it is written and does nothing', async ({ signedIn: page, service }) => {
  const till = await Till.open(service);
  const { transactionId } = await till.post<{ transactionId: string }>('/transactions', {
    type: 'sale',
    amount: '762.00',
    description: '<img src=x onerror="document.title=1"><b>bold</b>',
    card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' },
    billing: { zip: '04101' },
  });
  const { messageId } = await till.post<{ messageId: string }>('/notifications/receipt/email', {
    transactionId,
    email: 'mark@example.com',
  });
  const outbox = new MessagesPage(page);
  await page.goto(`/#/messages/${messageId}`);
  const text = outbox.drawer.getByRole('region', { name: 'Text of the message' });
  await expect(text).toContainText('<b>bold</b>');
  await expect(text.locator('img, b')).toHaveCount(0);
  await expect(page).toHaveTitle('Messages · Paydesk');
});

test('who may only read sees the outbox without a way to send again, and no settings of it', async ({ service, browser }) => {
  const { messageId } = await writtenReceipt(service);
  const till = await Till.open(service);
  const { data } = await till.read<{ merchants: { merchantId: string }[] }>('/auth/me');
  const user = { email: `looker${process.pid}@demo.example`, role: 'viewer', password: 'a looking password' };
  await till.post(`/merchants/${data.merchants[0]?.merchantId}/users`, user);
  const page = await (await browser.newContext()).newPage();
  await page.goto(service.baseUrl);
  await new SignInPage(page).enter(user.email, user.password);
  await page.getByRole('link', { name: 'Messages' }).click();
  const outbox = new MessagesPage(page);
  await expect(outbox.heading).toBeVisible();
  await page.goto(`${service.baseUrl}/#/messages/${messageId}`);
  await expect(outbox.state('waiting')).toBeVisible();
  await expect(outbox.drawer.getByRole('button', { name: 'Resend' })).toHaveCount(0);
  await page.keyboard.press('r');
  await expect(outbox.drawer.getByRole('form')).toHaveCount(0);
  await page.goto(`${service.baseUrl}/#/settings`);
  await expect(page.getByRole('tab', { name: 'Payers' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Messages' })).toHaveCount(0);
  await page.context().close();
});

test('the address for payers warns while it leads nowhere else, and is saved with the language by Ctrl+S', async ({
  signedIn: page,
  faults,
}) => {
  faults.expect(/400/);
  await page.goto('/#/settings/payers');
  const address = page.getByLabel('Address for payers');
  await expect(page.getByRole('alert')).toContainText('Links open only on this computer');
  await address.fill('pay.example.com/shop');
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/must be an address such as/)).toBeVisible();
  await address.fill('https://pay.example.com');
  await expect(page.getByRole('alert')).not.toContainText('only on this computer');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('No changes')).toBeVisible();
  await page.getByRole('combobox', { name: 'What payers read' }).press('Enter');
  await page.getByRole('option', { name: 'Spanish' }).press('Enter');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('No changes')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'What payers read' })).toHaveText('Spanish');
  await address.fill('');
  await page.getByRole('combobox', { name: 'What payers read' }).press('Enter');
  await page.getByRole('option', { name: 'English' }).press('Enter');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('No changes')).toBeVisible();
});

test('messages and their settings have no accessibility fault in either scheme and fit a small screen', async ({
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
  await expect(page.getByLabel('Address for payers')).toBeVisible();
  await expectFit('payers');
  await page.goto('/#/settings/channels');
  await outbox.setUpMail({ ...box, password: 'not the password' }, service);
  await outbox.sendTest(to);
  await expect(page.getByRole('form', { name: 'Send a test' })).toContainText('did not take the sign-in');
  await expectFit('mail');
  await outbox.open();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expectFit('outbox');
  await outbox.read(to);
  await page.keyboard.press('r');
  await expect(outbox.drawer.getByRole('textbox', { name: 'E-mail' })).toBeFocused();
  await expectFit('message');
  const send = outbox.drawer.getByRole('button', { name: /^Send to/ });
  await send.scrollIntoViewIfNeeded();
  await expect(send).toBeInViewport({ ratio: 1 });
  expect(await outbox.drawer.evaluate((drawer) => drawer.scrollWidth <= drawer.clientWidth)).toBe(true);
});
