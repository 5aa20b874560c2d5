import { listOf, queriesOn, TENANT, type Work } from '#core/database';
import { removeFromCounters } from './line-counters.ts';
import { removeSuggestions } from './matching/stored-suggestions.ts';
import { BANK_LINES, BANK_MATCHES, type BankLineRow } from './schema.ts';

/** Lines that one unit of work removes. */
export const REMOVED_BLOCK = 400;

const queries = queriesOn(BANK_LINES, BANK_MATCHES);

/** Lines of an account without matches, in the order of their identities. */
const removable = (accountId: string) =>
  queries
    .selectFrom('bank_lines')
    .select([
      'id',
      'identity',
      'tenant_id',
      'merchant_id',
      'account_id',
      'booked_day',
      'currency',
      'state',
      'amount_minor',
      'unrelated_minor',
    ])
    .where('tenant_id', '=', TENANT)
    .where('account_id', '=', accountId)
    .where('state', '=', 'open')
    .where('matched_minor', '=', 0)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('bank_matches')
            .select('bank_matches.id')
            .where('bank_matches.tenant_id', '=', TENANT)
            .whereRef('bank_matches.line_id', '=', 'bank_lines.id'),
        ),
      ),
    )
    .orderBy('identity')
    .limit(REMOVED_BLOCK);

/** Lines of one statement, in a range of identities: from a lower bound, exclusive, to an upper one. */
interface StatementLines {
  readonly statementId: string;
  readonly after: string;
  readonly before: string;
}

/**
 * Removes a block of the lines of an account, or of one of its statements, that have no match. Returns the last identity; null if these were the last
 * lines. The caller has locked the merchant.
 */
export async function removeLines(work: Work, tenantId: string, accountId: string, of?: StatementLines): Promise<string | null> {
  const query = of
    ? removable(accountId).where('identity', '>', of.after).where('identity', '<', of.before).where('statement_id', '=', of.statementId)
    : removable(accountId);
  const lines: (Pick<BankLineRow, 'id' | 'identity'> & Parameters<typeof removeFromCounters>[1])[] = await work.rows(query);
  if (lines.length === 0) return null;
  const ids = lines.map(({ id }) => id);
  await removeSuggestions(work, tenantId, ids);
  for (const line of lines) removeFromCounters(work, line);
  await work.execute(queries.deleteFrom('bank_lines').where('tenant_id', '=', TENANT).where('id', 'in', listOf(ids)));
  return lines.length < REMOVED_BLOCK ? null : (lines.at(-1)?.identity ?? null);
}
