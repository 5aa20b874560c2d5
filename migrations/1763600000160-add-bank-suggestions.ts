import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text } = migrationColumns;

const suggestions = new Table({
  name: 'bank_suggestions',
  columns: [...['tenant_id', 'line_id'].map(key), text('suggestion')],
});

/** Moves the suggestions of bank lines into a table of their own. */
export class AddBankSuggestions1763600000160 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(suggestions);
    await run.query(
      `INSERT INTO bank_suggestions (tenant_id, line_id, suggestion)
       SELECT tenant_id, id, suggestion FROM bank_lines WHERE suggestion IS NOT NULL AND state = 'open'`,
    );
    await run.query('ALTER TABLE bank_lines DROP COLUMN suggestion');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE bank_lines ADD COLUMN suggestion text');
    await run.query(
      `UPDATE bank_lines SET suggestion = (SELECT suggestion FROM bank_suggestions AS stored
       WHERE stored.tenant_id = bank_lines.tenant_id AND stored.line_id = bank_lines.id)`,
    );
    await run.dropTable(suggestions.name);
  }
}
