import { queriesOn, TENANT, type Work } from '#core/database';
import { addDays, assert, dateIn, later, realNow, serviceActor, startOfDate } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { type Dependencies, pause } from '../dependencies.ts';
import { paidPayouts } from '../payouts.ts';
import {
  BANK_ACCOUNTS,
  BANK_LINES,
  BANK_RULES,
  BANK_SUGGESTIONS,
  type BankAccountRow,
  REMOVE_SUGGESTION,
  STORE_SUGGESTION,
} from '../schema.ts';
import { type OpenLine, type OpenPayout, type Suggestion, suggestMatches } from './suggest.ts';

export const SUGGEST_JOB = 'bank.suggest-matches';
const LEASE_MS = 120_000;
const CONCURRENCY = 2;
/** Changes within this time are computed together. */
const DELAY_MS = 300;
const PAGE_ROWS = 5_000;
/** Newest open lines that get suggestions. All of them are in memory, so their number is limited. */
const OPEN_LINES_MAX = 500_000;
/** Suggestions that one commit writes. SQLite writes in the thread of the service, so its commits are short. */
const WRITE_ROWS = { sqlite: 500, postgres: 5_000 } as const;
/** Days before the first open line in which its payout may have been paid. */
const LOOK_BACK_DAYS = 92;

const queries = queriesOn(BANK_LINES, BANK_SUGGESTIONS);

/** Makes an account due, so that suggestions for its open lines are computed again. */
export function requestSuggestions(deps: Dependencies, work: Work, accountId: string): Promise<number> {
  const { tenantId } = work;
  assert(tenantId !== null, 'bank accounts belong to a tenant');
  work.afterCommit(() => deps.scheduler.wake(SUGGEST_JOB, tenantId));
  return work.update(BANK_ACCOUNTS, { id: accountId }, { due_ms: later(realNow(), DELAY_MS) });
}

/** Job that computes the suggestions of an account. */
export function suggestJob(deps: Dependencies): Job<BankAccountRow> {
  return {
    name: SUGGEST_JOB,
    table: BANK_ACCOUNTS,
    clock: 'real',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    async run({ tenant_id, id, fence, due_ms }) {
      const changed = await refreshSuggestions(deps, tenant_id, id);
      await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
        if ((await work.update(BANK_ACCOUNTS, { id, fence, due_ms }, released(null))) > 0) return;
        // A rule, a line or a payout changed during the run, which may have missed it: the account is due again.
        await work.update(BANK_ACCOUNTS, { id, fence }, { lease_ms: 0 });
        work.afterCommit(() => deps.scheduler.wake(SUGGEST_JOB, tenant_id));
      });
      return changed > 0 ? 'suggested' : 'skipped';
    },
  };
}

/** Computes suggestions for the open lines of an account and stores those that changed. Returns their number. Nothing is posted. */
export async function refreshSuggestions(deps: Dependencies, tenantId: string, accountId: string): Promise<number> {
  const read = deps.database.read(tenantId);
  const account = await read.one(BANK_ACCOUNTS, { id: accountId });
  if (!account) return 0;
  const firstDay = await firstOpenDayOf(deps, tenantId, accountId);
  if (firstDay === null) return 0;
  const { payouts, covered } = await payoutsFor(deps, account, firstDay);
  const rules = await read.find(BANK_RULES, { merchant_id: account.merchant_id });
  /** Stored suggestions of the lines that were read, by the ID of the line. */
  const stored = new Map<string, string | null>();
  const pages = openLines(deps, tenantId, accountId, stored);
  const found = await suggestMatches({ currency: account.currency, pages, payouts, covered, rules }, pause);
  const changed: { line_id: string; suggestion: string | null }[] = [];
  for (const [id, before] of stored) {
    const suggestion = textOf(found.get(id));
    if (suggestion !== before) changed.push({ line_id: id, suggestion });
  }
  const writeRows = WRITE_ROWS[deps.database.kind];
  for (let from = 0; from < changed.length; from += writeRows) {
    const block = changed.slice(from, from + writeRows);
    await deps.database.unitOfWork.writeBatch(tenantId, (batch) => {
      for (const { line_id, suggestion } of block)
        if (suggestion === null) batch.apply(REMOVE_SUGGESTION, { tenant_id: tenantId, line_id });
        else batch.apply(STORE_SUGGESTION, { tenant_id: tenantId, line_id, suggestion });
    });
    await pause();
  }
  if (changed.length > 0) deps.changed(tenantId, 'settlement');
  return changed.length;
}

const textOf = (suggestion: Suggestion | undefined): string | null => (suggestion ? JSON.stringify(suggestion) : null);

/** Returns the booking day of the oldest open line; null without one. */
async function firstOpenDayOf(deps: Dependencies, tenantId: string, accountId: string): Promise<string | null> {
  const oldest = queries
    .selectFrom('bank_lines')
    .select('day')
    .where('tenant_id', '=', TENANT)
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .orderBy('id')
    .limit(1);
  return (await deps.database.read(tenantId).row(oldest))?.day ?? null;
}

/** Yields the newest open lines of an account, newest first, and adds their suggestions to `stored`. */
async function* openLines(
  deps: Dependencies,
  tenantId: string,
  accountId: string,
  stored: Map<string, string | null>,
): AsyncGenerator<OpenLine[]> {
  for (let before: string | null = null; stored.size < OPEN_LINES_MAX; ) {
    let page = queries
      .selectFrom('bank_lines')
      .leftJoin('bank_suggestions', (join) =>
        join.on('bank_suggestions.tenant_id', '=', TENANT).onRef('bank_suggestions.line_id', '=', 'bank_lines.id'),
      )
      .select(['id', 'day', 'amount_minor', 'matched_minor', 'text', 'reference', 'suggestion'])
      .where('bank_lines.tenant_id', '=', TENANT)
      .where('account_id', '=', accountId)
      .where('state', '=', 'open')
      .orderBy('id', 'desc')
      .limit(PAGE_ROWS);
    if (before !== null) page = page.where('id', '<', before);
    const rows = await deps.database.read(tenantId).rows(page);
    for (const { id, suggestion } of rows) stored.set(id, suggestion);
    yield rows.map(({ id, day, amount_minor, matched_minor, text, reference }) => ({
      id,
      day,
      minor: Number(amount_minor) - Number(matched_minor),
      text: `${text} ${reference ?? ''}`,
    }));
    await pause();
    if (rows.length < PAGE_ROWS) return;
    before = rows.at(-1)?.id ?? '';
  }
}

/** Reads the payouts that may explain lines: open ones, and covered ones by reference. */
async function payoutsFor(deps: Dependencies, account: BankAccountRow, firstDay: string) {
  const merchant = await deps.merchantFor(serviceActor(account.tenant_id), account.merchant_id);
  const from = new Date(startOfDate(merchant.timezone, addDays(firstDay, -LOOK_BACK_DAYS))).toISOString();
  const payouts: OpenPayout[] = [];
  const covered = new Map<string, string>();
  const range = { merchantId: account.merchant_id, currency: account.currency, from };
  for await (const page of paidPayouts(deps.database.read(account.tenant_id), range)) {
    for (const { id, reference, amountMinor, matchedMinor, paidAt } of page) {
      const minor = amountMinor - matchedMinor;
      if (minor > 0) payouts.push({ id, reference, day: dateIn(merchant.timezone, Date.parse(paidAt)), minor });
      else covered.set(reference, id);
    }
    await pause();
  }
  return { payouts, covered };
}
