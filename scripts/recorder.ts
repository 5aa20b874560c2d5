// `npm run record -- start NAME` starts a recording of a sandbox account, `npm run record -- stop FILE` stops it and writes its file, and
// `npm run replay -- FILE [--reset]` replays a file and prints the report; it ends with code 1 at a difference (docs/recordings.md).
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Paydesk } from '@paydesk/client';

const USAGE = `Usage: npm run -s record -- start NAME | stop FILE
       npm run -s replay -- FILE [--reset]
The account and its user come from --ready FILE (the line that the server prints), or from
PAYDESK_URL, PAYDESK_TENANT, PAYDESK_EMAIL and PAYDESK_PASSWORD.`;

interface Account {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly email: string;
  readonly password: string;
}

function accountOf(readyFile: string | undefined): Account {
  if (readyFile !== undefined) {
    const { baseUrl, credentials } = JSON.parse(readFileSync(readyFile, 'utf8')) as {
      baseUrl: string;
      credentials: { tenantId: string; adminEmail: string; adminPassword: string };
    };
    return { baseUrl, tenantId: credentials.tenantId, email: credentials.adminEmail, password: credentials.adminPassword };
  }
  const {
    PAYDESK_URL: baseUrl = 'http://127.0.0.1:4801',
    PAYDESK_TENANT: tenantId,
    PAYDESK_EMAIL: email,
    PAYDESK_PASSWORD: password,
  } = process.env;
  if (!tenantId || !email || !password) throw new Error(USAGE);
  return { baseUrl, tenantId, email, password };
}

/** Sends a request whose body or response is not JSON, as the signed-in user. */
async function send(account: Account, path: string, init: RequestInit = {}): Promise<Response> {
  const { baseUrl, tenantId, email, password } = account;
  const { token } = (await new Paydesk({ baseUrl, tenantId }).post('/auth/login', { email, password })) as { token: string };
  const headers = { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${token}` };
  const response = await fetch(`${baseUrl}/api/v1${path}`, { ...init, headers });
  if (!response.ok) throw new Error(((await response.json()) as { error: { message: string } }).error.message);
  return response;
}

async function record(account: Account, action: string | undefined, value: string): Promise<void> {
  const paydesk = await Paydesk.signIn(account);
  if (action === 'start') {
    const { name } = await paydesk.post('/sandbox/recordings', { name: value });
    return console.log(`Recording ${name}. Stop it with: npm run -s record -- stop FILE`);
  }
  if (action !== 'stop') throw new Error(USAGE);
  for await (const { id, state } of paydesk.list('/sandbox/recordings')) {
    if (state !== 'recording') continue;
    const { steps } = await paydesk.post('/sandbox/recordings/{id}/stop', undefined, { params: { id } });
    writeFileSync(value, await (await send(account, `/sandbox/recordings/${id}/file`)).text());
    return console.log(`Wrote ${steps} steps to ${value}.`);
  }
  throw new Error('No recording is running.');
}

async function replay(account: Account, file: string, reset: boolean): Promise<void> {
  const form = new FormData();
  form.set('reset', String(reset));
  form.set('file', new Blob([readFileSync(file)]), 'recording.jsonl');
  const response = await send(account, '/sandbox/replays', { method: 'POST', body: form });
  const { data } = (await response.json()) as { data: { isEqual: boolean } };
  console.log(JSON.stringify(data, null, 2));
  if (!data.isEqual) process.exitCode = 1;
}

try {
  const options = { ready: { type: 'string' }, reset: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
  const [command, first, second] = positionals;
  const account = () => accountOf(values.ready);
  if (command === 'record' && second !== undefined) await record(account(), first, second);
  else if (command === 'replay' && first !== undefined) await replay(account(), first, values.reset ?? false);
  else throw new Error(USAGE);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
