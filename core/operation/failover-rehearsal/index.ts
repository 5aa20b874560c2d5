import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Identity } from '#core/access/identity';
import type { Replication } from '#core/database';
import { type Actor, isoTime, newId, type ProcessExchange, ServiceError } from '#core/kernel';
import type { Audit, Fields } from '#core/records/audit';
import type { FailoverCertificate, RehearsalOverview, RunningRehearsal } from './records.ts';
import { RehearsalRun, type RunDependencies, type RunResult } from './run.ts';

export { createPatroni, type Patroni, parsePatroniUrls } from './patroni.ts';
export { RehearsalOverview, RunningRehearsal } from './records.ts';

/** Longest duration of a rehearsal, after which one that was interrupted by a killed server blocks no other. */
const LONGEST_MS = 20 * 60_000;
/** Time in which the database must accept the certificate. */
const STORED_WITHIN_MS = 60_000;
const RETRY_MS = 500;
/** Time that a stopping server waits for the certificate. */
const CLOSED_WITHIN_MS = 3_000;
const CERTIFICATES_SHOWN = 10;
const TOPIC = 'failover-rehearsal';
/** Owner of the sandbox tenant of the rehearsals. Nobody knows its password. */
const OWNER_EMAIL = 'failover-rehearsal@paydesk.invalid';
const COMMAND = 'patronictl -c /etc/patroni/config.yml switchover';
const STARTED = 'failover_rehearsal.started';
const FINISHED = 'failover_rehearsal.finished';

interface Dependencies extends RunDependencies {
  readonly identity: Pick<Identity, 'tenants' | 'installationAdmins'>;
  readonly audit: Pick<Audit, 'record' | 'page'>;
  readonly processes: ProcessExchange;
  /** Creates the sandbox tenant of the rehearsals and returns its ID. */
  readonly createTenant: (owner: { readonly email: string; readonly password: string }) => Promise<string>;
}

/**
 * Rehearsals of a failover of PostgreSQL. While sandbox sales run in a tenant of their own, Patroni or a person replaces the primary. The
 * certificate with the gap and the lost and doubled sales is an entry of the audit log (docs/decisions/0040).
 */
export function createFailoverRehearsals(deps: Dependencies) {
  const { database, patroni, identity, audit } = deps;
  let running: RehearsalRun | null = null;
  /** Resolves when the certificate of the last rehearsal is stored. */
  let ended: Promise<void> = Promise.resolve();
  let isClosed = false;
  deps.processes.respond<boolean>(TOPIC, (stops) => runningHere(stops));

  function refusalOf(replication: Replication | null): RehearsalOverview['refusal'] {
    if (replication === null) return refusal('sqlite', 'A failover needs PostgreSQL with a standby. This installation uses SQLite.');
    const { standbys, hidden, required } = replication;
    if (standbys.length + hidden === 0)
      return refusal('no-standby', 'No standby is connected, so no server can replace the primary. Start a standby first.');
    if (required === 0)
      return refusal(
        'asynchronous',
        'Replication is asynchronous, so a failover could lose sales of this installation. Make it synchronous first.',
      );
    if (standbys.filter(({ isSynchronous }) => isSynchronous).length + hidden < required)
      return refusal('no-synchronous-standby', 'A required synchronous standby is not connected. Start it first.');
    return null;
  }

  /** Claims the installation for one rehearsal and records its start. @throws ServiceError RESOURCE_CONFLICT while another one runs. */
  async function claim(actor: Actor, rehearsalId: string, from: Replication): Promise<void> {
    await database.unitOfWork.transaction(actor.tenantId, async (work) => {
      await work.advisoryLock('failover rehearsal');
      const latest = async (action: string) => (await audit.page(actor, { action }, { page: 1, limit: 1 })).items[0];
      const [started, finished] = [await latest(STARTED), await latest(FINISHED)];
      const isOpen = started !== undefined && started.resource !== finished?.resource;
      if (isOpen && Date.now() - Date.parse(started.at) < LONGEST_MS)
        throw new ServiceError('RESOURCE_CONFLICT', `A rehearsal is running since ${started.at}. Wait until it has ended.`, {
          details: { reason: 'running' },
        });
      audit.record(work, {
        actor,
        action: STARTED,
        resource: resourceOf(rehearsalId),
        after: { server: from.primary, timeline: from.timeline },
      });
    });
  }

  async function tenantOfRehearsals(): Promise<string> {
    const [known] = await identity.tenants.ofEmail(OWNER_EMAIL);
    return known ?? deps.createTenant({ email: OWNER_EMAIL, password: randomBytes(32).toString('base64url') });
  }

  function certificateOf(run: RehearsalRun, { reason, usualGapMs, gapMs, to, comparison }: RunResult): FailoverCertificate {
    const { rehearsalId, startedMs, from, acknowledged, isStopped } = run;
    const passedOrFailed = reason === null ? 'passed' : 'failed';
    return {
      rehearsalId,
      result: isStopped ? 'stopped' : passedOrFailed,
      reason,
      carriedOutBy: patroni ? 'patroni' : 'person',
      startedAt: isoTime(startedMs),
      endedAt: isoTime(Date.now()),
      acknowledged,
      usualGapMs,
      gapMs,
      lost: comparison?.lost ?? null,
      doubled: comparison?.doubled ?? null,
      unconfirmed: comparison?.unconfirmed ?? null,
      fromServer: from.primary,
      fromTimeline: from.timeline,
      toServer: to?.primary ?? null,
      toTimeline: to?.timeline ?? null,
      serverVersion: from.serverVersion,
      synchronousStandbys: from.required,
    };
  }

  /** Writes the certificate to the audit log, also if the database is not available at first. */
  async function store(actor: Actor, certificate: FailoverCertificate): Promise<void> {
    for (const until = performance.now() + STORED_WITHIN_MS; ; await pause(RETRY_MS)) {
      try {
        return await database.unitOfWork.transaction(actor.tenantId, async (work) => {
          const after = certificate as unknown as Fields;
          audit.record(work, { actor, action: FINISHED, resource: resourceOf(certificate.rehearsalId), after });
        });
      } catch (error) {
        if (performance.now() < until && !isClosed) continue;
        return deps.report('The certificate of the failover rehearsal could not be stored', { certificate, error });
      }
    }
  }

  async function overview(actor: Actor): Promise<RehearsalOverview> {
    await identity.installationAdmins.requireFirstTenant(actor);
    const [refused, { items }] = await Promise.all([
      database.replication().then(refusalOf),
      audit.page(actor, { action: FINISHED }, { page: 1, limit: CERTIFICATES_SHOWN }),
    ]);
    return {
      refusal: refused,
      patroniHosts: patroni?.hosts ?? null,
      command: COMMAND,
      running: await runningInServer(false),
      certificates: items.map(({ id, actor: name, after }) => ({
        ...(after as unknown as FailoverCertificate),
        auditId: id,
        actor: name,
      })),
    };
  }

  /** Returns the rehearsal of this process, and stops it if `stops` is true. */
  function runningHere(stops: boolean): RunningRehearsal | null {
    if (stops) running?.stop();
    return running && stateOf(running);
  }

  /** Returns the rehearsal of any process of the server, and stops it if `stops` is true. */
  async function runningInServer(stops: boolean): Promise<RunningRehearsal | null> {
    const here = runningHere(stops);
    if (here) return here;
    const elsewhere = await deps.processes.request<RunningRehearsal | null>(TOPIC, stops);
    return elsewhere.find(({ data }) => data)?.data ?? null;
  }

  function stateOf({ rehearsalId, startedMs, phase, acknowledged, sinceLastMs }: RehearsalRun): RunningRehearsal {
    const command = patroni ? null : COMMAND;
    return { rehearsalId, startedAt: isoTime(startedMs), phase, acknowledged, sinceLastMs, command };
  }

  return {
    overview,
    /**
     * Starts a rehearsal, which continues after the response. @throws ServiceError RESOURCE_CONFLICT with `details.reason`: `sqlite`,
     * `no-standby`, `asynchronous`, `no-synchronous-standby` or `running`.
     */
    async start(actor: Actor): Promise<RunningRehearsal> {
      const from = await database.replication();
      const refused = refusalOf(from);
      if (refused || from === null)
        throw new ServiceError('RESOURCE_CONFLICT', refused?.message ?? '', { details: { reason: refused?.reason } });
      const startedMs = Date.now();
      const rehearsalId = newId('reh', startedMs);
      await claim(actor, rehearsalId, from);
      const run = new RehearsalRun(deps, rehearsalId, startedMs, from);
      running = run;
      ended = run
        .conduct(tenantOfRehearsals)
        .then((result) => store(actor, certificateOf(run, result)))
        .finally(() => {
          if (running === run) running = null;
        });
      return stateOf(run);
    },
    /** Stops the rehearsal of this server; its certificate states the result so far. @throws ServiceError RESOURCE_CONFLICT if none runs. */
    async stop(): Promise<RunningRehearsal> {
      const stopped = await runningInServer(true);
      if (stopped === null)
        throw new ServiceError('RESOURCE_CONFLICT', 'No rehearsal is running on this server.', { details: { reason: 'not-running' } });
      return stopped;
    },
    /** Ends the rehearsal when the server stops, with a certificate if the database accepts it. */
    async close(): Promise<void> {
      running?.abandon();
      isClosed = true;
      await Promise.race([ended, pause(CLOSED_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}

const refusal = (reason: string, message: string) => ({ reason, message });
const resourceOf = (rehearsalId: string) => `system/failover-rehearsal/${rehearsalId}`;
