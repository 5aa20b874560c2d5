import type { MigrationInterface, QueryRunner } from 'typeorm';

const DAY_LENGTH = 'YYYY-MM-DD.'.length;

/** Puts the day before the identities of bank lines, so that the lines of a statement are neighbors in the index. */
export class OrderBankLinesByDay1763600000236 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`UPDATE bank_lines SET identity = day || '.' || identity`);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query(`UPDATE bank_lines SET identity = substr(identity, ${DAY_LENGTH + 1})`);
  }
}
