import { RehearsalOverview, RunningRehearsal } from '#core/operation/failover-rehearsal';
import { route, Success } from '#server/http';

const shared = {
  surface: 'admin',
  tag: 'System',
  scope: 'installation',
  permission: 'owner:failover',
  path: '/system/failover-rehearsal',
} as const;
const OWNERS_ONLY = 'Only owners of the first account of an installation can call this.';

const overview = route({
  ...shared,
  method: 'GET',
  id: 'admin.failoverRehearsals',
  summary: 'Failover rehearsals and their certificates',
  description: `${OWNERS_ONLY} \`refusal\` gives the reason why no rehearsal can start. \`running\` is the rehearsal of the server that answers. The certificates are the ten newest ones, from the audit log. While no primary is available, the response is 503.`,
  response: Success(RehearsalOverview),
  run: ({ core, actor }) => core.failoverRehearsals.overview(actor),
});

const start = route({
  ...shared,
  method: 'POST',
  confirms: { level: 'recent', accounts: 'live' },
  id: 'admin.startFailoverRehearsal',
  idempotent: false,
  summary: 'Rehearse a failover of the database',
  description: `${OWNERS_ONLY} Sandbox sales run in an account of their own while Patroni or a person replaces the primary; sales of every account wait meanwhile. RESOURCE_CONFLICT with \`details.reason\` \`sqlite\`, \`no-standby\`, \`asynchronous\`, \`no-synchronous-standby\` or \`running\`.`,
  response: Success(RunningRehearsal),
  errors: ['RESOURCE_CONFLICT', 'SERVICE_UNAVAILABLE'],
  run: ({ core, actor }) => core.failoverRehearsals.start(actor),
});

const stop = route({
  ...shared,
  method: 'DELETE',
  id: 'admin.stopFailoverRehearsal',
  summary: 'Stop the failover rehearsal of this server',
  description: `${OWNERS_ONLY} The sandbox sales end; a switchover that Patroni has begun continues. The certificate states the result so far.`,
  response: Success(RunningRehearsal),
  errors: ['RESOURCE_CONFLICT'],
  run: ({ core }) => core.failoverRehearsals.stop(),
});

/** Routes for failover rehearsals on the System screen. */
export const adminFailoverRehearsal = [overview, start, stop];
