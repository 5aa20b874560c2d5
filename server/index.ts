import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { assert } from '#core/kernel';
import { parseTrustedProxies } from '#server/hooks';
import { addDocs, addHostedFields, addPayPages, addRenderer } from '#server/pages';
import { buildApp } from './app.ts';
import {
  type Composition,
  compose,
  openDataDirectory,
  refusalOfDatabase,
  type ServerOptions,
  serviceKeyOf,
  writeConfig,
} from './compose.ts';
import { type DemoCredentials, seedDemo } from './demo.ts';
import { openApiDocument } from './openapi.ts';
import { allRoutes, rendererOf } from './routes.ts';
import { seedSales } from './sample-sales.ts';
import type { SetupPort } from './setup.ts';

export type { ServerOptions } from './compose.ts';
export type { DemoCredentials } from './demo.ts';

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 4801;

/** A server that answers. */
export interface RunningServer {
  readonly baseUrl: string;
  /** `unset` until the first run is done. */
  readonly environment: 'sandbox' | 'live' | 'unset';
  readonly credentials?: DemoCredentials;
  /** Stops accepting, finishes what is in flight, checkpoints and lets go of the data directory. */
  close(): Promise<void>;
}

/** Starts the server: the whole of Paydesk but its window. Throws in words when the data directory or the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const trustedProxies = options.trustedProxy === undefined ? undefined : parseTrustedProxies(options.trustedProxy);
  const { masterKey, release } = await openDataDirectory(options);
  const host = options.host ?? DEFAULT_HOST;
  let composition: Composition | undefined;
  let app: FastifyInstance | undefined;
  let environment: RunningServer['environment'] = 'unset';
  const present = (): Composition => {
    if (!composition) throw new Error('the core is not there yet');
    return composition;
  };

  const close = async () => {
    await app?.close();
    await composition?.close();
    release();
  };

  try {
    const setup: SetupPort = {
      isSetUp: () => environment !== 'unset',
      refusalOfDatabase,
      async setUp(tenant, choice, from) {
        if (choice.databaseUrl) await moveTo(choice.databaseUrl);
        const { core } = present();
        const made = await core.createTenant(tenant);
        if (choice.sampleData) await seedSales(present(), made.tenantId);
        const signedIn = await core.identity.signIn.login(made.tenantId, tenant.owner.email, tenant.owner.password, from);
        assert('token' in signedIn, 'a new owner has no second factor');
        environment = tenant.environment;
        return { ...signedIn, ...made };
      },
    };
    const routes = allRoutes(setup, () => present().core);
    const ports = {
      renderAnswer: rendererOf(routes),
      report: (message: string, context: Record<string, unknown>) => app?.log.warn(context, message),
      ownAddress: () => {
        const address = app?.server.address();
        return typeof address === 'object' && address ? { host: address.address, port: address.port } : null;
      },
    };
    const moveTo = async (databaseUrl: string) => {
      const moved = await compose({ ...options, databaseUrl }, ports, masterKey);
      await writeConfig(options.dataDir, { databaseUrl });
      await composition?.close();
      composition = moved;
    };
    composition = await compose(options, ports, masterKey);
    const credentials = options.demo ? await seedDemo(composition, serviceKeyOf(masterKey, options)) : undefined;
    environment = (await composition.core.identity.tenants.first())?.environment ?? 'unset';
    const runtime = {
      get core() {
        return present().core;
      },
      get isSetUp() {
        return environment !== 'unset';
      },
    };
    app = buildApp({
      runtime,
      routes,
      host,
      logLevel: options.logLevel ?? 'info',
      serviceKey: serviceKeyOf(masterKey, options),
      publicUrl: options.publicUrl,
      trustedProxies,
    });
    addDocs(app, openApiDocument(routes));
    addHostedFields(app);
    await addPayPages(app, runtime);
    await addRenderer(app, options.webRoot ?? join(import.meta.dirname, '../out/renderer'));
    await app.listen({ host, port: options.port ?? DEFAULT_PORT });
    const address = app.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    return {
      baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
      get environment() {
        return environment;
      },
      credentials,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
