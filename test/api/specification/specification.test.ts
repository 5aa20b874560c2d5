import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ApiFixture, apiOf, FULL, onAnyDatabase } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';
import { CUSTOMERS, INVOICES, MERCHANTS, REPORTS } from './administration.ts';
import { AUTHENTICATION, PUBLIC, SDK, type Step, TRANSACTIONS } from './operations.ts';

const STEPS = [...AUTHENTICATION, ...PUBLIC, ...SDK, ...TRANSACTIONS, ...CUSTOMERS, ...MERCHANTS, ...INVOICES, ...REPORTS];

type Subject = Pick<ApiFixture, 'baseUrl' | 'credentials'>;
type Json = Readonly<Record<string, unknown>>;

onAnyDatabase('answers each operation as specified on sample sales', checkOperations);

test('answers each operation as specified on the demo of a running business', { ...FULL, timeout: 240_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'paydesk-specification-'));
  const server = await startServer({ dataDir, port: 0, demo: true, sampleData: 'business', logLevel: 'silent' });
  try {
    const { baseUrl, credentials } = server;
    if (credentials === undefined) throw new Error('The demo has no credentials.');
    await checkOperations({ baseUrl, credentials });
  } finally {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** Runs the steps in order with the credentials that the server printed, and compares each answer. */
async function checkOperations({ baseUrl, credentials }: Subject): Promise<void> {
  const values: Record<string, string> = { ...credentials };
  const faults: string[] = [];
  for (const step of STEPS) {
    if (step.codeFrom !== undefined) values[step.codeFrom] = await lastCode({ baseUrl, credentials });
    const [, method, path] = step.call;
    const call = filled(step, values);
    let answer = await send(baseUrl, call, values);
    if (step.isAwaited)
      await until(`${path} answers as expected`, async () => {
        answer = await send(baseUrl, call, values);
        return differenceOf(call, answer) === null;
      });
    const fault = differenceOf(call, answer);
    if (fault !== null) faults.push(`${method} ${path}: ${fault} ${answer.text.slice(0, 300)}`);
    for (const [name, place] of Object.entries(step.keep ?? {})) values[name] = String(valueAt(answer.json, place));
  }
  expect(faults).toEqual([]);
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json;
}

async function send(
  baseUrl: string,
  { call: [surface, method, path], body }: Step,
  values: Readonly<Record<string, string>>,
): Promise<Answer> {
  const tenant = { 'X-Tenant-ID': values.tenantId ?? '' };
  const headers: Record<string, string> = {
    open: { 'X-Tenant-ID': values.tenantId ?? '' },
    public: { ...tenant, 'x-api-key': values.apiKey ?? '' },
    tenant: { ...tenant, 'x-api-key': values.tenantApiKey ?? '' },
    admin: { ...tenant, Authorization: `Bearer ${values.accessToken}` },
    sdk: { Authorization: `Bearer ${values.apiKey}` },
    service: { ...tenant, 'x-internal-service-key': values.internalServiceKey ?? '' },
  }[surface];
  const prefix = surface === 'tenant' ? '/public' : surface === 'public' || surface === 'sdk' ? `/${surface}` : '';
  const content: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await fetch(`${baseUrl}/api/v1${prefix}${path}`, {
    method: method.toUpperCase(),
    headers: { ...headers, ...content },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, headers: response.headers, text, json: isJson ? (JSON.parse(text) as Json) : {} };
}

/** Returns the difference between an answer and its step; null if there is none. */
function differenceOf(step: Step, { status, headers, json }: Answer): string | null {
  const { status: expected = 200, code, field, isDeclined, has, is = {}, isList, file } = step;
  if (status !== expected) return `status ${status} instead of ${expected}`;
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'])
    if (headers.get(name) === null) return `no header ${name}`;
  if (file !== undefined) return headers.get('content-type')?.startsWith(file) ? null : `content type ${headers.get('content-type')}`;
  const isBare = !('success' in json) && /branding/.test(step.call[2]);
  if (expected >= 400) return differenceOfError(json, code, field);
  if (!isBare && json.success !== !isDeclined) return `success ${json.success}`;
  const data = (isBare ? json : json.data) as Json | readonly Json[] | undefined;
  if (isList) {
    if (!Array.isArray(data)) return 'no list in data';
    for (const name of ['page', 'limit', 'total', 'pages'])
      if (!Number.isInteger(valueAt(json, `pagination.${name}`))) return `no pagination.${name}`;
    if (has !== undefined && data.length === 0) return 'an empty list';
  }
  const record = isList ? (data as readonly Json[])[0] : data;
  for (const name of has?.split(' ') ?? []) if (valueAt(record, name) === undefined) return `no ${name}`;
  for (const [name, value] of Object.entries(is))
    if (JSON.stringify(valueAt(record, name)) !== JSON.stringify(value)) return `${name} is ${JSON.stringify(valueAt(record, name))}`;
  return null;
}

function differenceOfError(json: Json, code: string | undefined, field: string | undefined): string | null {
  if (json.success !== false) return `success ${json.success}`;
  const error = json.error as { code?: string; message?: string; field?: string } | undefined;
  if (typeof error?.message !== 'string') return 'no error.message';
  if (code !== undefined && error.code !== code) return `code ${error.code} instead of ${code}`;
  return field !== undefined && error.field !== field ? `field ${error.field} instead of ${field}` : null;
}

const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as Json | null | undefined)?.[name], value);

/** Returns a step with the kept values in place of their names. */
function filled({ keep, ...step }: Step, values: Readonly<Record<string, string>>): Step {
  const text = JSON.stringify(step).replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
  return { ...(JSON.parse(text) as Step), ...(keep === undefined ? {} : { keep }) };
}

/** Returns the code of the newest message of the sandbox. */
async function lastCode({ baseUrl, credentials }: Subject): Promise<string> {
  const { body } = await apiOf(baseUrl, credentials).admin.get<{ body: string }[]>('/sandbox/messages?limit=5');
  return body.data.map((message) => /\b\d{6}\b/.exec(message.body)?.[0]).find((code) => code !== undefined) ?? '';
}
