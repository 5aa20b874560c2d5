import { test } from './business-service.ts';
import { expect } from './fixtures.ts';
import { sessionOf } from './session.ts';

/** Lists of the screens by their address, each with a text of one of its rows in the demo. */
const LISTS = {
  transactions: 'Keiko Walsh',
  'refund-queue': 'Ines Brandt',
  'refund-queue?tab=waiting': 'Keiko Mori',
  'refund-queue?tab=closed': 'Jonas Moreau',
  'unconfirmed-payments': '24.50',
  customers: 'Grace Tanaka',
  'customers?tab=expiring': 'Ben Okafor',
  recurring: 'Farid Haddad',
  'recurring?tab=past-due': 'Diego Fuentes',
  'recurring?tab=paused': 'Grace Tanaka',
  'recurring/installments': 'Grace Tanaka',
  'recurring/installments?tab=past-due': 'Diego Fuentes',
  invoices: 'INV-000003',
  'invoices?tab=links': 'Private table, deposit',
  disputes: 'Visa',
  'disputes?tab=submitted': 'Visa',
  'disputes?tab=closed': 'Won',
  settlement: 'Paid',
  'settlement?tab=batches': 'Paid',
  messages: 'henry.walsh@customer.example',
  webhooks: 'https://orders.harborstreet.example/paydesk',
  'api-keys': 'Demo merchant key',
  users: 'front-desk@demo.example',
  audit: 'sample data',
  'cash?tab=shifts': 'Counter',
  approvals: 'front-desk@demo.example',
  'queued-payments?tab=all': 'Ada Marlow',
};

/** Screens without such a list, each with a text of its contents in the demo. */
const OTHER_SCREENS = {
  home: 'Esther Lindqvist',
  reports: 'Net revenue by day',
  'reports/items': 'Flat white',
  'reports/close': 'Daily close',
  reconciliation: 'Discrepancies (',
  'reconciliation/bank': 'HARBOR STREET PROPERTIES RENT',
  'reconciliation/close': 'Settled sales less',
  events: 'transaction.approved',
  'settings/items': 'Cold brew',
  'settings/merchants': 'Harbor Street Coffee',
  'settings/gateways': 'sandbox',
  'users/roles': 'Cashier',
  system: 'Unconfirmed payments',
};

test('fills every other screen of the demo @full', async ({ signedIn }) => {
  for (const [address, text] of Object.entries(OTHER_SCREENS)) {
    await signedIn.goto(`/#/${address}`);
    await expect(signedIn.getByRole('main').getByText(text).first(), `a text at ${address}`).toBeVisible();
  }
});

test('lists on Home what waits for a decision in the demo', async ({ signedIn }) => {
  await signedIn.goto('/#/home');
  await signedIn.getByRole('link', { name: 'Approval, Tom Reyes' }).press('Enter');
  await expect(signedIn.getByRole('heading', { name: 'Credit without original payment' })).toBeVisible();
  await expect(signedIn.getByRole('button', { name: 'Decide' })).toBeVisible();
});

test('fills every list of the demo @full', async ({ signedIn }) => {
  for (const [address, text] of Object.entries(LISTS)) {
    await signedIn.goto(`/#/${address}`);
    await expect(signedIn.locator('[role=row][data-id]').filter({ hasText: text }).first(), `a row at ${address}`).toBeVisible();
  }
  await signedIn.goto('/#/sell');
  await expect(signedIn.getByRole('group', { name: 'Items' })).toContainText('Flat white');
});

test('shows each state of subscriptions and invoices in the demo, and continues when the test clock moves @full', async ({ service }) => {
  const { token } = await sessionOf(service);
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': service.tenantId, 'content-type': 'application/json' };
  const read = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${service.baseUrl}/api/v1${path}`, { headers, ...init });
    expect(response.status, path).toBe(200);
    return ((await response.json()) as { data: unknown }).data;
  };
  const statuses = async (path: string) => [...new Set(((await read(path)) as { status: string }[]).map(({ status }) => status))].sort();
  expect(await statuses('/recurring?limit=100')).toEqual(['active', 'cancelled', 'past_due', 'paused']);
  expect(await statuses('/invoices?limit=100')).toEqual(['cancelled', 'draft', 'overdue', 'paid', 'partially_paid', 'sent']);
  expect(await statuses('/refund-decline-queue?limit=100')).toEqual(expect.arrayContaining(['failed', 'resolved']));
  expect(await statuses('/settlement/batch-payouts?limit=100')).toContain('paid');
  const { ran } = (await read('/sandbox/clock', { method: 'POST', body: JSON.stringify({ advanceSeconds: 7 * 86_400 }) })) as {
    ran: { subscriptions: number; settlements: number };
  };
  expect(ran.subscriptions).toBeGreaterThan(0);
  expect(ran.settlements).toBeGreaterThan(0);
});
