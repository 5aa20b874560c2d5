import { expect, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';

test('charges by mail, then the screen returns to its own channel, and the list finds the payment', async ({ signedIn, service }) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await sell.more.click();
  const channel = (name: string) => signedIn.getByRole('group', { name: 'Channel' }).getByRole('button', { name, exact: true });
  await expect(channel('Phone')).toHaveAttribute('aria-pressed', 'true');
  await expect(channel('Customer not present')).toHaveCount(0);
  await sell.amount.focus();
  await sell.key({ amount: '61.30' });
  await channel('Mail').click();
  await sell.charge.press('Enter');
  await expect(sell.approved).toBeVisible();
  expect(await sell.recorded('61.3')).toMatchObject([{ channel: 'mail' }]);
  await sell.newSale();
  await sell.more.click();
  await expect(channel('Phone')).toHaveAttribute('aria-pressed', 'true');

  await signedIn.goto('/#/transactions?channel=mail&q=61.30');
  const row = signedIn.getByRole('row', { name: /61\.30/ });
  await expect(row).toContainText('Mail');
});

test('a bank debit requires the authorization of its channel, and the transaction shows it @full', async ({ signedIn, service }) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await signedIn.getByRole('button', { name: 'Bank', exact: true }).click();
  await sell.amount.fill('62.40');
  await signedIn.getByLabel('Routing number').fill('021000021');
  await signedIn.getByLabel('Account number').fill('6789012');
  await signedIn.getByLabel('Name on the account').fill('Ann Marsh');
  await sell.charge.press('Enter');
  const proof = signedIn.getByLabel('Recording or notice of the authorization');
  await expect(proof).toBeFocused();
  await proof.fill('Recording 4711');
  await proof.press('Enter');
  await expect(sell.approved).toBeVisible();
  const [made] = await sell.recorded('62.4');
  expect(made).toMatchObject({ channel: 'phone', secCode: 'TEL', bankAuthorization: { method: 'oral', reference: 'Recording 4711' } });
  await signedIn.goto(`/#/transactions/${made?.transactionId}`);
  await expect(signedIn.getByText('TEL: by phone')).toBeVisible();
  await expect(signedIn.getByText(/^Oral, .+, Recording 4711$/)).toBeVisible();
});

test('the settings of the terminal choose the channel of the Sell screen @full', async ({ signedIn, service }) => {
  const choose = async (name: string) => {
    await signedIn.goto('/#/settings/terminal');
    await signedIn.getByRole('combobox', { name: 'Channel of the Sell screen' }).click();
    await signedIn.getByRole('option', { name }).click();
    await signedIn.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(signedIn.getByText('No changes')).toBeVisible();
  };
  await choose('Counter');
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await sell.more.click();
  const channels = signedIn.getByRole('group', { name: 'Channel' });
  await expect(channels.getByRole('button', { name: 'Counter' })).toHaveAttribute('aria-pressed', 'true');
  await sell.amount.focus();
  await sell.sell({ amount: '63.50' });
  await expect(sell.approved).toBeVisible();
  expect(await sell.recorded('63.5')).toMatchObject([{ channel: 'counter' }]);
  await choose('Phone');
});
