import { expect, test } from 'vitest';
import { planOf } from '../../support/plans.ts';
import { apiOf, expectData, startTestServer } from '../../support/server.ts';

test('SQLite reads unconfirmed payments, security activity and the cards of a customer by their indexes, not through all rows of the tenant', async () => {
  const { server, stop } = await startTestServer('sqlite', {}, 'full');
  try {
    if (server.credentials === undefined) throw new Error('a server with demo tenants has credentials');
    const api = apiOf(server.baseUrl, server.credentials);
    const unconfirmed = await planOf(() => expectData(api.admin.get('/unconfirmed-payments')));
    const attempts = unconfirmed.filter((step) => /^(SCAN|SEARCH) (a|attempts)\b/.test(step));
    expect(attempts.length).toBeGreaterThan(2);
    expect(attempts.filter((step) => !/(attempts_due|attempts_alerts) \(|\(tenant_id=\? AND id=\?\)/.test(step))).toEqual([]);

    const [customer] = await expectData(api.admin.get<readonly { customerId: string }[]>('/customers'));
    const cards = await planOf(() => expectData(api.admin.get(`/customers/${customer?.customerId}/payment-methods`)));
    const methods = cards.filter((step) => step.includes('payment_methods'));
    expect(methods).toContainEqual(expect.stringContaining('payment_methods_by_customer (tenant_id=? AND customer_id=?'));
    expect(methods.filter((step) => step.includes('(tenant_id=?)'))).toEqual([]);

    const activity = await planOf(() => expectData(api.admin.get('/security-activity')));
    const entries = activity.filter((step) => step.includes('audit_entries'));
    expect(entries).toContainEqual(expect.stringContaining('audit_entries_by_action (tenant_id=? AND action=?)'));
    expect(entries.filter((step) => step.includes('(tenant_id=?)'))).toEqual([]);
  } finally {
    await stop();
  }
});

test('SQLite reads the event history, itemized sales, and the payments and refunds of a merchant by their indexes', async () => {
  const { server, stop } = await startTestServer('sqlite', {}, 'full');
  try {
    if (server.credentials === undefined) throw new Error('a server with demo tenants has credentials');
    const api = apiOf(server.baseUrl, server.credentials);
    const events = await planOf(() => expectData(api.admin.get('/webhooks/events?types=transaction.approved,refund.processed')));
    expect(events.filter((step) => /\bevents\b/.test(step))).toContainEqual(
      expect.stringContaining('events_by_number (tenant_id=? AND n>?'),
    );
    expect(events.filter((step) => /\bevents\b/.test(step) && !step.includes('n>?'))).toEqual([]);

    const items = await planOf(() => expectData(api.admin.get('/reporting/items')));
    const sales = items.filter((step) => /\b(transactions|tenders)\b/.test(step));
    for (const table of ['transactions', 'tenders'])
      expect(sales).toContainEqual(expect.stringContaining(`${table}_with_items (tenant_id=? AND merchant_id=? AND day>? AND day<?)`));
    expect(sales.filter((step) => !step.includes('_with_items'))).toEqual([]);
    expect(items.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);

    const [merchant] = await expectData(api.admin.get<readonly { merchantId: string }[]>('/merchants'));
    const settled = await planOf(() =>
      expectData(api.admin.get(`/transactions?merchantId=${merchant?.merchantId}&settlementDate=2026-01-30`)),
    );
    const payments = settled.filter((step) => /\btransactions\b/.test(step));
    expect(payments).toContainEqual(expect.stringContaining('transactions_by_settlement_date (tenant_id=? AND settlement_date=?'));
    expect(payments.filter((step) => !/settlement_date=\?| AND id=\?\)/.test(step))).toEqual([]);

    const declined = await planOf(() =>
      expectData(api.admin.get(`/transactions?merchantId=${merchant?.merchantId}&declineCode=insufficient_funds`)),
    );
    expect(declined).toContainEqual(expect.stringContaining('transactions_by_decline (tenant_id=? AND decline_code=?)'));
    expect(declined.filter((step) => /\btransactions\b/.test(step) && !/decline_code=\?| AND id=\?\)/.test(step))).toEqual([]);

    const refunds = await planOf(() => expectData(api.admin.get(`/refunds?merchantId=${merchant?.merchantId}`)));
    const ofMerchant = refunds.filter((step) => /\brefunds\b/.test(step));
    expect(ofMerchant).toContainEqual(expect.stringContaining('refunds_by_merchant (tenant_id=? AND merchant_id=?)'));
    expect(ofMerchant.filter((step) => step.includes('(tenant_id=?)'))).toEqual([]);

    for (const scope of ['', `&merchantId=${merchant?.merchantId}`]) {
      const searched = await planOf(() => expectData(api.admin.get(`/tenders?q=25${scope}`)));
      const steps = searched.filter((step) => /\btenders\b/.test(step));
      expect(steps.length).toBeGreaterThan(6);
      expect(steps.filter((step) => !/ AND (id|check_number|order_key|customer_email|number|amount_minor)=\?/.test(step))).toEqual([]);
    }

    const dated = await planOf(() =>
      expectData(api.admin.get('/tenders?sort=amount&status=received&startDate=2026-01-30&endDate=2026-01-31')),
    );
    expect(dated.filter((step) => /\btenders\b/.test(step))).toContainEqual(expect.stringContaining('id>? AND id<?'));

    const messages = await planOf(() => expectData(api.admin.get('/notifications/messages?q=.example')));
    expect(messages).toContainEqual(expect.stringContaining('COVERING INDEX messages_by_recipient (tenant_id=?)'));
    expect(messages.filter((step) => /\bmessages\b/.test(step) && !/messages_by_recipient|AND id=\?\)/.test(step))).toEqual([]);
  } finally {
    await stop();
  }
});
