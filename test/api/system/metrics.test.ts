import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { CARDS, cardBody } from '../../support/sales.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, expectData, expectError, startTestServer } from '../../support/server.ts';
import { createUnconfirmedPayment, gatewayMode } from '../../support/unconfirmed-payments.ts';
import { refuse, startReceiver } from '../../support/webhook-receiver.ts';
import { registerEndpoint } from '../../support/webhooks.ts';

const TOKEN = 'a4c1f0b2d3e4958677889900aabbccdd';
const OPERATIONS = join(import.meta.dirname, '../../../docs/operations');
const SERIES = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/;

interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const samplesOf = (text: string): Sample[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = SERIES.exec(line) ?? [];
      return {
        name,
        labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', text = '']) => [key, text])),
        value: Number(value),
      };
    });

/** Sends a GET with a Host header, which `fetch` does not allow. */
const getAs = (url: string, host: string, method = 'GET') =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = request(url, { headers: { host }, method }, async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode ?? 0, body });
    });
    sent.on('error', reject).end();
  });

let folder = '';
let tokenFile = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-metrics-'));
  tokenFile = join(folder, 'token');
  await writeFile(tokenFile, `${TOKEN}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(ANY_DATABASE)('metrics (%s)', (database) => {
  let started: Awaited<ReturnType<typeof startTestServer>>;
  let fixture: ApiFixture;
  beforeAll(async () => {
    started = await startTestServer(database, { metricsPort: 0, metricsToken: tokenFile }, 'small');
    const { baseUrl, credentials } = started.server;
    if (credentials === undefined) throw new Error('the demo has credentials');
    fixture = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  });
  afterAll(() => started.stop());

  const scrape = async () => {
    const answer = await fetch(started.server.metricsUrl ?? '');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    return answer.text();
  };
  const sampleOf = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}) =>
    samples.find((each) => each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value))?.value;

  test('counts payments by outcome, requests by area and status, and what waits', async () => {
    const before = samplesOf(await scrape());
    const counted = (samples: readonly Sample[], outcome: string) =>
      sampleOf(samples, 'paydesk_payments_total', { gateway: 'sandbox', operation: 'sale', outcome }) ?? 0;
    await expectData(fixture.api.admin.post('/transactions', cardBody(20)));
    await fixture.api.admin.post('/transactions', cardBody(21, CARDS.declined));
    const receiver = await startReceiver();
    receiver.answer = refuse(503);
    await registerEndpoint(fixture, receiver.url('/metrics'));
    await expectData(fixture.api.admin.post('/transactions', cardBody(22)));
    // Its gateway is unavailable from here on, so that no inquiry concludes it.
    await createUnconfirmedPayment(fixture);
    await expectError(fixture.api.bare.get('/api/v1/a-path-that-a-client-chose'), 404, 'NOT_FOUND');

    const after = samplesOf(await scrape());
    await gatewayMode(fixture, 'normal');
    expect(counted(after, 'approved') - counted(before, 'approved')).toBe(2);
    expect(counted(after, 'declined') - counted(before, 'declined')).toBe(1);
    expect(counted(after, 'unconfirmed') - counted(before, 'unconfirmed')).toBe(1);
    expect(sampleOf(after, 'paydesk_unconfirmed_payments')).toBe(1);
    expect(sampleOf(after, 'paydesk_unconfirmed_payments_oldest_seconds')).toBeGreaterThanOrEqual(0);
    expect(sampleOf(after, 'paydesk_webhook_deliveries_open')).toBeGreaterThanOrEqual(1);
    expect(sampleOf(after, 'paydesk_job_rows', { job: 'webhooks.deliver' })).toBeGreaterThanOrEqual(1);
    expect(sampleOf(after, 'paydesk_http_requests_total', { surface: 'admin', area: 'Transactions', status: '200' })).toBeGreaterThan(0);
    expect(sampleOf(after, 'paydesk_http_requests_total', { surface: 'page', area: 'none', status: '404' })).toBe(1);
    expect(sampleOf(after, 'paydesk_database_write_duration_seconds_count', { kind: 'transaction' })).toBeGreaterThan(0);
    expect(sampleOf(after, 'paydesk_database_up')).toBe(1);
    expect(sampleOf(after, 'paydesk_backup_last_made_timestamp_seconds')).toBeUndefined();
    await receiver.stop();
  });

  test('contains no ID, name, address or path of a client', async () => {
    const { credentials } = fixture;
    await fixture.api.bare.get(`/api/v1/${credentials.tenantId}`);
    const text = await scrape();
    // A number can contain any digits by chance.
    const words = text.replaceAll(/ [\d.e+-]+$/gm, '');
    for (const secret of [credentials.tenantId, credentials.merchantId, credentials.adminEmail, 'a-path-that-a-client-chose', '4242'])
      expect(words).not.toContain(secret);
    const names = new Set(samplesOf(text).flatMap(({ labels }) => Object.keys(labels)));
    expect([...names].filter((name) => !KNOWN_LABELS.includes(name))).toEqual([]);
    expect(samplesOf(text).filter(({ name }) => name.startsWith('paydesk_')).length).toBeLessThan(400);
  });

  test('has every series and label of the dashboard and the alert rules', async () => {
    await expectData(fixture.api.admin.post('/transactions', cardBody(23)));
    const text = await scrape();
    const types = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
    const labels = new Set(samplesOf(text).flatMap((sample) => Object.keys(sample.labels)));
    const dashboard = JSON.parse(await readFile(join(OPERATIONS, 'grafana-dashboard.json'), 'utf8')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const alerts = await readFile(join(OPERATIONS, 'alerts.yml'), 'utf8');
    const rules = [...alerts.matchAll(/ expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/g)].map(([, folded, plain]) => folded ?? plain ?? '');
    const expressions = [...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...rules];
    expect(rules).toHaveLength(alerts.match(/- alert:/g)?.length ?? 0);
    expect(expressions.length).toBeGreaterThan(20);
    const series = expressions.flatMap((text) => [...text.matchAll(/\b(?:paydesk|nodejs|process)_\w+/g)].map(([name]) => name));
    expect(series.filter((name) => !types.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([]);
    const usedLabels = expressions.flatMap((text) => [
      ...[...text.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map((each) => each.trim())),
      ...[...text.matchAll(/[{,](\w+)[!=]/g)].map(([, name = '']) => name),
    ]);
    expect(usedLabels.filter((name) => !labels.has(name) && name !== 'job' && name !== 'le')).toEqual([]);
  });

  test('is served with its token on the address of the server, under any name, and never without it', async () => {
    const { baseUrl, api } = { ...fixture };
    const authorized = await fetch(`${baseUrl}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
    expect(authorized.status).toBe(200);
    expect(await authorized.text()).toContain('paydesk_payments_total');
    await expectError(api.bare.get('/metrics'), 401, 'UNAUTHORIZED');
    await expectError(api.bare.get('/metrics', { Authorization: `Bearer ${TOKEN}x` }), 401, 'TOKEN_INVALID');
    await expectError(api.bare.get('/metrics', { Authorization: `Bearer ${TOKEN.slice(1)}` }), 401, 'TOKEN_INVALID');
  });

  test('refuses other names, paths and methods on the port without a token', async () => {
    const url = started.server.metricsUrl ?? '';
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await getAs(url, 'rebound.example')).status).toBe(400);
    expect((await getAs(url, `${new URL(url).host}`)).status).toBe(200);
    expect((await getAs(url.replace('/metrics', '/health'), new URL(url).host)).status).toBe(404);
    expect((await getAs(url, new URL(url).host, 'POST')).status).toBe(404);
  });

  test('have an address that no webhook, message or gateway of a tenant may reach', () => {
    const { hostname, port } = new URL(started.server.metricsUrl ?? '');
    expect(started.server.ownAddresses()).toContainEqual({ host: hostname, port: Number(port) });
  });

  test('answers the probes of an orchestrator under any name, with a status only', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const answer = await getAs(`${fixture.baseUrl}${path}`, '10.4.0.17:4801');
      expect(answer).toEqual({ status: 200, body: '{"status":"ok"}' });
      expect(await getAs(`${fixture.baseUrl}${path}`, '10.4.0.17:4801', 'HEAD')).toEqual({ status: 200, body: '' });
    }
  });
});

const KNOWN_LABELS = ['surface', 'area', 'status', 'gateway', 'operation', 'outcome', 'kind', 'job', 'le', 'version']
  // Labels of the default series of prom-client.
  .concat('type', 'space', 'major', 'minor', 'patch');

describe('the options of metrics', () => {
  test('are off by default, and the server has no such route', async () => {
    const { server, stop } = await startTestServer('sqlite', {}, 'none');
    expect(server.metricsUrl).toBeUndefined();
    expect((await fetch(`${server.baseUrl}/metrics`)).status).toBe(404);
    expect((await fetch(`${server.baseUrl}/health/ready`)).status).toBe(200);
    await stop();
  });

  test('refuse a short token, a missing file and a port in use', async () => {
    const short = join(folder, 'short');
    await writeFile(short, 'secret');
    await expect(startTestServer('sqlite', { metricsToken: short }, 'none')).rejects.toThrow('at least 32 characters');
    await expect(startTestServer('sqlite', { metricsToken: join(folder, 'none') }, 'none')).rejects.toThrow('cannot be read');
    const metricsPort = await freePort();
    const first = await startTestServer('sqlite', { metricsPort }, 'none');
    await expect(startTestServer('sqlite', { metricsPort }, 'none')).rejects.toThrow('--metrics-port');
    await first.stop();
  });
});
