import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceError } from '#core/kernel';
import { ANY_DATABASE, FULL } from '../../../support/tier.ts';
import type { ReaderBench } from './bench.ts';
import { openNexoBench } from './nexo-bench.ts';
import { openNmiBench } from './nmi-bench.ts';
import type { PaymentOperation } from './rows.ts';
import { AMOUNT, type BenchName, type Outcome, type Play, ROWS, type Row } from './rows.ts';
import { openSandboxBench } from './sandbox-bench.ts';

const OPERATIONS = ['sale', 'auth', 'credit'] as const satisfies readonly PaymentOperation[];
const BENCHES = [
  ['sandbox', openSandboxBench],
  ['NMI', openNmiBench],
  ['nexo', openNexoBench],
] as const satisfies readonly (readonly [BenchName, unknown])[];

const outcomeOf = ({ outcome }: Row, name: BenchName): Outcome => ('state' in outcome ? outcome : outcome[name]);

/** Plays a row on a new reader and returns how its payment ended. */
async function played(bench: ReaderBench, row: Row, operation: PaymentOperation) {
  const terminalId = await bench.pair();
  const { core, actor } = bench;
  let transactionId = '';
  const send = ({ asksTip, allowPartialApproval }: Parameters<Play['start']>[0] = {}) => {
    const amount = AMOUNT / 100;
    if (operation === 'credit') return core.payments.createCreditOnTerminal(actor, { terminalId, amount });
    const method = { kind: 'terminal', terminalId, asksTip } as const;
    return core.payments.createPayment(actor, { type: operation, amount, method, allowPartialApproval, source: 'terminal' });
  };
  const refusalOf = (error: unknown) => {
    if (error instanceof ServiceError) return error;
    throw error;
  };
  await row.play({
    bench,
    operation,
    terminalId,
    async start(more) {
      const started = await send(more).catch(refusalOf);
      transactionId = started instanceof ServiceError ? String(started.details?.transactionId) : started.transactionId;
    },
    async startAgain() {
      const second = await send().catch(refusalOf);
      return second instanceof ServiceError ? String(second.details?.reason) : 'no refusal';
    },
    act: (step) => bench.act(terminalId, step),
    cancel: async () => void (await core.payments.cancelAtTerminal(actor, { transactionId }).catch(refusalOf)),
    wait: (seconds) => bench.pass(seconds * 1_000),
  });
  const payment = await core.payments.get(actor, transactionId);
  const { status, terminal, declineCode, captured } = payment;
  return {
    payment,
    status,
    captured,
    state: terminal?.state,
    by: terminal?.canceledBy ?? undefined,
    entryMode: terminal?.entryMode ?? undefined,
    declineCode: declineCode ?? undefined,
    charged: await bench.charged(payment),
    entries: await bench.entries(payment),
  };
}

const STATUSES = {
  approved: 'approved',
  declined: 'declined',
  canceled: 'failed',
  reader_error: 'failed',
  unconfirmed: 'pending',
} as const;

/** Returns the operations of a row that the readers of a connector have. Those in the local network cannot authorize. */
const operationsOf = ({ operations = OPERATIONS }: Row, name: BenchName) => operations.filter((each) => name !== 'nexo' || each !== 'auth');
/** Operations that the everyday run plays a row with; the full tier plays it with every one. */
const everyDay = (row: Row, index: number, name: BenchName) => {
  const operations = operationsOf(row, name);
  return [operations[index % operations.length] as PaymentOperation];
};

describe.each(BENCHES)('card readers of %s', (name, open) => {
  describe.each(ANY_DATABASE)('(%s)', (database) => {
    let bench: ReaderBench;
    beforeAll(async () => {
      bench = await open(database);
    });
    afterAll(() => bench.close());

    async function check(row: Row, operation: PaymentOperation): Promise<void> {
      const expected = outcomeOf(row, name);
      const result = await played(bench, row, operation);
      expect(result, row.fault).toMatchObject({ ...expected, status: STATUSES[expected.state] });
      expect(result.captured, 'captured').toBe(expected.state === 'approved' && operation === 'sale');
      expect(result.entries, 'sent once').toBeLessThanOrEqual(1);
      if (expected.state === 'approved') expect(result.payment.amount.minor, 'the amount of the answer').toBe(expected.charged);
    }

    const rows = ROWS.filter(({ lacks }) => lacks?.[name] === undefined);
    const cells = (run: (row: Row, index: number) => readonly PaymentOperation[]) =>
      rows.flatMap((row, index) => run(row, index).map((operation) => [row.group, row.fault, operation, row] as const));

    test.each(cells((row, index) => everyDay(row, index, name)))(
      '%i. %s (%s) has its stated result, and is sent once',
      (_group, _fault, operation, row) => check(row, operation),
    );
    test.each(cells((row, index) => operationsOf(row, name).filter((each) => !everyDay(row, index, name).includes(each))))(
      '%i. %s (%s) has its stated result, and is sent once, in the whole table',
      FULL,
      (_group, _fault, operation, row) => check(row, operation),
    );

    test('19. a wrong or expired code, or a reader of another account, pairs nothing', async () => {
      for (const code of ['expired', 'wrong', 'taken'] as const) {
        const before = (await bench.core.terminals.page(bench.actor, {}, { page: 1, limit: 100 })).total;
        await expect(bench.pair(code)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
        expect((await bench.core.terminals.page(bench.actor, {}, { page: 1, limit: 100 })).total).toBe(before);
      }
    });

    test('19. a reader that was exchanged for one with the same name is another reader', async () => {
      const [first, second] = [await bench.pair(), await bench.pair()];
      expect(await bench.core.terminals.deviceOf(bench.actor, first)).not.toBe(await bench.core.terminals.deviceOf(bench.actor, second));
    });
  });
});

test('every group of faults that a connector here can have is in the table', () => {
  const groups = new Set([...ROWS.map(({ group }) => group), 19]);
  expect([...groups].toSorted((left, right) => left - right)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
});
