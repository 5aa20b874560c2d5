import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCESS } from './schema/access.ts';
import { BILLING } from './schema/billing.ts';
import { BOOKS } from './schema/books.ts';
import { PROCESSING } from './schema/processing.ts';
import { RECORDS } from './schema/records.ts';
import { SALES } from './schema/sales.ts';

const STATEMENTS = [...ACCESS, ...RECORDS, ...PROCESSING, ...SALES, ...BILLING, ...BOOKS];

/** The schema of the first version. A later change of a table declaration comes with a migration of its own. */
export class CreateSchema2026112912000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await run.query(statement);
  }

  async down(run: QueryRunner): Promise<void> {
    const tables = STATEMENTS.flatMap((statement) => /^CREATE TABLE (\w+)/.exec(statement)?.[1] ?? []);
    for (const table of tables) await run.query(`DROP TABLE ${table}`);
  }
}
