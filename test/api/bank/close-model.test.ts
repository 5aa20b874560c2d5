import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BankLineRecord, type BankShop, importLines, listBankLines, type PayoutRecord, sendStatement } from '../../support/bank.ts';
import { ofx, type TruthLine } from '../../support/bank-files.ts';
import { ANY_DATABASE, expectData, expectError, sized } from '../../support/server.ts';
import { sell, settle } from '../../support/settlements.ts';
import { advanceClock } from '../../support/webhooks.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';

const FAULTS = ['none', 'none', 'missing', 'doubled', 'fee', 'swapped', 'combined', 'no_reference'] as const;
type Fault = (typeof FAULTS)[number];

interface Close {
  readonly closed: boolean;
  readonly figures: readonly {
    name: string;
    ledger: number | null;
    processor: number | null;
    bank: number | null;
    difference: number;
    state: string;
  }[];
  readonly blockers: readonly { kind: string; count: number }[];
  readonly adjustments: readonly unknown[];
  readonly history: readonly { state: string; reason: string | null }[];
}

/** A payout with the planted fault of its bank line. */
interface Planted {
  readonly payout: PayoutRecord;
  readonly day: string;
  readonly fault: Fault;
}

const DAY_SECONDS = 86_400;
const cents = (amount: number) => Math.round(amount * 100);
const dayAfter = (iso: string, days: number) =>
  new Date(Date.parse(`${iso.slice(0, 10)}T12:00:00Z`) + days * DAY_SECONDS * 1_000).toISOString().slice(0, 10);

/** Writes the bank's lines of the payouts with their faults. Fees and chargebacks are debits without a payout. */
function linesOf(planted: readonly Planted[], chargebacks: readonly { day: string; minor: number }[]): TruthLine[] {
  const lines: TruthLine[] = [];
  const credit = (day: string, minor: number, text: string) => lines.push({ day, minor, text, reference: `T${lines.length}` });
  for (const [index, { payout, day, fault }] of planted.entries()) {
    const booked = dayAfter(day, 1);
    const named = `PAYDESK PAYOUT ${payout.reference}`;
    const next = planted[index + 1];
    const previous = planted[index - 1];
    if (fault === 'missing' || previous?.fault === 'swapped' || previous?.fault === 'combined') continue;
    if (fault === 'swapped' && next) {
      credit(booked, cents(next.payout.amount), named);
      credit(dayAfter(next.day, 1), cents(payout.amount), `PAYDESK PAYOUT ${next.payout.reference}`);
    } else if (fault === 'combined' && next)
      credit(dayAfter(next.day, 1), cents(payout.amount) + cents(next.payout.amount), 'COLLECTIVE CREDIT');
    else if (fault === 'fee') credit(booked, cents(payout.amount) - 123, named);
    else credit(booked, cents(payout.amount), fault === 'no_reference' ? 'INCOMING TRANSFER' : named);
    if (fault === 'doubled') credit(booked, cents(payout.amount), named);
  }
  for (const { day, minor } of chargebacks) credit(day, -minor, 'CHARGEBACK DEBIT');
  return lines.toSorted((left, right) => (left.day < right.day ? -1 : left.day > right.day ? 1 : 0));
}

/** Removes faults that a neighbor's fault already affects, so that each is planted once. */
function plantable(faults: readonly Fault[]): Fault[] {
  const planted: Fault[] = [];
  for (const [index, fault] of faults.entries()) {
    const isPair = fault === 'swapped' || fault === 'combined';
    const isTaken = planted[index - 1] === 'swapped' || planted[index - 1] === 'combined';
    planted.push(isTaken || (isPair && index === faults.length - 1) ? 'none' : fault);
  }
  return planted;
}

describeWithLedger(
  'three-way close',
  (ledgerServer) => {
    test(
      'finds every planted fault of the bank, flags nothing else, and agrees on three sides after resolution',
      async () => {
        const { service } = ledgerServer();
        const { api } = service;
        const days = sized(14, 60);
        const [faultDraw, amountDraw] = fc.sample(
          fc.tuple(
            fc.array(fc.constantFrom(...FAULTS), { minLength: 60, maxLength: 60 }),
            fc.uniqueArray(fc.integer({ min: 2_000, max: 90_000 }), { minLength: 60, maxLength: 60 }),
          ),
          { numRuns: 1 },
        )[0] as [Fault[], number[]];
        // Each fault occurs, whatever is drawn.
        const faults = plantable([...FAULTS.slice(1, 8), 'none' as const, ...faultDraw].slice(0, days));
        const { merchantId } = service.credentials;
        const body = { merchantId, name: 'Checking', accountNumber: '9876543210' };
        const { bankAccountId } = await expectData(api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', body), 201);
        const shop: BankShop = { merchantId, bankAccountId };
        const planted: Planted[] = [];
        const sales: string[] = [];
        for (let index = 0; index < days; index += 1) {
          // No amount ends in .13, .14 or .15, which the sandbox processor reports wrong on purpose.
          // Neighbors differ by more than a fee.
          const drawn = (amountDraw[index] as number) % 400;
          const amount = (index % 2 === 0 ? 20 : 500) + drawn + (20 + (index % 70)) / 100;
          // Every fourth day, processors withhold a part of an earlier payment, or return what they withheld, and a payer gets a refund.
          const earlier = sales.at(index % 8 === 7 ? -6 : -2);
          if (index % 4 === 3 && earlier !== undefined) {
            const outcome = index % 8 === 7 ? { outcome: 'won' } : { amount: 5.25, reason: '13.1' };
            await expectData(api.admin.post('/sandbox/chargebacks', { transactionId: earlier, ...outcome }));
            await expectData(api.admin.post(`/transactions/${sales.at(-1)}/refund`, { amount: 1.1 }));
          }
          sales.push((await sell(service, merchantId, amount)).transactionId);
          await settle(service, merchantId);
          const payout = await expectData(api.admin.post<PayoutRecord>('/settlement/payout', { merchantId }));
          planted.push({ payout, day: payout.paidAt.slice(0, 10), fault: faults[index] as Fault });
          await advanceClock(service, DAY_SECONDS);
        }
        const chargebacks = planted.filter((_, index) => index % 5 === 2).map(({ day }) => ({ day: dayAfter(day, 1), minor: 1_500 }));
        const firstDay = (planted[0] as Planted).day;
        const lastDay = (planted.at(-1) as Planted).day;
        // The statements reach ten days beyond the last payout, so that every missing one is overdue.
        await advanceClock(service, 12 * DAY_SECONDS);
        const truth = [...linesOf(planted, chargebacks), { day: dayAfter(lastDay, 11), minor: -100, text: 'RENT', reference: 'T999' }];
        await importLines(service, shop, truth.slice(0, Math.ceil(truth.length / 2)));
        await expectData(
          sendStatement(service, shop, ofx({ account: '9876543210', opening: 0, lines: truth.slice(Math.ceil(truth.length / 3)) })),
        );
        const lines = (await listBankLines(service, shop)).toReversed();
        expect(lines).toHaveLength(truth.length);

        const accept = (line: BankLineRecord) =>
          expectData(
            api.admin.post(`/settlement/bank-lines/${line.lineId}/match`, {
              parts: (line.suggestion?.parts ?? []).map(({ kind, payout, amount, fee }) => ({
                kind,
                amount: Math.abs(amount),
                ...(payout ? { payoutId: payout.payoutId } : {}),
                ...(fee > 0 ? { fee } : {}),
              })),
            }),
          );
        const explain = (line: BankLineRecord, part: object) =>
          expectData(api.admin.post(`/settlement/bank-lines/${line.lineId}/match`, { parts: [part] }));
        const expectedReason = (fault: Fault) => ({ fee: 'fee', no_reference: 'amount' })[fault as string] ?? 'reference';
        const found = { duplicate: 0, amount_differs: 0, sum: 0, fee: 0 };
        for (const line of lines) {
          const reason = line.suggestion?.reason ?? null;
          if (reason !== null && reason in found) found[reason as keyof typeof found] += 1;
        }
        const count = (fault: Fault) => planted.filter((each) => each.fault === fault).length;
        expect(found).toEqual({
          duplicate: count('doubled'),
          amount_differs: 2 * count('swapped'),
          sum: count('combined'),
          fee: count('fee'),
        });
        // Nothing correct is flagged: each line of a correct payout has exactly its suggestion.
        for (const { payout, fault } of planted.filter((each) => ['none', 'no_reference', 'fee', 'doubled'].includes(each.fault))) {
          const suggested = lines.filter(({ suggestion }) => suggestion?.parts.some((part) => part.payout?.payoutId === payout.payoutId));
          const isInPair = planted.some(
            (each, index) => planted[index + 1]?.payout === payout && (each.fault === 'swapped' || each.fault === 'combined'),
          );
          if (!isInPair) expect(suggested.map(({ suggestion }) => suggestion?.reason)).toEqual([expectedReason(fault)]);
        }
        const openPayouts = await expectData(
          api.admin.get<{ payoutId: string; missing: boolean }[]>(`/settlement/bank-payouts?merchantId=${merchantId}`),
        );
        const missing = openPayouts.filter((payout) => payout.missing).map(({ payoutId }) => payoutId);
        for (const { payout, fault } of planted) if (fault === 'missing') expect(missing).toContain(payout.payoutId);

        // A person resolves what was found.
        for (const line of lines) if ((line.suggestion?.parts.length ?? 0) > 0) await accept(line);
        for (const [index, { payout, fault }] of planted.entries()) {
          if (fault !== 'swapped') continue;
          const other = (planted[index + 1] as Planted).payout;
          const lineNaming = (reference: string) => lines.find(({ text }) => text.includes(reference)) as BankLineRecord;
          await explain(lineNaming(payout.reference), { kind: 'payout', payoutId: other.payoutId });
          await explain(lineNaming(other.reference), { kind: 'payout', payoutId: payout.payoutId });
        }
        for (const line of await listBankLines(service, shop, 'state=open'))
          await explain(line, { kind: line.text.startsWith('CHARGEBACK') ? 'chargeback' : 'ignore' });
        // The bank pays the missing amounts after the complaint.
        const lateDay = dayAfter(lastDay, 12);
        const late = planted
          .filter(({ fault }) => fault === 'missing')
          .map(({ payout }, index) => ({
            day: lateDay,
            minor: cents(payout.amount),
            text: `LATE ${payout.reference}`,
            reference: `L${index}`,
          }));
        await advanceClock(service, 2 * DAY_SECONDS);
        if (late.length > 0) for (const line of await importLines(service, shop, late)) await accept(line);

        const months = [...new Set([firstDay, lastDay, lateDay].map((day) => day.slice(0, 7)))];
        const monthsBetween = months.toSorted();
        await advanceClock(service, 40 * DAY_SECONDS);
        let disputed = 0;
        for (const month of monthsBetween) {
          const read = async () => expectData(api.admin.get<Close>(`/settlement/close?month=${month}`));
          await expect.poll(async () => (await read()).blockers).toEqual([]);
          for (const { name, ledger, processor, bank, difference, state } of (await read()).figures) {
            expect({ name, difference, state }).toEqual({ name, difference: 0, state: 'balanced' });
            if (name === 'sales') expect(processor).toBe(ledger);
            if (name === 'disputes') disputed += ledger ?? 0;
            if (name === 'payouts' || name === 'bank') expect(bank).toBe(ledger);
          }
          expect((await expectData(api.admin.post<Close>('/settlement/close', { date: month }))).closed).toBe(true);
        }
        expect(disputed).toBeLessThan(0);
        expect(await ledgerServer().differences()).toEqual([]);

        // A closed month is locked; a later line is booked in the open month, and an owner can reopen with a reason.
        const [someLine] = lines as [BankLineRecord];
        const locked = await expectError(api.admin.delete(`/settlement/bank-lines/${someLine.lineId}/match`), 409, 'RESOURCE_CONFLICT');
        expect(locked.details?.period).toBe(someLine.day.slice(0, 7));
        await expectError(api.admin.post('/settlement/close', { date: someLine.day }), 409, 'RESOURCE_CONFLICT');
        const [lateLine] = await importLines(service, shop, [{ day: firstDay, minor: -250, text: 'FORGOTTEN FEE', reference: 'Z1' }]);
        expect(lateLine?.bookedDay.slice(0, 7)).not.toBe(firstDay.slice(0, 7));
        await explain(lateLine as BankLineRecord, { kind: 'fee' });
        await expectError(api.admin.post('/settlement/reopen', { date: monthsBetween[0], reason: ' ' }), 400, 'REQUIRED_FIELD_MISSING');
        const reopened = await expectData(
          api.admin.post<Close>('/settlement/reopen', { date: monthsBetween[0], reason: 'Bank corrected a line' }),
        );
        expect(reopened).toMatchObject({ closed: false, history: [{ state: 'reopened', reason: 'Bank corrected a line' }] });
        expect(await ledgerServer().differences()).toEqual([]);
      },
      sized(120_000, 600_000),
    );
  },
  'empty',
  ANY_DATABASE,
);
