import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const unreported = new TableIndex({
  name: 'attempts_unreported',
  columnNames: ['tenant_id', 'shift_id'],
  where: 'shift_id IS NOT NULL AND shift_report_id IS NULL',
});

/** Links card and bank payments to the shift in which they are made, and to the Z report that counts them. */
export class LinkCardPaymentsToShifts1763600000195 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE attempts ADD COLUMN shift_id text');
    await run.query('ALTER TABLE attempts ADD COLUMN shift_report_id text');
    await run.createIndex('attempts', unreported);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('attempts', unreported);
    await run.query('ALTER TABLE attempts DROP COLUMN shift_report_id');
    await run.query('ALTER TABLE attempts DROP COLUMN shift_id');
  }
}
