import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { InvoicesPage, newInvoice } from './pages/invoices-page.ts';

test('creates the payment page of the gateway for an invoice, on which a payer pays it', async ({ signedIn: page, service }) => {
  const api = await ApiSession.open(service);
  const { invoiceId } = await newInvoice(api, {}, true);
  await new InvoicesPage(page).openOne(invoiceId);
  const section = page.getByRole('region', { name: 'Payment page of the gateway' });
  await expect(section).toContainText('has its own payment page');
  await section.getByRole('button', { name: 'Create payment page' }).click();
  const entry = section.getByRole('listitem');
  await expect(entry).toContainText('Open');
  await expectAccessible(page, 'invoice with a payment page of the gateway');

  const [address = ''] = /https?:\/\/[\w.:]+\/sandbox\/pay\/[\w-]{24}/.exec((await entry.textContent()) ?? '') ?? [];
  const payer = await page.context().newPage();
  await payer.goto(address);
  await expectAccessible(payer, 'payment page of the sandbox processor');
  await payer.getByLabel('Card number').fill('4111111111111111');
  await payer.getByLabel('Expiry month').fill('12');
  await payer.getByLabel('Expiry year').fill('2039');
  await payer.getByLabel('Security code').fill('123');
  await payer.getByRole('button', { name: 'Pay' }).click();
  await expect(payer.getByRole('heading')).toHaveText('This payment was made');
  await payer.close();

  await entry.getByRole('button', { name: 'Check now' }).click();
  await expect(entry).toContainText('Paid');
  await expect(entry.getByRole('link', { name: 'Show payment' })).toBeVisible();
  await expect(section.getByRole('button', { name: 'Create payment page' })).toBeHidden();
});
