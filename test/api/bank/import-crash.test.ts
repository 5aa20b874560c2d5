import { afterAll, expect, test } from 'vitest';
import { createBankShop, sendStatement } from '../../support/bank.ts';
import { ofx } from '../../support/bank-files.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, expectData, isSiege, sized } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { until } from '../../support/until.ts';

/** Lines of a file. The import must still run when the server is killed. */
const LINES = sized(6_000, 120_000);
const PARALLEL = 10;
const WITHIN_MS = isSiege ? 300_000 : 180_000;

interface Account {
  readonly bankAccountId: string;
  readonly last4: string | null;
}

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

const statementOf = (account: string, count: number, text: string) =>
  ofx({
    account,
    opening: 0,
    lines: Array.from({ length: count }, (_, n) => ({
      day: '2026-03-02',
      minor: 100 + n,
      text: `${text} ${n}`,
      reference: `${text} ${n}`,
    })),
  });

test.each(ANY_DATABASE)(
  'removes the lines and the number of an import that a kill -9 interrupted, and imports the same or another file as a first one (%s)',
  { timeout: 4 * WITHIN_MS },
  async (database) => {
    const { dataDir, url, remove } = await createSampleInstallation(database);
    cleanUp.push(remove);
    let server = await startServerProcess(dataDir, url);
    cleanUp.push(() => server.kill());
    const { credentials } = server;
    let api = apiOf(server.baseUrl, credentials);
    const fixture = (): ApiFixture => ({ database, baseUrl: server.baseUrl, credentials, api });
    const merchantId = await createMerchant(fixture(), { timezone: 'UTC' });
    const createAccount = async (name: string) =>
      (await expectData(api.admin.post<Account>('/settlement/bank-accounts', { merchantId, name }), 201)).bankAccountId;
    const totalOf = async (bankAccountId: string) =>
      (await api.admin.get(`/settlement/bank-lines?bankAccountId=${bankAccountId}&limit=1`)).body.pagination?.total ?? 0;
    const last4Of = async (bankAccountId: string) =>
      (await expectData(api.admin.get<Account[]>(`/settlement/bank-accounts?merchantId=${merchantId}`))).find(
        (account) => account.bankAccountId === bankAccountId,
      )?.last4;
    const send = (bankAccountId: string, content: string) => sendStatement(fixture(), { merchantId, bankAccountId }, content);
    /** Kills the server while it adds the lines of a file, and starts it again. */
    const killDuring = async (bankAccountId: string, content: string) => {
      const answer = send(bankAccountId, content).then(
        ({ status }) => status,
        () => 'no answer',
      );
      await until('a part of the lines is added', async () => (await totalOf(bankAccountId)) > 0, {
        withinMs: WITHIN_MS,
        everyMs: 1,
      });
      await server.kill();
      expect(await answer).toBe('no answer');
      await expireLeasesOfKilledServers(url);
      server = await startServerProcess(dataDir, url);
      api = apiOf(server.baseUrl, credentials);
    };
    /** Sends a file ten times in parallel, and then until it is complete. Returns the lines that were added. */
    const sendInParallel = async (bankAccountId: string, content: string) => {
      const answers = await Promise.all(Array.from({ length: PARALLEL }, () => send(bankAccountId, content)));
      expect(answers.filter(({ status }) => ![200, 409, 503].includes(status))).toEqual([]);
      const last = await until(
        'the statement is imported',
        async () => {
          const answer = await send(bankAccountId, content);
          return answer.status === 200 ? answer.body.data : undefined;
        },
        { withinMs: WITHIN_MS },
      );
      return [...answers.flatMap(({ status, body }) => (status === 200 ? [body.data.added] : [])), last.added].filter((added) => added > 0);
    };

    const another = await createAccount('Another file');
    await killDuring(another, statementOf('1111222233', LINES, 'DEPOSIT'));
    expect(await last4Of(another)).toBeNull();
    expect(await sendInParallel(another, statementOf('9999888877', 7, 'OTHER'))).toEqual([7]);
    expect(await totalOf(another)).toBe(7);
    expect(await last4Of(another)).toBe('8877');

    const same = await createAccount('Same file');
    const content = statementOf('1111222233', LINES, 'DEPOSIT');
    await killDuring(same, content);
    expect(await sendInParallel(same, content)).toEqual([LINES]);
    expect(await totalOf(same)).toBe(LINES);
    expect(await last4Of(same)).toBe('2233');

    const untouched = await createAccount('No further file');
    await killDuring(untouched, statementOf('5555666677', LINES, 'DEPOSIT'));
    await until('the restarted server removes the lines', async () => (await totalOf(untouched)) === 0, { withinMs: WITHIN_MS });
    await expectData(api.admin.post('/settlement/bank-accounts', { merchantId, name: 'Number', accountNumber: '5555666677' }), 201);
    expect(await totalOf(another)).toBe(7);

    const shop = await createBankShop(fixture());
    expect(await expectData(sendStatement(fixture(), shop, statementOf('9876543210', 3, 'DEPOSIT')))).toMatchObject({ added: 3 });
    expect(await expectData(api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  },
);
