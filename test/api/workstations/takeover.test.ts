import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type FirstTenant, setUpTenant } from '../../support/new-installation.ts';
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts';
import { type ServerProcess, startEmptyProcess } from '../../support/process.ts';
import { cardBody } from '../../support/sales.ts';
import { type Api, expectData, FULL } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { RECEIVER_CA_FILE, type Receiver, startReceiver } from '../../support/webhook-receiver.ts';

/** Factor of the server number in a fence. */
const HOLDER_FACTOR = 2 ** 40;

type Server = Omit<ServerProcess, 'credentials'>;

let fresh: FreshDatabase;
let folder: string;
let receiver: Receiver;
let client: Client;
let tenant: FirstTenant | undefined;
const servers: Server[] = [];
beforeAll(async () => {
  fresh = await freshDatabase(inject('migrated').template);
  folder = await mkdtemp(join(tmpdir(), 'paydesk-takeover-'));
  receiver = await startReceiver();
  client = new Client({ connectionString: fresh.url });
  await client.connect();
});
afterAll(async () => {
  for (const server of servers) server.resume();
  await Promise.all(servers.map((server) => server.kill()));
  await receiver?.stop();
  await client?.end();
  await fresh?.drop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function runningNumbers(): Promise<number[]> {
  const { rows } = await client.query<{ n: number }>(
    // The servers of other test files run on the same PostgreSQL.
    `SELECT objid::int AS n FROM pg_locks WHERE locktype = 'advisory' AND classid = 7290554 AND objsubid = 2
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.map(({ n }) => n);
}

interface StartedServer {
  readonly server: Server;
  readonly api: Api;
  /** Number among the servers of the database. */
  readonly number: number;
}

async function start(name: string): Promise<StartedServer> {
  const before = await runningNumbers();
  const flags = ['--log-level', 'silent', '--webhook-ca', RECEIVER_CA_FILE, '--master-key', join(folder, 'master.key')];
  const server = await startEmptyProcess(join(folder, name), fresh.url, flags);
  servers.push(server);
  if (tenant === undefined) {
    tenant = await setUpTenant(server.baseUrl);
    const { admin } = tenant.at(server.baseUrl);
    await expectData(admin.post('/webhooks', { url: receiver.url(), events: ['transaction.approved'] }), 201);
  }
  const number = await until('the server is registered', async () => (await runningNumbers()).find((each) => !before.includes(each)));
  return { server, api: tenant.at(server.baseUrl), number };
}

/** Returns the IDs of the events whose delivery is claimed by a server. */
async function claimedBy(number: number): Promise<string[]> {
  const { rows } = await client.query<{ event_id: string }>(
    `SELECT event_id FROM webhook_deliveries WHERE fence / ${HOLDER_FACTOR} = $1 AND lease_ms > extract(epoch FROM clock_timestamp()) * 1000`,
    [number],
  );
  return rows.map(({ event_id }) => event_id);
}

const deliveries = (event: string) => receiver.received.filter((request) => request.event.id === event).length;

/**
 * Makes sales at these servers until each holds claims of deliveries that the receiver does not answer. A server claims the deliveries of its
 * own sales first; others hear of them later. Returns their event IDs.
 */
async function holdDeliveries(...holders: readonly StartedServer[]): Promise<string[][]> {
  const open: ServerResponse[] = [];
  receiver.answer = (_, response) => void open.push(response);
  return until('the servers hold deliveries', async () => {
    const events = await Promise.all(holders.map(({ number }) => claimedBy(number)));
    // Sales only where nothing is claimed yet: each sale adds a claim whose request is still on its way.
    const idle = holders.filter((_, index) => events[index]?.length === 0);
    await Promise.all(idle.map(({ api }) => expectData(api.admin.post('/transactions', cardBody(5)))));
    return idle.length === 0 && events.every((own) => own.every((event) => deliveries(event) === 1)) && events;
  });
}

/** Prolongs the claims of stopped servers by an hour, so that no test meets the end of a lease, however slow the computer is. */
async function prolongLeases(...numbers: readonly number[]): Promise<void> {
  await client.query(
    `UPDATE webhook_deliveries SET lease_ms = lease_ms + 3600000 WHERE lease_ms > 0 AND fence / ${HOLDER_FACTOR} = ANY($1)`,
    [numbers],
  );
}

const acceptAll = () => {
  receiver.answer = (_, response) => void response.writeHead(200).end();
};

test('continues the deliveries of a killed server before their lease ends, but not those of a suspended server', {
  ...FULL,
  timeout: 120_000,
}, async () => {
  const killed = await start('killed');
  await start('observer');
  const [events = []] = await holdDeliveries(killed);

  await killed.server.kill();
  const killedAt = performance.now();
  await prolongLeases(killed.number);
  acceptAll();
  await until('every delivery is repeated', () => events.every((event) => deliveries(event) > 1));
  const tookMs = performance.now() - killedAt;
  console.info(`${events.length} deliveries continued ${Math.round(tookMs)} ms after the kill`);
  for (const event of events) expect(deliveries(event)).toBe(2);

  // A suspended server keeps its claims while those of a killed one are released.
  const suspended = await start('suspended');
  const other = await start('other');
  const [held = [], released = []] = await holdDeliveries(suspended, other);
  suspended.server.suspend();
  await other.server.kill();
  await prolongLeases(suspended.number, other.number);
  acceptAll();
  await until('the deliveries of the killed server are repeated', () => released.every((event) => deliveries(event) > 1));
  for (const event of held) expect(deliveries(event)).toBe(1);
  expect(await claimedBy(suspended.number)).toEqual(expect.arrayContaining(held));
  suspended.server.resume();
});

test('continues the deliveries of all killed servers after a restart before their lease ends', { ...FULL, timeout: 120_000 }, async () => {
  const last = await start('last');
  const [events = []] = await holdDeliveries(last);
  await Promise.all(servers.map((server) => server.kill()));
  await prolongLeases(last.number);
  const seen = new Map(events.map((event) => [event, deliveries(event)]));
  acceptAll();
  await start('last');
  const startedAt = performance.now();
  await until('every delivery is repeated', () => events.every((event) => deliveries(event) > (seen.get(event) ?? 0)));
  const tookMs = performance.now() - startedAt;
  console.info(`${events.length} deliveries continued ${Math.round(tookMs)} ms after the start`);
});
