import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key } = migrationColumns;

const payouts = new Table({ name: 'bank_suggested_payouts', columns: ['tenant_id', 'payout_id', 'line_id'].map(key) });

/** Returns the parts of suggestions as rows, with the payout of each. */
const PARTS = {
  sqlite: {
    from: "bank_suggestions AS s, json_each(s.suggestion, '$.parts') AS part",
    payout: "json_extract(part.value, '$.payoutId')",
  },
  postgres: {
    from: "bank_suggestions AS s CROSS JOIN LATERAL json_array_elements(s.suggestion::json -> 'parts') AS part",
    payout: "part ->> 'payoutId'",
  },
};

/** Adds the payouts of suggestions for bank lines, by which the close of a period finds whether a payout is suggested. */
export class FindSuggestionsByPayout1763600000235 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(payouts);
    const { from, payout } = PARTS[run.connection.options.type === 'postgres' ? 'postgres' : 'sqlite'];
    await run.query(
      `INSERT INTO bank_suggested_payouts (tenant_id, payout_id, line_id)
       SELECT DISTINCT s.tenant_id, ${payout}, s.line_id FROM ${from} WHERE ${payout} IS NOT NULL`,
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(payouts.name);
  }
}
