import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { storeUpload } from '#core/books/reconciliation';
import { ofx } from '../../support/bank-files.ts';
import { openTestCore, type TestCore } from '../../support/core.ts';
import type { DatabaseKind } from '../../support/database-kinds.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

const NUMBER = '9876543210';

/** A bank account with a rule that marks lines of ACME as fees. */
async function openShop(kind: DatabaseKind) {
  const opened = await openTestCore(undefined, kind);
  const { core, actor } = opened;
  const { bankAccountId } = await core.bank.createAccount(actor, { name: 'Checking', accountNumber: NUMBER });
  const { ruleId } = await core.bank.addRule(actor, { contains: 'ACME', kind: 'fee' });
  const importLine = async (reference: string) => {
    const lines = [{ day: '2026-03-02', minor: -500, text: `ACME CHARGE ${reference}`, reference }];
    const file = await storeUpload(actor.tenantId, Readable.from([Buffer.from(ofx({ account: NUMBER, opening: 0, lines }))]));
    await core.bank.importStatement(actor, { bankAccountId, file, filename: null });
    await file.dispose();
  };
  const suggestedKinds = async () => {
    const { items } = await core.bank.lines(actor, { state: 'open' }, { page: 1, limit: 20 });
    return items.map(({ suggestion }) => suggestion?.parts[0]?.kind);
  };
  const changeRule = () => core.bank.changeRule(actor, ruleId, { contains: 'ACME', kind: 'own' });
  return { opened, importLine, suggestedKinds, changeRule };
}

/** Calls a function before the next batch is written. A run of the matching writes its first batch after it has read the rules. */
function beforeNextBatch({ core }: TestCore, act: () => Promise<unknown>): void {
  const { unitOfWork } = core.database;
  const write = unitOfWork.writeBatch.bind(unitOfWork);
  vi.spyOn(unitOfWork, 'writeBatch').mockImplementationOnce(async (tenantId, fill) => {
    await act();
    return write(tenantId, fill);
  });
}

afterEach(() => vi.restoreAllMocks());

describe.each(ANY_DATABASE)('suggestions for bank lines (%s)', (kind) => {
  test('follow a rule that changes while they are computed', async () => {
    const { opened, importLine, suggestedKinds, changeRule } = await openShop(kind);
    beforeNextBatch(opened, changeRule);
    await importLine('F1');
    expect(await suggestedKinds()).toEqual(['own']);
    await opened.close();
  });

  test('are computed for the lines of two statements that are imported at the same time', async () => {
    const { opened, importLine, suggestedKinds } = await openShop(kind);
    let second: Promise<void> | undefined;
    beforeNextBatch(opened, async () => {
      second = importLine('F2');
      await vi.waitFor(async () => expect(await suggestedKinds()).toHaveLength(2), { timeout: 50_000 });
    });
    await importLine('F1');
    await second;
    expect(await suggestedKinds()).toEqual(['fee', 'fee']);
    await opened.close();
  });

  test('are not overwritten by a run that lost its lease to a later run with another rule', async () => {
    const { opened, importLine, suggestedKinds, changeRule } = await openShop(kind);
    const { core, actor } = opened;
    beforeNextBatch(opened, async () => {
      await changeRule();
      const expired = 'UPDATE bank_accounts SET lease_ms = 1 WHERE tenant_id = :tenantId';
      await core.database.unitOfWork.transaction(actor.tenantId, (work) => work.run(expired));
      await importLine('F2');
      expect(await suggestedKinds()).toEqual(['own', 'own']);
    });
    await importLine('F1');
    expect(await suggestedKinds()).toEqual(['own', 'own']);
    await opened.close();
  });
});
