import { setTimeout as wait } from 'node:timers/promises';
import type { Core } from '#core';
import type { AuditStreamState } from '#core/operation/status';
import type { Recipient } from '#core/records/audit';
import { readCertificates } from '../certificates.ts';
import { filePlace } from './file.ts';
import type { Place } from './place.ts';
import { syslogPlace } from './syslog.ts';

interface AuditStreamOptions {
  /** File of JSON lines. */
  readonly auditFile?: string | undefined;
  /** Collector of syslog messages, as `tls://HOST:PORT` or `tcp://HOST:PORT`. */
  readonly auditSyslog?: string | undefined;
  /** PEM file with certificate authorities that are trusted for the collector, in addition to the public ones. */
  readonly auditCa?: string | undefined;
}

interface Ports {
  /** Returns the running core; null while there is none, as during a restore. */
  readonly core: () => Core | null;
  /** Returns true while this process sends the log. Of several processes of a server, one does. */
  readonly sends: () => boolean;
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** Sends the audit log of all accounts to places outside of the database while the server runs. */
export interface AuditStream {
  start(): void;
  states(): readonly AuditStreamState[];
  /** Ends after the batch that is being sent. */
  stop(): Promise<void>;
}

/** Time between two looks for new entries. */
const EVERY_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/** Creates the streams of the options. @throws Error for a wrong option. */
export async function createAuditStream({ auditFile, auditSyslog, auditCa }: AuditStreamOptions, ports: Ports): Promise<AuditStream> {
  const authorities = auditCa === undefined ? [] : [await readCertificates(auditCa, 'the audit log')];
  const places = [
    ...(auditFile === undefined ? [] : [filePlace(auditFile)]),
    ...(auditSyslog === undefined ? [] : [syslogPlace(auditSyslog, authorities)]),
  ];
  const ended = new AbortController();
  const runs = places.map((place) => createRun(place, ports, ended.signal));
  return {
    start() {
      for (const run of runs) run.start();
    },
    states: () => runs.map(({ state }) => state()),
    async stop() {
      ended.abort();
      await Promise.all(runs.map(({ ended: runEnded }) => runEnded()));
    },
  };
}

function createRun(place: Place, { core, sends, report }: Ports, signal: AbortSignal) {
  let failure: AuditStreamState['failure'] = null;
  let ended: Promise<void> | undefined;
  let failures = 0;

  const recipient: Recipient = {
    place: place.name,
    send: place.send,
    omitted: (tenantId, first, last) =>
      report('Audit entries were archived before they could be sent', { place: place.name, tenantId, first, last }),
  };

  async function send(): Promise<void> {
    if (!sends()) return;
    try {
      await core()?.audit.streaming.sendTo(recipient, signal);
      if (failure !== null) report('The audit log is sent again', { place: place.name });
      failure = null;
      failures = 0;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (failure === null) report('The audit log cannot be sent', { place: place.name, reason });
      failure = { reason, sinceMs: failure?.sinceMs ?? Date.now() };
      failures += 1;
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await send();
      const delayMs = Math.min(EVERY_MS * 2 ** failures, RETRY_MAX_MS);
      // The wait ends early when the server stops.
      await wait(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    start() {
      ended = run();
    },
    state: (): AuditStreamState => ({ kind: place.kind, place: place.name, failure }),
    ended: async () => ended,
  };
}
