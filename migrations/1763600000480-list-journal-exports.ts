import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer } = migrationColumns;

const exports = new Table({
  name: 'journal_exports',
  columns: [
    ...['tenant_id', 'id'].map(key),
    text('merchant_id'),
    integer('n'),
    ...['start_date', 'end_date', 'contents'].map(text),
    ...['entries', 'new_entries'].map(integer),
    optional('created_by'),
    text('created_at'),
  ],
  indices: [{ name: 'journal_exports_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'n'], isUnique: true }],
});

const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_TIME = /^jex_(?<time>[0-9a-z]{10})/;

/** Returns the time that an ID begins with. */
function timeOf(id: string): string {
  const digits = [...(ID_TIME.exec(id)?.groups?.time ?? '')];
  return new Date(digits.reduce((ms, digit) => ms * 32 + ID_ALPHABET.indexOf(digit), 0)).toISOString();
}

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`;

/**
 * Creates the list of journal exports, with the earlier ones. Each of these contains the entries that it exported first. Its period is that of its
 * entries, because an export could mark entries of a day after its period, which its file did not contain.
 */
export class ListJournalExports1763600000480 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(exports);
    await run.query(
      `INSERT INTO journal_exports (tenant_id, id, merchant_id, n, start_date, end_date, contents, entries, new_entries, created_by, created_at)
       SELECT e.tenant_id, e.export_id, e.merchant_id, row_number() OVER (PARTITION BY e.tenant_id, e.merchant_id ORDER BY e.export_id),
         e.first_day, e.last_day, 'new', e.entries, e.entries, a.actor, ''
       FROM (
         SELECT tenant_id, merchant_id, export_id, min(booked_day) AS first_day, max(booked_day) AS last_day, count(*) AS entries
         FROM journal_entries WHERE export_id <> '' GROUP BY tenant_id, merchant_id, export_id
       ) e
       LEFT JOIN (
         SELECT tenant_id, resource, min(actor) AS actor FROM audit_entries WHERE resource LIKE 'reporting/journal/%' GROUP BY tenant_id, resource
       ) a ON a.tenant_id = e.tenant_id AND a.resource = 'reporting/journal/' || e.export_id`,
    );
    const rows = (await run.query('SELECT tenant_id, id FROM journal_exports')) as { tenant_id: string; id: string }[];
    for (const { tenant_id, id } of rows)
      await run.query(
        `UPDATE journal_exports SET created_at = ${quoted(timeOf(id))} WHERE tenant_id = ${quoted(tenant_id)} AND id = ${quoted(id)}`,
      );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(exports.name);
  }
}
