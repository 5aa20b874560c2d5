import { READABLE_PAYOUTS } from '#core/books/settlement';
import type { Work } from '#core/database';
import { queriesOn, TENANT } from '#core/database';
import { type Actor, amountAboveLimit, type Currency, isoTime, type Money, money, newId, parseMoney, ServiceError } from '#core/kernel';
import type { BankTransferKind } from '#core/records/ledger';
import { checkOpen } from './close/locks.ts';
import type { Caller, Dependencies } from './dependencies.ts';
import { recountLine } from './line-counters.ts';
import { requestSuggestions } from './matching/refresh.ts';
import { removeSuggestion } from './matching/stored-suggestions.ts';
import { type BankRule, learnRule } from './rules.ts';
import {
  BANK_ACCOUNTS,
  BANK_LINES,
  BANK_MATCHES,
  BANK_PAYOUTS,
  BANK_STATEMENTS,
  type BankLineRow,
  type BankMatchRow,
  type PartKind,
} from './schema.ts';

const PARTS_MAX = 50;
const NOTE_MAX = 500;

/** A part of a line to explain. Amounts are positive decimals; the line has the sign. */
interface PartInput {
  readonly kind: PartKind;
  /** Required for the kind `payout`. */
  readonly payoutId?: string;
  /** Part of the line; by default everything that remains of it. */
  readonly amount?: string | number;
  /** Fee that was withheld from the payout before it reached the bank. */
  readonly fee?: string | number;
}

export interface MatchInput {
  readonly parts: readonly PartInput[];
  readonly note?: string;
}

/** Result of a match. */
export interface Matched {
  readonly lineId: string;
  /** Rule that was learned from it; null if none was. */
  readonly rule: BankRule | null;
}

interface Part {
  readonly kind: PartKind;
  readonly payoutId: string | null;
  /** Positive, in minor units. */
  readonly minor: number;
  readonly withheld: number;
}

const payouts = queriesOn(READABLE_PAYOUTS);

/** Returns a line that the caller may access. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function lineOf(deps: Dependencies, actor: Caller, lineId: string): Promise<BankLineRow> {
  const row = await deps.database.read(actor.tenantId).one(BANK_LINES, { id: lineId });
  if (!row) throw noLine(lineId);
  await deps.merchantFor(actor, row.merchant_id);
  return row;
}

const noLine = (lineId: string) => new ServiceError('NOT_FOUND', `There is no bank line ${lineId.slice(0, 60)}.`, { details: { lineId } });

/** Locks a line of an account. @throws ServiceError NOT_FOUND if the line was removed in the meantime, or its account was. */
async function lockLine(work: Work, lineId: string): Promise<BankLineRow> {
  const line = await work.lockOne(BANK_LINES, { id: lineId });
  const account = line && (await work.one(BANK_ACCOUNTS, { id: line.account_id, removed_at: null }));
  if (!line || !account) throw noLine(lineId);
  return line;
}

/** Checks that the import of a line is complete: the lines of an import that fails are removed. @throws ServiceError RESOURCE_CONFLICT. */
async function checkImported(work: Work, { id, statement_id }: BankLineRow): Promise<void> {
  const statement = await work.one(BANK_STATEMENTS, { id: statement_id });
  if (statement?.status === 'ready') return;
  throw new ServiceError(
    'RESOURCE_CONFLICT',
    'The statement of this bank line is being imported. Match the line when the import is complete.',
    {
      details: { reason: 'importing', lineId: id },
    },
  );
}

/**
 * Explains a line by payouts and other parts, and posts them to the ledger. Matches of a merchant run one after another, so that parallel requests
 * for the same line make one match. @throws ServiceError INVALID_AMOUNT (422) above what remains of the line or a payout; RESOURCE_CONFLICT if the
 * line is matched or its period is closed.
 */
export async function matchLine(deps: Dependencies, actor: Actor, lineId: string, input: MatchInput): Promise<Matched> {
  const { merchant_id: merchantId } = await lineOf(deps, actor, lineId);
  const note = input.note?.trim() || null;
  if (input.parts.length === 0 || input.parts.length > PARTS_MAX)
    throw new ServiceError('VALIDATION_ERROR', `\`parts\` must have 1 to ${PARTS_MAX} entries.`, { field: 'parts' });
  if ((note?.length ?? 0) > NOTE_MAX)
    throw new ServiceError('VALIDATION_ERROR', `\`note\` must have at most ${NOTE_MAX} characters.`, { field: 'note' });
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, merchantId);
    const line = await lockLine(work, lineId);
    if (line.state === 'matched')
      throw new ServiceError('RESOURCE_CONFLICT', 'This bank line is already matched.', { details: { lineId } });
    await checkImported(work, line);
    await checkOpen(work, merchantId, line.booked_day);
    const parts = partsOf(line, input.parts);
    const matches: BankMatchRow[] = [];
    for (const part of parts) matches.push(await postPart(deps, work, actor, line, part, note));
    const matched = Number(line.matched_minor) + sumOf(matches, () => true);
    const unrelated = Number(line.unrelated_minor) + sumOf(matches, ({ kind }) => kind === 'own' || kind === 'ignore');
    const isWhole = matched === Number(line.amount_minor);
    await changeLine(work, line, { matched_minor: matched, unrelated_minor: unrelated, state: isWhole ? 'matched' : 'open' });
    await removeSuggestion(work, line.id);
    const [only] = parts;
    const rule =
      isWhole && parts.length === 1 && only && only.kind !== 'payout' && Number(line.matched_minor) === 0
        ? await learnRule(deps, work, actor, line, only.kind)
        : null;
    // A part that remains, a new rule, and other lines that named the same payout get other suggestions.
    if (!isWhole || rule) await requestSuggestions(deps, work, line.account_id);
    deps.audit(work, {
      actor,
      action: 'bank_line.matched',
      resource: `settlement/bank-lines/${line.id}`,
      merchantId,
      before: { matched: line.matched_minor },
      after: {
        matched,
        parts: matches.map(({ kind, payout_id, amount_minor, withheld_minor }) => ({
          kind,
          payoutId: payout_id,
          amount: amount_minor,
          withheld: withheld_minor,
        })),
        note,
        ...(rule ? { ruleId: rule.ruleId } : {}),
      },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', merchantId));
    return { lineId: line.id, rule };
  });
}

/** Updates a line and its counters. */
async function changeLine(
  work: Work,
  line: BankLineRow,
  set: Pick<BankLineRow, 'matched_minor' | 'unrelated_minor' | 'state'>,
): Promise<void> {
  await work.update(BANK_LINES, { id: line.id }, set);
  recountLine(work, line, { ...line, ...set });
}

const sumOf = (matches: readonly BankMatchRow[], isCounted: (row: BankMatchRow) => boolean) =>
  matches.reduce((sum, row) => sum + (isCounted(row) ? Number(row.amount_minor) : 0), 0);

/** Parses the parts of a match and checks their sum. */
function partsOf(line: BankLineRow, inputs: readonly PartInput[]): Part[] {
  const currency = line.currency as Currency;
  const available = money(Math.abs(Number(line.amount_minor) - Number(line.matched_minor)), currency);
  const parts = inputs.map(({ kind, payoutId, amount, fee }, index): Part => {
    const field = `parts.${index}`;
    if ((kind === 'payout') !== (payoutId !== undefined))
      throw new ServiceError('VALIDATION_ERROR', '`payoutId` is required for a part of the kind `payout`, and for no other.', {
        field: `${field}.payoutId`,
      });
    if (kind === 'payout' && Number(line.amount_minor) < 0)
      throw new ServiceError('VALIDATION_ERROR', 'A debit cannot be a payout.', { field: `${field}.kind` });
    if (fee !== undefined && kind !== 'payout')
      throw new ServiceError('VALIDATION_ERROR', '`fee` is withheld from a payout only.', { field: `${field}.fee` });
    if (amount === undefined && inputs.length > 1)
      throw new ServiceError('REQUIRED_FIELD_MISSING', '`amount` is required for each of several parts.', { field: `${field}.amount` });
    return {
      kind,
      payoutId: payoutId ?? null,
      minor: amount === undefined ? available.minor : parseMoney(amount, currency, `${field}.amount`).minor,
      withheld: fee === undefined ? 0 : parseMoney(fee, currency, `${field}.fee`).minor,
    };
  });
  const sum = parts.reduce((total, { minor }) => total + minor, 0);
  if (sum > available.minor)
    throw amountAboveLimit('The parts exceed what remains of the bank line.', { availableToMatch: available }, 'parts');
  return parts;
}

async function postPart(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  line: BankLineRow,
  { kind, payoutId, minor, withheld }: Part,
  note: string | null,
): Promise<BankMatchRow> {
  if (payoutId !== null) await coverPayout(work, line, payoutId, minor + withheld);
  const now = deps.clockOf(actor.tenantId).now();
  const row: BankMatchRow = {
    tenant_id: actor.tenantId,
    id: newId('bmt', now),
    account_id: line.account_id,
    merchant_id: line.merchant_id,
    line_id: line.id,
    kind,
    payout_id: payoutId,
    amount_minor: Number(line.amount_minor) < 0 ? -minor : minor,
    withheld_minor: withheld,
    state: 'posted',
    day: line.booked_day,
    note,
    created_at: isoTime(now),
    created_by: actor.name,
    undone_at: null,
    undone_by: null,
  };
  work.insert(BANK_MATCHES, row);
  postMovements(deps, work, row, line.currency as Currency, isoTime(now));
  return row;
}

/** Adds to the covered part of a payout. @throws ServiceError if it is not a paid payout of the merchant, or for INVALID_AMOUNT (422). */
async function coverPayout(work: Work, line: BankLineRow, payoutId: string, minor: number): Promise<void> {
  const payout = await work.row(
    payouts
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

/** Posts the movements of a match: paid out to bank, and bank to fees or chargebacks. Lines that are unrelated to payments move nothing. */
function postMovements(deps: Dependencies, work: Work, row: BankMatchRow, currency: Currency, at: string, isUndone = false): void {
  const entry = (name: string, kind: 'deposit' | 'fee' | 'chargeback', minor: number) => {
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
  if (row.kind === 'payout') {
    entry('deposit', 'deposit', amount + withheld);
    entry('fee', 'fee', withheld);
  }
  if (row.kind === 'fee' || row.kind === 'chargeback') entry(row.kind, row.kind, -amount);
}

/**
 * Undoes the matches of a line: opposite movements are posted, and the line and its payouts are open again. @throws ServiceError RESOURCE_CONFLICT if
 * the line has no match or its period is closed.
 */
export async function undoMatch(deps: Dependencies, actor: Actor, lineId: string): Promise<Matched> {
  const { merchant_id: merchantId } = await lineOf(deps, actor, lineId);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, merchantId);
    const line = await lockLine(work, lineId);
    const matches = await work.find(BANK_MATCHES, { line_id: lineId, state: 'posted' });
    if (matches.length === 0)
      throw new ServiceError('RESOURCE_CONFLICT', 'This bank line has no match that can be undone.', { details: { lineId } });
    await checkOpen(work, merchantId, line.booked_day);
    const at = isoTime(deps.clockOf(actor.tenantId).now());
    for (const row of matches) {
      await work.update(BANK_MATCHES, { id: row.id }, { state: 'undone', undone_at: at, undone_by: actor.name });
      postMovements(deps, work, row, line.currency as Currency, at, true);
      if (row.payout_id !== null) await uncoverPayout(work, row.payout_id, Number(row.amount_minor) + Number(row.withheld_minor));
    }
    await changeLine(work, line, { matched_minor: 0, unrelated_minor: 0, state: 'open' });
    await removeSuggestion(work, lineId);
    await requestSuggestions(deps, work, line.account_id);
    deps.audit(work, {
      actor,
      action: 'bank_line.match_undone',
      resource: `settlement/bank-lines/${lineId}`,
      merchantId,
      before: { matched: line.matched_minor },
      after: { matched: 0, matchIds: matches.map(({ id }) => id) },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', merchantId));
    return { lineId, rule: null };
  });
}

async function uncoverPayout(work: Work, payoutId: string, minor: number): Promise<void> {
  const covered = await work.one(BANK_PAYOUTS, { payout_id: payoutId });
  if (covered) await work.update(BANK_PAYOUTS, { payout_id: payoutId }, { matched_minor: Number(covered.matched_minor) - minor });
}

/** Returns the absolute part of a line without a match. */
export const remainingOf = (row: BankLineRow): Money =>
  money(Number(row.amount_minor) - Number(row.matched_minor), row.currency as Currency);
