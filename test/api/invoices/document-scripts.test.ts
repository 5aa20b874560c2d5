import { expect } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice } from '../../support/invoices.ts';
import { expectData, onAnyDatabase } from '../../support/server.ts';
import { readPdf } from '../../unit/documents/read-pdf.ts';

onAnyDatabase('shows the names of customers in other scripts on the PDF of an invoice, and names what it cannot show', async (fixture) => {
  const { api, baseUrl, credentials } = fixture;
  const { customerId } = await createCustomer(fixture, { firstName: '小明', lastName: '王', company: 'გიორგი 김철수' });
  const { invoiceId } = await createInvoice(fixture, customerId);
  const send = api.admin.post<{ unprintableCharacters: string[] }>(`/invoices/${invoiceId}/send`, { email: 'x@customer.example' });
  expect(await expectData(send)).toMatchObject({ unprintableCharacters: [] });
  const khmer = await createCustomer(fixture, { lastName: 'កក' });
  const other = await createInvoice(fixture, khmer.customerId);
  const warned = api.admin.post<object>(`/invoices/${other.invoiceId}/send`, { email: 'x@customer.example' });
  expect(await expectData(warned)).toMatchObject({ unprintableCharacters: ['ក'] });
  const { tenantId, adminEmail: email, adminPassword: password } = credentials;
  const login = api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId });
  const headers = { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${(await expectData(login)).token}` };
  const response = await fetch(`${baseUrl}/api/v1/invoices/${invoiceId}/pdf`, { headers });
  const { text } = await readPdf(Buffer.from(await response.arrayBuffer()));
  expect(text).toContain('小明 王');
  expect(text).toContain('გიორგი 김철수');
});
