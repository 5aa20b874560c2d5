import { lit, queriesOn, TENANT } from '#core/database';
import type { Actor } from '#core/kernel';
import { sandboxFundingOf } from '#core/processing/gateways';
import type { Dependencies } from '../dependencies.ts';
import type { CardRanges, Funding } from './records.ts';
import { CARD_RANGES } from './schema.ts';

const queries = queriesOn(CARD_RANGES);

/** Numbers of first digits that a card range can have, longest first. */
const RANGE_DIGITS = [8, 7, 6] as const;

/** Returns the type of a card by its longest range among those of the tenant and, in the sandbox, those of the test cards. */
export async function fundingOf(deps: Pick<Dependencies, 'database' | 'gateways'>, tenantId: string, number: string): Promise<Funding> {
  const prefixes = RANGE_DIGITS.filter((length) => number.length >= length).map((length) => number.slice(0, length));
  if (prefixes.length === 0) return 'unknown';
  const range = await deps.database.read(tenantId).row(
    queries
      .selectFrom('card_ranges')
      .select('funding')
      .where('tenant_id', '=', TENANT)
      .where('first_digits', 'in', prefixes)
      .orderBy(({ fn }) => fn('length', ['first_digits']), 'desc')
      .limit(lit(1)),
  );
  if (range) return range.funding;
  if (deps.gateways.isLive(tenantId)) return 'unknown';
  return sandboxFundingOf(number) ?? 'unknown';
}

/** Returns the number of card ranges of a tenant by type. */
export async function countCardRanges({ database }: Pick<Dependencies, 'database'>, { tenantId }: Actor): Promise<CardRanges> {
  const rows = await database.read(tenantId).rows(
    queries
      .selectFrom('card_ranges')
      .select(({ fn }) => ['funding', fn.countAll<number>().as('n')])
      .where('tenant_id', '=', TENANT)
      .groupBy('funding'),
  );
  const countOf = (wanted: string) => Number(rows.find(({ funding }) => funding === wanted)?.n ?? 0);
  return { credit: countOf('credit'), debit: countOf('debit'), prepaid: countOf('prepaid') };
}
