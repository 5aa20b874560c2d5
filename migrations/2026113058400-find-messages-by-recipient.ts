import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the messages to a recipient by an index. */
export class FindMessagesByRecipient2026113058400 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query("ALTER TABLE messages ADD COLUMN recipient_key text NOT NULL DEFAULT ''");
    await run.query('UPDATE messages SET recipient_key = lower(recipient)');
    await run.query('CREATE INDEX messages_by_recipient ON messages (tenant_id, recipient_key, merchant_id, id)');
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE messages ALTER COLUMN recipient_key DROP DEFAULT');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX messages_by_recipient');
    await run.query('ALTER TABLE messages DROP COLUMN recipient_key');
  }
}
