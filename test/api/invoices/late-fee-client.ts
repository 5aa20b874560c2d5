import { randomUUID } from 'node:crypto';
import { createCustomer } from '../../support/customers.ts';
import { createInvoice } from '../../support/invoices.ts';
import { type ApiFixture, expectData } from '../../support/server.ts';
import { settleOnRequest } from '../../support/settlements.ts';

interface Fee {
  lateFeeId: string;
  period: number;
  day: string;
  amount: number;
  reversed: { by: string; reason: string } | null;
}
interface LateFees {
  state: string;
  isExempt: boolean;
  next: { period: number; day: string; amount: number } | null;
  charged: Fee[];
}
export interface Preview {
  life: { day: string; amount: number }[];
  dueDate: string;
  first: { number: string; next: { day: string; amount: number } }[];
  firstCount: number;
}

const DAY_MS = 86_400_000;
export const SETTINGS = { enabled: true, kind: 'percent', percent: 2, graceDays: 1, repeat: 'weekly', ceilingPercent: 5 };

const nowOf = async ({ api }: ApiFixture) => Date.parse((await expectData(api.admin.get<{ now: string }>('/sandbox/clock'))).now);
export const moveTo = ({ api }: ApiFixture, now: string) => expectData(api.admin.post('/sandbox/clock', { now }));
export const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
export const feesOf = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<LateFees>(`/invoices/${id}/late-fees`));
export const setFees = ({ api }: ApiFixture, merchantId: string, settings: object) =>
  expectData(api.admin.put<{ enabled: boolean }>(`/merchants/${merchantId}/late-fee-settings`, settings));
export const reverse = ({ api }: ApiFixture, id: string, feeId = '', headers?: Record<string, string>) =>
  api.admin.post(`/invoices/${id}/late-fees/${feeId}/reverse`, { reason: 'Agreed with Ann' }, headers);

export async function createMerchant(service: ApiFixture, settings: object = SETTINGS, more: object = {}): Promise<string> {
  const body = { name: `Charging ${randomUUID().slice(0, 8)}`, timezone: 'America/New_York', ...more };
  const { merchantId } = await expectData(service.api.admin.post<{ merchantId: string }>('/merchants', body), 201);
  // Each day of each merchant would be settled while the clock moves over weeks.
  await settleOnRequest(service, merchantId);
  await setFees(service, merchantId, settings);
  return merchantId;
}

/** Sends an invoice of 100.00 that is due tomorrow. */
export async function sendInvoice(service: ApiFixture, merchantId: string, more: object = {}) {
  const { customerId } = await createCustomer(service, { merchantId });
  const dueDate = addDays(new Date(await nowOf(service)).toISOString(), 1);
  const { invoiceId, number } = await createInvoice(service, customerId, { dueDate, allowPartial: true, ...more });
  await expectData(service.api.admin.post(`/invoices/${invoiceId}/send`, {}));
  return { invoiceId, number, customerId, dueDate };
}

/** Moves the clock past the run of a day. */
export const passDay = (service: ApiFixture, day: string) => moveTo(service, `${day}T20:00:00Z`);
