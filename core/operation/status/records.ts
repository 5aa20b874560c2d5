import { group, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { JobStatus } from '#core/platform/scheduling';
import { Gateway } from '#core/processing/merchants';

/** Items of the status in their order. */
export const STATUS_NAMES = [
  'server',
  'database',
  'replication',
  'gateways',
  'payments',
  'requests',
  'refunds',
  'webhooks',
  'messages',
  'scheduler',
  'backup',
  'archive',
  'audit-log',
  'keys',
  'disk',
  'clock',
  'public-address',
] as const;
/** Actions that a person can take about an item. */
const STATUS_ACTIONS = [
  'open-gateways',
  'open-transactions',
  'open-refund-queue',
  'open-webhooks',
  'open-messages',
  'set-up-messages',
  'open-backup',
  'open-archive',
  'save-recovery-file',
  'open-settings',
  'see-logs',
] as const;
const state = literals(['ok', 'warning', 'problem'], 'warning: should be checked; problem: prevents something from working');

const StatusFact = group('a figure: a text or a time', {
  name: text('Name', 'Version'),
  value: nullable(text('Text; null for a time', '0.1.0')),
  at: nullable(time('Time; null for a text')),
});
/** A figure of an item: a text or a time. */
export type StatusFact = RecordOf<typeof StatusFact>;

const { name, type, status, health } = Gateway.properties;
/** This server's circuit state of a gateway. */
export const GatewayCircuit = group('A gateway', {
  gatewayId: Gateway.properties.id,
  merchantId: id('mer', 'ID of the merchant'),
  name,
  type,
  status,
  currency: nullable(text('Its only currency; null for the sandbox, which accepts all currencies', 'USD')),
  health,
});
export type GatewayCircuit = RecordOf<typeof GatewayCircuit>;

/** One item with its state, in one sentence, with one action. */
const StatusItem = record('StatusItem', {
  name: literals(STATUS_NAMES, 'Name of the item'),
  state,
  message: text('One sentence', 'The database is reachable.'),
  action: nullable(literals(STATUS_ACTIONS, 'Action that a person can take; null if none is needed')),
  subject: nullable(text('Subject of the action: the ID of an endpoint, the name of a channel', null)),
  facts: list(StatusFact, 'Figures'),
});
export type StatusItem = RecordOf<typeof StatusItem>;

/** Status of an installation as far as the caller may see it. */
export const SystemStatus = record('SystemStatus', {
  state,
  checkedAt: time('Time of the check'),
  items: list(StatusItem, 'Items of the status'),
  jobs: list(JobStatus, 'Scheduled jobs'),
});
export type SystemStatus = RecordOf<typeof SystemStatus>;
