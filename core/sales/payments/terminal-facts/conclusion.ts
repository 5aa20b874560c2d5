import type { CardPresent, Outcome } from '#core/processing/gateways';
import type { Channel } from '#shared/channels';
import type { Canceler, EntryMode, TerminalPaymentState } from '#shared/terminals';
import type { TerminalOutcome } from '../outcome.ts';
import type { TransactionRow } from '../schema.ts';
import { approvedAmount } from './amounts.ts';
import { changedFacts, factsOf, isAtTerminal, type TerminalFacts } from './facts.ts';

const CHANNELS: Readonly<Record<EntryMode, Channel>> = { chip: 'chip', contactless: 'contactless', swipe: 'swipe', keyed: 'counter' };

/** Returns the amount of a payment after its outcome, and the facts of one on a reader, which is free again. */
export function concludedColumns(row: TransactionRow, outcome: TerminalOutcome): Partial<TransactionRow> {
  const approved = outcome.kind === 'approved' && outcome.charged !== undefined ? approvedAmount(row, outcome) : null;
  if (!isAtTerminal(row)) return approved ?? {};
  const card = 'cardPresent' in outcome ? outcome.cardPresent : undefined;
  const facts = changedFacts(row, {
    state: stateAfter(outcome),
    canceledBy: cancelerOf(outcome),
    ...(card && cardFacts(card)),
    ...(approved && factsOf(row).changes?.tip && { tipMinor: approved.tip_minor - row.tip_minor }),
  });
  return { terminal: facts, terminal_until_ms: null, ...(card && cardColumns(card)), ...approved };
}

function stateAfter(outcome: TerminalOutcome): TerminalPaymentState {
  if (outcome.kind !== 'not-sent') return outcome.kind;
  return outcome.canceledBy === undefined ? 'reader_error' : 'canceled';
}

const cancelerOf = (outcome: Outcome): Canceler | null => (outcome.kind === 'not-sent' ? (outcome.canceledBy ?? null) : null);

const cardFacts = ({ entryMode, applicationLabel, applicationId, verification, funding }: CardPresent): Partial<TerminalFacts> => ({
  entryMode: entryMode ?? null,
  applicationLabel: applicationLabel ?? null,
  applicationId: applicationId ?? null,
  verification: verification ?? null,
  funding: funding ?? null,
});

const cardColumns = ({ entryMode, brand, last4, expiryMonth, expiryYear }: CardPresent): Partial<TransactionRow> => ({
  card_brand: brand,
  last4,
  ...(expiryMonth && expiryYear && { card_expiry: `${expiryMonth}/${expiryYear}` }),
  ...(entryMode && { channel: CHANNELS[entryMode] }),
});
