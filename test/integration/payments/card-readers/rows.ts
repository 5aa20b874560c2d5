import type { TerminalOperation } from '../../../../core/processing/gateways/terminals.ts';
import type { ReaderBench, ReaderStep } from './bench.ts';

/** An operation that moves money. */
export type PaymentOperation = Exclude<TerminalOperation, 'verification'>;

/** A payment of a row: its reader, and how to start, cancel and wait. */
export interface Play {
  readonly bench: ReaderBench;
  readonly operation: PaymentOperation;
  readonly terminalId: string;
  /** Starts the payment of the row. */
  start(more?: { asksTip?: boolean; allowPartialApproval?: boolean }): Promise<void>;
  /** Starts another payment on the same reader and returns the reason of its refusal. */
  startAgain(): Promise<string>;
  act(step: ReaderStep): Promise<void>;
  /** Cancels at the till. A payment that ended before is no error. */
  cancel(): Promise<void>;
  /** Lets seconds pass, with the inquiries of that time. */
  wait(seconds: number): Promise<void>;
}

/** Outcome of a row, with the amount in the books of the processor in minor units. */
export interface Outcome {
  readonly state: 'approved' | 'declined' | 'canceled' | 'reader_error' | 'unconfirmed';
  readonly by?: 'customer' | 'clerk' | 'timeout';
  readonly charged: number;
  readonly entryMode?: string;
  readonly declineCode?: string;
}

export type BenchName = 'sandbox' | 'NMI' | 'nexo';

export interface Row {
  /** Group of faults: 1 outcomes, 2 issuer, 3 reading, 4 customer, 5 nobody, 6 and 7 cancel, 8 busy, 9 offline, 10 lost answer, and so on. */
  readonly group: number;
  readonly fault: string;
  readonly operations?: readonly PaymentOperation[];
  readonly play: (play: Play) => Promise<void>;
  readonly outcome: Outcome | Readonly<Record<BenchName, Outcome>>;
  /** Reason why a connector has no such fault. */
  readonly lacks?: Readonly<Partial<Record<BenchName, string>>>;
  /** True if the row waits for a reader for many simulated minutes; the everyday run plays it for one operation. */
  readonly isLong?: boolean;
}

export const AMOUNT = 2_000;
const TIP = 300;
const PAYMENTS = ['sale', 'auth'] as const;
/** Readers in the local network encrypt their messages. */
const ENCRYPTED = { sandbox: 'Its messages are not encrypted.', NMI: 'Its messages are not encrypted.' } as const;
const NO_WIRE = { sandbox: 'The simulator runs in the process, without a wire.' } as const;

const approved = (entryMode = 'chip', charged = AMOUNT): Outcome => ({ state: 'approved', charged, entryMode });
const declined = (declineCode: string): Outcome => ({ state: 'declined', charged: 0, declineCode });
const canceled = (by: NonNullable<Outcome['by']>): Outcome => ({ state: 'canceled', by, charged: 0 });
const READER_ERROR: Outcome = { state: 'reader_error', charged: 0 };

/** Returns a row in which the customer acts once the reader waits, and the reader is asked then. */
const steps = (group: number, fault: string, acts: readonly ReaderStep[], outcome: Row['outcome'], more: Partial<Row> = {}): Row => ({
  group,
  fault,
  outcome,
  async play({ start, act, wait }) {
    await start();
    for (const step of acts) await act(step);
    await wait(2);
  },
  ...more,
});

/** Returns a row of a fault of the wire while the card is charged. */
const onWire = (
  group: number,
  fault: string,
  wire: Parameters<NonNullable<ReaderBench['fault']>>[0],
  outcome: Outcome,
  lacks: Row['lacks'] = NO_WIRE,
): Row => ({
  group,
  fault,
  outcome,
  lacks,
  async play({ bench, start, act, wait }) {
    if (wire === 'start_lost') bench.fault?.(wire);
    await start();
    bench.fault?.(wire === 'start_lost' ? 'none' : wire);
    await act('chip');
    await wait(2);
    bench.fault?.(wire === 'other_names' ? wire : 'none');
    await wait(10);
  },
});

/** Starts a payment that changes its amount on the reader. */
const changing = (
  fault: string,
  more: Parameters<Play['start']>[0],
  acts: readonly ReaderStep[],
  outcome: Row['outcome'],
  group = 14,
): Row => ({
  group,
  fault,
  outcome,
  operations: PAYMENTS,
  async play({ start, act, wait }) {
    await start(more);
    for (const step of acts) await act(step);
    await wait(2);
    await wait(10);
  },
});

export const ROWS: readonly Row[] = [
  steps(1, 'chip with PIN', ['chip'], approved()),
  steps(1, 'chip with signature', ['chip_signature'], approved()),
  steps(1, 'contactless card', ['contactless'], approved('contactless')),
  steps(1, 'contactless with a phone', ['phone'], approved('contactless')),
  steps(1, 'swiped card', ['swipe'], approved('swipe')),
  steps(1, 'card keyed on the reader', ['keyed'], approved('keyed')),
  steps(2, 'declined by the issuer', ['declined'], declined('card_declined')),
  steps(2, 'insufficient funds', ['no_funds'], declined('insufficient_funds')),
  steps(2, 'expired card', ['expired'], declined('expired_card')),
  steps(2, 'stolen card', ['stolen'], declined('lost_stolen')),
  steps(2, 'wrong PIN, then the right one', ['wrong_pin', 'chip'], approved()),
  steps(2, 'PIN tries exceeded', ['pin_exceeded'], {
    sandbox: declined('restricted_card'),
    NMI: declined('card_declined'),
    nexo: declined('restricted_card'),
  }),
  steps(3, 'unreadable chip, then swiped', ['unreadable', 'swipe'], approved('swipe')),
  steps(3, 'card removed too early, then presented again', ['removed', 'chip'], approved()),
  steps(3, 'unsupported card', ['unsupported'], declined('restricted_card')),
  steps(4, 'customer cancels before the card', ['cancel'], canceled('customer')),
  steps(4, 'customer cancels after a wrong PIN', ['wrong_pin', 'cancel'], canceled('customer')),
  // A reader in the local network does not tell them apart.
  steps(5, 'nobody presents a card', ['time_out'], { sandbox: canceled('timeout'), NMI: canceled('timeout'), nexo: canceled('customer') }),
  {
    group: 6,
    fault: 'cancel of the till wins',
    outcome: canceled('clerk'),
    async play({ start, cancel, wait }) {
      await start();
      await cancel();
      await wait(2);
    },
  },
  {
    group: 7,
    fault: 'cancel of the till loses: approved after the cancel',
    outcome: approved(),
    async play({ start, act, cancel, wait }) {
      await start();
      await act('lost_answer');
      await cancel();
      await act('chip').catch(() => {});
      await wait(10);
    },
  },
  {
    group: 8,
    fault: 'busy with an earlier payment from Paydesk',
    outcome: approved(),
    async play({ start, startAgain, act, wait }) {
      await start();
      const reason = await startAgain();
      if (reason !== 'terminal_busy') throw new Error(`The second start got ${reason}.`);
      await act('chip');
      await wait(2);
    },
  },
  {
    group: 8,
    fault: "busy with another till's payment",
    outcome: READER_ERROR,
    async play({ bench, terminalId, start, wait }) {
      await bench.occupy(terminalId);
      await start();
      await wait(2);
    },
  },
  {
    group: 9,
    fault: 'offline before the start',
    outcome: READER_ERROR,
    async play({ act, start, wait }) {
      await act('unplug');
      await start();
      await wait(2);
    },
  },
  {
    group: 9,
    fault: 'offline during the dialog, result later',
    outcome: approved(),
    async play({ start, act, wait }) {
      await start();
      await act('disconnect');
      await wait(2);
      await act('connect');
      await wait(10);
      await act('chip');
      await wait(10);
    },
  },
  {
    group: 10,
    fault: 'host approved, answer lost',
    outcome: approved(),
    async play({ start, act, wait }) {
      await start();
      await act('lost_answer');
      await wait(2);
      await act('chip').catch(() => {});
      await wait(10);
    },
  },
  onWire(10, 'answer of the start lost, as after a kill', 'start_lost', { state: 'approved', charged: AMOUNT }),
  steps(11, 'host approved, chip refuses, reversed', ['reversed'], declined('card_declined')),
  {
    group: 11,
    fault: 'reversed after minutes',
    outcome: declined('card_declined'),
    lacks: { sandbox: 'The simulated reader reverses immediately.', nexo: 'The reader reverses before it has a result.' },
    async play({ start, act, wait }) {
      await start();
      await act('lost_answer');
      await wait(120);
      await act('reversed');
      await wait(10);
    },
  },
  {
    group: 12,
    fault: 'power lost in the dialog, not found afterwards',
    // The word of a reader that lost its power is no proof.
    outcome: { sandbox: READER_ERROR, NMI: READER_ERROR, nexo: { state: 'unconfirmed', charged: 0 } },
    isLong: true,
    async play({ start, act, wait }) {
      await start();
      await act('unplug');
      await wait(2);
      await act('connect');
      await wait(310);
      for (let inquiry = 0; inquiry < 4; inquiry += 1) await wait(600);
    },
  },
  {
    group: 13,
    fault: 'answer read ten times at once',
    outcome: approved(),
    async play({ start, act, wait }) {
      await start();
      await act('chip');
      await Promise.all(Array.from({ length: 10 }, () => wait(2)));
    },
  },
  onWire(13, 'answer of another payment', 'other_order', approved()),
  steps(13, 'in progress first, then the result', ['chip'], approved(), {
    async play({ start, act, wait }) {
      await start();
      await wait(2);
      await wait(2);
      await act('chip');
      await wait(2);
    },
  }),
  changing('tip added', { asksTip: true }, [{ tip: TIP / 100 }, 'chip'], approved('chip', AMOUNT + TIP)),
  changing('no tip chosen', { asksTip: true }, ['no_tip', 'chip'], approved()),
  changing('canceled while a tip is chosen', { asksTip: true }, ['cancel'], canceled('customer')),
  changing('tip above the limit', { asksTip: true }, [{ tip: AMOUNT / 100 + 1 }, 'chip'], {
    // The simulated reader knows the limit and asks again, so the card pays without a tip. A reader of NMI does not know it.
    sandbox: approved(),
    NMI: { state: 'declined', charged: 0, declineCode: 'card_declined' },
    // Its voids are not confirmed, so a person decides.
    nexo: { state: 'unconfirmed', charged: 2 * AMOUNT + 100 },
  }),
  // An authorization holds the whole amount.
  {
    ...changing('part approved and accepted', { allowPartialApproval: true }, ['part'], approved('chip', AMOUNT / 2), 15),
    operations: ['sale'],
  },
  changing(
    'part approved and not accepted',
    {},
    ['part'],
    {
      sandbox: { state: 'declined', charged: 0, declineCode: 'card_declined' },
      NMI: { state: 'declined', charged: 0, declineCode: 'card_declined' },
      nexo: { state: 'unconfirmed', charged: AMOUNT / 2 },
    },
    15,
  ),
  changing(
    'another amount than asked',
    {},
    ['other_amount'],
    {
      sandbox: { state: 'unconfirmed', charged: AMOUNT + 1 },
      NMI: { state: 'unconfirmed', charged: AMOUNT + 100 },
      nexo: { state: 'unconfirmed', charged: AMOUNT + 100 },
    },
    16,
  ),
  onWire(17, 'body breaks off', 'half_status', approved()),
  onWire(17, 'no answer to a question about the state', 'status_lost', approved()),
  onWire(17, 'unknown word for the state', 'odd_state', approved()),
  onWire(
    17,
    'end of the dialog without a transaction',
    'no_transaction',
    { state: 'approved', charged: AMOUNT },
    {
      ...NO_WIRE,
      nexo: 'A result without its amount stays so, for a person.',
    },
  ),
  onWire(
    17,
    'other spelling of the fields',
    'other_names',
    { state: 'approved', charged: AMOUNT },
    {
      ...NO_WIRE,
      nexo: 'Its fields have one spelling.',
    },
  ),
  {
    group: 18,
    fault: 'answer after 4 minutes and 59 seconds',
    outcome: { sandbox: canceled('timeout'), NMI: approved(), nexo: approved() },
    isLong: true,
    async play({ start, act, wait }) {
      await start();
      await wait(297);
      await act('chip').catch(() => {});
      await wait(2);
    },
  },
  {
    group: 18,
    fault: 'no answer ever: unconfirmed, and the reader is free',
    outcome: { state: 'unconfirmed', charged: 0 },
    lacks: { sandbox: 'The simulated reader ends a dialog after two minutes.' },
    isLong: true,
    async play({ start, wait }) {
      await start();
      await wait(301);
      await wait(10);
    },
  },
  {
    group: 20,
    fault: 'update in progress, battery or paper: the start is refused',
    outcome: READER_ERROR,
    lacks: NO_WIRE,
    async play({ bench, start, wait }) {
      bench.fault?.('updating');
      await start();
      bench.fault?.('none');
      await wait(2);
    },
  },
  onWire(21, 'wrong HMAC', 'wrong_hmac', approved(), ENCRYPTED),
  onWire(21, 'wrong key version', 'wrong_key_version', approved(), ENCRYPTED),
  onWire(21, 'outer header changed', 'wrong_header', approved(), ENCRYPTED),
  onWire(21, 'padding fault', 'wrong_padding', approved(), ENCRYPTED),
  onWire(21, 'old response replayed', 'replay', approved(), ENCRYPTED),
];
