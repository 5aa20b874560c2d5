import type { Answer } from './api-client.ts';
import type { Api, ApiFixture } from './server.ts';

export interface Discrepancy {
  id: string;
  type: string;
  kind: string;
  transactionId: string | null;
  settlementReference: string | null;
  currency: string;
  transactionAmount: number | null;
  settledAmount: number | null;
  difference: number;
  status: string;
  note: string | null;
  resolvedBy: string | null;
  resolvedAt: string | null;
}

export interface RunRecord {
  runId: string;
  merchantId: string | null;
  date: string;
  state: string;
  source: string;
  importId: string | null;
  transactionsTotal: number;
  settlementsTotal: number;
  matched: boolean;
  matchedCount: number;
  discrepancyCount: number;
  openCount: number;
  discrepancies: Discrepancy[];
}

export interface ImportRecord {
  importId: string;
  rows: number;
  imported: number;
  badRows: { line: number; reason: string }[];
  badRowCount: number;
  startDate: string | null;
  endDate: string | null;
  encoding: string;
  delimiter: string;
}

export const MAPPING = { transactionId: 'id', amount: 'amount', date: 'date' };

/** An address may sign in thirty times a minute, but the tests of a file upload more files than that. */
const tokens = new Map<Api, Promise<string>>();

function tokenOf(api: Api, { adminEmail, adminPassword, tenantId }: ApiFixture['credentials']): Promise<string> {
  const known =
    tokens.get(api) ??
    api.bare
      .post<{ token: string }>('/api/v1/auth/login', { email: adminEmail, password: adminPassword }, { 'X-Tenant-ID': tenantId })
      .then(({ body }) => body.data.token);
  tokens.set(api, known);
  return known;
}

/** Sends a file as a form, signed in as the demo tenant's administrator. */
export async function upload(
  { api, baseUrl, credentials }: ApiFixture,
  content: string | Uint8Array<ArrayBuffer>,
  mapping: unknown = MAPPING,
  more: Record<string, string> = {},
): Promise<Answer<ImportRecord>> {
  const token = await tokenOf(api, credentials);
  const form = new FormData();
  for (const [name, value] of Object.entries(more)) form.set(name, value);
  if (mapping !== undefined) form.set('mapping', typeof mapping === 'string' ? mapping : JSON.stringify(mapping));
  form.set('file', new Blob([content]), 'settlements.csv');
  const response = await fetch(`${baseUrl}/api/v1/settlement/imports`, {
    method: 'POST',
    headers: { 'X-Tenant-ID': credentials.tenantId, Authorization: `Bearer ${token}` },
    body: form,
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get body() {
      return JSON.parse(text);
    },
  };
}
