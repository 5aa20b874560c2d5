import { listOf, queriesOn, type Read, TENANT, type Work, type Writer } from '#core/database';
import {
  BANK_LINES,
  BANK_SUGGESTED_PAYOUTS,
  BANK_SUGGESTIONS,
  REMOVE_SUGGESTED_PAYOUT,
  REMOVE_SUGGESTION,
  STORE_SUGGESTED_PAYOUT,
  STORE_SUGGESTION,
} from '../schema.ts';
import type { Suggestion } from './suggestion.ts';

const queries = queriesOn(BANK_LINES, BANK_SUGGESTIONS, BANK_SUGGESTED_PAYOUTS);
/** Values of one `in` condition. */
const LIST_MAX = 512;

/** A changed suggestion of a line; null if there is none. */
export interface SuggestionChange {
  readonly lineId: string;
  readonly before: string | null;
  readonly after: Suggestion | null;
}

/** Returns a suggestion as it is stored. */
export const storedText = (suggestion: Suggestion): string => JSON.stringify(suggestion);

/** IDs by which a suggestion is found: its payouts and invoices. */
const payoutIdsOf = (suggestion: Suggestion): string[] =>
  suggestion.parts.flatMap(({ payoutId, invoiceId }) => payoutId ?? invoiceId ?? []);
const payoutIdsIn = (text: string): string[] => payoutIdsOf(JSON.parse(text) as Suggestion);

/** Writes a changed suggestion together with the payouts by which it is found. */
export function writeSuggestion(batch: Writer, tenant_id: string, { lineId: line_id, before, after }: SuggestionChange): void {
  const payoutIds = new Set(after ? payoutIdsOf(after) : []);
  if (after) batch.apply(STORE_SUGGESTION, { tenant_id, line_id, suggestion: storedText(after) });
  else batch.apply(REMOVE_SUGGESTION, { tenant_id, line_id });
  for (const payout_id of before === null ? [] : payoutIdsIn(before))
    if (!payoutIds.has(payout_id)) batch.apply(REMOVE_SUGGESTED_PAYOUT, { tenant_id, payout_id, line_id });
  // Another unit of work may have removed rows of the suggestion before, so all are written.
  for (const payout_id of payoutIds) batch.apply(STORE_SUGGESTED_PAYOUT, { tenant_id, payout_id, line_id });
}

/** Removes the suggestion of a line that is matched, or whose match is undone. */
export async function removeSuggestion(work: Work, lineId: string): Promise<void> {
  const stored = await work.one(BANK_SUGGESTIONS, { line_id: lineId });
  if (!stored) return;
  await work.delete(BANK_SUGGESTIONS, { line_id: lineId });
  for (const payoutId of payoutIdsIn(stored.suggestion))
    await work.delete(BANK_SUGGESTED_PAYOUTS, { payout_id: payoutId, line_id: lineId });
}

/** Removes the suggestions of lines that are deleted, at most 512. */
export async function removeSuggestions(work: Work, tenant_id: string, lineIds: readonly string[]): Promise<void> {
  const stored = await work.rows(
    queries
      .selectFrom('bank_suggestions')
      .select(['line_id', 'suggestion'])
      .where('tenant_id', '=', TENANT)
      .where('line_id', 'in', listOf(lineIds)),
  );
  for (const { line_id, suggestion } of stored) {
    work.apply(REMOVE_SUGGESTION, { tenant_id, line_id });
    for (const payout_id of payoutIdsIn(suggestion)) work.apply(REMOVE_SUGGESTED_PAYOUT, { tenant_id, payout_id, line_id });
  }
}

/** Returns the suggestions of lines by the ID of the line. */
export async function suggestionsOf(read: Read, lineIds: readonly string[]): Promise<Map<string, Suggestion>> {
  const found = new Map<string, Suggestion>();
  for (let from = 0; from < lineIds.length; from += LIST_MAX) {
    const rows = await read.rows(
      queries
        .selectFrom('bank_suggestions')
        .select(['line_id', 'suggestion'])
        .where('tenant_id', '=', TENANT)
        .where('line_id', 'in', listOf(lineIds.slice(from, from + LIST_MAX))),
    );
    for (const { line_id, suggestion } of rows) found.set(line_id, JSON.parse(suggestion) as Suggestion);
  }
  return found;
}

/** Returns the suggestions of the open lines of an account before an ID, by the ID of the line. */
export async function suggestionsBefore(read: Read, accountId: string, before: string): Promise<Map<string, Suggestion>> {
  const rows = await read.rows(
    // Suggestions come first: few of the old lines have one.
    queries
      .selectFrom('bank_suggestions as s')
      .crossJoin('bank_lines as l')
      .select(['s.line_id', 's.suggestion'])
      .where('s.tenant_id', '=', TENANT)
      .where('s.line_id', '<', before)
      .where('l.tenant_id', '=', TENANT)
      .whereRef('l.id', '=', 's.line_id')
      .where('l.account_id', '=', accountId)
      .where('l.state', '=', 'open'),
  );
  return new Map(rows.map(({ line_id, suggestion }) => [line_id, JSON.parse(suggestion) as Suggestion]));
}

/** Returns those of the given payouts that are suggested for an open line, which are therefore not missing. */
export async function suggestedPayouts(read: Read, payoutIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; from < payoutIds.length; from += LIST_MAX) {
    const rows = await read.rows(
      queries
        .selectFrom('bank_suggested_payouts as p')
        .innerJoin('bank_suggestions as s', (join) => join.on('s.tenant_id', '=', TENANT).onRef('s.line_id', '=', 'p.line_id'))
        .innerJoin('bank_lines as l', (join) => join.on('l.tenant_id', '=', TENANT).onRef('l.id', '=', 'p.line_id'))
        .select(['p.payout_id', 's.suggestion'])
        .where('p.tenant_id', '=', TENANT)
        .where('p.payout_id', 'in', listOf(payoutIds.slice(from, from + LIST_MAX)))
        .where('l.state', '=', 'open'),
    );
    // The text is searched instead of read as JSON, because the close of a busy month asks for thousands of payouts.
    for (const { payout_id, suggestion } of rows) if (suggestion.includes(`"payoutId":"${payout_id}"`)) found.add(payout_id);
  }
  return found;
}

/** Returns the accounts with open lines for which an invoice is suggested. */
export async function accountsSuggesting(read: Read, invoiceId: string): Promise<string[]> {
  const rows = await read.rows(
    queries
      .selectFrom('bank_suggested_payouts as p')
      .innerJoin('bank_lines as l', (join) => join.on('l.tenant_id', '=', TENANT).onRef('l.id', '=', 'p.line_id'))
      .select('l.account_id')
      .distinct()
      .where('p.tenant_id', '=', TENANT)
      .where('p.payout_id', '=', invoiceId)
      .where('l.state', '=', 'open'),
  );
  return rows.map(({ account_id }) => account_id);
}
