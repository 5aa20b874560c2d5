import { expect } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice } from '../../support/invoices.ts';
import { expectData, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

onBothDatabases('finds invoices by values of their own, by their customer, and by both, each once', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  const [first, second] = [`a.${merchantId}@payer.example`, `b.${merchantId}@payer.example`];
  const { customerId } = await createCustomer(fixture, { merchantId, firstName: 'Quirina', lastName: 'Ondine', email: first });
  const before = await createInvoice(fixture, customerId, { merchantId, amount: 30 });
  await expectData(api.admin.put(`/customers/${customerId}`, { email: second }));
  const after = await createInvoice(fixture, customerId, { merchantId, amount: 10 });
  const other = await createCustomer(fixture, { merchantId, firstName: 'Quirina', lastName: 'Silva' });
  const third = await createInvoice(fixture, other.customerId, { merchantId, amount: 20 });
  const [a, b, c] = [before, after, third].map(({ invoiceId }) => invoiceId);

  const found = async (q: string, more = '') => {
    const query = `merchantId=${merchantId}&q=${encodeURIComponent(q)}`;
    const { data, pagination } = (await api.admin.get<{ invoiceId: string }[]>(`/invoices?${query}&${more}`)).body;
    const [total] = await expectData(api.admin.get<{ count: number }[]>(`/invoices/totals?${query}`));
    expect(total?.count ?? 0).toBe(pagination.total);
    return { ids: data.map(({ invoiceId }) => invoiceId), total: pagination.total };
  };
  // The first invoice keeps the address to which it was made out. Both belong to the customer.
  expect(await found(first)).toEqual({ ids: [a], total: 1 });
  expect(await found(second)).toEqual({ ids: [b, a], total: 2 });
  expect(await found(second, 'sort=-amount&limit=1&page=2')).toEqual({ ids: [b], total: 2 });
  expect(await found('quirina')).toEqual({ ids: [c, b, a], total: 3 });
  expect(await found('quirina', 'sort=amount')).toEqual({ ids: [b, c, a], total: 3 });
  expect(await found('ondine QUIR')).toEqual({ ids: [b, a], total: 2 });
  expect(await found('quirina nobody')).toEqual({ ids: [], total: 0 });
  expect(await found('...')).toEqual({ ids: [], total: 0 });
  expect(await found(third.number)).toEqual({ ids: [c], total: 1 });
  expect(await found(before.invoiceId)).toEqual({ ids: [a], total: 1 });
});
