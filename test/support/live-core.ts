// A core with a live tenant whose gateways are peers of processors, and a clock that is moved by hand. Its scheduler is not started.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type Core, createCore } from '#core';
import type { Database } from '#core/database';
import { createHttpClient, type HttpClient, openSandboxLedger } from '#core/gateways';
import type { Actor } from '#core/kernel';
import type { PaymentInput } from '#core/payments';
import { type Peer, type PeerOptions, startPeer } from '../peers/index.ts';
import { openTestDatabase } from './databases.ts';

export interface LiveCore {
  readonly core: Core;
  readonly database: Database;
  readonly by: Actor;
  readonly merchantId: string;
  /** What was told to the log for a person. */
  readonly reported: { readonly message: string; readonly context: Record<string, unknown> }[];
  /** Starts a peer and adds it as a gateway. */
  addPeer(type: string, options?: PeerOptions, settings?: Record<string, unknown>): Promise<Peer & { readonly gatewayId: string }>;
  /** Moves the time of everything, and has done what is due by then: inquiries, and what was held back. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Noon in New York of a working day: far from cut-offs. */
const BEGINNING = Date.parse('2026-11-18T17:00:00.000Z');

export async function openLiveCore(kind: 'sqlite' | 'postgres' = 'sqlite', wire: HttpClient = createHttpClient()): Promise<LiveCore> {
  vi.useFakeTimers({ toFake: ['Date'], now: BEGINNING });
  const { database, close } = await openTestDatabase(kind);
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-ledger-'));
  const ledger = await openSandboxLedger({ file: join(folder, 'ledger.sqlite') });
  const reported: { message: string; context: Record<string, unknown> }[] = [];
  const core = createCore({
    database,
    sandboxLedger: ledger,
    masterKey: randomBytes(32),
    gatewayWire: wire,
    renderAnswer: () => ({ status: 200, body: '' }),
    report: (message, context) => reported.push({ message, context }),
    // The clock of a live tenant is moved by hand, of which the scheduler knows nothing.
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
  const peers: Peer[] = [];
  return {
    core,
    database,
    by: actor,
    merchantId,
    reported,
    async addPeer(type, options, settings) {
      const peer = await startPeer(type, options);
      peers.push(peer);
      const { origin, credentials } = peer;
      const made = await core.merchants.gateways.add(actor, merchantId, {
        type,
        name: type,
        mode: 'test',
        origin,
        credentials,
        ...settings,
      });
      return { ...peer, gatewayId: made.id };
    },
    async pass(ms) {
      vi.setSystemTime(Date.now() + ms);
      await core.payments.settleDoubt(tenantId, 0);
    },
    async close() {
      await core.stop();
      await Promise.all(peers.map((peer) => peer.stop()));
      await ledger.close();
      await close();
      await rm(folder, { recursive: true, force: true });
      vi.useRealTimers();
    },
  };
}

/** A sale or authorization by a card that the peers approve. */
export const keyed = (amount: number, more: Partial<PaymentInput> = {}): PaymentInput => ({
  type: 'sale',
  amount,
  method: { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '999' },
  source: 'keyed',
  ...more,
});

/** The same from a bank account. */
export const fromBank = (amount: number, more: Partial<PaymentInput> = {}): PaymentInput =>
  keyed(amount, {
    method: {
      kind: 'ach',
      accountNumber: '000123456789',
      routingNumber: '021000021',
      accountType: 'checking',
      accountHolderName: 'Ada Payer',
    },
    ...more,
  });
