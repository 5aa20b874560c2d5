// One answer in twenty is lost, others come too late, some questions never arrive. PAYDESK_MIX=10000 runs the long course.
import { expect, test } from 'vitest';
import { authorizeNet } from '../../../../core/gateways/authorizenet/index.ts';
import { nmi } from '../../../../core/gateways/nmi/index.ts';
import { createHttpClient } from '../../../../core/gateways/undici-client.ts';
import { startPeer } from '../../../peers/index.ts';
import { USD, WHOSE } from './bench.ts';
import { impatient, runMix } from './mix.ts';

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
  '$label: after a mix of operations over a bad line our record is the processor’s to the cent, and nothing is charged twice',
  { timeout: 60_000 + OPERATIONS * 200 },
  async (processor) => {
    const peer = await startPeer(processor.type, {
      seed: SEED,
      faults: [
        { do: 'drop-answer', share: 0.05 },
        { do: 'drop-request', share: 0.02 },
        { do: 'delay', ms: TIMEOUT_MS * 2, share: 0.01 },
        { do: 'delay', ms: 5, share: 0.1 },
        { do: 'busy', share: 0.01 },
      ],
    });
    const wire = impatient(createHttpClient(), TIMEOUT_MS);
    const account = {
      ...WHOSE,
      gatewayId: 'gtw_mix',
      credentials: peer.credentials,
      mode: 'live' as const,
      origin: peer.origin,
      currency: USD,
      timezone: 'America/Chicago',
    };
    const options = { operations: OPERATIONS, atOnce: 8, random: seeded(SEED), closeBatch: () => peer.closeBatch() };
    try {
      const { charged, paidOut, ends, references } = await runMix(processor.open(account, wire), options);
      const books = peer.ledger.totals();
      expect({ charged, paidOut }, JSON.stringify(ends)).toEqual({ charged: books.charged, paidOut: books.paidOut });
      for (const reference of references) expect(peer.ledger.byOurReference(reference).length).toBeLessThanOrEqual(1);
      expect(ends.doubted).toBeGreaterThan(OPERATIONS / 50);
      expect(charged).toBeGreaterThan(0);
    } finally {
      await wire.close();
      await peer.stop();
    }
  },
);
