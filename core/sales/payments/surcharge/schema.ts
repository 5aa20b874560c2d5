import { type RowOf, table, text } from '#core/database';
import type { Funding } from './records.ts';

/** Card ranges of a tenant: the type of the cards whose numbers begin with these six to eight digits. */
export const CARD_RANGES = table(
  'card_ranges',
  {
    tenant_id: text,
    first_digits: text,
    funding: text.of<Exclude<Funding, 'unknown'>>(),
  },
  { key: ['tenant_id', 'first_digits'] },
);

export type CardRangeRow = RowOf<typeof CARD_RANGES>;
