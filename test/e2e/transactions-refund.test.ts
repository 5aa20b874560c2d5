import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';
import { TransactionsPage } from './pages/transactions-page.ts';
import { actOn, expectRefused } from './record-actions.ts';

test('returns a full payment by keyboard from any screen with search, R and Enter; voids an unsettled payment and says so', async ({
  signedIn,
  service,
  strokes,
}) => {
  const { orderId } = await (await ApiSession.open(service)).sell({ amount: '12.00' });
  const list = new TransactionsPage(signedIn);
  await strokes.reset();
  await list.find(orderId);
  await signedIn.keyboard.press('r');
  await expect(list.drawer).toContainText('This payment hasn’t settled, so it is voided');
  await expect(list.amount).toBeFocused();
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer.getByText('Voided 12.00 USD. The customer isn’t charged.')).toBeVisible();
  await expect(list.announcement).toHaveText('Voided 12.00 USD. The customer isn’t charged.');
  await expect.poll(() => strokes.keys()).toBe(orderId.length + 4);
  expect(strokes.clicks()).toBe(0);
  await expect(list.drawer.locator('[data-state=voided]').first()).toBeVisible();
});

test('refunds an unsettled payment on request, with the note that it may be sent as a void @full', async ({ signedIn, service }) => {
  const { orderId, transactionId } = await (await ApiSession.open(service)).sell({ amount: '13.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(orderId);
  await list.action('More').click();
  await signedIn.getByRole('menuitem', { name: 'Refund instead of voiding' }).click();
  await expect(list.drawer).toContainText('If not, it is voided');
  await list.reason.fill('Wrong size');
  // As for a live gateway that has not settled the payment.
  await signedIn.route(/\/api\/v1\/refunds\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: { transactionId: string; sentAs: string }[] };
    for (const refund of body.data) if (refund.transactionId === transactionId) refund.sentAs = 'void';
    await route.fulfill({ response, json: body });
  });
  await list.action('Refund 13.00 USD').click();
  await expect(list.drawer.getByText('Wrong size · Voided before it settled: the customer isn’t charged')).toBeVisible();
});

test('after refunds of 10 and 10 of 30, refuses 11 and fills in the available 10 with one key', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const sale = await api.sell({ amount: '30.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  for (const left of ['20.00', '10.00']) {
    await signedIn.keyboard.press('r');
    await expect(list.amount).toBeFocused();
    await signedIn.keyboard.type('10');
    await expect(list.drawer).toContainText('The amount is refunded.');
    await signedIn.keyboard.press('Enter');
    await expect(list.drawer).toContainText(`${left} USD can still be refunded`);
    await expect(list.figure('Remaining')).toHaveText(left);
  }
  await signedIn.keyboard.press('r');
  await expect(list.amount).toBeFocused();
  await signedIn.keyboard.type('11');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer).toContainText('10.00 USD is available.');
  await list.action('Use 10.00').click();
  await expect(list.amount).toHaveValue('10.00');
  await list.action('Refund 10.00 USD').click();
  await expect(list.figure('Remaining')).toHaveText('0.00');
  const { data } = await api.read<{ amount: number }[]>(`/refunds?transactionId=${sale.transactionId}`);
  expect(data.map(({ amount }) => amount)).toEqual([10, 10, 10]);
});

test("shows the service's refusal after a refund on another workstation, and offers the available amount @full", async ({
  signedIn,
  service,
  faults,
}) => {
  faults.expect(/422/);
  const sale = await (await ApiSession.open(service)).sell({ amount: '30.00' });
  const list = new TransactionsPage(signedIn);
  const body = JSON.stringify({
    success: false,
    error: {
      code: 'INVALID_AMOUNT',
      message: 'The amount exceeds the amount that can still be refunded.',
      details: { availableToRefund: 4.5 },
    },
  });
  await signedIn.route('**/refund', (route) => route.fulfill({ status: 422, body, contentType: 'application/json' }), { times: 1 });
  await list.find(sale.orderId);
  await signedIn.keyboard.press('r');
  await list.amount.fill('20');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer).toContainText('4.50 USD is available.');
  await list.action('Use 4.50').click();
  await list.action('Refund 4.50 USD').click();
  await expect(list.drawer).toContainText('Refunded 4.50 USD');
});

test('refunds once after twenty presses of Enter', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const sale = await api.sell({ amount: '40.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await signedIn.keyboard.press('r');
  await list.amount.fill('5');
  await Promise.all(Array.from({ length: 20 }, () => signedIn.keyboard.press('Enter')));
  await expect(list.figure('Remaining')).toHaveText('35.00');
  const { data } = await api.read<unknown[]>(`/refunds?transactionId=${sale.transactionId}`);
  expect(data).toHaveLength(1);
});

test('renews an expired token and repeats the refund under the same idempotency key @full', async ({ signedIn, service, faults }) => {
  faults.expect(/401/);
  const api = await ApiSession.open(service);
  const sale = await api.sell({ amount: '18.00' });
  const list = new TransactionsPage(signedIn);
  const keys: (string | undefined)[] = [];
  const body = JSON.stringify({ success: false, error: { code: 'TOKEN_EXPIRED', message: 'The token has expired.' } });
  await signedIn.route('**/refund', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length === 1) await route.fulfill({ status: 401, body, contentType: 'application/json' });
    else await route.continue();
  });
  await list.find(sale.orderId);
  await signedIn.keyboard.press('r');
  await list.amount.fill('8');
  await signedIn.keyboard.press('Enter');
  await expect(list.figure('Remaining')).toHaveText('10.00');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
});

test('repeats a refund whose response was lost under the same idempotency key, and refunds once', async ({ signedIn, service, faults }) => {
  faults.expect(/ERR_FAILED/);
  const api = await ApiSession.open(service);
  const sale = await api.sell({ amount: '18.00' });
  const list = new TransactionsPage(signedIn);
  let sends = 0;
  await signedIn.route('**/refund', async (route) => {
    sends += 1;
    if (sends > 1) return route.continue();
    await route.fetch();
    await route.abort('failed');
  });
  await list.find(sale.orderId);
  await signedIn.keyboard.press('r');
  await list.amount.fill('8');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer.getByRole('alert')).toContainText('The server isn’t responding.');
  await expect(list.amount).toHaveValue('8');
  await list.action('Refund 8.00 USD').click();
  await expect(list.figure('Remaining')).toHaveText('10.00');
  const { data } = await api.read<unknown[]>(`/refunds?transactionId=${sale.transactionId}`);
  expect(data).toHaveLength(1);
});

test('explains a refund that the processor declines and the next step @full', async ({ signedIn, service }) => {
  const sale = await (await ApiSession.open(service)).sell({ amount: '22.00', card: '4000000000005126' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await signedIn.keyboard.press('r');
  await list.amount.fill('2');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer.getByText(/^The refund of 2\.00 USD was declined\./)).toBeVisible();
});

test('shows held money as authorized, captures it partially and cancels the capture, by Enter again after a failure', async ({
  signedIn,
  service,
  faults,
}) => {
  faults.expect(/ERR_FAILED/);
  const sale = await (await ApiSession.open(service)).sell({ amount: '50.00', type: 'auth' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await expect(list.figure('Captured')).toHaveText('0.00');
  await expect(list.drawer.locator('[data-state=authorized]').first()).toHaveText('Authorized');
  await expect(list.action('Release')).toBeVisible();
  await expect(list.action('Refund')).toHaveCount(0);
  await signedIn.keyboard.press('c');
  await expect(list.amount).toBeFocused();
  await signedIn.keyboard.type('35');
  await expect(list.drawer).toContainText('The rest of the hold is released');
  await signedIn.keyboard.press('Enter');
  await expect(list.figure('Captured')).toHaveText('35.00');
  await list.action('More').click();
  await signedIn.getByRole('menuitem', { name: 'Cancel capture' }).click();
  await expect(list.action('Cancel capture')).toBeFocused();
  await signedIn.route('**/cancel-capture', (route) => route.abort(), { times: 1 });
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer.getByRole('alert')).toContainText('The server isn’t responding.');
  await signedIn.keyboard.press('Enter');
  await expect(list.figure('Captured')).toHaveText('0.00');
  await signedIn.keyboard.press('r');
  await expect(list.drawer.getByRole('button', { name: 'Release 50.00 USD' })).toBeVisible();
  await expect(list.drawer).not.toContainText('Refund');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer).toContainText('Released 50.00 USD. The customer isn’t charged.');
});

test('V voids with a reason, and shows the then unavailable actions with their reasons @full', async ({ signedIn, service }) => {
  const sale = await (await ApiSession.open(service)).sell({ amount: '14.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await signedIn.keyboard.press('v');
  await expect(list.reason).toBeFocused();
  await signedIn.keyboard.type('Rung up twice');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer).toContainText('Voided 14.00 USD');
  await expectRefused(list.drawer, 'Refund', 'This transaction was voided; no money was taken.');
  await expect(list.drawer).toContainText('Rung up twice');
  await expectRefused(list.drawer, 'Void', 'This transaction was already voided.');
});

test('reruns a declined payment, credits a paid one, and links each new transaction @full', async ({ signedIn, service }) => {
  const api = await ApiSession.open(service);
  const declined = await api.sell({ amount: '16.00', card: '4000000000000002' });
  const list = new TransactionsPage(signedIn);
  await list.find(declined.orderId);
  await actOn(list.drawer, 'Rerun');
  await list.action('Charge 16.00 USD').click();
  await expect(list.drawer).toContainText('16.00 USD was declined.');
  await list.action('Open transaction').click();
  await expect(list.drawer).toContainText(declined.transactionId);

  await signedIn.keyboard.press('Escape');
  const paid = await api.sell({ amount: '17.00' });
  await list.find(paid.orderId);
  await list.action('More').click();
  await signedIn.getByRole('menuitem', { name: 'Credit the card' }).click();
  await expect(list.amount).toBeFocused();
  await signedIn.keyboard.type('3');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer).toContainText('Credited 3.00 USD.');
});

test('Esc closes first the form and then the details @full', async ({ signedIn, service }) => {
  const sale = await (await ApiSession.open(service)).sell({ amount: '11.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await signedIn.keyboard.press('r');
  await expect(list.amount).toBeFocused();
  await signedIn.keyboard.press('Escape');
  await expect(list.amount).toBeHidden();
  await expect(list.drawer).toBeVisible();
  await signedIn.keyboard.press('Escape');
  await expect(list.drawer).toBeHidden();
});

test('copies a transaction as a command without credentials @full', async ({ signedIn, service }) => {
  await signedIn.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const sale = await (await ApiSession.open(service)).sell({ amount: '11.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await list.action('More').click();
  await signedIn.getByRole('menuitem', { name: 'Copy as cURL' }).click();
  await expect.poll(() => signedIn.evaluate(() => navigator.clipboard.readText())).toContain(`/api/v1/transactions/${sale.transactionId}`);
  expect(await signedIn.evaluate(() => navigator.clipboard.readText())).toContain('$PAYDESK_TOKEN');
});

test('refunds one of two items with its tax and without the tip, then the rest with the tip, to the cent', async ({
  signedIn,
  service,
}) => {
  const api = await ApiSession.open(service);
  const lineItems = [
    { description: 'Linen shirt', quantity: 3, unitPrice: '33.33', taxRate: 8.875 },
    { description: 'Belt', quantity: 1, unitPrice: '20.00' },
  ];
  const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2039', cvv: '123' };
  const sale = await api.post<{ transactionId: string; amount: number }>('/transactions', {
    type: 'sale',
    amount: '138.86',
    tipAmount: '10.00',
    paymentMethod: 'card',
    card,
    billing: { zip: '04101' },
    lineItems,
  });
  await signedIn.goto(`/#/transactions/${sale.transactionId}`);
  const list = new TransactionsPage(signedIn);
  await expect(list.drawer).toContainText('Linen shirt');
  await signedIn.keyboard.press('r');
  await expect(list.amount).toBeFocused();
  await signedIn.getByRole('button', { name: 'Return one more of Linen shirt' }).click();
  await expect(list.amount).toHaveValue('36.29');
  await list.action('Refund 36.29 USD').click();
  // The change stream may show the refund before its own response closes the form.
  await expect(list.drawer).toContainText('Refunded 36.29');
  await expect(list.drawer).toContainText('1 × Linen shirt');
  await signedIn.keyboard.press('r');
  const more = signedIn.getByRole('button', { name: 'Return one more of Linen shirt' });
  await more.click();
  await more.click();
  await expect(more).toBeDisabled();
  await signedIn.getByRole('button', { name: 'Return one more of Belt' }).click();
  await signedIn.getByLabel('Also return the tip, 10.00 USD').check();
  await expect(list.amount).toHaveValue('102.57');
  await list.action('Refund 102.57 USD').click();
  await expect(list.figure('Remaining')).toHaveText('0.00');
  const { data } = await api.read<{ amount: number; tipAmount: number; taxAmount: number }[]>(
    `/refunds?transactionId=${sale.transactionId}`,
  );
  expect(data.map(({ amount, tipAmount, taxAmount }) => [amount, tipAmount, taxAmount])).toEqual([
    [102.57, 10, 5.91],
    [36.29, 0, 2.96],
  ]);
});
