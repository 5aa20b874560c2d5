import { Type } from 'typebox';
import { count, group, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';

const PHASES = ['selling-before', 'switching', 'selling-after', 'checking'] as const;
export type Phase = (typeof PHASES)[number];

const rehearsalId = id('reh', 'ID of the rehearsal');
const startedAt = time('Time of the start');
const figure = (description: string) => nullable(count(`${description}; null if the sales could not be compared`, 0));

/** A rehearsal that runs on this server. */
export const RunningRehearsal = record('RunningFailoverRehearsal', {
  rehearsalId,
  startedAt,
  phase: literals(PHASES, 'selling-before: sandbox sales run; switching: another server has to become the primary'),
  acknowledged: count('Sandbox sales that were approved so far', 42),
  sinceLastMs: count('Milliseconds since the last approved sale', 84),
  command: nullable(text('Command with which a person carries out the failover; null if Patroni does', null)),
});
export type RunningRehearsal = RecordOf<typeof RunningRehearsal>;

const certificate = {
  result: literals(['passed', 'failed', 'stopped'], '`passed`: another server is the primary, and nothing is lost or doubled'),
  reason: nullable(text('Reason of a failed or stopped rehearsal', null)),
  carriedOutBy: literals(['patroni', 'person'], 'What carried out the failover'),
  startedAt,
  endedAt: time('Time of the end'),
  acknowledged: count('Sandbox sales that were approved', 420),
  usualGapMs: nullable(count('Longest time without an approved sale before the failover, in milliseconds', 90)),
  gapMs: nullable(count('Longest time without an approved sale from the failover on, in milliseconds', 2100)),
  lost: figure('Approved sales that are missing afterwards'),
  doubled: figure('Sales that were made more than once'),
  unconfirmed: figure('Payments whose outcome is still unknown'),
  fromServer: nullable(text('Primary before', 'db1')),
  fromTimeline: nullable(count('Timeline before', 3)),
  toServer: nullable(text('Primary afterwards', 'db2')),
  toTimeline: nullable(count('Timeline afterwards', 4)),
  serverVersion: text('Version of PostgreSQL', '17.2'),
  synchronousStandbys: count('Standbys that had to confirm each change', 1),
};
const StoredCertificate = group('The certificate', { rehearsalId, ...certificate });
/** Certificate of a rehearsal, as the audit log stores it. */
export type FailoverCertificate = RecordOf<typeof StoredCertificate>;

export const RehearsalOverview = group('The overview', {
  refusal: nullable(
    Type.Object({
      reason: text('Code of the reason', 'sqlite'),
      message: text('The reason for a person', 'A failover needs PostgreSQL with a standby.'),
    }),
    'Reason why no rehearsal can start; null if one can',
    null,
  ),
  patroniHosts: nullable(list(text('Host and port', 'db1:8008'), 'Members that are asked for the switchover; null if none is configured')),
  command: text('Command for a person where Patroni is not configured', 'patronictl -c /etc/patroni/config.yml switchover'),
  running: nullable(RunningRehearsal, 'The rehearsal of the server that answers; null without one', null),
  certificates: list(
    record('FailoverCertificate', {
      rehearsalId,
      auditId: id('aud', 'Entry of the audit log that contains the certificate'),
      actor: text('Person who started it', 'admin@demo.example'),
      ...certificate,
    }),
    'The ten newest certificates, newest first',
  ),
});
export type RehearsalOverview = RecordOf<typeof RehearsalOverview>;
