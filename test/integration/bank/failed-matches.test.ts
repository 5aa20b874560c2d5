import { Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { storeUpload } from '#core/books/reconciliation';
import { isUnconfirmed, unconfirmedCommit } from '#core/database';
import { ofx } from '../../support/bank-files.ts';
import { openTestCore } from '../../support/core.ts';

const NUMBER = '9876543210';
afterEach(() => vi.restoreAllMocks());

test('stops matching several lines when the database fails, and says that the first ones may be matched', async () => {
  const opened = await openTestCore();
  const { core, actor } = opened;
  const { bankAccountId } = await core.bank.createAccount(actor, { name: 'Checking', accountNumber: NUMBER });
  const lines = ['F1', 'F2', 'F3'].map((reference) => ({ day: '2026-03-02', minor: -500, text: `ACME CHARGE ${reference}`, reference }));
  const file = await storeUpload(actor.tenantId, Readable.from([Buffer.from(ofx({ account: NUMBER, opening: 0, lines }))]));
  await core.bank.importStatement(actor, { bankAccountId, file, filename: null });
  await file.dispose();
  const { items } = await core.bank.lines(actor, { state: 'open' }, { page: 1, limit: 20 });
  const { unitOfWork } = core.database;
  const run = unitOfWork.transaction.bind(unitOfWork);
  let commits = 0;
  vi.spyOn(unitOfWork, 'transaction').mockImplementation(async (tenantId, carryOut) => {
    const result = await run(tenantId, carryOut);
    const isMatch = typeof result === 'object' && result !== null && 'matchIds' in result;
    commits += isMatch ? 1 : 0;
    if (isMatch && commits === 2) throw unconfirmedCommit(new Error('the connection ended'));
    return result;
  });
  const matches = items.map(({ lineId }) => ({ lineId, parts: [{ kind: 'fee' as const }] }));
  const failure: unknown = await core.bank.matchLines(actor, matches).catch((error: unknown) => error);
  expect(isUnconfirmed(failure)).toBe(true);
  expect(commits).toBe(2);
  await opened.close();
});
