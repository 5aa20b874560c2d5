import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ApprovalRequiredError, DeclinedError, Paydesk, PaydeskError, type ResponseInfo, verifyWebhook } from '@paydesk/client';
import { snakeCase } from '../../scripts/client-python/schema-types.ts';
import type { DocumentedOperation } from './documented-operations.ts';
import { whyNotRun } from './other-programs.ts';
import { type ApiFixture, expectData } from './server.ts';
import { ROOT } from './sources.ts';

/** Arguments of an operation by their place in the request. */
export interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** File of a form; the other fields are in `body`. */
  readonly file?: { readonly field: string; readonly name: string; readonly content: Buffer };
  readonly idempotencyKey?: string;
}

/** Result of an operation as the caller of a client gets it. */
export interface Outcome {
  readonly data?: unknown;
  readonly file?: { readonly content: Buffer; readonly type: string; readonly name: string };
  readonly error?: {
    readonly name: string;
    readonly code: string;
    readonly requestId: string | null;
    readonly field: string | null;
    readonly data: unknown;
  };
  /** Message of a client that does not send the request. */
  readonly refused?: string;
  readonly requestId: string | null;
  readonly isReplayed: boolean;
  readonly ignoredFields: readonly string[];
}

/** A client of the API as tests use each of them. */
export interface TypedClient {
  readonly call: (operation: DocumentedOperation, given?: Given) => Promise<Outcome>;
  /** Returns all items of a list. */
  readonly walk: (operation: DocumentedOperation, given?: Given) => Promise<unknown[]>;
  readonly verify: (body: Buffer, headers: Readonly<Record<string, string>>, secret: string) => Promise<unknown>;
  readonly close: () => void;
}

interface Account {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly apiKey: string;
  readonly accessToken: string;
}

async function accountOf({ api, baseUrl, credentials }: ApiFixture): Promise<Account> {
  const { tenantId, apiKey, adminEmail: email, adminPassword: password } = credentials;
  const login = api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId });
  return { baseUrl, tenantId, apiKey, accessToken: (await expectData(login)).token };
}

/** Starts the client for Node, with the API key of the demo for the Public surface and its administrator for the Admin surface. */
async function startNodeClient(fixture: ApiFixture): Promise<TypedClient> {
  const paydesk = new Paydesk(await accountOf(fixture));
  // The operations come from the document, so that the types of the client cannot check them.
  type AnyCall = (path: string, ...rest: unknown[]) => Promise<unknown>;
  const call = async ({ method, path }: DocumentedOperation, given: Given = {}): Promise<Outcome> => {
    const responses: ResponseInfo[] = [];
    const calls = paydesk.withOptions({ onResponse: (each) => responses.push(each) }) as unknown as Record<string, AnyCall>;
    const { params, query, idempotencyKey, file } = given;
    const body = file === undefined ? given.body : { [file.field]: new File([new Uint8Array(file.content)], file.name), ...given.body };
    const options = { params, query, idempotencyKey };
    const send = async () => {
      if (method === 'get') return calls.get?.(path, options);
      return method === 'delete' ? calls.delete?.(path, { ...options, body }) : calls[method]?.(path, body, options);
    };
    const answer = await send().then(outcomeOf, failureOf);
    return {
      ...answer,
      requestId: responses.at(-1)?.requestId ?? null,
      isReplayed: responses.at(-1)?.isReplayed ?? false,
      ignoredFields: responses.at(-1)?.ignoredFields ?? [],
    };
  };
  const walk = async ({ path }: DocumentedOperation, { params, query }: Given = {}) => {
    const items: unknown[] = [];
    for await (const item of paydesk.list(path as '/public/customers', { params, query } as object)) items.push(item);
    return items;
  };
  const verify = (body: Buffer, headers: Readonly<Record<string, string>>, secret: string) => verifyWebhook(body, headers, secret);
  return { call, walk, verify, close: () => {} };
}

async function outcomeOf(result: unknown): Promise<Pick<Outcome, 'data' | 'file'>> {
  if (!(result instanceof File)) return { data: result };
  return { file: { content: Buffer.from(await result.arrayBuffer()), type: result.type, name: result.name } };
}

function failureOf(error: unknown): Pick<Outcome, 'error' | 'refused'> {
  if (error instanceof TypeError) return { refused: error.message };
  if (!(error instanceof PaydeskError)) throw error;
  const { name, code, requestId, field = null } = error;
  const data = error instanceof DeclinedError || error instanceof ApprovalRequiredError ? error.data : null;
  return { error: { name, code, requestId, field, data } };
}

/** Starts a program with the client for Python and the same credentials. */
async function startPythonClient(fixture: ApiFixture): Promise<TypedClient> {
  const { baseUrl, tenantId, apiKey, accessToken } = await accountOf(fixture);
  const settings = { base_url: baseUrl, tenant_id: tenantId, api_key: apiKey, access_token: accessToken };
  const child = spawn('python3', [`${ROOT}/test/support/python-driver.py`, JSON.stringify(settings)], {
    env: { ...process.env, PYTHONPATH: `${ROOT}/clients/python` },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (request: object): Promise<Record<string, never>> => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('The Python program ended.');
    return JSON.parse(value) as Record<string, never>;
  };
  const run = async (operation: DocumentedOperation, { params, query, body, file, idempotencyKey }: Given, isWalk: boolean) => {
    const [group, name = ''] = operation.id.split('.');
    const named = Object.fromEntries(Object.entries(query ?? {}).map(([each, value]) => [snakeCase(each), value]));
    const answer = await ask({
      group,
      name: snakeCase(name),
      path: operation.pathParameters.map((each) => params?.[each] ?? null),
      named: { ...named, ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }) },
      is_walk: isWalk,
      ...(body === undefined ? {} : { body }),
      ...(file === undefined ? {} : { file: { name: file.name, content: file.content.toString('base64') } }),
    });
    const outcome = answer as unknown as Outcome & { readonly file?: { readonly content: string } };
    return outcome.file === undefined
      ? outcome
      : { ...outcome, file: { ...outcome.file, content: Buffer.from(outcome.file.content as unknown as string, 'base64') } };
  };
  return {
    call: (operation, given = {}) => run(operation, given, false),
    walk: async (operation, given = {}) => {
      const { data, error } = await run(operation, given, true);
      if (error !== undefined) throw new Error(`${operation.id}: ${JSON.stringify(error)}`);
      return data as unknown[];
    },
    verify: async (body, headers, secret) => (await ask({ webhook: { body: body.toString('base64'), headers, secret } })).data,
    close: () => child.kill(),
  };
}

/** The typed clients. `reason` says why the tests of one cannot run. */
export const CLIENTS = [
  { name: 'Node', start: startNodeClient, reason: undefined },
  { name: 'Python', start: startPythonClient, reason: whyNotRun('python3') },
] as const;
