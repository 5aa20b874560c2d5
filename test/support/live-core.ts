// A core with a live tenant whose gateways are processor simulators, and a clock that tests move. Its scheduler is not started.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type Core, createCore } from '#core';
import type { Database } from '#core/database';
import type { Actor } from '#core/kernel';
import { createHttpClient, type HttpClient, openSandboxLedger } from '#core/processing/gateways';
import type { PaymentInput } from '#core/sales/payments';
import { type Peer, type PeerOptions, startSimulator } from '../../simulators/index.ts';
import { openTestDatabase } from './databases.ts';

export interface LiveCore {
  readonly core: Core;
  readonly database: Database;
  readonly actor: Actor;
  readonly merchantId: string;
  /** Log entries for a person. */
  readonly reported: { readonly message: string; readonly context: Record<string, unknown> }[];
  /** Starts a simulator and adds it as a gateway. */
  addSimulator(type: string, options?: PeerOptions, settings?: Record<string, unknown>): Promise<Peer & { readonly gatewayId: string }>;
  /** Advances the time and performs all work due by then: inquiries and held operations. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Noon in New York of a working day, far from cutoffs. */
const START_TIME = Date.parse('2026-11-18T17:00:00.000Z');

export async function openLiveCore(kind: 'sqlite' | 'postgres' = 'sqlite', httpClient: HttpClient = createHttpClient()): Promise<LiveCore> {
  vi.useFakeTimers({ toFake: ['Date'], now: START_TIME });
  const { database, close } = await openTestDatabase(kind);
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-ledger-'));
  const ledger = await openSandboxLedger({ file: join(folder, 'ledger.sqlite') });
  const reported: { message: string; context: Record<string, unknown> }[] = [];
  const core = createCore({
    database,
    sandboxLedger: ledger,
    masterKey: randomBytes(32),
    gatewayHttpClient: httpClient,
    renderResponse: () => ({ status: 200, body: '' }),
    report: (message, context) => reported.push({ message, context }),
    // Tests move the clock of a live tenant, which the scheduler does not know.
    lookForWorkEveryMs: 50,
  });
  const { tenantId, merchantId } = await core.createTenant({
    name: 'T',
    environment: 'live',
    tier: 'enterprise',
    merchant: { name: 'M', currency: 'USD', timezone: 'America/New_York' },
    owner: { email: 'o@t.example', password: 'long enough for a test' },
  });
  const actor: Actor = {
    tenantId,
    credentialId: 'c',
    name: 'clerk',
    merchantId: null,
    permissions: new Set(['api-keys:write']),
    requestId: 'r',
    ip: null,
    idempotencyKey: null,
  };
  const simulators: Peer[] = [];
  return {
    core,
    database,
    actor: actor,
    merchantId,
    reported,
    async addSimulator(type, options, settings) {
      const simulator = await startSimulator(type, options);
      simulators.push(simulator);
      const { origin, credentials, device } = simulator;
      const made = await core.merchants.gateways.add(actor, merchantId, {
        type,
        name: type,
        mode: 'test',
        // A device in the local network has an address of its own.
        ...(device === null && { origin }),
        credentials,
        ...settings,
      });
      return { ...simulator, gatewayId: made.id };
    },
    async advance(ms) {
      vi.setSystemTime(Date.now() + ms);
      await core.payments.resolveUnconfirmed(tenantId, 0);
    },
    async close() {
      await core.stop();
      await Promise.all(simulators.map((simulator) => simulator.stop()));
      await ledger.close();
      await close();
      await rm(folder, { recursive: true, force: true });
      vi.useRealTimers();
    },
  };
}

/** Returns a sale or authorization with a card that the simulators approve. */
export const cardPayment = (amount: number, more: Partial<PaymentInput> = {}): PaymentInput => ({
  type: 'sale',
  amount,
  method: { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '999' },
  source: 'keyed',
  ...more,
});

/** Returns the same from a bank account. */
export const bankPayment = (amount: number, more: Partial<PaymentInput> = {}): PaymentInput =>
  cardPayment(amount, {
    method: {
      kind: 'ach',
      accountNumber: '000123456789',
      routingNumber: '021000021',
      accountType: 'checking',
      accountHolderName: 'Ada Payer',
    },
    ...more,
  });
