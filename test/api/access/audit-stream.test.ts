import { appendFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startServerProcess } from '../../support/process.ts';
import { cardBody } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { type Api, apiOf, DATABASES, expectData, FULL, fullOnPostgres, startTestServer } from '../../support/server.ts';
import { COLLECTOR_CA_FILE, type SyslogCollector, startSyslogCollector } from '../../support/syslog-collector.ts';
import { pause, until } from '../../support/until.ts';

interface Line {
  tenantId: string;
  position: number;
  action: string;
  securityKind: string | null;
  hash: string;
  previousHash: string;
  after: Record<string, unknown> | null;
}
interface Entry {
  hash: string;
}
interface StatusItem {
  name: string;
  state: string;
  message: string;
  facts: { name: string; value: string }[];
}

const MESSAGE = /^<(\d+)>1 (\S+) (\S+) paydesk (\d+) (\S+) - (\{.*\})$/s;

/** Returns the lines of each tenant, after checking that each follows the one before it. */
function chainsOf(lines: readonly Line[]): Map<string, Line[]> {
  const chains = new Map<string, Line[]>();
  for (const line of lines) {
    const chain = chains.get(line.tenantId) ?? [];
    chains.set(line.tenantId, chain);
    expect(line.position).toBe(chain.length + 1);
    expect(line.previousHash).toBe(chain.at(-1)?.hash ?? '');
    chain.push(line);
  }
  return chains;
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-audit-stream-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const lastHash = async (api: Api) => (await expectData(api.admin.get<Entry[]>('/audit-logs?limit=1')))[0]?.hash;
const itemOf = async (api: Api) => {
  const { items } = await expectData(api.admin.get<{ items: StatusItem[] }>('/system/status'));
  return items.find(({ name }) => name === 'audit-log');
};

const linesOf = async (file: string) =>
  (await readFile(file, 'utf8').catch(() => ''))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

describe.each(DATABASES)('the stream of the audit log (%s)', (database) => {
  const inFull = fullOnPostgres(database);
  test('writes every entry of every account to the file, in order and once, also after a restart and a torn line', async () => {
    const file = join(folder, `${database}.jsonl`);
    const first = await startTestServer(database, { auditFile: file }, 'small');
    const { credentials, baseUrl } = first.server;
    if (credentials === undefined) throw new Error('the demo has credentials');
    const api = apiOf(baseUrl, credentials);
    await expectData(api.admin.post('/transactions', cardBody(31)));
    const hash = await lastHash(api);
    await until('the last entry is in the file', async () => (await linesOf(file)).some((line) => line.hash === hash));
    const chains = chainsOf(await linesOf(file));
    expect(chains.size).toBeGreaterThan(1);
    const own = chains.get(credentials.tenantId) ?? [];
    expect(own.find(({ action }) => action === 'session.started')?.securityKind).toBe('sign-in');
    expect(own.find(({ action }) => action === 'transaction.sale')?.securityKind).toBeNull();
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await itemOf(api)).toMatchObject({ state: 'ok', message: 'The audit log is sent to a file.' });

    await first.server.close();
    await appendFile(file, '{"tenantId":"ten_');
    const masterKey = join(first.dataDir, 'master.key');
    const again = await startTestServer('sqlite', {
      ...{ auditFile: file, demo: false, dataDir: first.dataDir, databaseUrl: first.databaseUrl, masterKey },
    });
    const signedIn = apiOf(again.server.baseUrl, credentials);
    await expectData(signedIn.admin.post('/transactions', cardBody(32)));
    const next = await lastHash(signedIn);
    await until('the next entries are in the file', async () => (await linesOf(file)).some((line) => line.hash === next));
    chainsOf(await linesOf(file));
    await again.stop();
    await first.stop();
  });

  test('says why a file cannot be written, and writes everything as soon as it can', inFull, async () => {
    const blocked = join(folder, `${database}-blocked`);
    await writeFile(blocked, '');
    const file = join(blocked, 'audit.jsonl');
    const started = await startTestServer(database, { auditFile: file }, 'small');
    const { credentials, baseUrl } = started.server;
    if (credentials === undefined) throw new Error('the demo has credentials');
    const api = apiOf(baseUrl, credentials);
    const item = await until('the status names the problem', async () => {
      const found = await itemOf(api);
      return found?.state === 'problem' ? found : undefined;
    });
    expect(item.message).toMatch(/^The audit log has not been sent to a file for \d+ seconds?: ENOTDIR/);
    expect(Number(item.facts[0]?.value.replace(/\D/g, ''))).toBeGreaterThan(0);
    await rm(blocked);
    await mkdir(blocked);
    const hash = await lastHash(api);
    await until('the last entry is in the file', async () => (await linesOf(file)).some((line) => line.hash === hash));
    chainsOf(await linesOf(file));
    await started.stop();
  });
});

describe.each(['tls', 'tcp'] as const)('the stream to a collector (%s)', (protocol) => {
  let collector: SyslogCollector;
  beforeAll(async () => {
    collector = await startSyslogCollector(protocol);
  });
  afterAll(() => collector.close());

  test('sends messages of RFC 5424, and again what a broken connection may have lost', protocol === 'tcp' ? FULL : {}, async () => {
    collector.isFailing = true;
    const started = await startTestServer('sqlite', { auditSyslog: collector.url, auditCa: COLLECTOR_CA_FILE }, 'small');
    const { credentials, baseUrl } = started.server;
    if (credentials === undefined) throw new Error('the demo has credentials');
    const api = apiOf(baseUrl, credentials);
    await until('the status names the problem', async () => (await itemOf(api))?.state === 'problem');
    expect(collector.messages).toEqual([]);
    collector.isFailing = false;
    await expectData(api.admin.post('/transactions', { ...cardBody(31), description: 'Café ☕' }));
    const hash = await lastHash(api);
    await until('the last entry has arrived', () => collector.messages.some((message) => message.includes(`"hash":"${hash}"`)));
    const lines = collector.messages.map((message) => {
      const [, priority, at, , processId, id, json = ''] = MESSAGE.exec(message) ?? [];
      const line = JSON.parse(json) as Line & { at: string };
      expect({ priority: Number(priority), at, processId, id }).toEqual({
        priority: line.securityKind === null ? 110 : 109,
        at: line.at,
        processId: String(process.pid),
        id: line.action.slice(0, 32),
      });
      return line;
    });
    chainsOf(lines);
    await until('the status is good again', async () => (await itemOf(api))?.message === 'The audit log is sent to a collector.');
    await started.stop();
  });
});

test('sends nothing to a collector whose certificate nobody vouches for', async () => {
  const collector = await startSyslogCollector('tls');
  const started = await startTestServer('sqlite', { auditSyslog: collector.url }, 'small');
  const { credentials, baseUrl } = started.server;
  if (credentials === undefined) throw new Error('the demo has credentials');
  const item = await until('the status names the problem', async () => {
    const found = await itemOf(apiOf(baseUrl, credentials));
    return found?.state === 'problem' ? found : undefined;
  });
  expect(item.message).toContain('certificate');
  expect(collector.messages).toEqual([]);
  await started.stop();
  await collector.close();
});

test('sends each entry once from two servers on one database, and continues without the one that ended', async () => {
  const collector = await startSyslogCollector('tcp');
  const first = await startTestServer('postgres', { auditSyslog: collector.url }, 'small');
  const { credentials, baseUrl } = first.server;
  if (credentials === undefined) throw new Error('the demo has credentials');
  const dataDir = await mkdtemp(join(folder, 'second-'));
  const masterKey = join(first.dataDir, 'master.key');
  const second = await startTestServer('sqlite', {
    ...{ auditSyslog: collector.url, demo: false, dataDir, databaseUrl: first.databaseUrl, masterKey },
  });
  const apis = [apiOf(baseUrl, credentials), apiOf(second.server.baseUrl, credentials)];
  for (let amount = 1; amount <= 10; amount += 1)
    await Promise.all(apis.map((api) => expectData(api.admin.post('/transactions', cardBody(amount)))));
  await first.server.close();
  await expectData(apis[1]?.admin.post('/transactions', cardBody(40)) ?? Promise.reject(new Error('there are two servers')));
  const hash = apis[1] && (await lastHash(apis[1]));
  await until('the last entry has arrived', () => collector.messages.some((message) => message.includes(`"hash":"${hash}"`)));
  chainsOf(collector.messages.map((message) => JSON.parse(message.slice(message.indexOf('{'))) as Line));
  await second.stop();
  await first.stop();
  await collector.close();
});

test('leaves out no entry after kill -9 between a write and the note of it', FULL, async () => {
  const { dataDir, remove } = await createSampleInstallation('sqlite', 'small');
  onTestFinished(remove);
  const file = join(dataDir, 'audit.jsonl');
  for (let round = 0; round < 4; round += 1) {
    const server = await startServerProcess(dataDir, undefined, ['--audit-file', file]);
    const api = apiOf(server.baseUrl, server.credentials);
    const sales = Array.from({ length: 30 }, (_, index) => api.admin.post('/transactions', cardBody(index + 1)).catch(() => undefined));
    await Promise.race(sales);
    await pause(round * 400);
    await server.kill();
    await Promise.all(sales);
  }
  const server = await startServerProcess(dataDir, undefined, ['--audit-file', file]);
  const hash = await lastHash(apiOf(server.baseUrl, server.credentials));
  await until('the last entry is in the file', async () => (await linesOf(file)).some((line) => line.hash === hash));
  const known = new Set<string>();
  chainsOf((await linesOf(file)).filter((line) => !known.has(line.hash) && known.add(line.hash)));
  await server.stop();
});

test.each([
  'http://collector.example',
  'tls://collector.example:0',
  'tls://user:secret@collector.example',
  'collector.example:6514',
  'tls://',
])('refuses %s as a collector at the start', async (auditSyslog) => {
  await expect(startTestServer('sqlite', { auditSyslog }, 'none')).rejects.toThrow('--audit-syslog requires an address such as');
});
