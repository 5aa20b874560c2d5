import { expect, test } from 'vitest';
import type { Database } from '#core/database';
import type { ProcessExchange } from '#core/kernel';
import { createFailoverRehearsals } from '#core/operation/failover-rehearsal';
import { groupOf } from '../../support/process-group.ts';

type Dependencies = Parameters<typeof createFailoverRehearsals>[0];

/** Returns the rehearsals of a process whose database accepts everything, and whose sales never start. */
function rehearsalsOf(processes: ProcessExchange) {
  const replication = { primary: 'db1', timeline: 1, serverVersion: '17', standbys: [{ isSynchronous: true }], hidden: 0, required: 1 };
  const work = { advisoryLock: async () => {} };
  const database = {
    replication: async () => replication,
    unitOfWork: { transaction: async (_: string, body: (in_: unknown) => unknown) => body(work) },
  };
  return createFailoverRehearsals({
    processes,
    database: database as unknown as Database,
    patroni: null,
    audit: { record: () => {}, page: async () => ({ items: [] }) },
    identity: { tenants: { ofEmail: () => new Promise(() => {}) }, installationAdmins: { requireFirstTenant: async () => {} } },
  } as unknown as Dependencies);
}

test('shows and stops a rehearsal in every process of the server', async () => {
  const [starting, other] = groupOf(2).groups.map(rehearsalsOf) as [ReturnType<typeof rehearsalsOf>, ReturnType<typeof rehearsalsOf>];
  const actor = { tenantId: 'ten_1' } as never;
  await expect(other.stop()).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT', details: { reason: 'not-running' } });
  const { rehearsalId } = await starting.start(actor);
  for (const { overview } of [starting, other])
    expect((await overview(actor)).running).toMatchObject({ rehearsalId, phase: 'selling-before', command: expect.any(String) });
  expect(await other.stop()).toMatchObject({ rehearsalId });
  expect((await other.overview(actor)).running).toMatchObject({ rehearsalId });
});
