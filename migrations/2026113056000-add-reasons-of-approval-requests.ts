import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds to approvals the reason that the requester gave. */
export class AddReasonsOfApprovalRequests2026113056000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE approvals ADD COLUMN request_reason text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE approvals DROP COLUMN request_reason');
  }
}
