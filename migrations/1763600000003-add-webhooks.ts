import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger } = migrationColumns;

const events = new Table({
  name: 'events',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['type', 'merchant_id', 'resource_id', 'data'].map(text),
    integer('test'),
    text('created_at'),
  ],
});

const endpoints = new Table({
  name: 'webhook_endpoints',
  columns: [
    ...['tenant_id', 'id'].map(key),
    optional('merchant_id'),
    ...['url', 'events'].map(text),
    optional('description'),
    ...['status', 'mark', 'secret'].map(text),
    optional('previous_secret'),
    optionalInteger('previous_until_ms'),
    optional('secret_rotated_at'),
    ...['created_at', 'updated_at'].map(text),
  ],
  uniques: [{ name: 'webhook_endpoints_one_mark', columnNames: ['tenant_id', 'mark'] }],
});

const subscriptions = new Table({
  name: 'webhook_subscriptions',
  columns: [...['tenant_id', 'type', 'endpoint_id'].map(key), ...['as_type', 'merchant_id'].map(optional), text('mark')],
});

const deliveries = new Table({
  name: 'webhook_deliveries',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['endpoint_id', 'event_id', 'event_type', 'resource_id'].map(text),
    integer('test'),
    text('status'),
    ...['attempt_count', 'tries'].map(integer),
    optionalInteger('first_attempt_ms'),
    optional('last_attempt_at'),
    ...['response_status', 'duration_ms'].map(optionalInteger),
    ...['error_kind', 'error_message'].map(optional),
    text('created_at'),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
  ],
  indices: [
    { name: 'webhook_deliveries_due', columnNames: ['tenant_id', 'endpoint_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    { name: 'webhook_deliveries_of_tenant_due', columnNames: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' },
    { name: 'webhook_deliveries_by_endpoint', columnNames: ['tenant_id', 'endpoint_id', 'id'] },
    { name: 'webhook_deliveries_open', columnNames: ['tenant_id', 'endpoint_id', 'resource_id', 'id'], where: "status = 'pending'" },
    { name: 'webhook_deliveries_by_resource', columnNames: ['tenant_id', 'resource_id', 'id'] },
  ],
});

const attempts = new Table({
  name: 'webhook_attempts',
  columns: [
    ...['tenant_id', 'delivery_id'].map(key),
    { name: 'n', type: 'bigint', isPrimary: true },
    ...['endpoint_id', 'cause'].map(text),
    ...['attempted_ms', 'duration_ms'].map(integer),
    optionalInteger('response_status'),
    ...['error_kind', 'error_message'].map(optional),
    text('request_headers'),
    ...['response_headers', 'response_body'].map(optional),
  ],
  indices: [{ name: 'webhook_attempts_by_endpoint', columnNames: ['tenant_id', 'endpoint_id', 'attempted_ms'] }],
});

const TABLES = [events, endpoints, subscriptions, deliveries, attempts];

/** Creates webhook endpoints, events and deliveries. */
export class AddWebhooks1763600000003 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'Webhooks1763600000003';

  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const { name } of [...TABLES].reverse()) await run.dropTable(name);
  }
}
