import { type ApiFixture, expectData } from '../../support/server.ts';

interface StatementEntryRecord {
  entryId: string;
  at: string;
  date: string;
  kind: string;
  currency: string;
  charge: number;
  credit: number;
  balance: number;
  money: number;
  invoiceId: string | null;
  transactionId: string | null;
  tenderId: string | null;
  method: string | null;
  last4: string | null;
}

export interface StatementRecord {
  customerId: string;
  startDate: string;
  endDate: string;
  accounts: {
    currency: string;
    openingBalance: number;
    charges: number;
    credits: number;
    received: number;
    paidOut: number;
    closingBalance: number;
  }[];
  entries: StatementEntryRecord[];
}

interface Days {
  readonly startDate?: string;
  readonly endDate?: string;
}

export const statementOf = ({ api }: ApiFixture, customerId: string, days: Days = {}, page = 1) =>
  expectData(
    api.admin.get<StatementRecord>(
      `/customers/${customerId}/statement?${new URLSearchParams({ limit: '200', page: String(page), ...days })}`,
    ),
  );

/** Returns all entries of a period. */
export async function entriesOf(service: ApiFixture, customerId: string, days: Days): Promise<StatementEntryRecord[]> {
  const all: StatementEntryRecord[] = [];
  for (let page = 1; ; page += 1) {
    const { entries } = await statementOf(service, customerId, days, page);
    all.push(...entries);
    if (entries.length < 200) return all;
  }
}
