import { Type } from 'typebox';
import { TIERS } from '#core/access/identity';
import { Dispute } from '#core/books/disputes';
import { count, flag, group, id, literals, nullable, partOf, type RecordOf, record, text, time } from '#core/platform/fields';
import { SANDBOX_MODES } from '#core/processing/gateways';
import { Message } from '#core/records/notifications';

const now = time('Current time of the test clock');
export const SandboxClock = record('SandboxClock', { now });
export type SandboxClock = RecordOf<typeof SandboxClock>;

/** The time of a moved clock, and the jobs that ran. */
export const SandboxClockMove = record('SandboxClockMove', {
  now,
  ran: group('Number of jobs that became due, by kind', {
    webhooks: count('Number of webhook deliveries', 2),
    refundRetries: count('Number of retried refunds', 1),
    subscriptions: count('Number of charged subscriptions', 1),
    invoices: count('Number of invoices that became overdue', 0),
    settlements: count('Number of settlements', 1),
    expirations: count('Number of expired authorizations', 0),
  }),
  isComplete: flag('False if jobs are still due at the new time', true),
});
export type SandboxClockMove = RecordOf<typeof SandboxClockMove>;

export const SandboxMessage = partOf('SandboxMessage', Message, ['messageId', 'channel', 'to', 'subject', 'body', 'createdAt']);

export const SandboxGatewayMode = record('SandboxGatewayMode', {
  mode: literals(
    SANDBOX_MODES,
    '`down`: requests do not arrive. `slow`: answers take four seconds. `silent`: requests are executed, but no answer arrives, so payments stay unconfirmed',
  ),
});
export type SandboxGatewayMode = RecordOf<typeof SandboxGatewayMode>;

export const SandboxTier = record('SandboxTier', {
  tier: literals(TIERS, '`sandbox` has no limits; the others have those of live accounts with this tier'),
});
export type SandboxTier = RecordOf<typeof SandboxTier>;

export const Chargeback = record('SandboxChargeback', { chargebackId: id('dsp', 'The same as `disputeId`'), ...Dispute.properties });
export type Chargeback = RecordOf<typeof Chargeback>;

export const Recording = record('Recording', {
  id: id('rcd', 'ID of the recording'),
  name: text('Name', 'Refund twice'),
  state: literals(['recording', 'stopped'], 'State'),
  steps: count('Number of recorded requests', 12),
  createdBy: text('Person who started it', 'manager@shop.example'),
  createdAt: time('Time of the start'),
  stoppedAt: nullable(time('Time of the end; null while it runs')),
});
export type Recording = RecordOf<typeof Recording>;

export const ReplayReport = record('ReplayReport', {
  name: text('Name of the recording', 'Refund twice'),
  steps: count('Number of steps of the recording', 12),
  equalSteps: count('Number of steps that ran as recorded', 12),
  omittedSteps: count('Number of steps that contain a secret and were left out', 0),
  isEqual: flag('True if everything was as recorded', true),
  difference: nullable(
    group('The first difference; null if everything was as recorded', {
      step: count('Number of the step, from 1', 3),
      request: text('Method and path of the request', 'POST /api/v1/admin/transactions'),
      place: text('`request`, `status`, `events` or the path of a field of the response', 'data.status'),
      message: text('The difference in a sentence', 'The status is 422 instead of 200.'),
      expected: Type.Unknown({ description: 'Value in the recording' }),
      actual: Type.Unknown({ description: 'Value in the replay' }),
    }),
  ),
});
export type ReplayReport = RecordOf<typeof ReplayReport>;
