import { partlyCommitted, type Read, type Work } from '#core/database';
import { type Actor, type Caller, type Currency, type Money, money, ServiceError } from '#core/kernel';
import { checkOpen } from './close/locks.ts';
import type { Dependencies } from './dependencies.ts';
import { recountLine } from './line-counters.ts';
import { type PartInput, partsOf, payerOf, postPart, undoPart } from './match-parts.ts';
import { requestSuggestions } from './matching/refresh.ts';
import { removeSuggestion } from './matching/stored-suggestions.ts';
import type { BankRule } from './records.ts';
import { laterTeacher } from './rule-teachers.ts';
import { forgetPayersIn, learnPayer, learnRule, NO_CHANGES, type RuleChanges, takeBack, toRule } from './rules.ts';
import { BANK_ACCOUNTS, BANK_LINES, BANK_MATCHES, BANK_STATEMENTS, type BankLineRow, type BankMatchRow } from './schema.ts';

const PARTS_MAX = 50;
const NOTE_MAX = 500;
const SERVER_ERROR = 500;
const PARTLY_MATCHED = 'The database failed after some of these bank lines were matched. Read the lines before you match the others.';

export interface MatchInput {
  readonly parts: readonly PartInput[];
  readonly note?: string;
}

/** Result of a match. */
export interface Matched {
  readonly lineId: string;
  /** Matches that were made or undone. */
  readonly matchIds: readonly string[];
  /** Rule that was learned from it; null if none was. */
  readonly rule: BankRule | null;
}

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

/** @throws ServiceError PERMISSION_DENIED for a caller who must not see the invoice that a line pays. */
function checkSeesInvoices({ permissions }: Pick<Actor, 'permissions'>): void {
  const permission = 'invoices:read';
  if (permissions.has(permission)) return;
  throw new ServiceError(
    'PERMISSION_DENIED',
    `This requires the permission ${permission}, which you do not have. Ask someone who has it.`,
    {
      details: { permission },
    },
  );
}

/** Checks that the import of a line is complete: the lines of an import that fails are removed. @throws ServiceError RESOURCE_CONFLICT. */
async function checkImported(read: Read, { id, statement_id }: BankLineRow): Promise<void> {
  const statement = await read.one(BANK_STATEMENTS, { id: statement_id });
  if (statement?.status === 'ready') return;
  throw new ServiceError(
    'RESOURCE_CONFLICT',
    'The statement of this bank line is being imported. Match the line when the import is complete.',
    {
      details: { reason: 'importing', lineId: id },
    },
  );
}

/** Checks that a line can be explained now. @throws ServiceError RESOURCE_CONFLICT if it is matched, being imported, or in a closed period. */
export async function checkMatchable(read: Read, line: BankLineRow): Promise<void> {
  if (line.state === 'matched')
    throw new ServiceError('RESOURCE_CONFLICT', 'This bank line is already matched.', { details: { lineId: line.id } });
  await checkImported(read, line);
  await checkOpen(read, line.merchant_id, line.booked_day);
}

/** Returns the posted matches of a line. */
export const postedMatches = (read: Read, lineId: string): Promise<BankMatchRow[]> =>
  read.find(BANK_MATCHES, { line_id: lineId, state: 'posted' }, { orderBy: [['id', 'asc']] });

/** Checks that matches of a line can be undone now. @throws ServiceError RESOURCE_CONFLICT, PERMISSION_DENIED. */
export async function checkUndoable(
  read: Read,
  actor: Pick<Actor, 'permissions'>,
  line: BankLineRow,
  matches: readonly BankMatchRow[],
): Promise<void> {
  if (matches.length === 0)
    throw new ServiceError('RESOURCE_CONFLICT', 'This bank line has no match that can be undone.', { details: { lineId: line.id } });
  if (matches.some(({ invoice_id }) => invoice_id !== null)) checkSeesInvoices(actor);
  await checkOpen(read, line.merchant_id, line.booked_day);
}

/**
 * Explains a line by payouts and other parts, and posts them to the ledger. Matches of a merchant run one after another, so that parallel requests
 * for the same line make one match. @throws ServiceError INVALID_AMOUNT (422) above what remains of the line or a payout; RESOURCE_CONFLICT if the
 * line is matched or its period is closed.
 */
export async function matchLine(deps: Dependencies, actor: Actor, lineId: string, input: MatchInput): Promise<Matched> {
  const { merchant_id: merchantId } = await lineOf(deps, actor, lineId);
  const merchant = await deps.merchantFor(actor, merchantId);
  if (input.parts.some(({ kind }) => kind === 'invoice')) checkSeesInvoices(actor);
  const note = input.note?.trim() || null;
  if (input.parts.length === 0 || input.parts.length > PARTS_MAX)
    throw new ServiceError('VALIDATION_ERROR', `\`parts\` must have 1 to ${PARTS_MAX} entries.`, { field: 'parts' });
  if ((note?.length ?? 0) > NOTE_MAX)
    throw new ServiceError('VALIDATION_ERROR', `\`note\` must have at most ${NOTE_MAX} characters.`, { field: 'note' });
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, merchantId);
    const line = await lockLine(work, lineId);
    await checkMatchable(work, line);
    const parts = partsOf(line, input.parts);
    const matches: BankMatchRow[] = [];
    for (const part of parts) matches.push(await postPart(deps, work, actor, merchant, line, part, note));
    const matched = Number(line.matched_minor) + sumOf(matches, () => true);
    const unrelated = Number(line.unrelated_minor) + sumOf(matches, isUnrelated);
    const isWhole = matched === Number(line.amount_minor);
    await changeLine(work, line, { matched_minor: matched, unrelated_minor: unrelated, state: isWhole ? 'matched' : 'open' });
    await removeSuggestion(work, line.id);
    const { learned, forgotten } = await learn(deps, work, actor, line, matches, isWhole);
    const rule = learned && toRule(learned);
    const [first] = matches;
    if (first && (learned !== null || forgotten.length > 0))
      await work.update(BANK_MATCHES, { id: first.id }, { rule_changes: JSON.stringify({ learned, forgotten }) });
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
        parts: matches.map(({ kind, payout_id, invoice_id, tender_id, shift_id, refund_id, amount_minor, withheld_minor }) => ({
          kind,
          payoutId: payout_id,
          ...(invoice_id !== null && { invoiceId: invoice_id }),
          ...(tender_id !== null && { tenderId: tender_id }),
          ...(shift_id !== null && { shiftId: shift_id }),
          ...(refund_id !== null && { refundId: refund_id }),
          amount: amount_minor,
          withheld: withheld_minor,
        })),
        note,
        ...(rule ? { ruleId: rule.ruleId } : {}),
      },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', merchantId));
    return { lineId: line.id, matchIds: matches.map(({ id }) => id), rule };
  });
}

/** Result of one line of `matchLines()`: its match, or the error that prevented it. */
export interface LineOutcome {
  readonly lineId: string;
  readonly matched: Matched | null;
  readonly error: ServiceError | null;
}

/**
 * Matches lines one after another, each in its own unit of work, so that a line that another person changed prevents no other. @throws ServiceError
 * VALIDATION_ERROR for a line that is given twice; SERVICE_UNAVAILABLE if the database fails after the first matches, which a repetition must not make
 * again.
 */
export async function matchLines(
  deps: Dependencies,
  actor: Actor,
  matches: readonly (MatchInput & { readonly lineId: string })[],
): Promise<LineOutcome[]> {
  const repeated = matches.findIndex(({ lineId }, index) => matches.findIndex((other) => other.lineId === lineId) < index);
  if (repeated >= 0)
    throw new ServiceError('VALIDATION_ERROR', 'A bank line can be matched once in a request.', { field: `matches.${repeated}.lineId` });
  const outcomes: LineOutcome[] = [];
  for (const { lineId, ...input } of matches) {
    try {
      outcomes.push({ lineId, matched: await matchLine(deps, actor, lineId, input), error: null });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status >= SERVER_ERROR)
        throw outcomes.some(({ matched }) => matched !== null) ? partlyCommitted(PARTLY_MATCHED, error) : error;
      outcomes.push({ lineId, matched: null, error });
    }
  }
  return outcomes;
}

/** Learns from a match who paid by a line, or what a line is that a person explained as a whole. */
async function learn(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  line: BankLineRow,
  matches: readonly BankMatchRow[],
  isWhole: boolean,
): Promise<RuleChanges> {
  const payer = await payerOf(work, matches);
  if (payer !== null) return learnPayer(deps, work, actor, line, payer);
  const isOther = isWhole && Number(line.matched_minor) === 0 && Number(line.amount_minor) > 0;
  const forgotten = isOther && matches.every(({ invoice_id }) => invoice_id === null) ? await forgetPayersIn(work, line) : [];
  const [only] = matches;
  if (!isWhole || matches.length > 1 || !only || Number(line.matched_minor) !== 0) return { learned: null, forgotten };
  const { kind } = only;
  const isLearned = kind === 'fee' || kind === 'chargeback' || kind === 'own' || kind === 'ignore';
  return { learned: isLearned ? await learnRule(deps, work, actor, line, kind) : null, forgotten };
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

const isUnrelated = ({ kind }: BankMatchRow) => kind === 'own' || kind === 'ignore';
const sumOf = (matches: readonly BankMatchRow[], isCounted: (row: BankMatchRow) => boolean) =>
  matches.reduce((sum, row) => sum + (isCounted(row) ? Number(row.amount_minor) : 0), 0);

/**
 * Undoes matches of a line, by default all: opposite movements are posted, the line, its payouts, invoices and deposits are open again, and rules that the
 * matches taught or removed are as before. @throws
 * ServiceError RESOURCE_CONFLICT if a match is not posted any more, its period is closed, or the payment of an invoice was refunded.
 */
export async function undoMatch(deps: Dependencies, actor: Actor, lineId: string, matchIds?: readonly string[]): Promise<Matched> {
  const { merchant_id: merchantId } = await lineOf(deps, actor, lineId);
  const merchant = await deps.merchantFor(actor, merchantId);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await deps.lockMerchant(work, merchantId);
    const line = await lockLine(work, lineId);
    const posted = await postedMatches(work, lineId);
    const matches = matchIds === undefined ? posted : posted.filter(({ id }) => matchIds.includes(id));
    const missing = matchIds?.find((matchId) => !posted.some(({ id }) => id === matchId));
    if (missing !== undefined)
      throw new ServiceError('RESOURCE_CONFLICT', 'This match of the bank line is undone already, or belongs to another line.', {
        details: { lineId, matchId: missing.slice(0, 60) },
      });
    await checkUndoable(work, actor, line, matches);
    const ordered = matches.toSorted((one, other) => ((one.invoice_id ?? '') < (other.invoice_id ?? '') ? -1 : 1));
    for (const row of ordered) await undoPart(deps, work, actor, merchant, line, row);
    for (const row of ordered) await takeBackRules(work, row);
    const matched = Number(line.matched_minor) - sumOf(matches, () => true);
    const unrelated = Number(line.unrelated_minor) - sumOf(matches, isUnrelated);
    await changeLine(work, line, { matched_minor: matched, unrelated_minor: unrelated, state: 'open' });
    await removeSuggestion(work, lineId);
    await requestSuggestions(deps, work, line.account_id);
    deps.audit(work, {
      actor,
      action: 'bank_line.match_undone',
      resource: `settlement/bank-lines/${lineId}`,
      merchantId,
      before: { matched: line.matched_minor },
      after: { matched, matchIds: matches.map(({ id }) => id) },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'settlement', merchantId));
    return { lineId, matchIds: matches.map(({ id }) => id), rule: null };
  });
}

/** Takes back the rules of an undone match. A rule that a later match teaches as well stays, and is taken back with that one. */
async function takeBackRules(work: Work, row: BankMatchRow): Promise<void> {
  if (row.rule_changes === null) return;
  const { learned, forgotten } = JSON.parse(row.rule_changes) as RuleChanges;
  const teacher = learned && (await laterTeacher(work, row, learned));
  if (teacher) {
    const changes = teacher.rule_changes === null ? NO_CHANGES : (JSON.parse(teacher.rule_changes) as RuleChanges);
    await work.update(BANK_MATCHES, { id: teacher.id }, { rule_changes: JSON.stringify({ ...changes, learned }) });
  }
  await takeBack(work, row.merchant_id, { learned: teacher ? null : learned, forgotten });
}

/** Returns the absolute part of a line without a match. */
export const remainingOf = (row: BankLineRow): Money =>
  money(Number(row.amount_minor) - Number(row.matched_minor), row.currency as Currency);
