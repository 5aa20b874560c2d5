import type { CardPresent, Outcome } from '#core/processing/gateways';
import type { Channel } from '#shared/channels';
import type { Canceler, EntryMode, TerminalPaymentState } from '#shared/terminals';
import type { TerminalOutcome } from '../outcome.ts';
import type { TerminalPayment } from '../records.ts';
import type { TransactionRow } from '../schema.ts';

/** Payment on a card reader, as its transaction stores it. */
interface TerminalFacts extends Omit<TerminalPayment, 'terminalId'> {
  /** The processor's IDs of the reader and of the dialog on it. */
  readonly deviceId: string;
  readonly requestId: string | null;
  /** Time at which it was sent, ISO 8601, real time. */
  readonly sentAt: string;
}

/** A row of a payment on a card reader. */
export type RowAtTerminal = TransactionRow & { readonly terminal_id: string; readonly terminal: string };

export const isAtTerminal = (row: TransactionRow): row is RowAtTerminal => row.terminal_id !== null && row.terminal !== null;

export const factsOf = ({ terminal }: Pick<RowAtTerminal, 'terminal'>): TerminalFacts => JSON.parse(terminal) as TerminalFacts;

/** Returns the column of a payment that is about to be sent to a reader. */
export function newFacts(name: string, deviceId: string, sentAt: string): string {
  return written({
    name,
    state: 'starting',
    deviceId,
    requestId: null,
    sentAt,
    canceledBy: null,
    entryMode: null,
    applicationLabel: null,
    applicationId: null,
    verification: null,
  });
}

const written = (facts: TerminalFacts): string => JSON.stringify(facts);

/** Returns the column with changed facts. */
export const changedFacts = (row: Pick<RowAtTerminal, 'terminal'>, changes: Partial<TerminalFacts>): string =>
  written({ ...factsOf(row), ...changes });

export function terminalPaymentOf(row: TransactionRow): TerminalPayment | null {
  if (!isAtTerminal(row)) return null;
  const { deviceId: _, requestId: __, sentAt: ___, ...shown } = factsOf(row);
  return { terminalId: row.terminal_id, ...shown };
}

const CHANNELS: Readonly<Record<EntryMode, Channel>> = { chip: 'chip', contactless: 'contactless', swipe: 'swipe', keyed: 'counter' };

/** Returns the columns of a payment on a reader after its outcome; none for another payment. The reader is free again. */
export function concludedColumns(row: TransactionRow, outcome: TerminalOutcome): Partial<TransactionRow> {
  if (!isAtTerminal(row)) return {};
  const card = 'cardPresent' in outcome ? outcome.cardPresent : undefined;
  const facts = changedFacts(row, { state: stateAfter(outcome), canceledBy: cancelerOf(outcome), ...(card && cardFacts(card)) });
  return { terminal: facts, terminal_until_ms: null, ...(card && cardColumns(card)) };
}

function stateAfter(outcome: TerminalOutcome): TerminalPaymentState {
  if (outcome.kind !== 'not-sent') return outcome.kind;
  return outcome.canceledBy === undefined ? 'reader_error' : 'canceled';
}

const cancelerOf = (outcome: Outcome): Canceler | null => (outcome.kind === 'not-sent' ? (outcome.canceledBy ?? null) : null);

const cardFacts = ({ entryMode, applicationLabel, applicationId, verification }: CardPresent): Partial<TerminalFacts> => ({
  entryMode: entryMode ?? null,
  applicationLabel: applicationLabel ?? null,
  applicationId: applicationId ?? null,
  verification: verification ?? null,
});

const cardColumns = ({ entryMode, brand, last4, expiryMonth, expiryYear }: CardPresent): Partial<TransactionRow> => ({
  card_brand: brand,
  last4,
  ...(expiryMonth && expiryYear && { card_expiry: `${expiryMonth}/${expiryYear}` }),
  ...(entryMode && { channel: CHANNELS[entryMode] }),
});
