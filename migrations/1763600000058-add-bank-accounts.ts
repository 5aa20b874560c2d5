import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integerKey, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const TABLES = [
  new Table({
    name: 'bank_accounts',
    columns: [
      ...['tenant_id', 'id'].map(key),
      ...['merchant_id', 'name', 'currency', 'created_at', 'created_by'].map(text),
      ...['sealed_number', 'last4'].map(optional),
      optionalInteger('due_ms'),
      ...['lease_ms', 'fence'].map(integer),
    ],
    indices: [
      { name: 'bank_accounts_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] },
      indexWhereSet('bank_accounts_due', ['tenant_id', 'due_ms']),
    ],
  }),
  new Table({
    name: 'bank_statements',
    columns: [
      ...['tenant_id', 'id'].map(key),
      ...['account_id', 'merchant_id', 'fingerprint', 'format', 'status', 'created_at', 'created_by'].map(text),
      ...['filename', 'first_day', 'last_day'].map(optional),
      ...['opening_minor', 'closing_minor'].map(optionalInteger),
      ...['seen_ms', 'line_count', 'added_count'].map(integer),
    ],
    uniques: [{ columnNames: ['tenant_id', 'account_id', 'fingerprint'] }],
    indices: [{ name: 'bank_statements_by_account', columnNames: ['tenant_id', 'account_id', 'last_day'] }],
  }),
  new Table({
    name: 'bank_lines',
    columns: [
      ...['tenant_id', 'id'].map(key),
      ...['account_id', 'merchant_id', 'statement_id', 'day', 'booked_day', 'currency', 'state', 'text', 'identity', 'created_at'].map(
        text,
      ),
      ...['line', 'amount_minor', 'matched_minor', 'unrelated_minor'].map(integer),
      ...['reference', 'suggestion'].map(optional),
    ],
    uniques: [{ columnNames: ['tenant_id', 'account_id', 'identity'] }],
    indices: [
      { name: 'bank_lines_by_state', columnNames: ['tenant_id', 'merchant_id', 'state', 'id'] },
      { name: 'bank_lines_by_account', columnNames: ['tenant_id', 'account_id', 'state', 'id'] },
      { name: 'bank_lines_by_booked_day', columnNames: ['tenant_id', 'merchant_id', 'booked_day', 'id'] },
      indexWhereSet('bank_lines_by_reference', ['tenant_id', 'account_id', 'reference']),
    ],
  }),
  new Table({
    name: 'bank_matches',
    columns: [
      ...['tenant_id', 'id'].map(key),
      ...['account_id', 'merchant_id', 'line_id', 'kind', 'state', 'day', 'created_at', 'created_by'].map(text),
      ...['payout_id', 'note', 'undone_at', 'undone_by'].map(optional),
      ...['amount_minor', 'withheld_minor'].map(integer),
    ],
    indices: [
      { name: 'bank_matches_by_line', columnNames: ['tenant_id', 'line_id', 'id'] },
      indexWhereSet('bank_matches_by_payout', ['tenant_id', 'payout_id', 'id'], 'payout_id'),
    ],
  }),
  new Table({
    name: 'bank_payouts',
    columns: [...['tenant_id', 'payout_id'].map(key), text('merchant_id'), integer('matched_minor')],
  }),
  new Table({
    name: 'bank_rules',
    columns: [
      ...['tenant_id', 'id'].map(key),
      ...['merchant_id', 'contains', 'kind', 'origin', 'created_at', 'created_by', 'updated_at'].map(text),
    ],
    indices: [{ name: 'bank_rules_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] }],
  }),
  new Table({
    name: 'bank_mappings',
    columns: [...['tenant_id', 'merchant_id', 'name'].map(key), ...['mapping', 'updated_at'].map(text)],
  }),
  new Table({
    name: 'period_closes',
    columns: [
      ...['tenant_id', 'id'].map(key),
      ...['merchant_id', 'period', 'state', 'figures', 'closed_at', 'closed_by'].map(text),
      ...['reopened_at', 'reopened_by', 'reason'].map(optional),
    ],
    indices: [
      { name: 'period_closes_by_period', columnNames: ['tenant_id', 'merchant_id', 'period', 'id'] },
      {
        name: 'period_closes_closed_once',
        columnNames: ['tenant_id', 'merchant_id', 'period'],
        where: "state = 'closed'",
        isUnique: true,
      },
    ],
  }),
  new Table({
    name: 'journal_accounts',
    columns: [...['tenant_id', 'merchant_id'].map(key), ...['accounts', 'updated_at'].map(text)],
  }),
  new Table({
    name: 'journal_entries',
    columns: [
      ...['tenant_id', 'merchant_id', 'currency', 'day', 'kind', 'subject'].map(key),
      integerKey('revision'),
      ...['booked_day', 'export_id'].map(text),
      integer('amount_minor'),
    ],
    indices: [{ name: 'journal_entries_by_booked_day', columnNames: ['tenant_id', 'merchant_id', 'booked_day'] }],
  }),
];

/** Creates bank accounts with their statements and matches, closed periods, and the journal export. */
export class AddBankAccounts1763600000058 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const { name } of [...TABLES].reverse()) await run.dropTable(name);
  }
}
