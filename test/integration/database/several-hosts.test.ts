import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectReading, connectWritable, type Database, inspectPostgres, openPostgres } from '#core/database';
import { TABLES as LIMIT_TABLES } from '#core/platform/rate-limits';
import { MIGRATIONS } from '#migrations';
import { readReplication } from '../../../core/database/replication.ts';
import { freePort } from '../../support/free-port.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { type PostgresStandby, queryServer, startStandby } from '../../support/postgres-standby.ts';
import { FULL } from '../../support/tier.ts';
import { until } from '../../support/until.ts';

const [WINDOWS] = LIMIT_TABLES;
if (WINDOWS === undefined) throw new Error('the limits have a table');

let primary: PostgresServer;
let standby: PostgresStandby;
let database: Database | undefined;
beforeAll(async () => {
  primary = await startPostgres(['-c', 'fsync=off', '-c', 'max_connections=100']);
  await primary.createDatabase('hosts');
  standby = await startStandby(primary.url, { isSynchronous: true });
});
afterAll(async () => {
  await database?.close();
  await standby?.stop();
  await primary?.stop();
});

/** Returns an address with the hosts of several servers, in this order. */
function addressOf(urls: readonly string[], parameters = 'target_session_attrs=read-write'): string {
  const login = urls[0]?.slice(0, urls[0].indexOf('@') + 1) ?? '';
  return `${login}${urls.map((url) => new URL(url).host).join(',')}/hosts?${parameters}`;
}

const open = (url: string) => openPostgres({ url, migrations: MIGRATIONS });
const row = (scope: string) => ({ tenant_id: 't', scope, length_ms: 1, at: 1, n: 1 });
const write = (scope: string) => (database as Database).unitOfWork.transaction('t', async (work) => work.insert(WINDOWS, row(scope)));
const scopes = async () => (await (database as Database).read('t').find(WINDOWS, { tenant_id: 't' })).map(({ scope }) => scope).sort();

describe('Address with several hosts', () => {
  test('connects to the primary at any position in the list', async () => {
    const closed = `postgres://x@127.0.0.1:${await freePort()}`;
    for (const urls of [
      [primary.url, standby.url],
      [standby.url, primary.url],
      [primary.url, closed],
    ]) {
      const client = await connectWritable(addressOf(urls));
      const { rows } = await client.query('SELECT inet_server_port() AS port, pg_is_in_recovery() AS standby');
      await client.end();
      expect(rows).toEqual([{ port: Number(new URL(primary.url).port), standby: false }]);
    }
  });

  test('connects reading clients to the kind of server that target_session_attrs requires', async () => {
    const portOf = async (target: string) => {
      const client = await connectReading(addressOf([primary.url, standby.url], `target_session_attrs=${target}`));
      const { rows } = await client.query<{ port: number }>('SELECT inet_server_port() AS port');
      await client.end();
      return String(rows[0]?.port);
    };
    const [first, second] = [new URL(primary.url).port, new URL(standby.url).port];
    expect(await portOf('any')).toBe(first);
    expect(await portOf('primary')).toBe(first);
    expect(await portOf('standby')).toBe(second);
    expect(await portOf('prefer-standby')).toBe(second);
    await expect(open(addressOf([primary.url, standby.url], 'target_session_attrs=standby'))).rejects.toThrow('must be read-write');
  });

  test('refuses a list without a primary and names the reason for each host', async () => {
    const closed = await freePort();
    const url = addressOf([standby.url, `postgres://x@127.0.0.1:${closed}`]);
    await expect(open(url)).rejects.toThrow(/No PostgreSQL server accepts changes: .* is a standby, which is read-only; .*ECONNREFUSED/);
    await expect(open(`${standby.url}/hosts`)).rejects.toThrow('is a standby');
    const none = addressOf([1, 2].map(() => `postgres://u@127.0.0.1:${closed}`));
    await expect(inspectPostgres({ url: none, migrations: [] }, async () => null)).rejects.toThrow(/ECONNREFUSED.*; .*ECONNREFUSED/);
    const wrong = addressOf([primary.url, standby.url]).replace('/hosts?', '/nowhere?');
    await expect(connectWritable(wrong)).rejects.toThrow('database "nowhere" does not exist');
  });
});

describe('Synchronous replication', FULL, () => {
  const setNames = async (names: string) => {
    await queryServer(primary.url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await queryServer(primary.url, 'SELECT pg_reload_conf()');
  };

  test('reports the standbys, and commits that wait for a standby that is gone', async () => {
    database = await open(addressOf([primary.url, standby.url]));
    const { standbys, ...found } = (await database.replication()) ?? expect.fail('PostgreSQL has a state of replication');
    expect(found).toMatchObject({
      hosts: 2,
      primary: new URL(primary.url).host,
      timeline: 1,
      synchronousStandbyNames: '*',
      required: 1,
      hidden: 0,
      waitingCommits: 0,
    });
    expect(standbys).toEqual([expect.objectContaining({ name: 'walreceiver', isSynchronous: true })]);

    // A role without pg_monitor sees that there is a standby, but not its state.
    await queryServer(primary.url, "CREATE ROLE clerk LOGIN PASSWORD 'clerk'");
    const reader = await connectReading(`postgres://clerk:clerk@${new URL(primary.url).host}/hosts`);
    const seen = await readReplication({ all: async <Row>(sql: string) => (await reader.query(sql)).rows as Row[] }, 1);
    await reader.end();
    expect(seen).toMatchObject({ synchronousStandbyNames: '*', required: 1, standbys: [], hidden: 1 });
  });

  test('reports commits that PostgreSQL stopped replicating as unknown, and does not run the work again', async () => {
    await setNames('gone');
    const waiting = async () => (await (database as Database).replication())?.waitingCommits;
    await until('the standby is asynchronous', async () =>
      (await (database as Database).replication())?.standbys.every(({ isSynchronous }) => !isSynchronous),
    );
    const answers = Promise.allSettled([
      write('canceled work'),
      ...['one', 'two'].map((scope) => (database as Database).unitOfWork.writeBatch('t', (batch) => batch.insert(WINDOWS, row(scope)))),
    ]);
    await until('the commits wait', async () => (await waiting()) === 2);
    await queryServer(primary.url, "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
    for (const answer of await answers)
      expect(answer).toMatchObject({
        status: 'rejected',
        reason: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('synchronous standby of the database did not confirm') },
      });
    await setNames('*');
    await write('before');
    expect(await scopes()).toEqual(['before', 'canceled work', 'one', 'two']);
  });
});

test('follows a promotion with an open database, and does not return to a former primary', async () => {
  database ??= await open(addressOf([primary.url, standby.url]));
  const before = (await scopes()).length;
  const missed: string[] = [];
  const unsubscribe = database.signals.subscribe(
    () => {},
    () => missed.push('missed'),
  );
  await write('acknowledged');
  await primary.kill();
  await expect(write('during')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(database.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  const promotedAt = performance.now();
  await standby.promote();
  await until('writes succeed', () =>
    write('after').then(
      () => true,
      () => false,
    ),
  );
  const gapMs = performance.now() - promotedAt;
  await database.ping();
  expect(await scopes()).toEqual(expect.arrayContaining(['after', 'acknowledged']));
  await until('the listener is connected again', () => missed.length > 0);
  console.info(`writes resumed ${Math.round(gapMs)} ms after the promotion began`);

  // The former primary starts again as a primary. It is first in the address, but its timeline is older.
  await primary.restart();
  await queryServer(primary.url, "ALTER SYSTEM SET synchronous_standby_names = ''");
  await queryServer(primary.url, 'SELECT pg_reload_conf()');
  const { rows } = await connectWritable(addressOf([primary.url, standby.url])).then(async (client) => {
    const found = await client.query<{ port: number }>('SELECT inet_server_port() AS port');
    await client.end();
    return found;
  });
  expect(String(rows[0]?.port)).toBe(new URL(standby.url).port);
  await Promise.all(Array.from({ length: 12 }, (_, index) => write(`later ${index}`)));
  expect(await scopes()).toHaveLength(before + 14);
  unsubscribe();
});
