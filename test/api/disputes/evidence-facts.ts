import { unzipSync } from 'fflate';
import { type ApiFixture, expectData } from '../../support/server.ts';

/** Contents of `facts.json` in the pack of a dispute. */
export interface Facts {
  payerContext: Record<string, string>;
  invoice: { visits: Record<string, unknown>[] } | null;
  earlier: { transactionId: string; isDisputed: boolean }[];
  qualification: { qualifies: boolean; payments: { elements: string[] }[] } | null;
  checklist: { item: string; state: string; detail: string }[];
}

/** Opens a fraud dispute of a payment and returns the facts of its pack. */
export async function factsOf({ api, baseUrl, credentials }: ApiFixture, transactionId: string): Promise<Facts> {
  const { disputeId } = await expectData(api.admin.post<{ disputeId: string }>('/disputes', { transactionId, reasonCode: '10.4' }), 201);
  const { packId } = await expectData(api.admin.post<{ packId: string }>(`/disputes/${disputeId}/evidence`, {}), 201);
  const headers = { 'x-api-key': credentials.apiKey, 'X-Tenant-ID': credentials.tenantId };
  const response = await fetch(`${baseUrl}/api/v1/public/disputes/${disputeId}/evidence/${packId}?format=zip`, { headers });
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return JSON.parse(Buffer.from(files['facts.json'] ?? []).toString('utf8')) as Facts;
}
