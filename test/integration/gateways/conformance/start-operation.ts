// The beginning of a cell: the required earlier operations, and functions that send and find the operation.
import type { ChargeRequest, Connector, ReferencedRequest } from '../../../../core/processing/gateways/connector.ts';
import type { Outcome } from '../../../../core/processing/gateways/outcome.ts';
import { type CellSetup, type ConnectorHarness, newChargeRequest, newStatusInquiry, type Operation, referencedRequest } from './harness.ts';

interface StartedOperation {
  readonly request: ChargeRequest | ReferencedRequest;
  send(connector: Connector): Promise<Outcome>;
  /** Sends the same request with a new reference. */
  repeat(): Promise<Outcome>;
  find(ageMs: number): ReturnType<Connector['inquire']>;
  /** Returns the number of the processor's entries under the reference; a capture and a void have none and count as one. */
  countPayments(): Promise<number>;
}

export async function startOperation(
  harness: ConnectorHarness,
  operation: Operation,
  setup: CellSetup,
  more: Partial<ChargeRequest> = {},
): Promise<StartedOperation> {
  const request = await requestFor(harness, operation, setup, more);
  const hasEntry = operation !== 'capture' && operation !== 'void';
  return {
    request,
    send: (connector) => send(connector, operation, request),
    async repeat() {
      const { processorRef } = newChargeRequest({});
      return send(harness.connector, operation, { ...request, processorRef });
    },
    find: (ageMs) => harness.connector.inquire(newStatusInquiry(request, operation, ageMs)),
    countPayments: async () => (hasEntry ? harness.countPayments(request.processorRef) : 1),
  };
}

export async function sellWith(
  harness: ConnectorHarness,
  setup: CellSetup = {},
  more: Partial<ChargeRequest> = {},
): Promise<{ order: ChargeRequest; outcome: Outcome }> {
  const order = newChargeRequest(setup, more);
  return { order, outcome: await harness.connector.purchase(order) };
}

async function requestFor(
  harness: ConnectorHarness,
  operation: Operation,
  setup: CellSetup,
  more: Partial<ChargeRequest>,
): Promise<ChargeRequest | ReferencedRequest> {
  if (operation === 'sale' || operation === 'auth' || operation === 'credit') return newChargeRequest(setup, more);
  const order = newChargeRequest(setup, more);
  const outcome = operation === 'capture' ? await harness.connector.authorize(order) : await harness.connector.purchase(order);
  if (operation === 'refund' && harness.connector.capabilities.refundsUnsettled === 'none') await harness.closeBatch();
  return referencedRequest(order, outcome);
}

function send(connector: Connector, operation: Operation, request: ChargeRequest | ReferencedRequest): Promise<Outcome> {
  if ('source' in request) {
    if (operation === 'sale') return connector.purchase(request);
    return operation === 'auth' ? connector.authorize(request) : connector.credit(request);
  }
  if (operation === 'capture') return connector.capture(request);
  return operation === 'void' ? connector.void(request) : connector.refund(request);
}
