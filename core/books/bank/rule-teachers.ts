import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { compactText } from '#shared/compact-text';
import { payerOf } from './match-parts.ts';
import { BANK_LINES, BANK_MATCHES, type BankLineRow, type BankMatchRow, type BankRuleRow } from './schema.ts';

const PAGE_ROWS = 500;
const queries = queriesOn(BANK_MATCHES, BANK_LINES);

/** Returns the first posted match after another one that would have taught its rule; null without one. */
export async function laterTeacher(work: Work, { id, merchant_id }: BankMatchRow, rule: BankRuleRow): Promise<BankMatchRow | null> {
  const contained = compactText(rule.contains);
  for (let after = id; ; ) {
    const rows = await work.rows(
      queries
        .selectFrom('bank_matches as m')
        .innerJoin('bank_lines as l', (join) => join.on('l.tenant_id', '=', TENANT).onRef('l.id', '=', 'm.line_id'))
        .select(['m.id', 'm.line_id', 'l.text', 'l.state', 'l.amount_minor'])
        .where('m.tenant_id', '=', TENANT)
        .where('m.merchant_id', '=', merchant_id)
        .where('m.id', '>', after)
        .where('m.state', '=', lit('posted'))
        .where('m.kind', '=', rule.kind)
        .orderBy('m.id')
        .limit(PAGE_ROWS),
    );
    for (const row of rows) {
      if (!compactText(row.text).includes(contained)) continue;
      const matches = await work.find(BANK_MATCHES, { line_id: row.line_id, state: 'posted' }, { orderBy: [['id', 'asc']] });
      if (await teaches(work, row, matches, rule)) return matches[0] ?? null;
    }
    if (rows.length < PAGE_ROWS) return null;
    after = rows.at(-1)?.id ?? '';
  }
}

/** Returns true if the posted matches of a line teach a rule: its customer paid, or the line is explained as a whole by its kind. */
async function teaches(
  work: Work,
  { state, amount_minor }: Pick<BankLineRow, 'state' | 'amount_minor'>,
  matches: readonly BankMatchRow[],
  { kind, customer_id }: BankRuleRow,
): Promise<boolean> {
  if (kind === 'invoice') return (await payerOf(work, matches)) === customer_id;
  const [only] = matches;
  return state === 'matched' && matches.length === 1 && only?.kind === kind && Number(only.amount_minor) === Number(amount_minor);
}
