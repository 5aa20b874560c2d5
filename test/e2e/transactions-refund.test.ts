import { expect, test } from './fixtures.ts';
import { TransactionsPage } from './pages/transactions-page.ts';
import { Till } from './till.ts';

test('all money goes back from anywhere by keyboard: find, R, Enter; unsettled it is a void, and says so', async ({
  signedIn,
  service,
  strokes,
}) => {
  const { orderId } = await (await Till.open(service)).sell({ amount: '12.00' });
  const list = new TransactionsPage(signedIn);
  strokes.reset();
  await list.find(orderId);
  await signedIn.keyboard.press('r');
  await expect(list.drawer).toContainText('Not settled yet, so the payment is voided');
  await expect(list.amount).toBeFocused();
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer.getByText('Voided 12.00 USD. The customer is not charged.')).toBeVisible();
  await expect(list.said).toHaveText('Voided 12.00 USD. The customer is not charged.');
  expect(strokes.keys()).toBe(orderId.length + 4);
  expect(strokes.clicks()).toBe(0);
  await expect(list.drawer.locator('[data-state=voided]').first()).toBeVisible();
});

test('who would rather refund an unsettled payment is told that it may be voided all the same', async ({ signedIn, service }) => {
  const { orderId, transactionId } = await (await Till.open(service)).sell({ amount: '13.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(orderId);
  await signedIn.keyboard.press('r');
  await list.drawer.getByRole('switch', { name: 'Refund instead of voiding, where the processor has settled it already' }).press('Space');
  await expect(list.drawer).toContainText('Where the processor has not settled the payment yet, it is voided');
  await list.reason.fill('Wrong size');
  // As of a live gateway that has not settled it.
  await signedIn.route(/\/api\/v1\/refunds\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: { transactionId: string; sentAs: string }[] };
    for (const refund of body.data) if (refund.transactionId === transactionId) refund.sentAs = 'void';
    await route.fulfill({ response, json: body });
  });
  await list.action('Refund 13.00 USD').click();
  await expect(list.drawer.getByText('Wrong size · Voided before it settled: the customer is not charged')).toBeVisible();
});

test('parts of 10 and 10 of 30 leave 10; 11 more are refused with what is available, which one press takes', async ({
  signedIn,
  service,
}) => {
  const till = await Till.open(service);
  const sale = await till.sell({ amount: '30.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  for (const left of ['20.00', '10.00']) {
    await signedIn.keyboard.press('r');
    await expect(list.amount).toBeFocused();
    await signedIn.keyboard.type('10');
    await expect(list.drawer).toContainText('The amount is refunded.');
    await signedIn.keyboard.press('Enter');
    await expect(list.drawer).toContainText(`${left} USD left`);
    await expect(list.figure('Left')).toHaveText(left);
  }
  await signedIn.keyboard.press('r');
  await expect(list.amount).toBeFocused();
  await signedIn.keyboard.type('11');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer).toContainText('10.00 USD is available.');
  await list.action('Use 10.00').click();
  await expect(list.amount).toHaveValue('10.00');
  await list.action('Refund 10.00 USD').click();
  await expect(list.figure('Left')).toHaveText('0.00');
  const { data } = await till.read<{ amount: number }[]>(`/refunds?transactionId=${sale.transactionId}`);
  expect(data.map(({ amount }) => amount)).toEqual([10, 10, 10]);
});

test('what another desk refunded meanwhile is told by the service, and its figure offered', async ({ signedIn, service, faults }) => {
  faults.expect(/422/);
  const sale = await (await Till.open(service)).sell({ amount: '30.00' });
  const list = new TransactionsPage(signedIn);
  const body = JSON.stringify({
    success: false,
    error: { code: 'INVALID_AMOUNT', message: 'The amount is more than is left to refund.', details: { availableToRefund: 4.5 } },
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

test('twenty impatient Enters refund once', async ({ signedIn, service }) => {
  const till = await Till.open(service);
  const sale = await till.sell({ amount: '40.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await signedIn.keyboard.press('r');
  await list.amount.fill('5');
  await Promise.all(Array.from({ length: 20 }, () => signedIn.keyboard.press('Enter')));
  await expect(list.figure('Left')).toHaveText('35.00');
  const { data } = await till.read<unknown[]>(`/refunds?transactionId=${sale.transactionId}`);
  expect(data).toHaveLength(1);
});

test('an expired token is renewed and the same refund goes again under the same key', async ({ signedIn, service, faults }) => {
  faults.expect(/401/);
  const till = await Till.open(service);
  const sale = await till.sell({ amount: '18.00' });
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
  await expect(list.figure('Left')).toHaveText('10.00');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
});

test('an answer that got lost is asked for again under the same key: one refund', async ({ signedIn, service, faults }) => {
  faults.expect(/ERR_FAILED/);
  const till = await Till.open(service);
  const sale = await till.sell({ amount: '18.00' });
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
  await expect(list.drawer.getByRole('alert')).toContainText('The service does not answer.');
  await expect(list.amount).toHaveValue('8');
  await list.action('Refund 8.00 USD').click();
  await expect(list.figure('Left')).toHaveText('10.00');
  const { data } = await till.read<unknown[]>(`/refunds?transactionId=${sale.transactionId}`);
  expect(data).toHaveLength(1);
});

test('a refund that the processor declines says so and what comes next', async ({ signedIn, service }) => {
  const sale = await (await Till.open(service)).sell({ amount: '22.00', card: '4000000000005126' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await signedIn.keyboard.press('r');
  await list.amount.fill('2');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer.getByText(/^The refund of 2\.00 USD was declined\./)).toBeVisible();
});

test('an authorization is captured in part, and its capture is cancelled again', async ({ signedIn, service }) => {
  const sale = await (await Till.open(service)).sell({ amount: '50.00', type: 'auth' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await expect(list.figure('Captured')).toHaveText('0.00');
  await signedIn.keyboard.press('c');
  await expect(list.amount).toBeFocused();
  await signedIn.keyboard.type('35');
  await expect(list.drawer).toContainText('The rest of the hold is released');
  await signedIn.keyboard.press('Enter');
  await expect(list.figure('Captured')).toHaveText('35.00');
  await list.action('More').click();
  await signedIn.getByRole('menuitem', { name: 'Cancel the capture' }).click();
  await expect(list.action('Cancel the capture')).toBeFocused();
  await signedIn.keyboard.press('Enter');
  await expect(list.figure('Captured')).toHaveText('0.00');
});

test('V voids with a reason, and what is barred afterwards stays in sight with its own reason', async ({ signedIn, service }) => {
  const sale = await (await Till.open(service)).sell({ amount: '14.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await signedIn.keyboard.press('v');
  await expect(list.reason).toBeFocused();
  await signedIn.keyboard.type('Rung up twice');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer).toContainText('Voided 14.00 USD');
  await expect(list.action('Void')).toHaveAttribute('aria-disabled', 'true');
  await expect(list.action('Void')).toHaveAccessibleDescription('It is voided.');
  await expect(list.drawer).toContainText('Rung up twice');
});

test('a declined payment is run again, a paid one is credited, and each new transaction is a press away', async ({ signedIn, service }) => {
  const till = await Till.open(service);
  const declined = await till.sell({ amount: '16.00', card: '4000000000000002' });
  const list = new TransactionsPage(signedIn);
  await list.find(declined.orderId);
  await list.action('More').click();
  await signedIn.getByRole('menuitem', { name: 'Run again' }).click();
  await list.action('Charge 16.00 USD').click();
  await expect(list.drawer).toContainText('16.00 USD was declined.');
  await list.action('Open it').click();
  await expect(list.drawer).toContainText(declined.transactionId);

  await signedIn.keyboard.press('Escape');
  const paid = await till.sell({ amount: '17.00' });
  await list.find(paid.orderId);
  await list.action('More').click();
  await signedIn.getByRole('menuitem', { name: 'Credit the card' }).click();
  await expect(list.amount).toBeFocused();
  await signedIn.keyboard.type('3');
  await signedIn.keyboard.press('Enter');
  await expect(list.drawer).toContainText('Credited 3.00 USD.');
});

test('Esc closes the form first and the drawer second', async ({ signedIn, service }) => {
  const sale = await (await Till.open(service)).sell({ amount: '11.00' });
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

test('a transaction copies as a command that holds no credential', async ({ signedIn, service, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const sale = await (await Till.open(service)).sell({ amount: '11.00' });
  const list = new TransactionsPage(signedIn);
  await list.find(sale.orderId);
  await list.action('More').click();
  await signedIn.getByRole('menuitem', { name: 'Copy as cURL' }).click();
  await expect.poll(() => signedIn.evaluate(() => navigator.clipboard.readText())).toContain(`/api/v1/transactions/${sale.transactionId}`);
  expect(await signedIn.evaluate(() => navigator.clipboard.readText())).toContain('$PAYDESK_TOKEN');
});
