import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { UploadedFile } from '#core/books/reconciliation';
import { ofx } from '../../support/bank-files.ts';
import { openTestCore, type TestCore } from '../../support/core.ts';
import { DATABASES, type DatabaseKind } from '../../support/database-kinds.ts';
import { ANY_DATABASE } from '../../support/tier.ts';

/** More lines than two units of work add. */
const LINES = 900;

const linesOf = (count: number, text = 'CARD DEPOSIT') =>
  Array.from({ length: count }, (_, n) => ({ day: '2026-03-02', minor: 100 + n, text: `${text} ${n}`, reference: `${text} ${n}` }));
const statementOf = (account: string, lines = linesOf(LINES)) => ofx({ account, opening: 0, lines });

/** The readings of an upload: the first one finds the format, the second one checks the file, and the third one adds the lines. */
const CHECKING = 2;
const ADDING = 3;

/** Returns an upload that counts its readings. One of them calls `atMiddle` between its two halves. */
function upload(content: string, atMiddle: () => Promise<void> = async () => {}, reading = ADDING): UploadedFile & { readings(): number } {
  let readings = 0;
  return {
    readings: () => readings,
    bytes: content.length,
    fingerprint: createHash('sha256').update(content).digest('hex'),
    encoding: 'utf-8',
    async *text() {
      readings += 1;
      const isInterrupted = readings === reading;
      const half = Math.ceil(content.length * 0.6);
      yield content.slice(0, half);
      if (isInterrupted) await atMiddle();
      yield content.slice(half);
    },
    content: async () => Buffer.from(content),
    dispose: async () => {},
  };
}

const failing = (content: string) => upload(content, () => Promise.reject(new Error('the disk cannot be read')));

async function openShop(kind: DatabaseKind) {
  const opened = await openTestCore(undefined, kind);
  onTestFinished(opened.close);
  const { core, actor } = opened;
  const { bankAccountId } = await core.bank.createAccount(actor, { name: 'Checking' });
  return { ...opened, ...importsOf(opened), bankAccountId };
}

function importsOf({ core, actor }: TestCore) {
  return {
    send: (bankAccountId: string, file: UploadedFile) => core.bank.importStatement(actor, { bankAccountId, file, filename: null }),
    linesOfAccount: async (bankAccountId: string) => {
      const { items, total } = await core.bank.lines(actor, { bankAccountId }, { page: 1, limit: 100 });
      return { total, texts: items.map(({ text }) => text) };
    },
    rowsOf: async (table: string) =>
      (await core.database.read(actor.tenantId).all(`SELECT * FROM ${table} WHERE tenant_id = :tenantId`)).length,
    last4Of: async (bankAccountId: string) =>
      (await core.bank.accounts(actor)).find((account) => account.bankAccountId === bankAccountId)?.last4,
    /** Ends the claims of all imports, as if their server had not answered for longer than their leases. */
    expireLeases: () =>
      core.database.unitOfWork.transaction(actor.tenantId, (work) =>
        work.run('UPDATE bank_statements SET lease_ms = 0 WHERE tenant_id = :tenantId'),
      ),
  };
}

describe.each(ANY_DATABASE)('an import of a bank statement that fails (%s)', (kind) => {
  test('leaves neither lines nor the number of the account, and a statement of another account can be imported', async () => {
    const { core, actor, bankAccountId, send, linesOfAccount, rowsOf, last4Of } = await openShop(kind);
    await expect(send(bankAccountId, failing(statementOf('1111222233')))).rejects.toThrow('the disk cannot be read');
    expect(await last4Of(bankAccountId)).toBeNull();
    expect(await linesOfAccount(bankAccountId)).toEqual({ total: 0, texts: [] });
    expect(await rowsOf('bank_statements')).toBe(0);
    const { figures } = await core.bank.close(actor, { period: '2026-03', field: 'month' });
    expect(figures).toEqual([]);
    // The number is free for another account of the merchant.
    const other = await core.bank.createAccount(actor, { name: 'Savings', accountNumber: '1111222233' });
    expect(other.last4).toBe('2233');
    const { added } = await send(bankAccountId, upload(statementOf('9999888877', linesOf(2, 'OTHER'))));
    expect(added).toBe(2);
    expect((await linesOfAccount(bankAccountId)).texts.toSorted()).toEqual(['OTHER 0', 'OTHER 1']);
    expect(await last4Of(bankAccountId)).toBe('8877');
  });

  test('can be repeated with the same file, which adds every line once', async () => {
    const { bankAccountId, send, linesOfAccount, last4Of } = await openShop(kind);
    const content = statementOf('1111222233');
    await expect(send(bankAccountId, failing(content))).rejects.toThrow('the disk cannot be read');
    expect(await send(bankAccountId, upload(content))).toMatchObject({ added: LINES, repeated: false });
    expect((await linesOfAccount(bankAccountId)).total).toBe(LINES);
    expect(await last4Of(bankAccountId)).toBe('2233');
    expect(await send(bankAccountId, upload(content))).toMatchObject({ added: 0, repeated: true });
  });

  test('keeps the number of the account and the lines of earlier statements', async () => {
    const { bankAccountId, send, linesOfAccount, last4Of } = await openShop(kind);
    await send(bankAccountId, upload(statementOf('1111222233', linesOf(3))));
    await expect(send(bankAccountId, failing(statementOf('1111222233', linesOf(LINES))))).rejects.toThrow('the disk cannot be read');
    expect((await linesOfAccount(bankAccountId)).total).toBe(3);
    expect(await last4Of(bankAccountId)).toBe('2233');
  });
});

describe.each(DATABASES)('an import of a bank statement that stops for longer than its lease (%s)', (kind) => {
  test('adds nothing after another statement of the account was imported', async () => {
    const { bankAccountId, send, linesOfAccount, last4Of, expireLeases } = await openShop(kind);
    const stopped = upload(statementOf('1111222233'), async () => {
      await expireLeases();
      await send(bankAccountId, upload(statementOf('9999888877', linesOf(2, 'OTHER'))));
    });
    await expect(send(bankAccountId, stopped)).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT' });
    expect((await linesOfAccount(bankAccountId)).total).toBe(2);
    expect(await last4Of(bankAccountId)).toBe('8877');
  });

  test('continues if no other server has claimed it', async () => {
    const { bankAccountId, send, linesOfAccount, expireLeases } = await openShop(kind);
    const content = statementOf('1111222233');
    expect(
      await send(
        bankAccountId,
        upload(content, async () => void (await expireLeases())),
      ),
    ).toMatchObject({ added: LINES });
    expect((await linesOfAccount(bankAccountId)).total).toBe(LINES);
  });

  test('does not take a number that another account was given in the meantime', async () => {
    const { core, actor, bankAccountId, send, linesOfAccount, last4Of, expireLeases } = await openShop(kind);
    const stopped = upload(statementOf('1111222233'), async () => {
      await expireLeases();
      await core.bank.createAccount(actor, { name: 'Savings', accountNumber: '1111222233' });
    });
    await expect(send(bankAccountId, stopped)).rejects.toMatchObject({ code: 'RESOURCE_CONFLICT' });
    expect((await linesOfAccount(bankAccountId)).total).toBe(0);
    expect(await last4Of(bankAccountId)).toBeNull();
  });
});

describe.each(ANY_DATABASE)('an import of a bank statement that runs (%s)', (kind) => {
  test('claims the number of the account, and its lines cannot be matched', async () => {
    const { core, actor, bankAccountId, send, last4Of } = await openShop(kind);
    const running = upload(statementOf('1111222233'), async () => {
      expect(await last4Of(bankAccountId)).toBeNull();
      await expect(core.bank.createAccount(actor, { name: 'Savings', accountNumber: '1111222233' })).rejects.toMatchObject({
        code: 'RESOURCE_CONFLICT',
        details: { bankAccountId },
      });
      const { items } = await core.bank.lines(actor, { bankAccountId }, { page: 1, limit: 1 });
      const lineId = items[0]?.lineId as string;
      await expect(core.bank.match(actor, lineId, { parts: [{ kind: 'own' }] })).rejects.toMatchObject({
        code: 'RESOURCE_CONFLICT',
        details: { reason: 'importing' },
      });
    });
    expect(await send(bankAccountId, running)).toMatchObject({ added: LINES });
    expect(await last4Of(bankAccountId)).toBe('2233');
  });

  test('is a repeat if another import of its file is completed before its own check', async () => {
    const { bankAccountId, send, linesOfAccount } = await openShop(kind);
    const content = statementOf('1111222233', linesOf(5));
    const overtaken = upload(
      content,
      async () => {
        expect(await send(bankAccountId, upload(content))).toMatchObject({ added: 5, repeated: false });
      },
      CHECKING,
    );
    expect(await send(bankAccountId, overtaken)).toMatchObject({ added: 0, repeated: true });
    expect((await linesOfAccount(bankAccountId)).total).toBe(5);
  });

  test('makes another statement of the account wait, so that a line of both is kept if the first import fails', async () => {
    const { bankAccountId, send, linesOfAccount } = await openShop(kind);
    let second: Promise<unknown> | undefined;
    const first = upload(statementOf('1111222233'), async () => {
      const file = upload(statementOf('1111222233', linesOf(5)));
      second = send(bankAccountId, file);
      second.catch(() => {});
      await vi.waitFor(() => expect(file.readings()).toBe(CHECKING), { timeout: 50_000 });
      throw new Error('the disk cannot be read');
    });
    await expect(send(bankAccountId, first)).rejects.toThrow('the disk cannot be read');
    expect(await second).toMatchObject({ added: 5 });
    expect((await linesOfAccount(bankAccountId)).total).toBe(5);
  });
});
