import { conditionsOn, listOf, lit, newestPage, orderOf, type Page, type PageRequest, queriesOn, type Read, TENANT } from '#core/database';
import {
  actionsOf,
  addDays,
  type Caller,
  type Currency,
  idFloor,
  type Money,
  money,
  parseDate,
  ServiceError,
  type WithActions,
} from '#core/kernel';
import { type ListTotal, totalsOf } from '#core/platform/list-totals';
import type { Dependencies, Reader } from './dependencies.ts';
import { checkMatchable, checkUndoable, lineOf, postedMatches, remainingOf } from './match.ts';
import { suggestionsOf } from './matching/stored-suggestions.ts';
import type { Suggestion } from './matching/suggestion.ts';
import { type NamedRecords, namedRecords } from './named-records.ts';
import type { BankLine } from './records.ts';
import { BANK_ACCOUNTS, BANK_LINE_COUNTS, BANK_LINES, BANK_RULES, type BankLineRow, type BankMatchRow } from './schema.ts';

export interface LineFilter {
  readonly merchantId?: string;
  readonly bankAccountId?: string;
  readonly state?: 'open' | 'matched';
  /** First and last booking day, inclusive. */
  readonly startDate?: string;
  readonly endDate?: string;
}

const lines = conditionsOn(BANK_LINES);
const lineQueries = queriesOn(BANK_LINES);
const countQueries = queriesOn(BANK_LINE_COUNTS);
const ruleQueries = queriesOn(BANK_RULES);

/** Columns of the fields by which the list can be sorted. IDs sort by booking day. An index for amounts would slow down imports by a quarter. */
const SORTS = { day: 'id' };

/** Returns a page of bank lines, by default newest booking day first. @throws ServiceError INVALID_DATE, VALIDATION_ERROR, MERCHANT_NOT_AUTHORIZED. */
export async function listLines(deps: Dependencies, actor: Reader, filter: LineFilter, pageRequest: PageRequest): Promise<Page<BankLine>> {
  const { read, where, conditions } = await narrowedLines(deps, actor, filter);
  const isCounted = conditions.length === 0 && pageRequest.created === undefined;
  const total = isCounted ? () => countLines(read, where) : undefined;
  const page = await newestPage(read, BANK_LINES, 'bln', where, pageRequest, conditions, total, orderOf(SORTS, pageRequest.sort));
  return { ...page, items: await toLines(read, actor, page.items) };
}

/** Returns the number and the amount of the bank lines of a filter, by currency. */
export async function lineTotals(deps: Dependencies, actor: Caller, filter: LineFilter): Promise<ListTotal[]> {
  const { read, where, conditions } = await narrowedLines(deps, actor, filter);
  const equal = (Object.keys(where) as (keyof typeof where)[]).flatMap((column) => {
    const value = where[column];
    return value === undefined ? [] : [lines(column, '=', value)];
  });
  return totalsOf(read, BANK_LINES, [...equal, ...conditions]);
}

async function narrowedLines(deps: Dependencies, actor: Caller, filter: LineFilter) {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const startDate = filter.startDate && parseDate(filter.startDate, 'startDate');
  const endDate = filter.endDate && parseDate(filter.endDate, 'endDate');
  if (startDate !== undefined && endDate !== undefined && endDate < startDate)
    throw new ServiceError('VALIDATION_ERROR', '`endDate` must not be before `startDate`.', { field: 'endDate' });
  const read = deps.database.read(actor.tenantId);
  const where = { ...(await ownerOf(read, merchantId, filter.bankAccountId)), state: filter.state };
  const conditions = [
    ...(startDate === undefined ? [] : [lines('id', '>=', firstIdOf(startDate))]),
    ...(endDate === undefined ? [] : [lines('id', '<', firstIdOf(addDays(endDate, 1)))]),
  ];
  return { read, where, conditions };
}

/** Returns a lower bound for the IDs of lines of a booking day. IDs sort by booking day, so that days are ranges of the indexes. */
const firstIdOf = (day: string): string => idFloor('bln', Date.parse(`${day}T00:00:00Z`));

/** Largest number of open lines whose amounts are summed for a list that screens read after each change. */
const SUMMED_MAX = 1_000;

export interface OpenLines {
  readonly count: number;
  /** Sum of what is not matched, without signs; null for lines of several currencies or merchants, and for more than 1,000 lines. */
  readonly amount: Money | null;
  /** First booking day; null without open lines and for several merchants. */
  readonly firstDay: string | null;
}

/** Returns the lines of the caller's merchants that are not matched completely. @throws ServiceError MERCHANT_NOT_AUTHORIZED. */
export async function openLines(deps: Dependencies, actor: Caller, requestedMerchantId?: string): Promise<OpenLines> {
  const merchantId = requestedMerchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const read = deps.database.read(actor.tenantId);
  const count = await countLines(read, { merchant_id: merchantId, state: 'open' });
  // The index of open lines begins with the merchant.
  if (count === 0 || merchantId === undefined) return { count, amount: null, firstDay: null };
  const rows = await read.rows(
    lineQueries
      .selectFrom('bank_lines')
      .select(['day', 'currency', 'amount_minor', 'matched_minor'])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId)
      .where('state', '=', lit('open'))
      .orderBy('id')
      .limit(SUMMED_MAX),
  );
  const [currency, ...others] = new Set(rows.map((row) => row.currency as Currency));
  const minor = rows.reduce((sum, row) => sum + Math.abs(Number(row.amount_minor) - Number(row.matched_minor)), 0);
  const isSummed = currency !== undefined && others.length === 0 && count <= SUMMED_MAX;
  return { count, amount: isSummed ? money(minor, currency) : null, firstDay: rows[0]?.day ?? null };
}

type LineOwner = Pick<BankLineRow, 'merchant_id' | 'account_id'>;

/** Returns the conditions for the lines of a merchant and an account. An account has one merchant, so it is the only condition, and its index is read. */
async function ownerOf(read: Read, merchantId: string | undefined, accountId: string | undefined): Promise<Partial<LineOwner>> {
  const account = accountId === undefined ? null : await read.one(BANK_ACCOUNTS, { id: accountId });
  const isOwn = account !== null && (merchantId === undefined || account.merchant_id === merchantId);
  return {
    ...(merchantId !== undefined && !isOwn && { merchant_id: merchantId }),
    ...(accountId !== undefined && { account_id: accountId }),
  };
}

/** Returns the number of lines of a merchant, an account and a state from their counters: a count of hundreds of thousands of lines would take long. */
async function countLines(
  read: Read,
  where: { readonly [Column in keyof LineOwner]?: string | undefined } & Pick<LineFilter, 'state'>,
): Promise<number> {
  let counts = countQueries.selectFrom('bank_line_counts').where('tenant_id', '=', TENANT);
  if (where.merchant_id !== undefined) counts = counts.where('merchant_id', '=', where.merchant_id);
  if (where.account_id !== undefined) counts = counts.where('account_id', '=', where.account_id);
  if (where.state !== undefined) counts = counts.where('state', '=', where.state);
  const row = await read.row(counts.select(({ fn }) => fn.sum<number | null>('n').as('n')));
  return Number(row?.n ?? 0);
}

/** Returns one line with its matches. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function getLine(deps: Dependencies, actor: Reader, lineId: string): Promise<BankLine> {
  const [line] = await toLines(deps.database.read(actor.tenantId), actor, [await lineOf(deps, actor, lineId)]);
  return line as BankLine;
}

export type LineAction = 'match' | 'undo';

/**
 * Returns one line with what can be done with it now, by the checks of the operations themselves. An undo can still fail for a refunded payment of an invoice.
 * @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED.
 */
export async function getLineWithActions(deps: Dependencies, actor: Reader, lineId: string): Promise<BankLine & WithActions<LineAction>> {
  const read = deps.database.read(actor.tenantId);
  const row = await lineOf(deps, actor, lineId);
  const [line] = await toLines(read, actor, [row]);
  const actions = await actionsOf({
    match: async () => {
      await checkMatchable(read, row);
      return {};
    },
    undo: async () => {
      await checkUndoable(read, actor, row, await postedMatches(read, lineId));
      return {};
    },
  });
  return { ...(line as BankLine), actions };
}

/** Adds matches, suggestions and the records that they name to rows of lines. */
async function toLines(read: Read, actor: Reader, rows: readonly BankLineRow[]): Promise<BankLine[]> {
  const matches = new Map<string, BankMatchRow[]>();
  for (const row of rows) if (Number(row.matched_minor) !== 0) matches.set(row.id, await postedMatches(read, row.id));
  const suggestions = await suggestionsOf(
    read,
    rows.flatMap(({ id, state }) => (state === 'open' ? [id] : [])),
  );
  const named = await readNamed(read, actor, [...matches.values()].flat(), [...suggestions.values()]);
  const ruleTexts = await textsOfRules(read, [...suggestions.values()]);
  return rows.map((row) => {
    const currency = row.currency as Currency;
    const suggestion = suggestions.get(row.id);
    return {
      lineId: row.id,
      bankAccountId: row.account_id,
      merchantId: row.merchant_id,
      bankStatementId: row.statement_id,
      day: row.day,
      bookedDay: row.booked_day,
      currency,
      amount: money(Number(row.amount_minor), currency),
      remaining: remainingOf(row),
      text: row.text,
      reference: row.reference,
      state: row.state,
      suggestion: suggestion
        ? {
            reason: suggestion.reason,
            parts: suggestion.parts.map(({ kind, payoutId, invoiceId, shiftId, tenderId, refundId, minor, withheld = 0 }) => ({
              kind,
              ...subjectOf(named, payoutId, invoiceId, shiftId ?? tenderId ?? refundId),
              amount: money(minor, currency),
              fee: money(withheld, currency),
            })),
            payouts: (suggestion.payoutIds ?? []).flatMap((id) => named.payouts.get(id) ?? []),
            invoices: (suggestion.invoiceIds ?? []).flatMap((id) => named.invoices.get(id) ?? []),
            ruleId: suggestion.ruleId ?? null,
            ruleText: ruleTexts.get(suggestion.ruleId ?? '') ?? null,
            otherLineId: suggestion.lineId ?? null,
            ambiguous: suggestion.isAmbiguous ?? false,
          }
        : null,
      matches: (matches.get(row.id) ?? []).map((match) => ({
        matchId: match.id,
        kind: match.kind,
        ...subjectOf(named, match.payout_id, match.invoice_id, match.shift_id ?? match.tender_id ?? match.refund_id),
        amount: money(Number(match.amount_minor), currency),
        fee: money(Number(match.withheld_minor), currency),
        note: match.note,
        createdAt: match.created_at,
        createdBy: match.created_by,
      })),
    };
  });
}

/** Returns the texts of the rules of suggestions, by ID. */
async function textsOfRules(read: Read, suggestions: readonly Suggestion[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(suggestions.map(({ ruleId }) => ruleId))].filter((id) => id !== undefined);
  if (ids.length === 0) return new Map();
  const rows = await read.rows(
    ruleQueries.selectFrom('bank_rules').select(['id', 'contains']).where('tenant_id', '=', TENANT).where('id', 'in', listOf(ids)),
  );
  return new Map(rows.map(({ id, contains }) => [id, contains]));
}

type Id = string | null | undefined;

/** Returns the record that a part names. */
const subjectOf = ({ payouts, invoices, deposits }: NamedRecords, payoutId: Id, invoiceId: Id, depositId: Id) => ({
  payout: payouts.get(payoutId ?? '') ?? null,
  invoice: invoices.get(invoiceId ?? '') ?? null,
  deposit: invoiceId ? null : (deposits.get(depositId ?? '') ?? null),
});

function readNamed(read: Read, actor: Reader, matches: readonly BankMatchRow[], suggestions: readonly Suggestion[]): Promise<NamedRecords> {
  const parts = suggestions.flatMap((suggestion) => suggestion.parts);
  return namedRecords(read, actor, {
    payouts: [
      ...matches.map(({ payout_id }) => payout_id),
      ...parts.map(({ payoutId }) => payoutId),
      ...suggestions.flatMap(({ payoutIds = [] }) => payoutIds),
    ],
    invoices: [
      ...matches.map(({ invoice_id }) => invoice_id),
      ...parts.map(({ invoiceId }) => invoiceId),
      ...suggestions.flatMap(({ invoiceIds = [] }) => invoiceIds),
    ],
    shifts: [...matches.map(({ shift_id }) => shift_id), ...parts.map(({ shiftId }) => shiftId)],
    tenders: [
      ...matches.filter(({ kind }) => kind !== 'invoice').map(({ tender_id }) => tender_id),
      ...parts.map(({ tenderId }) => tenderId),
    ],
    refunds: [...matches.map(({ refund_id }) => refund_id), ...parts.map(({ refundId }) => refundId)],
  });
}
