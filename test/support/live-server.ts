// A server of a live account with processor simulators as its gateways.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Database } from '#core/database';
import type { ServerOptions } from '#server';
import type { Peer } from '../../simulators/index.ts';
import { surfaceOf } from './api-client.ts';
import { openTestDatabase } from './databases.ts';
import { CARDS, cardBody } from './sales.ts';
import { type Api, type DatabaseKind, expectData, startTestServer } from './server.ts';

/** A live account with its owner, one merchant in US dollars and New York's time zone, and no gateway. */
export interface LiveServer {
  readonly kind: DatabaseKind;
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Address of the PostgreSQL database, if it uses one. */
  readonly databaseUrl: string | undefined;
  /** A second connection to its database, for changes that no route makes. */
  readonly store: Database;
  readonly tenantId: string;
  readonly merchantId: string;
  /** API key of the merchant with all permissions that a key may have. */
  readonly apiKey: string;
  /** The owner's session on the screens. */
  readonly owner: { readonly email: string; readonly password: string; readonly token: string };
  /** `admin` as the owner, `public` and `sdk` with the merchant's key. */
  readonly api: Pick<Api, 'admin' | 'public' | 'sdk' | 'bare'>;
  stop(): Promise<void>;
}

/** The fields of a gateway that the tests read. */
export interface GatewayRecord {
  id: string;
  type: string;
  name: string;
  status: 'active' | 'disabled';
  priority: number;
  hasCredentials: boolean;
  settings: {
    mode: string;
    origin: string | null;
    currency: string;
    timezone: string;
    cutoffTime: string;
    captureHoldMinutes: number;
  } | null;
  check: {
    state: string;
    at: string;
    merchantName: string | null;
    currencies: string[];
    timezone: string | null;
    takesBankAccounts: boolean | null;
    reason: string | null;
  } | null;
  health: { state: string; failures: number; lastReason: string | null; nextProbeAt: string | null };
}

const EMAIL = 'owner@live.example';
const PASSWORD = 'a long enough password';
/** Body of the first run of a live account. */
export const LIVE_SETUP = {
  businessName: 'Live Shop',
  currency: 'USD',
  timezone: 'America/New_York',
  email: EMAIL,
  password: PASSWORD,
  environment: 'live',
};

/** The confirmation that changes of a live account's gateways require of its owner. */
export const CONFIRMED = { currentPassword: PASSWORD };

/** Starts a server with a live account whose requests are not limited. The caller stops it. */
export async function startLiveServer(kind: DatabaseKind, options: Partial<ServerOptions> = {}): Promise<LiveServer> {
  const { database, place, close } = await openTestDatabase(kind);
  const dataDir = kind === 'sqlite' ? dirname(place) : await mkdtemp(join(tmpdir(), 'paydesk-live-'));
  const databaseUrl = kind === 'postgres' ? place : undefined;
  const start = () => startTestServer('sqlite', { demo: false, dataDir, databaseUrl, ...options });
  const first = await start();
  const { tenantId, merchantId } = await expectData(
    surfaceOf(first.server.baseUrl, '/api/v1', () => ({})).post<{ tenantId: string; merchantId: string }>('/setup', LIVE_SETUP),
  );
  await first.stop();
  // No route creates a live account of the tier without limits, and a running server caches the tier that it started with.
  await database.unitOfWork.transaction(null, (work) => work.run("UPDATE tenants SET tier = 'sandbox'", {}));
  const { server, stop } = await start();
  const { baseUrl } = server;
  const tenant = { 'X-Tenant-ID': tenantId };
  const bare = surfaceOf(baseUrl, '', () => ({}));
  const signIn = bare.post<{ token: string }>('/api/v1/auth/login', { email: EMAIL, password: PASSWORD }, tenant);
  const { token } = await expectData(signIn);
  const admin = surfaceOf(baseUrl, '/api/v1', () => ({ ...tenant, Authorization: `Bearer ${token}` }));
  const { key: apiKey } = await expectData(
    admin.post<{ key: string }>('/api-keys', { name: 'live', scope: 'merchant', merchantId, currentPassword: PASSWORD }),
    201,
  );
  return {
    kind,
    baseUrl,
    dataDir,
    databaseUrl,
    store: database,
    tenantId,
    merchantId,
    apiKey,
    owner: { email: EMAIL, password: PASSWORD, token },
    api: {
      admin,
      public: surfaceOf(baseUrl, '/api/v1/public', () => ({ ...tenant, 'x-api-key': apiKey })),
      sdk: surfaceOf(baseUrl, '/api/v1/sdk', () => ({ Authorization: `Bearer ${apiKey}` })),
      bare,
    },
    async stop() {
      await stop();
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns the body that adds a simulator as a gateway. */
export const gatewayBody = (simulator: Peer, more: Record<string, unknown> = {}) => ({
  currentPassword: PASSWORD,
  type: simulator.kind,
  name: simulator.kind,
  mode: 'test',
  origin: simulator.origin,
  credentials: simulator.credentials,
  ...more,
});

/** Adds a simulator as a gateway of the account's merchant, or of another one. */
export function addSimulatorGateway(
  { api, merchantId }: LiveServer,
  simulator: Peer,
  more: Record<string, unknown> = {},
  ofMerchant = merchantId,
): Promise<GatewayRecord> {
  return expectData(api.admin.post<GatewayRecord>(`/merchants/${ofMerchant}/gateways`, gatewayBody(simulator, more)), 201);
}

/** Returns the body of a card sale that the simulators approve, with its security code. */
export const saleAtSimulator = (amount: number, more: Record<string, unknown> = {}) =>
  cardBody(amount, CARDS.visa, { card: { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv: '999' }, ...more });
