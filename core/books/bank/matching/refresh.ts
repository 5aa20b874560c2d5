import { setTimeout as wait } from 'node:timers/promises';
import { LostRace, queriesOn, TENANT, type Work, type Writer } from '#core/database';
import { addDays, assert, dateIn, idFloor, later, type RealTime, realNow, serviceActor, startOfDate } from '#core/kernel';
import { databaseNow, type Job, released } from '#core/platform/scheduling';
import { type Dependencies, pause } from '../dependencies.ts';
import { paidPayouts } from '../payouts.ts';
import {
  BANK_ACCOUNTS,
  BANK_LINES,
  BANK_RULES,
  BANK_SUGGESTIONS,
  type BankAccountRow,
  type BankRuleRow,
  RENEW_SUGGESTING,
} from '../schema.ts';
import { receivablesFor } from './receivables.ts';
import { type SuggestionChange, storedText, suggestionsBefore, writeSuggestion } from './stored-suggestions.ts';
import { type OpenPayout, suggestMatches } from './suggest.ts';
import { heldBy, type OpenLine } from './suggestion.ts';

export const SUGGEST_JOB = 'bank.suggest-matches';
const LEASE_MS = 120_000;
const CONCURRENCY = 2;
/** Changes within this time are computed together. */
const DELAY_MS = 300;
const LONG_DELAY_MS = 30_000;
/** Longest time that an import waits for a run of the job that began before it. */
const WAIT_MS = 10_000;
const CHECK_MS = 50;
const PAGE_ROWS = 5_000;
/** Suggestions that one commit writes. SQLite writes in the thread of the service, so its commits are short. */
const WRITE_ROWS = { sqlite: 500, postgres: 5_000 } as const;
/** Days before the first open line in which its payout may have been paid. */
const LOOK_BACK_DAYS = 92;
/** Days before new lines whose open lines are computed with them, because the same payouts and deposits, which are at most two weeks older, may explain both. */
const WINDOW_DAYS = 21;

const queries = queriesOn(BANK_LINES, BANK_SUGGESTIONS);

/** Makes an account due, so that the job computes suggestions for its open lines again. */
export async function requestSuggestions(deps: Dependencies, work: Work, accountId: string): Promise<void> {
  const { tenantId } = work;
  assert(tenantId !== null, 'bank accounts belong to a tenant');
  await setDue(work, accountId, later(realNow(), DELAY_MS), null);
  work.afterCommit(() => deps.scheduler.wake(SUGGEST_JOB, tenantId));
}

/**
 * Requests suggestions after lines were removed. A run that has read these lines loses its claim, so that it writes no suggestion for them: its fence
 * has changed.
 */
export async function restartSuggestions(deps: Dependencies, work: Work, accountId: string): Promise<void> {
  const account = await work.lockOne(BANK_ACCOUNTS, { id: accountId });
  if (!account) return;
  const due = account.removed_at === null ? { due_ms: later(realNow(), DELAY_MS), due_from: null } : {};
  await work.update(BANK_ACCOUNTS, { id: accountId }, { ...due, lease_ms: 0, fence: Number(account.fence) + 1 });
  work.afterCommit(() => deps.scheduler.wake(SUGGEST_JOB, account.tenant_id));
}

/** Requests suggestions within half a minute, for changes that can be many, such as new invoices. */
export async function requestSuggestionsLater(deps: Dependencies, work: Work, accountId: string): Promise<void> {
  const account = await work.lockOne(BANK_ACCOUNTS, { id: accountId });
  if (!account) return;
  // A run that is under way keeps its due time and may have read the invoices before.
  const isRunning = Number(account.lease_ms) > realNow();
  if (account.due_ms !== null && account.due_from === null && !isRunning) return;
  await work.update(BANK_ACCOUNTS, { id: accountId }, { due_ms: later(realNow(), LONG_DELAY_MS), due_from: null });
  work.afterCommit(() => deps.scheduler.wake(SUGGEST_JOB, account.tenant_id));
}

/**
 * Makes an account with new lines from a day on due now, for `awaitSuggestions` after the commit. If that is interrupted, the job computes the
 * suggestions.
 */
export const prepareSuggestions = (work: Work, accountId: string, firstDay: string): Promise<void> =>
  setDue(work, accountId, realNow(), firstDay);

/** Makes an account due for its open lines from a day on, and for those for which it is due already; null is all of them. */
async function setDue(work: Work, accountId: string, dueMs: RealTime, from: string | null): Promise<void> {
  const account = await work.lockOne(BANK_ACCOUNTS, { id: accountId });
  if (!account) return;
  const { due_ms, due_from } = account;
  // A run notices changes by a due time that differs from that of its claim.
  const due = due_ms === dueMs ? later(dueMs, 1) : dueMs;
  const isEarlier = due_ms !== null && (due_from === null || (from !== null && due_from < from));
  await work.update(BANK_ACCOUNTS, { id: accountId }, { due_ms: due, due_from: isEarlier ? due_from : from });
}

/**
 * Returns when the suggestions of an account that is due are computed. One run of the job computes them at a time, here or on another server, so that a
 * run with earlier rules never overwrites the result of a later one. After ten seconds of waiting for other runs, the job continues alone.
 */
export async function awaitSuggestions(deps: Dependencies, tenantId: string, accountId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += CHECK_MS) {
    if ((await deps.scheduler.runOne(SUGGEST_JOB, tenantId, accountId)) === 'error') return;
    const account = await deps.database.read(tenantId).one(BANK_ACCOUNTS, { id: accountId });
    if (!account || account.due_ms === null) return;
    await wait(CHECK_MS);
  }
}

/** Job that computes the suggestions of an account, or deletes the rest of a removed one by `deleteRemoved`. */
export function suggestJob(deps: Dependencies, deleteRemoved: (account: BankAccountRow) => Promise<void>): Job<BankAccountRow> {
  return {
    name: SUGGEST_JOB,
    table: BANK_ACCOUNTS,
    clock: 'real',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    longestWaitMs: 3_600_000,
    async run(account) {
      const { tenant_id, id, fence, due_ms } = account;
      try {
        if (account.removed_at !== null) {
          await deleteRemoved(account);
          return 'removed';
        }
        const changed = await refreshSuggestions(deps, account);
        await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
          if ((await work.update(BANK_ACCOUNTS, { id, fence, due_ms }, { ...released(null), due_from: null })) > 0) return;
          // A rule, a line or a payout changed during the run, which may have missed it: the account is due again.
          await work.update(BANK_ACCOUNTS, { id, fence }, { lease_ms: 0 });
          work.afterCommit(() => deps.scheduler.wake(SUGGEST_JOB, tenant_id));
        });
        return changed > 0 ? 'suggested' : 'skipped';
      } catch (error) {
        // Another run has claimed the account.
        if (error instanceof LostRace) return 'skipped';
        throw error;
      }
    },
  };
}

/**
 * Computes suggestions for the open lines of a claimed account and stores those that changed. After an import, these are the new lines and those of the
 * weeks before them: what is suggested for older lines stays. If a new line names it, all lines are computed again soon. Returns the number of changes.
 * Nothing is posted. @throws LostRace.
 */
async function refreshSuggestions(deps: Dependencies, account: BankAccountRow): Promise<number> {
  const { tenant_id: tenantId, merchant_id, currency } = account;
  const from = account.due_from === null ? '' : idFloor('bln', Date.parse(`${addDays(account.due_from, -WINDOW_DAYS)}T00:00:00Z`));
  const firstDay = await firstOpenDayOf(deps, account, from);
  if (firstDay === null) return 0;
  const held = heldBy(from === '' ? new Map() : await suggestionsBefore(deps.database.read(tenantId), account.id, from));
  const { payouts, covered } = await payoutsFor(deps, account, firstDay);
  const rules = await deps.database.read(tenantId).find(BANK_RULES, { merchant_id });
  const receivables = await receivablesFor(deps, account, firstDay);
  /** Stored suggestions of the lines that were read and have no result yet, by the ID of the line. */
  const stored = new Map<string, string>();
  const pages = openLines(deps, account, from, stored);
  let isHeldNamed = false;
  const onHeldNamed = () => {
    isHeldNamed = true;
  };
  const writeRows = WRITE_ROWS[deps.database.kind];
  const changes: SuggestionChange[] = [];
  let changed = 0;
  const write = async (least: number) => {
    for (; changes.length >= least; await pause()) {
      const written = changes.splice(0, writeRows);
      await writeAs(deps, account, (batch) => {
        for (const change of written) writeSuggestion(batch, tenantId, change);
      });
      changed += written.length;
    }
  };
  const input = { currency, pages, payouts, covered, held, onHeldNamed, ...rulesOf(rules), ...receivables };
  for await (const results of suggestMatches(input, pause)) {
    for (const { lineId, suggestion: after } of results) {
      const before = stored.get(lineId) ?? null;
      stored.delete(lineId);
      if ((after ? storedText(after) : null) !== before) changes.push({ lineId, before, after });
    }
    await write(writeRows);
  }
  await write(1);
  if (isHeldNamed) await deps.database.unitOfWork.transaction(tenantId, (work) => requestSuggestions(deps, work, account.id));
  if (changed > 0) deps.changed(tenantId, 'settlement', merchant_id);
  return changed;
}

/** Divides the rules of a merchant into those that name the customers of invoices, and all others. */
function rulesOf(rows: readonly BankRuleRow[]) {
  const payers = rows.flatMap(({ id, contains, customer_id: customerId }) => (customerId === null ? [] : [{ id, contains, customerId }]));
  const rules = rows.flatMap(({ id, contains, kind }) => (kind === 'invoice' ? [] : [{ id, contains, kind }]));
  return { payers, rules };
}

/** Commits writes of a run together with the renewal of its lease. @throws LostRace if another run has claimed the account. */
async function writeAs(deps: Dependencies, { tenant_id, id, fence }: BankAccountRow, fill: (batch: Writer) => void): Promise<void> {
  const lease_ms = (await databaseNow(deps.database)) + LEASE_MS;
  await deps.database.unitOfWork.writeBatch(tenant_id, (batch) => {
    batch.guardedUpdate(RENEW_SUGGESTING, { tenant_id, id, fence, lease_ms });
    fill(batch);
  });
}

/** Returns the booking day of the oldest open line from an ID on; null without one. */
async function firstOpenDayOf(deps: Dependencies, { tenant_id, id }: BankAccountRow, from: string): Promise<string | null> {
  const oldest = queries
    .selectFrom('bank_lines')
    .select('day')
    .where('tenant_id', '=', TENANT)
    .where('account_id', '=', id)
    .where('state', '=', 'open')
    .where('id', '>=', from)
    .orderBy('id')
    .limit(1);
  return (await deps.database.read(tenant_id).row(oldest))?.day ?? null;
}

/** Yields the open lines of an account from an ID on, oldest first, and adds their suggestions to `stored`. */
async function* openLines(
  deps: Dependencies,
  account: BankAccountRow,
  from: string,
  stored: Map<string, string>,
): AsyncGenerator<OpenLine[]> {
  const { tenant_id: tenantId, id: accountId } = account;
  for (let after = from; ; ) {
    const page = queries
      .selectFrom('bank_lines')
      .leftJoin('bank_suggestions', (join) =>
        join.on('bank_suggestions.tenant_id', '=', TENANT).onRef('bank_suggestions.line_id', '=', 'bank_lines.id'),
      )
      .select(['id', 'day', 'amount_minor', 'matched_minor', 'text', 'reference', 'suggestion'])
      .where('bank_lines.tenant_id', '=', TENANT)
      .where('account_id', '=', accountId)
      .where('state', '=', 'open')
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE_ROWS);
    const rows = await deps.database.read(tenantId).rows(page);
    for (const { id, suggestion } of rows) if (suggestion !== null) stored.set(id, suggestion);
    yield rows.map(({ id, day, amount_minor, matched_minor, text, reference }) => ({
      id,
      day,
      minor: Number(amount_minor) - Number(matched_minor),
      text: `${text} ${reference ?? ''}`,
    }));
    // Hundreds of thousands of lines take longer than the lease.
    await writeAs(deps, account, () => {});
    await pause();
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.id ?? '';
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
