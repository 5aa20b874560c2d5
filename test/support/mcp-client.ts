import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { startMcp } from './mcp-process.ts';
import { type ApiFixture, expectData } from './server.ts';
import type { Given, Outcome, TypedClient } from './typed-clients.ts';

/** Areas in which tools change something. */
const AREAS =
  'customers,disputes,invoices,items,merchants,notifications,queued-payments,recurring,refunds,shifts,tenders,terminals,transactions';

interface ToolRecord {
  readonly name: string;
  readonly inputSchema: { readonly properties: Readonly<Record<string, unknown>>; readonly required: readonly string[] };
}

/** Starts `paydesk mcp` with a key of the demo account that may change everything within large limits. */
export async function startMcpClient({ api, baseUrl, credentials }: ApiFixture) {
  const { tenantId } = credentials;
  const spendingLimits = { currency: 'USD', perDay: 100_000 };
  const body = { name: 'agent', scope: 'tenant', spendingLimits, currentPassword: api.adminPassword };
  const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201);
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-mcp-'));
  // Files that tools save are removed with the folder.
  const env = { PAYDESK_URL: baseUrl, PAYDESK_TENANT_ID: tenantId, PAYDESK_API_KEY: key, TMPDIR: folder };
  const mcp = startMcp(env, '--allow', AREAS);
  await mcp.open();
  const tools = ((await mcp.request('tools/list')).result?.tools ?? []) as readonly ToolRecord[];
  const client: TypedClient = {
    call: async ({ id, isFile }, { params, query, body: fields, file, idempotencyKey }: Given = {}): Promise<Outcome> => {
      const path = file && join(folder, file.name);
      if (path) writeFileSync(path, file.content);
      const given = { ...params, ...query, ...fields, ...(file && { [file.field]: path }), ...(idempotencyKey && { idempotencyKey }) };
      const { isError, text, note } = await mcp.call(id.replace('public.', ''), given);
      return outcomeOf(text, isError, isFile, note);
    },
    walk: async ({ id }, { params, query } = {}) => {
      const items: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const at = cursor === '' ? {} : { cursor };
        const { isError, text } = await mcp.call(id.replace('public.', ''), { ...params, ...query, ...at });
        if (isError) throw new Error(`${id}: ${text}`);
        const page = JSON.parse(text) as { items: unknown[]; pagination: { nextCursor: string | null } };
        items.push(...page.items);
        cursor = page.pagination.nextCursor;
      }
      return items;
    },
    verify: () => Promise.reject(new Error('Agents receive no webhooks.')),
    close: () => void rm(folder, { recursive: true, force: true }),
  };
  return { ...client, mcp, tools };
}

function outcomeOf(text: string, isError: boolean, isFile: boolean, note: string): Outcome {
  const isJson = text.startsWith('{') || text.startsWith('[');
  const data = isJson ? (JSON.parse(text) as Record<string, unknown>) : undefined;
  const isReplayed = data?.isReplayed === true || note.includes('repeated an earlier one');
  const [, ignored = ''] = /^Ignored, because .*: (.*)\.$/m.exec(note) ?? [];
  const rest = { requestId: null, isReplayed, ignoredFields: ignored.split(', ').filter(Boolean) };
  if (isError && data === undefined) return { refused: text, ...rest };
  if (isError || data?.approvalRequired === true) {
    const { code = 'APPROVAL_REQUIRED', requestId = null, field = null } = data as Record<string, string>;
    return { error: { name: '', code, requestId, field, data: isError ? (data?.data ?? null) : data }, ...rest };
  }
  if (!isFile) return { data, ...rest };
  if (data === undefined) return { file: { content: Buffer.from(text), type: 'text/csv; charset=utf-8', name: '' }, ...rest };
  const { savedAt, type } = data as { savedAt: string; type: string };
  return { file: { content: readFileSync(savedAt), type, name: basename(savedAt) }, ...rest };
}
