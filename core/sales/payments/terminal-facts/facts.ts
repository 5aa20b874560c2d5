import { type Currency, money } from '#core/kernel';
import type { AllowedChanges } from '#core/processing/gateways';
import type { CardFunding } from '#shared/terminals';
import type { TerminalPayment } from '../records.ts';
import type { TransactionRow } from '../schema.ts';

/** Payment on a card reader, as its transaction stores it. */
export interface TerminalFacts extends Omit<TerminalPayment, 'terminalId' | 'requestedAmount' | 'tipAmount' | 'asksTip' | 'cardFunding'> {
  /** Amount that was sent to the reader, in minor units; absent in payments of earlier versions, whose amount did not change. */
  readonly requestedMinor?: number;
  /** Changes of the amount that the payment allows; absent if there are none. */
  readonly changes?: AllowedChanges;
  /** Tip that the customer chose on the reader, in minor units; absent before a choice. */
  readonly tipMinor?: number | null;
  /** Type of the card; absent if the processor does not state it. */
  readonly funding?: CardFunding | null;
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

type NewFacts = Pick<TerminalFacts, 'name' | 'deviceId' | 'sentAt'> & {
  readonly requestedMinor: number;
  readonly changes: AllowedChanges;
};

/** Returns the column of a payment that is about to be sent to a reader. */
export function newFacts({ name, deviceId, sentAt, requestedMinor, changes }: NewFacts): string {
  return written({
    name,
    requestedMinor,
    ...(Object.keys(changes).length > 0 && { changes }),
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
  const { name, state, canceledBy, entryMode, applicationLabel, applicationId, verification, ...facts } = factsOf(row);
  const currency = row.currency as Currency;
  return {
    terminalId: row.terminal_id,
    name,
    state,
    requestedAmount: money(facts.requestedMinor ?? row.amount_minor, currency),
    asksTip: facts.changes?.tip !== undefined,
    tipAmount: facts.tipMinor == null ? null : money(facts.tipMinor, currency),
    canceledBy,
    entryMode,
    applicationLabel,
    applicationId,
    verification,
    cardFunding: facts.funding ?? null,
  };
}
