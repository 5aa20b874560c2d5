// The beginning of a cell: what has to be there before an operation can be asked for, and how to ask and to look for it.
import type { ChargeRequest, Connector, Outcome, ReferencedRequest } from '../../../../core/gateways/connector.ts';
import { type Bench, followUp, type How, inquiryOf, type Operation, orderOf } from './bench.ts';

export interface Start {
  readonly question: ChargeRequest | ReferencedRequest;
  ask(connector: Connector): Promise<Outcome>;
  /** The same wish anew, with a reference of its own. */
  again(): Promise<Outcome>;
  find(ageMs: number): ReturnType<Connector['inquire']>;
  /** Entries of the processor's that stand under the reference; a capture and a void have none and count as one. */
  landed(): Promise<number>;
}

export async function begin(bench: Bench, operation: Operation, how: How, more: Partial<ChargeRequest> = {}): Promise<Start> {
  const question = await questionFor(bench, operation, how, more);
  const hasEntry = operation !== 'capture' && operation !== 'void';
  return {
    question,
    ask: (connector) => askFor(connector, operation, question),
    async again() {
      const { processorRef } = orderOf({});
      return askFor(bench.connector, operation, { ...question, processorRef });
    },
    find: (ageMs) => bench.connector.inquire(inquiryOf(question, operation, ageMs)),
    landed: async () => (hasEntry ? bench.landed(question.processorRef) : 1),
  };
}

export async function sold(
  bench: Bench,
  how: How = {},
  more: Partial<ChargeRequest> = {},
): Promise<{ order: ChargeRequest; outcome: Outcome }> {
  const order = orderOf(how, more);
  return { order, outcome: await bench.connector.sell(order) };
}

async function questionFor(
  bench: Bench,
  operation: Operation,
  how: How,
  more: Partial<ChargeRequest>,
): Promise<ChargeRequest | ReferencedRequest> {
  if (operation === 'sale' || operation === 'auth' || operation === 'credit') return orderOf(how, more);
  const order = orderOf(how, more);
  const outcome = operation === 'capture' ? await bench.connector.authorize(order) : await bench.connector.sell(order);
  if (operation === 'refund' && bench.connector.capabilities.refundsUnsettled === 'none') await bench.settle();
  return followUp(order, outcome);
}

function askFor(connector: Connector, operation: Operation, question: ChargeRequest | ReferencedRequest): Promise<Outcome> {
  if ('source' in question) {
    if (operation === 'sale') return connector.sell(question);
    return operation === 'auth' ? connector.authorize(question) : connector.credit(question);
  }
  if (operation === 'capture') return connector.capture(question);
  return operation === 'void' ? connector.void(question) : connector.refund(question);
}
