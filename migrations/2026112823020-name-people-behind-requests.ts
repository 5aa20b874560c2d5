import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records who made or changed an API key, and the people behind each request for an approval, who cannot approve it. */
export class NamePeopleBehindRequests2026112823020 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const column of ['creator_id', 'changer_id']) await run.query(`ALTER TABLE api_keys ADD COLUMN ${column} text`);
    await run.query("ALTER TABLE approvals ADD COLUMN requester_user_ids text NOT NULL DEFAULT '[]'");
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE approvals ALTER COLUMN requester_user_ids DROP DEFAULT');
    await run.query(`UPDATE approvals SET requester_user_ids = '["' || requester_id || '"]' WHERE requester_id LIKE 'usr_%'`);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE approvals DROP COLUMN requester_user_ids');
    for (const column of ['changer_id', 'creator_id']) await run.query(`ALTER TABLE api_keys DROP COLUMN ${column}`);
  }
}
