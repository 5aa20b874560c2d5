import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

test('a chargeback appears without a reload, its evidence is completed, submitted and won by keyboard @full', async ({
  signedIn,
  service,
  strokes,
}) => {
  const api = await ApiSession.open(service);
  const paid = await api.sell({ amount: '87.00' });
  await signedIn.goto('/#/disputes');
  await expect(signedIn.getByRole('heading', { name: 'Disputes' })).toBeVisible();
  await api.post('/sandbox/chargebacks', { transactionId: paid.transactionId, reason: '10.4' });
  const row = signedIn.getByRole('row', { name: /87\.00/ });
  await expect(row).toContainText('10.4 Other fraud: card-absent environment');

  await row.getByRole('gridcell').first().focus();
  await signedIn.keyboard.press('Enter');
  const drawer = signedIn.getByRole('dialog', { name: 'Dispute' });
  await expect(drawer).toContainText('87.00 USD was charged back. Submit evidence by');
  await expect(drawer.locator('[data-item=transaction]')).toContainText('Found');
  await expect(drawer.locator('[data-item=delivery]')).toContainText('Missing');
  const chooser = signedIn.waitForEvent('filechooser');
  await drawer.getByRole('button', { name: 'Attach a document: Proof of delivery or service' }).press('Enter');
  await (await chooser).setFiles({ name: 'delivery.png', mimeType: 'image/png', buffer: PNG });
  await expect(drawer.locator('[data-item=delivery]')).toContainText('Attached: delivery.png.');
  const documents = drawer.getByRole('list', { name: 'Documents in the pack' });
  const second = signedIn.waitForEvent('filechooser');
  await drawer.getByRole('button', { name: 'Attach a document: Proof of delivery or service' }).press('Enter');
  await (await second).setFiles({ name: 'wrong.png', mimeType: 'image/png', buffer: PNG });
  await documents.getByRole('button', { name: 'Remove the document wrong.png' }).press('Enter');
  await signedIn.getByRole('dialog', { name: 'Remove the document?' }).getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(documents).not.toContainText('wrong.png');
  await documents.getByRole('checkbox', { name: /Receipt/ }).press('Space');
  await drawer.getByRole('heading', { level: 2 }).focus();
  await signedIn.keyboard.press('e');
  await expect(drawer.getByRole('list', { name: 'Evidence packs' })).toContainText('pages');
  await expectAccessible(signedIn, 'dispute');

  await signedIn.keyboard.press('s');
  await expect(drawer.getByRole('form', { name: 'Mark as submitted' })).toContainText('Missing evidence:');
  await signedIn.keyboard.press('Enter');
  await expect(drawer.locator('[data-state=submitted]').first()).toBeVisible();
  await signedIn.keyboard.press('o');
  await signedIn.keyboard.press('Enter');
  await expect(drawer).toContainText('Submit evidence by');
  await signedIn.keyboard.press('s');
  await signedIn.keyboard.press('Enter');
  await expect(drawer.locator('[data-state=submitted]').first()).toBeVisible();
  await expect(drawer).toContainText('Record the decision when the bank reports it.');
  await signedIn.keyboard.press('d');
  await expect(drawer.getByRole('combobox', { name: 'Decision' })).toBeFocused();
  await drawer.getByLabel('Fee of the processor (optional)').focus();
  await signedIn.keyboard.press('Enter');
  await expect(drawer.locator('[data-state=won]').first()).toBeVisible();
  await expect(drawer.getByRole('region', { name: 'History' })).toContainText('Returned to you: 87.00 USD');
  await signedIn.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await signedIn.getByRole('tab', { name: 'Closed' }).press('Enter');
  await expect(signedIn.getByRole('row', { name: /87\.00/ })).toContainText('Won');
  expect(strokes.clicks()).toBe(0);
});

test('a key records no submission without its effect and the missing evidence on screen', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const paid = await api.sell({ amount: '86.00' });
  await api.post('/sandbox/chargebacks', { transactionId: paid.transactionId, reason: '10.4' });
  await signedIn.goto('/#/disputes');
  await signedIn.getByRole('row', { name: /86\.00/ }).click();
  const drawer = signedIn.getByRole('dialog', { name: 'Dispute' });
  await expect(drawer.getByRole('button', { name: 'Mark as submitted…' })).toBeVisible();
  await expect(drawer.locator('[data-state=missing]').first()).toBeVisible();
  await signedIn.keyboard.press('s');
  const panel = drawer.getByRole('form', { name: 'Mark as submitted' });
  await expect(panel).toContainText('Paydesk sends nothing.');
  await expect(panel).toContainText('No evidence pack was created.');
  await expect(panel).toContainText(/Missing evidence: .*Proof of delivery or service/);
  await expect(drawer.locator('[data-state=submitted]')).toHaveCount(0);
});

test('a dispute from a letter is recorded, followed from the payment and won in part by keyboard @full', async ({
  signedIn,
  service,
  faults,
}) => {
  faults.expect(/404/);
  const api = await ApiSession.open(service);
  const paid = await api.sell({ amount: '64.00' });
  await signedIn.goto(`/#/transactions/${paid.transactionId}`);
  const payment = signedIn.getByRole('dialog', { name: 'Transaction' });
  await expect(payment.getByRole('heading', { name: '64.00' })).toBeFocused();
  await signedIn.keyboard.press('b');
  await expect(payment.getByRole('combobox', { name: 'Stage' })).toBeFocused();
  await payment.getByLabel('Amount, USD (optional)').fill('40');
  await payment.getByLabel('Case number (optional)').fill('CB-1064');
  await signedIn.keyboard.press('Enter');
  await expect(payment).toContainText('Dispute of 40.00 USD recorded.');
  await expect(payment.getByRole('region', { name: 'History' })).toContainText('Charged back: 40.00 USD');
  await payment.getByRole('link', { name: 'View dispute' }).press('Enter');

  const drawer = signedIn.getByRole('dialog', { name: 'Dispute' });
  await expect(drawer).toContainText('CB-1064');
  await expect(drawer.getByRole('heading', { level: 2 })).toBeFocused();
  await signedIn.keyboard.press('d');
  await drawer.getByLabel('Amount returned to you (optional)').fill('15.50');
  await signedIn.keyboard.press('Enter');
  await expect(drawer).toContainText('Won in part. 15.50 USD of 40.00 USD was returned; the payer keeps 24.50 USD.');
  await expect(drawer.getByRole('region', { name: 'History' })).toContainText('Returned to you: 15.50 USD');
  await signedIn.emulateMedia({ media: 'print' });
  await expect(drawer.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(drawer.getByRole('region', { name: 'History' })).toBeVisible();
  await expect(signedIn.getByRole('heading', { name: 'Disputes', exact: true })).toBeHidden();
  await signedIn.emulateMedia({ media: 'screen' });
  await drawer.locator(`a[href$='/transactions/${paid.transactionId}']`).first().press('Enter');
  await expect(payment).toContainText('Won in part.');

  await signedIn.goto('/#/disputes');
  await expect(drawer).toBeHidden();
  await expect(signedIn.getByRole('heading', { name: 'Disputes', exact: true })).toBeVisible();
  await signedIn.keyboard.press('n');
  await expect(signedIn.getByLabel('Transaction ID')).toBeFocused();
  await signedIn.keyboard.type('txn_none');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByRole('form', { name: 'Record dispute' }).getByRole('alert')).toBeVisible();
  await expectAccessible(signedIn, 'record dispute');
});
