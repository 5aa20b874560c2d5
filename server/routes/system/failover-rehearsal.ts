import { Type } from 'typebox';
import { route, success } from '#server/http';
import { Maybe, named, Success, Timestamp } from '#server/schemas';

const shared = {
  surface: 'admin',
  tag: 'System',
  scope: 'installation',
  permission: 'owner:failover',
  path: '/system/failover-rehearsal',
} as const;
const OWNERS_ONLY = 'Only owners of the first account of an installation can call this.';
const Count = (description: string) => Maybe(Type.Integer({ description }));

const RunningOut = named(
  'RunningFailoverRehearsal',
  Type.Object({
    rehearsalId: Type.String(),
    startedAt: Timestamp,
    phase: Type.Union(
      (['selling-before', 'switching', 'selling-after', 'checking'] as const).map((phase) => Type.Literal(phase)),
      { description: 'selling-before: sandbox sales run; switching: another server has to become the primary' },
    ),
    acknowledged: Type.Integer({ description: 'sandbox sales that were approved so far' }),
    sinceLastMs: Type.Integer({ description: 'milliseconds since the last approved sale' }),
    command: Maybe(Type.String({ description: 'command with which a person carries out the failover; null if Patroni does' })),
  }),
);

const CertificateOut = named(
  'FailoverCertificate',
  Type.Object({
    rehearsalId: Type.String(),
    auditId: Type.String({ description: 'entry of the audit log that contains the certificate' }),
    actor: Type.String(),
    result: Type.Union((['passed', 'failed', 'stopped'] as const).map((result) => Type.Literal(result))),
    reason: Maybe(Type.String({ description: 'reason of a failed or stopped rehearsal' })),
    carriedOutBy: Type.Union([Type.Literal('patroni'), Type.Literal('person')]),
    startedAt: Timestamp,
    endedAt: Timestamp,
    acknowledged: Type.Integer({ description: 'sandbox sales that were approved' }),
    usualGapMs: Count('longest time without an approved sale before the failover, in milliseconds'),
    gapMs: Count('longest time without an approved sale from the failover on, in milliseconds'),
    lost: Count('approved sales that are missing afterwards'),
    doubled: Count('sales that were made more than once'),
    unconfirmed: Count('payments whose outcome is still unknown'),
    fromServer: Maybe(Type.String()),
    fromTimeline: Maybe(Type.Integer()),
    toServer: Maybe(Type.String()),
    toTimeline: Maybe(Type.Integer()),
    serverVersion: Type.String({ description: 'version of PostgreSQL' }),
    synchronousStandbys: Type.Integer({ description: 'standbys that had to confirm each change' }),
  }),
);

const overview = route({
  ...shared,
  method: 'GET',
  id: 'admin.failoverRehearsals',
  summary: 'Failover rehearsals and their certificates',
  description: `${OWNERS_ONLY} \`refusal\` gives the reason why no rehearsal can start. \`running\` is the rehearsal of the server that answers. The certificates are the ten newest ones, from the audit log. While no primary is available, the response is 503.`,
  response: Success(
    Type.Object({
      refusal: Maybe(Type.Object({ reason: Type.String(), message: Type.String() })),
      patroniHosts: Maybe(
        Type.Array(Type.String(), { description: 'members that are asked for the switchover; null if none is configured' }),
      ),
      command: Type.String({ description: 'command for a person where Patroni is not configured' }),
      running: Maybe(RunningOut),
      certificates: Type.Array(CertificateOut),
    }),
  ),
  run: ({ core, actor }) => core.failoverRehearsals.overview(actor),
  show: success,
});

const start = route({
  ...shared,
  method: 'POST',
  confirms: { level: 'recent', accounts: 'live' },
  id: 'admin.startFailoverRehearsal',
  idempotent: false,
  summary: 'Rehearse a failover of the database',
  description: `${OWNERS_ONLY} Sandbox sales run in an account of their own while Patroni or a person replaces the primary; sales of every account wait meanwhile. RESOURCE_CONFLICT with \`details.reason\` \`sqlite\`, \`no-standby\`, \`asynchronous\`, \`no-synchronous-standby\` or \`running\`.`,
  response: Success(RunningOut),
  errors: ['RESOURCE_CONFLICT', 'SERVICE_UNAVAILABLE'],
  run: ({ core, actor }) => core.failoverRehearsals.start(actor),
  show: success,
});

const stop = route({
  ...shared,
  method: 'DELETE',
  id: 'admin.stopFailoverRehearsal',
  summary: 'Stop the failover rehearsal of this server',
  description: `${OWNERS_ONLY} The sandbox sales end; a switchover that Patroni has begun continues. The certificate states the result so far.`,
  response: Success(RunningOut),
  errors: ['RESOURCE_CONFLICT'],
  run: ({ core }) => core.failoverRehearsals.stop(),
  show: success,
});

/** Routes for failover rehearsals on the System screen. */
export const adminFailoverRehearsal = [overview, start, stop];
