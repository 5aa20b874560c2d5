// Payments on forms of Authorize.Net that the processor holds for review, or moves from one of its lists to another during an inquiry.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import type { ChargeRequest, Outcome } from '#core/processing/gateways';
import { authorizeNet } from '../../../core/processing/gateways/authorizenet/index.ts';
import type { GatewayAccount } from '../../../core/processing/gateways/processor.ts';
import { createHttpClient } from '../../../core/processing/gateways/undici-client.ts';
import { type Peer, startSimulator } from '../../../simulators/index.ts';

const AMOUNT = money(5_700, parseCurrency('USD'));
const names = { tenantId: 'ten_a', merchantId: 'mer_a', gatewayId: 'gw_a' };
const httpClient = createHttpClient();
let simulator: Peer;
let account: GatewayAccount;

beforeAll(async () => {
  simulator = await startSimulator('authorizenet');
  const { credentials, origin } = simulator;
  account = { ...names, credentials, mode: 'test', origin, currency: AMOUNT.currency, timezone: 'UTC' };
});
beforeEach(() => {
  simulator.quirks(['held-apart']);
  simulator.faults([{ do: 'code', code: '252', on: ['authCaptureTransaction'] }]);
});
afterAll(async () => {
  await httpClient.close();
  await simulator.stop();
});

const gateway = (client = httpClient) => authorizeNet.open(account, client);
const inquiryOf = (processorRef: string) => ({ ...names, processorRef, amount: AMOUNT, at: new Date(Date.now() - 60_000).toISOString() });

/** Makes a payment that the processor holds for review. */
async function hold() {
  const processorRef = newProcessorRef();
  const source = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', brand: 'visa' } as const;
  const order: ChargeRequest = { processorRef, ...names, amount: AMOUNT, source, channel: 'internet' };
  const outcome: Outcome = await gateway().purchase(order);
  if (outcome.kind !== 'pending') throw new Error('The payment is held.');
  const { reference } = outcome;
  return { processorRef, release: () => simulator.ledger.decideHeld(reference, 'release') };
}

test('finds a held payment that the list of all unsettled payments does not contain', async () => {
  const { processorRef, release } = await hold();
  const inquiry = inquiryOf(processorRef);
  const sent = { operation: 'sale', amount: AMOUNT, at: inquiry.at } as const;
  expect(await gateway().hostedPages?.find(inquiry)).toMatchObject({ kind: 'pending', reason: 'held_for_review' });
  expect(await gateway().inquire({ ...names, processorRef, sent })).toMatchObject({ kind: 'pending' });
  release();
  expect(await gateway().hostedPages?.find(inquiry)).toMatchObject({ kind: 'paid' });
});

test.for([1, 2, 3, 4])('finds a payment that is released and settled after request %i of the inquiry', async (after) => {
  const { processorRef, release } = await hold();
  let requests = 0;
  const opened = gateway({
    ...httpClient,
    async post(request) {
      const response = await httpClient.post(request);
      requests += 1;
      if (requests === after) {
        release();
        simulator.closeBatch();
      }
      return response;
    },
  });
  expect(await opened.hostedPages?.find(inquiryOf(processorRef))).toMatchObject({ kind: expect.stringMatching(/^(paid|pending)$/) });
});
