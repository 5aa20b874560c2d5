import { type Answer, type ApiFixture, expectData } from './server.ts';
import { until } from './until.ts';

export interface ImportRecord {
  readonly importId: string;
  readonly provider: string;
  readonly status: string;
  readonly lines: number;
  readonly ignoredColumns: string[];
  readonly processed: number;
  readonly imported: number;
  readonly unreadableCards: string;
  readonly transferKeyId: string | null;
  readonly planned: Record<string, number>;
  readonly results: Record<string, number>;
}

export interface ImportLineRecord {
  readonly line: number;
  readonly action: string;
  readonly reason: string | null;
  readonly reference: string | null;
  readonly name: string | null;
  readonly customer: Record<string, string | null> | null;
  readonly externalId: string | null;
  readonly isImported: boolean;
  readonly customerId: string | null;
  readonly paymentMethodId: string | null;
}

/** Sends a file of customers as a dry run. */
export function sendCustomers(
  { api }: Pick<ApiFixture, 'api'>,
  content: string | Uint8Array<ArrayBuffer>,
  merchantId: string,
  mapping?: object,
): Promise<Answer<ImportRecord>> {
  const form = new FormData();
  form.set('merchantId', merchantId);
  if (mapping) form.set('mapping', JSON.stringify(mapping));
  form.set('file', new Blob([content]), 'customers.csv');
  return api.admin.post<ImportRecord>('/customers/imports', form);
}

export const linesOf = ({ api }: Pick<ApiFixture, 'api'>, importId: string, query = '') =>
  expectData(api.admin.get<ImportLineRecord[]>(`/customers/imports/${importId}/lines?limit=200${query}`));

/** Waits for the end of an import. */
export const untilDone = ({ api }: Pick<ApiFixture, 'api'>, importId: string, withinMs?: number): Promise<ImportRecord> =>
  until(
    'the import is done',
    async () => {
      const record = await expectData(api.admin.get<ImportRecord>(`/customers/imports/${importId}`));
      return record.status === 'done' ? record : undefined;
    },
    { withinMs },
  );

/** Runs an import and waits for its end. */
export async function runImport(fixture: Pick<ApiFixture, 'api'>, importId: string, body: object = {}): Promise<ImportRecord> {
  await expectData(fixture.api.admin.post(`/customers/imports/${importId}/run`, body), 202);
  return untilDone(fixture, importId);
}
