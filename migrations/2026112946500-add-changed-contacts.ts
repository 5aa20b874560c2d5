import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the addresses of customers that were changed in the last hours, to which the page of a customer sends no code yet. */
export class AddChangedContacts2026112946500 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`CREATE TABLE customer_changed_contacts (
      tenant_id text NOT NULL, customer_id text NOT NULL, channel text NOT NULL, until_ms bigint NOT NULL,
      PRIMARY KEY (tenant_id, customer_id, channel)
    )`);
    await run.query('CREATE INDEX customer_changed_contacts_by_time ON customer_changed_contacts (tenant_id, until_ms)');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP TABLE customer_changed_contacts');
  }
}
