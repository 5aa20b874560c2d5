import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer } = migrationColumns;

const ledger = new Table({
  name: 'sandbox_ledger',
  columns: [
    ...['tenant_id', 'processor_ref'].map(key),
    ...['reference', 'operation'].map(text),
    optional('original_ref'),
    integer('amount_minor'),
    text('currency'),
    integer('approved'),
    ...['auth_code', 'avs_response', 'cvv_response', 'decline_code', 'refund_rule', 'last4'].map(optional),
    text('at'),
  ],
  indices: [
    { name: 'sandbox_ledger_by_original', columnNames: ['tenant_id', 'original_ref'], where: 'original_ref IS NOT NULL' },
    { name: 'sandbox_ledger_by_time', columnNames: ['tenant_id', 'at'] },
  ],
});

/** Ledger of the sandbox processor. */
export class SandboxLedger1763600000000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(ledger);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(ledger);
  }
}

/** Modes, so that simulated outages survive a restart and apply to every server. */
export class SandboxModes1763600000001 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(new Table({ name: 'sandbox_modes', columns: [key('tenant_id'), text('mode')] }));
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable('sandbox_modes');
  }
}

/** Modes of single gateways, so that failover can be tested. */
export class SandboxGatewayModes1763600000002 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.dropTable('sandbox_modes');
    await run.createTable(new Table({ name: 'sandbox_modes', columns: [...['tenant_id', 'gateway_id'].map(key), text('mode')] }));
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable('sandbox_modes');
    await new SandboxModes1763600000001().up(run);
  }
}

/** ID of the installation that the ledger belongs to. */
export class SandboxInstallation2026112902020 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(new Table({ name: 'sandbox_installation', columns: [key('id'), text('installation_id')] }));
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable('sandbox_installation');
  }
}
