import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { LONG_CHECK_BYTES, type StartStep } from '#core/database';
import { assert, ServiceError } from '#core/kernel';
import type { AuditStreamState } from '#core/operation/status';
import { type DemoCredentials, discardUnfinishedDemo, keepUnfinishedDemo, openDemo, seedSales } from '#server/demo';
import { parseTrustedProxies } from '#server/hooks';
import type { LoggedRequest } from '#server/http';
import { openApiDocument } from '#server/openapi';
import { type AuditStream, createAuditStream } from '#server/operation/audit-stream';
import { TaskThreads } from '#server/operation/maintenance';
import { createMetrics, type Metrics } from '#server/operation/metrics';
import type { SetupPort } from '#server/operation/setup';
import { checkChoice, checkEmpty, examineDatabase, keyToJoin, restoreInto } from '#server/operation/setup';
import { addAddressProof, addDocs, addHostedFields, addPayPages, addProviderLogout, addRenderer, addTypeface } from '#server/pages';
import { buildApp } from './app/app.ts';
import { listenWhileStarting, type StartingServer } from './app/starting.ts';
import type { Address } from './operation/address.ts';
import { type Composition, compose, openDataDirectory, type ServerOptions, serviceKeyOf } from './operation/compose.ts';
import { databaseUrlOf, writeConfig } from './operation/config/index.ts';
import { addProbes, allRoutes, databaseProblems, processesHealth, rendererOf } from './routes/index.ts';

export type { StartStep } from '#core/database';
export type { DemoCredentials, HistoryOptions } from '#server/demo';
export { seedHistory } from '#server/demo';
export { backUp, checkLedger, exchangeKey, recoverKey, restoreBackup } from '#server/operation/commands';
export type { ServerOptions } from './operation/compose.ts';

/** Returns the credentials of the demo that its documentation may contain. */
function demoFor(credentials: DemoCredentials | undefined) {
  if (credentials === undefined) return undefined;
  const { tenantId, merchantId, apiKey, adminEmail, adminPassword } = credentials;
  return { tenantId, merchantId, apiKey, adminEmail, adminPassword };
}

function metricsUrlOf(metrics: Metrics | undefined): { metricsUrl?: string } {
  const address = metrics?.address();
  return address ? { metricsUrl: `http://${address.host}:${address.port}/metrics` } : {};
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 4801;

/** A running server. */
export interface RunningServer {
  readonly baseUrl: string;
  /** `unset` until the first run is done. */
  readonly environment: 'sandbox' | 'live' | 'unset';
  readonly credentials?: DemoCredentials;
  /** Address of the metrics on their own port; undefined if they have none. */
  readonly metricsUrl?: string;
  /** Returns the addresses of this server and its database. */
  ownAddresses(): readonly Address[];
  /** Stops accepting requests, completes those in flight, checkpoints and unlocks the data directory. */
  close(): Promise<void>;
}

const QUIET_LEVELS: readonly string[] = ['silent', 'fatal', 'error'];

/** Writes a warning to the log while the server, which has the log, does not exist yet. */
function logBeforeListening(level: string | undefined, msg: string, context: Record<string, unknown>): void {
  if (QUIET_LEVELS.includes(level ?? '')) return;
  process.stderr.write(`${JSON.stringify({ level: 40, time: Date.now(), ...context, msg })}\n`);
}

/**
 * Starts the server, which is everything but the desktop window. `scripts` is the folder with the worker scripts for backups and integrity
 * checks. @throws if the data directory or the port is in use.
 */
export async function startServer(options: ServerOptions, scripts?: string): Promise<RunningServer> {
  const trustedProxies = options.trustedProxy === undefined ? undefined : parseTrustedProxies(options.trustedProxy);
  const { keyStore, lock } = await openDataDirectory(options);
  const host = options.host ?? DEFAULT_HOST;
  let composition: Composition | undefined;
  let app: FastifyInstance | undefined;
  let metrics: Metrics | undefined;
  let auditStream: AuditStream | undefined;
  let environment: RunningServer['environment'] = 'unset';
  const { group } = options;
  const setEnvironment = (found: RunningServer['environment'] | undefined) => {
    const wasUnset = environment === 'unset';
    environment = found ?? 'unset';
    if (wasUnset && environment !== 'unset') group?.setUp();
  };
  const current = (): Composition => {
    if (!composition) throw new ServiceError('SERVICE_UNAVAILABLE', 'A backup is being restored. Try again in a moment.');
    return composition;
  };
  // Until there is a tenant, every request queries the database, because another workstation may have created it.
  const isSetUp = async () => {
    if (environment === 'unset') setEnvironment((await composition?.core.identity.tenants.first())?.environment);
    return environment !== 'unset';
  };
  const closeComposition = async () => {
    await composition?.close();
    composition = undefined;
  };

  const tasks = new TaskThreads(scripts);
  let starting: StartingServer | null = null;
  const releasePort = async () => starting?.close();
  let hasStarted = false;
  const beginLongStep = async (step: StartStep) => {
    options.onLongStep?.(step);
    if (starting) starting.step = step;
    else starting = await listenWhileStarting(host, options.port ?? DEFAULT_PORT, step);
  };
  const checkLargeFile = async (file: string, bytes: number) => {
    // The running server has restored this file.
    if (hasStarted) return tasks.findStructureFault(file);
    logBeforeListening(
      options.logLevel,
      'The last stop was not clean, so the database file is checked before the server starts. Let it finish',
      { file, megabytes: Math.round(bytes / 1_000_000) },
    );
    await beginLongStep({ kind: 'check', bytes });
    return tasks.findStructureFault(file, options.signal);
  };
  const onMigration = async (file: string, bytes: number) => {
    if (hasStarted) return;
    logBeforeListening(options.logLevel, 'The database file is updated to this version of Paydesk. Let it finish', {
      file,
      megabytes: Math.round(bytes / 1_000_000),
    });
    if (starting || bytes >= LONG_CHECK_BYTES) await beginLongStep({ kind: 'update', bytes });
  };
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= closeOnce());
  const closeOnce = async () => {
    await releasePort();
    await app?.close();
    await metrics?.close();
    await auditStream?.stop();
    await tasks.stop();
    await composition?.close();
    if (hasStarted) lock.release();
    else lock.undo();
  };

  try {
    metrics = await createMetrics(options, group);
    const stream = await createAuditStream(options, {
      core: () => composition?.core ?? null,
      sends: () => group === undefined || group.isLeader,
      report: (message, context) => ports.report(message, context),
    });
    auditStream = stream;
    const examine = (url: string) => examineDatabase(url, keyStore, options.databaseUrl);
    const setup: SetupPort = {
      dataDir: options.dataDir,
      isSetUp,
      examineDatabase: examine,
      async setUp(tenant, { databaseUrl, sampleData }, from) {
        if (databaseUrl) checkEmpty(await examine(databaseUrl));
        const newComposition = databaseUrl ? await compose({ ...options, databaseUrl }, ports, keyStore) : undefined;
        const created = await (newComposition ?? current()).core.createTenant(tenant, { asFirst: true }).catch(async (error: unknown) => {
          await newComposition?.close();
          throw error;
        });
        if (databaseUrl) await writeConfig(options.dataDir, { databaseUrl });
        if (newComposition) await switchTo(newComposition);
        await current().keyRing.bindKey();
        if (sampleData) await seedSales(current(), created.tenantId, options.sampleDays);
        const { core } = current();
        const signedIn = await core.identity.signIn.login(created.tenantId, tenant.owner.email, tenant.owner.password, from);
        assert('token' in signedIn, 'a new owner has no second factor');
        setEnvironment(tenant.environment);
        return { ...signedIn, ...created };
      },
      async join(databaseUrl, keyInput) {
        const previousKey = (await keyStore.keys())[0] ?? (await keyStore.createFirst());
        const masterKey = await keyToJoin(await examine(databaseUrl), keyStore, keyInput);
        // Both keys are stored until the switch is complete, so that a server that is killed in between can start with either database.
        if (!previousKey.equals(masterKey)) await keyStore.storeNext(masterKey);
        try {
          await writeConfig(options.dataDir, { databaseUrl });
          await switchTo(await compose({ ...options, databaseUrl }, ports, keyStore));
        } catch (error) {
          await writeConfig(options.dataDir, {});
          await keyStore.keepOnly(previousKey);
          throw error;
        }
        await keyStore.keepOnly(masterKey);
        setEnvironment((await current().core.identity.tenants.first())?.environment);
      },
      async restore(request) {
        if (request.databaseUrl !== undefined) checkChoice(request.databaseUrl, options.databaseUrl);
        const databaseUrl = request.databaseUrl ?? (await databaseUrlOf(options));
        // A PostgreSQL database is restored in place, so nothing may use it. SQLite files are written beside the present ones.
        if (databaseUrl !== undefined) await closeComposition();
        try {
          const findings = await restoreInto(
            { ...request, databaseUrl },
            { dataDir: options.dataDir, keyStore, run: tasks.run, closeFiles: closeComposition },
          );
          if (request.databaseUrl !== undefined) await writeConfig(options.dataDir, { databaseUrl });
          composition = await compose({ ...options, databaseUrl }, ports, keyStore);
          setEnvironment((await composition.core.identity.tenants.first())?.environment);
          return findings;
        } finally {
          composition ??= await compose(options, ports, keyStore);
        }
      },
    };
    const routes = allRoutes(
      setup,
      () => current().core,
      group && (async () => processesHealth(group.state, await group.request<readonly string[]>('health'))),
    );
    const ports = {
      renderResponse: rendererOf(routes),
      threads: tasks,
      checkLargeFile,
      onMigration,
      metrics,
      async auditStreams() {
        const sender = group && !group.isLeader ? await group.request<readonly AuditStreamState[]>('audit-streams') : [];
        return sender.find(({ index }) => index === group?.state.leader)?.data ?? stream.states();
      },
      report: (message: string, context: Record<string, unknown>) =>
        app ? app.log.warn(context, message) : logBeforeListening(options.logLevel, message, context),
      ownAddress: () => {
        const address = app?.server.address();
        return typeof address === 'object' && address ? { host: address.address, port: address.port } : null;
      },
    };
    const switchTo = async (newComposition: Composition) => {
      await composition?.close();
      composition = newComposition;
    };
    await discardUnfinishedDemo(options);
    composition = await compose(options, ports, keyStore);
    const credentials = options.demo ? await openDemo(composition, options) : undefined;
    if (credentials) await composition.keyRing.bindKey();
    else keepUnfinishedDemo(options.dataDir);
    environment = (await composition.core.identity.tenants.first())?.environment ?? 'unset';
    const runtime = {
      get core() {
        return current().core;
      },
      isSetUp,
    };
    app = buildApp({
      runtime,
      routes,
      host,
      logLevel: options.logLevel ?? 'info',
      serviceKey: () => serviceKeyOf(current().keyRing, options),
      publicUrl: options.publicUrl,
      trustedProxies,
      headersTimeoutMs: options.headersTimeoutMs,
      streamExchange: group?.exchange('streams'),
      processNumber: group?.role.index,
      otherRequests:
        group &&
        (async (tenantId) => (await group.request<readonly LoggedRequest[]>('requests', tenantId)).flatMap(({ data }) => data ?? [])),
    });
    const { requestLog } = app;
    group?.respond('requests', (tenantId: string) => requestLog.of(tenantId));
    group?.respond('health', () => databaseProblems(current().core.database));
    metrics?.addTo(app, routes, () => runtime.core);
    addProbes(app, () => runtime.core);
    addTypeface(app);
    addDocs(app, () => openApiDocument(routes), demoFor(credentials));
    addHostedFields(app);
    addAddressProof(app, () => runtime.core);
    addProviderLogout(app, () => runtime.core);
    await addPayPages(app, runtime);
    await addRenderer(app, options.webRoot ?? join(import.meta.dirname, '../out/renderer'));
    await metrics?.listen(() => runtime.core);
    stream.start();
    group?.respond('audit-streams', () => stream.states());
    group?.onWake((job, tenantId) => composition?.core.wakeJobs(job, tenantId));
    group?.onPause((tenantId, isPaused) => composition?.core.pauseJobs(tenantId, isPaused) ?? true);
    await releasePort();
    await app.listen({ host, port: options.port ?? DEFAULT_PORT });
    const address = app.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    hasStarted = true;
    return {
      baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      get environment() {
        return environment;
      },
      credentials,
      ...metricsUrlOf(metrics),
      ownAddresses: () => current().ownAddresses(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
