import { cardBody, type TransactionRecord } from './sales.ts';
import { type ApiFixture, expectData } from './server.ts';

export interface SettlementRecord {
  settlementId: string;
  merchantId: string;
  currency: string;
  amount: number;
  captures: number;
  refunds: number;
  fees: number;
  netAmount: number;
  paidAmount: number;
  transactionCount: number;
  refundCount: number;
  settlementDate: string;
  cutoffAt: string;
  status: string;
  origin: string;
}

export interface SettlementLine {
  kind: string;
  id: string;
  transactionId: string;
  amount: number;
  fee: number;
  netAmount: number;
}

let made = 0;

/** Creates a merchant, so that no other test uses its money. */
export async function createMerchant({ api }: Pick<ApiFixture, 'api'>, more: Record<string, unknown> = {}): Promise<string> {
  made += 1;
  const body = { name: `Wharf ${made}`, timezone: 'America/New_York', ...more };
  return (await expectData(api.admin.post<{ merchantId: string }>('/merchants', body), 201)).merchantId;
}

/** Returns a time zone in which it is noon by the clock of the service, so that all payments of a test are on one day. */
export async function zoneAtNoon({ api }: Pick<ApiFixture, 'api'>): Promise<string> {
  const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
  const hour = new Date(now).getUTCHours();
  return `Etc/GMT${hour >= 12 ? '+' : '-'}${Math.abs(hour - 12)}`;
}

/** Lets a merchant add the highest surcharge to credit cards, in a state that allows it. */
export async function allowSurcharges({ api }: ApiFixture, merchantId: string): Promise<void> {
  await expectData(api.admin.put(`/merchants/${merchantId}`, { state: 'NH' }));
  await expectData(api.admin.put(`/merchants/${merchantId}/amount-settings`, { surchargePercent: 4 }));
}

export const sell = ({ api }: ApiFixture, merchantId: string, amount: number | string, more: Record<string, unknown> = {}) =>
  expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(amount), merchantId, ...more }));

/** Settles a merchant only on request, so that a test may move the clock at any hour without passing a cutoff. */
export const settleOnRequest = ({ api }: Pick<ApiFixture, 'api'>, merchantId: string) =>
  expectData(api.admin.put(`/settlement/schedule/${merchantId}`, { frequency: 'manual' }));

export const settle = ({ api }: ApiFixture, merchantId: string) =>
  expectData(api.admin.post<SettlementRecord[]>('/settlement/settle', { merchantId }));

export const listSettlements = ({ api }: ApiFixture, merchantId: string) =>
  expectData(api.admin.get<SettlementRecord[]>(`/settlement/history/${merchantId}?limit=200`));

export const listLines = ({ api }: ApiFixture, settlementId: string) =>
  expectData(api.admin.get<SettlementLine[]>(`/settlement/settlements/${settlementId}/lines?limit=200`));

/** Sums amounts in whole cents, without rounding errors. */
export const sumAmounts = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + Math.round(amount * 100), 0) / 100;
