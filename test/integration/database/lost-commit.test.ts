import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openPostgres } from '#core/database';
import { TABLES as LIMIT_TABLES } from '#core/platform/rate-limits';
import { MIGRATIONS } from '#migrations';
import { type FreshDatabase, freshDatabase } from '../../support/postgres.ts';

const [WINDOWS] = LIMIT_TABLES;
if (WINDOWS === undefined) throw new Error('the limits have a table');

/** Forwards bytes to PostgreSQL; on request it forwards a commit, but not the response to it. */
class Wire {
  cutsCommits = false;
  port = 0;
  readonly #server: Server;

  constructor(to: URL) {
    this.#server = createServer((near) => {
      const far = connect(Number(to.port), to.hostname);
      const end = () => {
        near.destroy();
        far.end();
      };
      let isCut = false;
      near.on('data', (bytes) => {
        isCut ||= this.cutsCommits && bytes.includes('COMMIT');
        far.write(bytes);
      });
      far.on('data', (bytes) => (isCut ? end() : near.write(bytes)));
      for (const socket of [near, far] as Socket[]) socket.on('error', end).on('close', end);
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    this.port = typeof address === 'object' && address ? address.port : 0;
  }

  close(): void {
    this.#server.close();
  }
}

let fresh: FreshDatabase;
let wire: Wire;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  wire = new Wire(new URL(fresh.url));
  await wire.listen();
  const url = new URL(fresh.url);
  url.port = String(wire.port);
  database = await openPostgres({ url: url.href, migrations: MIGRATIONS });
});
afterAll(async () => {
  await database?.close();
  wire?.close();
  await fresh?.drop();
});

const row = (scope: string) => ({ tenant_id: 't', scope, length_ms: 1, at: 1, n: 1 });
const kept = async () => (await database.read('t').find(WINDOWS, { tenant_id: 't' })).map(({ scope }) => scope).sort();

test('reports an unconfirmed commit as unknown, and does not run the work again', async () => {
  wire.cutsCommits = true;
  const answer = database.unitOfWork.transaction('t', async (work) => work.insert(WINDOWS, row('work')));
  await expect(answer).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('before it confirmed') });
  wire.cutsCommits = false;
  expect(await kept()).toEqual(['work']);
});

test('reports an unknown commit to every batch of a group when the connection is lost, and repeats none', async () => {
  wire.cutsCommits = true;
  const answers = await Promise.allSettled(
    ['one', 'two', 'three'].map((scope) => database.unitOfWork.writeBatch('t', (batch) => batch.insert(WINDOWS, row(scope)))),
  );
  wire.cutsCommits = false;
  for (const answer of answers)
    expect(answer).toMatchObject({
      status: 'rejected',
      reason: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('before it confirmed') },
    });
  expect(await kept()).toEqual(['one', 'three', 'two', 'work']);
});
