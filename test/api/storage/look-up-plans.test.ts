import { expect, test } from 'vitest';
import { planOf } from '../../support/plans.ts';
import { apiOf, expectData, startTestServer } from '../../support/server.ts';

test('SQLite reads unconfirmed payments, security activity and the cards of a customer by their indexes, not through all rows of the tenant', async () => {
  const { server, stop } = await startTestServer('sqlite', {}, 'full');
  try {
    if (server.credentials === undefined) throw new Error('a server with demo tenants has credentials');
    const api = apiOf(server.baseUrl, server.credentials);
    const unconfirmed = await planOf(() => expectData(api.admin.get('/doubts')));
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
