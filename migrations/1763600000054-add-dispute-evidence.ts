import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, integer } = migrationColumns;

const attachments = new Table({
  name: 'dispute_attachments',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['dispute_id', 'item', 'name', 'media_type'].map(text),
    ...['bytes', 'pages'].map(integer),
    ...['sha256', 'sealed', 'created_by', 'created_at'].map(text),
  ],
  indices: [{ name: 'dispute_attachments_by_dispute', columnNames: ['tenant_id', 'dispute_id', 'id'] }],
});

const packs = new Table({
  name: 'dispute_packs',
  columns: [
    ...['tenant_id', 'id'].map(key),
    text('dispute_id'),
    ...['pages', 'pdf_bytes', 'archive_bytes'].map(integer),
    ...['manifest_sha256', 'sealed_pdf', 'sealed_archive', 'created_by', 'created_at'].map(text),
  ],
  indices: [{ name: 'dispute_packs_by_dispute', columnNames: ['tenant_id', 'dispute_id', 'id'] }],
});

const contexts = new Table({
  name: 'payment_contexts',
  columns: [...['tenant_id', 'id'].map(key), ...['sealed', 'created_at'].map(text)],
});

/** Finds the earlier payments of a card. */
const CARDS = { name: 'vault_entries_by_fingerprint', columnNames: ['tenant_id', 'fingerprint', 'id'] };

/** Adds the attachments and evidence packs of disputes, and the device details of payments that payers make themselves. */
export class AddDisputeEvidence1763600000054 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of [attachments, packs, contexts]) await run.createTable(table);
    await run.createIndex('vault_entries', new TableIndex(CARDS));
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('vault_entries', CARDS.name);
    for (const { name } of [contexts, packs, attachments]) await run.dropTable(name);
  }
}
