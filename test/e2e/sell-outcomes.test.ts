import { expect, test } from './fixtures.ts';
import { SellPage } from './pages/sell-page.ts';

test('keeps the form except the security code after a decline, and focuses the field or button that resolves it', async ({ signedIn }) => {
  const sell = new SellPage(signedIn);
  await sell.open();
  const button = (name: string) => signedIn.getByRole('button', { name });
  const table = [
    { card: '4000000000000127', focus: sell.code },
    { card: '4000000000000036', focus: sell.zip },
    { card: '4000000000000069', focus: sell.expiry },
    { card: '4000000000009995', focus: sell.amount },
    { card: '4000000000000002', focus: button('Use another card') },
    { card: '4000000000000119', focus: button('Use another card') },
    { card: '4100000000000019', focus: button('New sale') },
  ];
  for (const { card, focus } of table) {
    await sell.sell({ amount: '51', card });
    await expect(sell.declined).toBeVisible();
    await expect(focus, card).toBeFocused();
    await expect(sell.code).toHaveValue('');
    await expect(sell.zip).toHaveValue('04101');
    expect((await sell.number.inputValue()).replaceAll(' ', '')).toBe(card);
    await expect(sell.announcement).toContainText('Declined');
    await sell.newSale();
  }
});

test('sends a declined sale again only after a change, and then approves it @full', async ({ signedIn, service }) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await sell.sell({ amount: '52.50', code: '901' });
  await expect(sell.code).toBeFocused();
  await signedIn.keyboard.type('123');
  await signedIn.keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
  const states = (await sell.recorded('52.50')).map(({ status }) => status).sort();
  expect(states).toEqual(['approved', 'declined']);
});

test('inquires about a lost answer, prevents the same charge until then, and ends approved with one charge', async ({
  signedIn,
  faults,
  service,
}) => {
  faults.expect(/502/);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  // Holds the responses to the poll back until the test has seen the warning.
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await signedIn.route(/\/api\/v1\/transactions\/txn_\w+$/, async (route) => {
    await released;
    await route.continue();
  });
  await sell.sell({ amount: '69.75', card: '4000000000006975' });
  await expect(signedIn.getByRole('heading', { name: 'Checking with the processor, do not charge again' })).toBeVisible();
  await signedIn.getByRole('button', { name: 'Next customer' }).click();
  await expect(sell.amount).toBeFocused();
  await sell.sell({ amount: '69.75', card: '4000000000006975' });
  await expect(sell.notice).toContainText('This charge is still unconfirmed');
  release();
  await expect(sell.announcement).toContainText('Approved: Visa ••6975, 69.75 USD');
  const recorded = await sell.recorded('69.75');
  expect(recorded.map(({ status }) => status)).toEqual(['approved']);
});

test('warns before the same card is charged the same amount within two minutes; leaves it by default, and charges on request', async ({
  signedIn,
  service,
}) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  const amount = '53.17';
  await sell.sell({ amount });
  await expect(sell.approved).toBeVisible();
  await sell.newSale();
  await sell.sell({ amount });
  await expect(sell.notice).toContainText('This card was just charged the same amount');
  await expect(sell.announcement).toContainText('Charging again charges the customer twice.');
  await expect(signedIn.getByRole('button', { name: 'Don’t charge' })).toBeFocused();
  await signedIn.keyboard.press('Enter');
  await expect(sell.notice).toBeHidden();
  expect(await sell.recorded(amount)).toHaveLength(1);

  await sell.charge.click();
  await signedIn.getByRole('button', { name: 'Charge anyway' }).click();
  await expect(sell.approved).toBeVisible();
  expect(await sell.recorded(amount)).toHaveLength(2);

  await sell.newSale();
  await sell.sell({ amount, card: '5555555555554444' });
  await expect(sell.approved).toBeVisible();
});

test('reports a payment that never reached the processor as failed, keeps the form and allows another charge @full', async ({
  signedIn,
  faults,
  service,
}) => {
  faults.expect(/502/);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await sell.sell({ amount: '69.83', card: '4000000000006983' });
  await expect(sell.notice).toContainText('Payment failed: nothing was charged');
  await expect(sell.announcement).toContainText('Failed. Nothing was charged.');
  await expect(sell.number).toHaveValue('4000 0000 0000 6983');
  await expect(sell.charge).toBeFocused();
  expect((await sell.recorded('69.83')).map(({ status }) => status)).toEqual(['failed']);
});

test('repeats the request under the same idempotency key if the service does not answer, and charges once', async ({
  signedIn,
  faults,
  service,
}) => {
  faults.expect(/ERR_|Failed to load/);
  const sell = new SellPage(signedIn, service);
  await sell.open();
  const keys: string[] = [];
  await signedIn.route('**/api/v1/transactions', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    if (keys.length === 1) {
      await route.fetch();
      return route.abort();
    }
    return keys.length === 2 ? route.abort() : route.continue();
  });
  await sell.sell({ amount: '71.10' });
  await expect(sell.approved).toBeVisible();
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(await sell.recorded('71.10')).toHaveLength(1);
});

test('keeps the form after a processor error and shows message, code and request ID @full', async ({ signedIn, faults }) => {
  faults.expect(/502/);
  const sell = new SellPage(signedIn);
  await sell.open();
  await sell.sell({ amount: '72', card: '4000000000006991' });
  const note = signedIn.getByRole('alert');
  await expect(note).toContainText('GATEWAY_ERROR');
  await expect(note).toContainText(/req_\w+/);
  await expect(sell.number).toHaveValue('4000 0000 0000 6991');
  await expect(sell.code).toHaveValue('123');
});

test('voids an approved sale from its result @full', async ({ signedIn, service }) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await sell.sell({ amount: '73' });
  await expect(sell.approved).toBeVisible();
  await signedIn.keyboard.press('v');
  await expect(signedIn.getByRole('button', { name: 'Void 73.00 USD' })).toBeFocused();
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByRole('heading', { name: 'Voided' })).toBeVisible();
  expect((await sell.recorded('73')).map(({ status }) => status)).toEqual(['voided']);
});

test('charges bank accounts and cards on file on the sell screen @full', async ({ signedIn, service }) => {
  const sell = new SellPage(signedIn, service);
  await sell.open();
  await sell.sell({ amount: '74' });
  await expect(sell.approved).toBeVisible();
  await sell.newSale();
  await signedIn.getByRole('button', { name: 'Saved', exact: true }).click();
  await sell.amount.fill('74.01');
  await signedIn.getByRole('button', { name: 'Visa ••1111' }).first().click();
  await sell.charge.click();
  await expect(sell.approved).toBeVisible();
  await sell.newSale();
  await signedIn.getByRole('button', { name: 'Bank', exact: true }).click();
  await sell.amount.focus();
  await signedIn.keyboard.type('74.02');
  await signedIn.keyboard.press('Enter');
  await expect(signedIn.getByRole('textbox', { name: 'Routing number' })).toBeFocused();
  await signedIn.keyboard.type('011000015');
  await expect(signedIn.getByRole('textbox', { name: 'Account number' })).toBeFocused();
  await signedIn.keyboard.type('1234567890');
  await signedIn.keyboard.press('Enter');
  await signedIn.keyboard.type('Ann Berg');
  await signedIn.keyboard.press('Enter');
  await signedIn.keyboard.type('Recording 7402');
  await signedIn.keyboard.press('Enter');
  await expect(sell.approved).toBeVisible();
  for (const amount of ['74.01', '74.02']) expect(await sell.recorded(amount)).toHaveLength(1);
});

test('fills in amount, order and customer from a link, and never card data @full', async ({ signedIn }) => {
  const sell = new SellPage(signedIn);
  await sell.open('?amount=45&order=A-100&customer=Ann%20Berg&number=4111111111111111');
  await expect(sell.amount).toHaveValue('45');
  await expect(signedIn.getByRole('textbox', { name: 'Order ID' })).toHaveValue('A-100');
  await expect(sell.name).toHaveValue('Ann Berg');
  await expect(sell.number).toHaveValue('');
});
