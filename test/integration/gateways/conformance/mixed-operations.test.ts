// One response in twenty is lost, others are late, some requests never arrive. PAYDESK_MIX=10000 runs the long version.
// @module-tag full
import { expect, test } from 'vitest';
import { authorizeNet } from '../../../../core/processing/gateways/authorizenet/index.ts';
import { nmi } from '../../../../core/processing/gateways/nmi/index.ts';
import { createHttpClient } from '../../../../core/processing/gateways/undici-client.ts';
import { startSimulator } from '../../../../simulators/index.ts';
import { OWNER_IDS, USD } from './harness.ts';
import { runMixedOperations, withTimeout } from './mixed-operations.ts';

const OPERATIONS = Number(process.env.PAYDESK_MIX ?? 300);
const SEED = Number(process.env.PAYDESK_MIX_SEED ?? 7);
const TIMEOUT_MS = 250;

/** Numbers from 0 to below 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

test.each([authorizeNet, nmi])(
  "$label: matches the processor's records to the cent after mixed operations over a bad line, without double charges",
  { timeout: 60_000 + OPERATIONS * 200 },
  async (processor) => {
    const simulator = await startSimulator(processor.type, {
      seed: SEED,
      faults: [
        { do: 'drop-answer', share: 0.05 },
        { do: 'drop-request', share: 0.02 },
        { do: 'delay', ms: TIMEOUT_MS * 2, share: 0.01 },
        { do: 'delay', ms: 5, share: 0.1 },
        { do: 'busy', share: 0.01 },
      ],
    });
    const wire = withTimeout(createHttpClient(), TIMEOUT_MS);
    const account = {
      ...OWNER_IDS,
      gatewayId: 'gtw_mix',
      credentials: simulator.credentials,
      mode: 'live' as const,
      origin: simulator.origin,
      currency: USD,
      timezone: 'America/Chicago',
    };
    const options = { operations: OPERATIONS, concurrency: 8, random: seeded(SEED), closeBatch: () => simulator.closeBatch() };
    try {
      const { charged, paidOut, outcomes: ends, references } = await runMixedOperations(processor.open(account, wire), options);
      const books = simulator.ledger.totals();
      expect({ charged, paidOut }, JSON.stringify(ends)).toEqual({ charged: books.charged, paidOut: books.paidOut });
      for (const reference of references) expect(simulator.ledger.byOurReference(reference).length).toBeLessThanOrEqual(1);
      expect(ends.unconfirmed).toBeGreaterThan(OPERATIONS / 50);
      expect(charged).toBeGreaterThan(0);
    } finally {
      await wire.close();
      await simulator.stop();
    }
  },
);
