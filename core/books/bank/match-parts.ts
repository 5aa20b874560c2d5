import { READABLE_INVOICES } from '#core/billing/invoicing';
import { READABLE_PAYOUTS } from '#core/books/settlement';
import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, amountAboveLimit, type Currency, isoTime, money, newId, parseMoney, ServiceError } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { BankTransferKind } from '#core/records/ledger';
import { READABLE_SHIFTS } from '#core/sales/shifts';
import { READABLE_TENDER_REFUNDS, READABLE_TENDERS } from '#core/sales/tenders';
import type { Dependencies } from './dependencies.ts';
import { remainingCash } from './matching/received-cash.ts';
import { BANK_DEPOSITS, BANK_MATCHES, BANK_PAYOUTS, type BankLineRow, type BankMatchRow, type PartKind } from './schema.ts';

/** A part of a line to explain. Amounts are positive decimals; the line has the sign. */
export interface PartInput {
  readonly kind: PartKind;
  /** Required for the kind `payout`. */
  readonly payoutId?: string;
  /** Required for the kind `invoice`. */
  readonly invoiceId?: string;
  /** Closed shift whose cash was deposited; the kind `cash` requires it or `tenderId`. */
  readonly shiftId?: string;
  /** Deposited check, or for a debit the check that the bank returned; required for the kind `check`. For `cash`, a payment in cash without a shift. */
  readonly tenderId?: string;
  /** Refund of a bank transfer that the debit pays; required for the kind `refund`. */
  readonly refundId?: string;
  /** Part of the line; by default everything that remains of it. */
  readonly amount?: string | number;
  /** Fee that was withheld from the payout before it reached the bank. */
  readonly fee?: string | number;
}

type Subject = 'payoutId' | 'invoiceId' | 'shiftId' | 'tenderId' | 'refundId';
/** The fields of which one names the record of a part. The other kinds have none. */
const SUBJECTS: Readonly<Partial<Record<PartKind, readonly Subject[]>>> = {
  payout: ['payoutId'],
  invoice: ['invoiceId'],
  cash: ['shiftId', 'tenderId'],
  check: ['tenderId'],
  refund: ['refundId'],
};
const SUBJECT_FIELDS = [...new Set(Object.values(SUBJECTS).flat())];
/** Kinds of parts that a debit can have, of those that name a record; a credit can have all but a refund. */
const OF_DEBITS: readonly PartKind[] = ['check', 'refund'];

interface Part {
  readonly kind: PartKind;
  /** ID of the payout, invoice, shift, tender or refund; null for other kinds. */
  readonly subjectId: string | null;
  /** True if the subject is a tender: a check, or cash without a shift. */
  readonly isTender: boolean;
  /** Positive, in minor units. */
  readonly minor: number;
  readonly withheld: number;
}

const queries = queriesOn(READABLE_PAYOUTS, READABLE_TENDERS, READABLE_TENDER_REFUNDS, READABLE_SHIFTS, READABLE_INVOICES);

/** Parses the parts of a match and checks their sum. @throws ServiceError VALIDATION_ERROR, REQUIRED_FIELD_MISSING, INVALID_AMOUNT. */
export function partsOf(line: BankLineRow, inputs: readonly PartInput[]): Part[] {
  const currency = line.currency as Currency;
  const available = money(Math.abs(Number(line.amount_minor) - Number(line.matched_minor)), currency);
  const parts = inputs.map((input, index): Part => {
    const { kind, amount, fee } = input;
    const field = `parts.${index}`;
    const allowed = SUBJECTS[kind] ?? [];
    const subject = allowed.find((name) => input[name] !== undefined) ?? allowed[0];
    for (const name of SUBJECT_FIELDS)
      if ((input[name] !== undefined) !== (name === subject))
        throw new ServiceError('VALIDATION_ERROR', `\`${name}\` belongs to a part of its kind, which requires it, and to no other part.`, {
          field: `${field}.${name}`,
        });
    const isDebit = Number(line.amount_minor) < 0;
    if (isDebit ? subject !== undefined && !OF_DEBITS.includes(kind) : kind === 'refund')
      throw new ServiceError(
        'VALIDATION_ERROR',
        isDebit ? `A debit cannot be of the kind \`${kind}\`.` : `A credit cannot be of the kind \`${kind}\`.`,
        { field: `${field}.kind` },
      );
    if (fee !== undefined && kind !== 'payout')
      throw new ServiceError('VALIDATION_ERROR', '`fee` is withheld from a payout only.', { field: `${field}.fee` });
    if (amount === undefined && inputs.length > 1)
      throw new ServiceError('REQUIRED_FIELD_MISSING', '`amount` is required for each of several parts.', { field: `${field}.amount` });
    return {
      kind,
      subjectId: subject === undefined ? null : (input[subject] as string),
      isTender: subject === 'tenderId',
      minor: amount === undefined ? available.minor : parseMoney(amount, currency, `${field}.amount`).minor,
      withheld: fee === undefined ? 0 : parseMoney(fee, currency, `${field}.fee`).minor,
    };
  });
  const sum = parts.reduce((total, { minor }) => total + minor, 0);
  if (sum > available.minor)
    throw amountAboveLimit('The parts exceed what remains of the bank line.', { availableToMatch: available }, 'parts');
  // Invoices are locked in one order by every unit of work.
  return parts.toSorted((one, other) => ((one.subjectId ?? '') < (other.subjectId ?? '') ? -1 : 1));
}

/** Records a part of a match with its effects, and posts its movements. */
export async function postPart(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  line: BankLineRow,
  { kind, subjectId, isTender, minor, withheld }: Part,
  note: string | null,
): Promise<BankMatchRow> {
  const id = subjectId ?? '';
  if (kind === 'payout') await coverPayout(work, line, id, minor + withheld);
  if (kind === 'cash') await coverDeposit(work, line, id, minor, await (isTender ? receivedCash : countedCash)(work, line, id));
  if (kind === 'check') await coverCheck(work, line, id, minor);
  if (kind === 'refund') await coverDeposit(work, line, id, minor, await refundedTransfer(work, line, id));
  const { currency, reference } = line;
  const tenderId =
    kind === 'invoice'
      ? await deps.invoicing.receiveTransfer(work, actor, merchant, { invoiceId: id, currency, amountMinor: minor, reference })
      : null;
  const now = deps.clockOf(actor.tenantId).now();
  const row: BankMatchRow = {
    tenant_id: actor.tenantId,
    id: newId('bmt', now),
    account_id: line.account_id,
    merchant_id: line.merchant_id,
    line_id: line.id,
    kind,
    payout_id: kind === 'payout' ? id : null,
    invoice_id: kind === 'invoice' ? id : null,
    tender_id: isTender ? id : tenderId,
    shift_id: kind === 'cash' && !isTender ? id : null,
    refund_id: kind === 'refund' ? id : null,
    amount_minor: Number(line.amount_minor) < 0 ? -minor : minor,
    withheld_minor: withheld,
    state: 'posted',
    day: line.booked_day,
    note,
    rule_changes: null,
    created_at: isoTime(now),
    created_by: actor.name,
    undone_at: null,
    undone_by: null,
  };
  work.insert(BANK_MATCHES, row);
  postMovements(deps, work, row, line.currency as Currency, isoTime(now));
  return row;
}

/** Undoes a part: its record is open again, and the opposite movements are posted. */
export async function undoPart(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  merchant: Merchant,
  line: BankLineRow,
  row: BankMatchRow,
): Promise<void> {
  const at = isoTime(deps.clockOf(actor.tenantId).now());
  await work.update(BANK_MATCHES, { id: row.id }, { state: 'undone', undone_at: at, undone_by: actor.name });
  postMovements(deps, work, row, line.currency as Currency, at, true);
  const minor = Number(row.amount_minor);
  const { kind, payout_id: payoutId, invoice_id: invoiceId, tender_id: tenderId } = row;
  if (payoutId !== null) await uncoverPayout(work, payoutId, minor + Number(row.withheld_minor));
  if (invoiceId !== null && tenderId !== null) await deps.invoicing.undoTransfer(work, actor, merchant, { invoiceId, tenderId });
  const depositId = kind === 'cash' || kind === 'check' ? (row.shift_id ?? tenderId) : null;
  if (depositId !== null) await uncoverDeposit(work, line, depositId, minor);
  if (row.refund_id !== null) await uncoverDeposit(work, line, row.refund_id, -minor);
}

/** Adds to the covered part of a payout. @throws ServiceError if it is not a paid payout of the merchant, or for INVALID_AMOUNT (422). */
async function coverPayout(work: Work, line: BankLineRow, payoutId: string, minor: number): Promise<void> {
  const payout = await work.row(
    queries
      .selectFrom('payouts')
      .select(['amount_minor', 'currency', 'status'])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', line.merchant_id)
      .where('id', '=', payoutId),
  );
  if (!payout) throw new ServiceError('NOT_FOUND', `There is no payout ${payoutId.slice(0, 60)}.`, { details: { payoutId } });
  if (payout.currency !== line.currency || payout.status !== 'paid')
    throw new ServiceError('RESOURCE_CONFLICT', 'Only a paid payout in the currency of the bank account can be matched.', {
      details: { payoutId },
    });
  const covered = await work.one(BANK_PAYOUTS, { payout_id: payoutId });
  const remaining = Number(payout.amount_minor) - Number(covered?.matched_minor ?? 0);
  if (remaining === 0)
    throw new ServiceError('RESOURCE_CONFLICT', 'This payout is already matched with a bank line.', { details: { payoutId } });
  if (minor > remaining)
    throw amountAboveLimit(
      'The amount and the fee exceed what remains of the payout.',
      { availableToMatch: money(remaining, line.currency as Currency), payoutId },
      'parts',
    );
  if (covered) await work.update(BANK_PAYOUTS, { payout_id: payoutId }, { matched_minor: Number(covered.matched_minor) + minor });
  else work.insert(BANK_PAYOUTS, { tenant_id: line.tenant_id, payout_id: payoutId, merchant_id: line.merchant_id, matched_minor: minor });
}

async function uncoverPayout(work: Work, payoutId: string, minor: number): Promise<void> {
  const covered = await work.one(BANK_PAYOUTS, { payout_id: payoutId });
  if (covered) await work.update(BANK_PAYOUTS, { payout_id: payoutId }, { matched_minor: Number(covered.matched_minor) - minor });
}

/** Returns the cash that left the drawer at the close of a shift. @throws ServiceError NOT_FOUND, RESOURCE_CONFLICT. */
async function countedCash(work: Work, line: BankLineRow, shiftId: string): Promise<number> {
  const shift = await work.row(
    queries
      .selectFrom('shifts')
      .select(['counted_minor', 'currency', 'status'])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', line.merchant_id)
      .where('id', '=', shiftId),
  );
  if (!shift) throw new ServiceError('NOT_FOUND', `There is no shift ${shiftId.slice(0, 60)}.`, { details: { shiftId } });
  if (shift.currency !== line.currency || shift.status !== 'closed')
    throw new ServiceError('RESOURCE_CONFLICT', 'Only the cash of a closed shift in the currency of the bank account can be matched.', {
      details: { shiftId },
    });
  return Number(shift.counted_minor);
}

/**
 * Returns the cash that remains of a payment without a shift: what was received, less what was returned from a drawer without a shift. @throws ServiceError
 * NOT_FOUND, RESOURCE_CONFLICT.
 */
async function receivedCash(work: Work, line: BankLineRow, tenderId: string): Promise<number> {
  const cash = await work.row(
    queries
      .selectFrom('tenders')
      .select(['id', 'currency', 'shift_id', 'amount_minor', 'rounding_minor', 'refunded_minor'])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', line.merchant_id)
      .where('id', '=', tenderId)
      .where('kind', '=', lit('cash')),
  );
  if (!cash) throw new ServiceError('NOT_FOUND', `There is no payment in cash ${tenderId.slice(0, 60)}.`, { details: { tenderId } });
  if (cash.currency !== line.currency || cash.shift_id !== null)
    throw new ServiceError(
      'RESOURCE_CONFLICT',
      'Only cash without a shift in the currency of the bank account can be matched. Other cash is in the count of its shift: match it with `shiftId`.',
      { details: { tenderId, shiftId: cash.shift_id } },
    );
  return (await remainingCash(work, [cash])).get(tenderId) ?? 0;
}

/** Returns the amount of a refund of a payment that a bank line made. @throws ServiceError NOT_FOUND, RESOURCE_CONFLICT. */
async function refundedTransfer(work: Work, line: BankLineRow, refundId: string): Promise<number> {
  const refund = await work.row(
    queries
      .selectFrom('tender_refunds')
      .select(['tender_id', 'amount_minor', 'currency', 'is_return', 'gift_card_id'])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', line.merchant_id)
      .where('id', '=', refundId),
  );
  if (!refund) throw new ServiceError('NOT_FOUND', `There is no refund ${refundId.slice(0, 60)}.`, { details: { refundId } });
  const paid = await work.find(BANK_MATCHES, { tender_id: refund.tender_id, kind: 'invoice', state: 'posted' });
  if (paid.length === 0 || refund.currency !== line.currency || refund.is_return === 1 || refund.gift_card_id !== null)
    throw new ServiceError(
      'RESOURCE_CONFLICT',
      'Only the refund of a bank transfer in the currency of the bank account can be matched. Cash, cards and store credit are refunded in another way.',
      { details: { reason: 'not_a_transfer', refundId } },
    );
  return Number(refund.amount_minor);
}

/**
 * Covers a check by the credit that deposits it, or takes this back by the debit of the bank that returns it. @throws ServiceError NOT_FOUND,
 * RESOURCE_CONFLICT, INVALID_AMOUNT (422).
 */
async function coverCheck(work: Work, line: BankLineRow, tenderId: string, minor: number): Promise<void> {
  const check = await work.row(
    queries
      .selectFrom('tenders')
      .select(['amount_minor', 'currency', 'returned_at'])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', line.merchant_id)
      .where('id', '=', tenderId)
      .where('kind', '=', lit('check')),
  );
  if (!check) throw new ServiceError('NOT_FOUND', `There is no check ${tenderId.slice(0, 60)}.`, { details: { tenderId } });
  if (check.currency !== line.currency)
    throw new ServiceError('RESOURCE_CONFLICT', 'Only a check in the currency of the bank account can be matched.', {
      details: { tenderId },
    });
  if (Number(line.amount_minor) > 0) return coverDeposit(work, line, tenderId, minor, Number(check.amount_minor));
  if (check.returned_at === null)
    throw new ServiceError('RESOURCE_CONFLICT', 'This check is not returned. Record the returned check first, then match the debit.', {
      details: { reason: 'not_returned', tenderId },
    });
  return uncoverDeposit(work, line, tenderId, minor);
}

/** Adds to the part of cash, a check or a refund that bank lines contain, at most its total. @throws ServiceError RESOURCE_CONFLICT, INVALID_AMOUNT (422). */
async function coverDeposit(work: Work, line: BankLineRow, subjectId: string, minor: number, total: number): Promise<void> {
  const covered = await work.one(BANK_DEPOSITS, { subject_id: subjectId });
  const remaining = total - Number(covered?.matched_minor ?? 0);
  if (remaining <= 0)
    throw new ServiceError('RESOURCE_CONFLICT', 'This deposit or refund is already matched with a bank line.', {
      details: { reason: 'deposited', subjectId },
    });
  if (minor > remaining)
    throw amountAboveLimit(
      'The amount exceeds what remains of the deposit or refund.',
      { availableToMatch: money(remaining, line.currency as Currency), subjectId },
      'parts',
    );
  const { tenant_id, merchant_id, currency } = line;
  if (covered) await work.update(BANK_DEPOSITS, { subject_id: subjectId }, { matched_minor: Number(covered.matched_minor) + minor });
  else work.insert(BANK_DEPOSITS, { tenant_id, subject_id: subjectId, merchant_id, currency, matched_minor: minor });
}

/**
 * Takes from the part of cash, a check or a refund that bank lines contain, at most all of it. A negative amount adds to it. @throws ServiceError
 * RESOURCE_CONFLICT.
 */
async function uncoverDeposit(work: Work, line: BankLineRow, subjectId: string, minor: number): Promise<void> {
  const matched = Number((await work.one(BANK_DEPOSITS, { subject_id: subjectId }))?.matched_minor ?? 0);
  if (minor > matched)
    throw new ServiceError(
      'RESOURCE_CONFLICT',
      'Matched bank lines contain less of this deposit. For a returned check, match the line of its deposit as `check` first; to undo that match, undo the match of the debit first.',
      { details: { reason: 'not_deposited', subjectId, availableToMatch: money(matched, line.currency as Currency) } },
    );
  await work.update(BANK_DEPOSITS, { subject_id: subjectId }, { matched_minor: matched - minor });
}

/**
 * Posts the movements of a match: paid out to bank, bank to fees, chargebacks or refunds, and transfers of customers and deposits to bank. Lines that are
 * unrelated to payments move nothing.
 */
function postMovements(deps: Dependencies, work: Work, row: BankMatchRow, currency: Currency, at: string, isUndone = false): void {
  const entry = (name: string, kind: 'deposit' | 'fee' | 'chargeback' | 'invoice' | 'cash' | 'check' | 'refund', minor: number) => {
    if (minor === 0) return;
    const isReversed = minor < 0 !== isUndone;
    deps.post(work, {
      tenantId: row.tenant_id,
      merchantId: row.merchant_id,
      id: `${row.id}/${name}${isUndone ? '/undone' : ''}`,
      kind: `bank_${kind}${isReversed ? '_reversed' : ''}` satisfies BankTransferKind,
      amount: money(Math.abs(minor), currency),
      subjectId: row.line_id,
      day: row.day,
      at,
    });
  };
  const amount = Number(row.amount_minor);
  const withheld = Number(row.withheld_minor);
  const { kind } = row;
  if (kind === 'payout') {
    entry('deposit', 'deposit', amount + withheld);
    entry('fee', 'fee', withheld);
  }
  if (kind === 'fee' || kind === 'chargeback' || kind === 'refund') entry(kind, kind, -amount);
  if (kind === 'invoice' || kind === 'cash' || kind === 'check') entry(kind, kind, amount);
}

/**
 * Returns the customer of all invoices of a match; null if they have several, if no part is an invoice, or if a part is less than half of its invoice: an
 * outsider could teach a text by a small payment.
 */
export async function payerOf(work: Work, matches: readonly BankMatchRow[]): Promise<string | null> {
  const customers = new Set<string | null>();
  for (const { invoice_id: id, amount_minor: minor } of matches) {
    if (id === null) continue;
    const invoice = await work.row(
      queries.selectFrom('invoices').select(['customer_id', 'amount_minor']).where('tenant_id', '=', TENANT).where('id', '=', id),
    );
    customers.add(invoice && Number(minor) * 2 >= Number(invoice.amount_minor) ? invoice.customer_id : null);
  }
  const [only = null] = customers;
  return customers.size === 1 ? only : null;
}
