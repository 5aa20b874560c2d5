import { money, ServiceError, storedCurrency } from '#core/kernel';
import type { AmountParts, Connector, Outcome, ReferencedRequest, StatusInquiry } from '#core/processing/gateways';
import type { BankSource } from '#core/records/vault';
import type { Dependencies } from '../dependencies.ts';
import { hasParts, type PartColumns, partsOf } from '../parts/parts.ts';
import type { AttemptOperation, AttemptRow, TransactionRow } from '../schema.ts';

/** Sends an attempt's request to the gateway of its transaction. */
export function callGatewayFor(deps: Dependencies, row: TransactionRow, attempt: AttemptRow): Promise<Outcome> {
  return callGateway(
    deps,
    row,
    attempt.operation,
    async () => ({
      ...gatewayRequestOf(row, attempt),
      paidWith: await refundDestination(deps, row, attempt),
      reader: await readerOf(deps, row, attempt),
    }),
    (connector, request) => operationOf(connector, attempt.operation)(request),
  );
}

/**
 * Calls a gateway. A failure before the request is sent certainly had no effect. An exception of the connector makes the outcome unknown, and is never
 * a decline.
 */
export async function callGateway<Request, Answer extends { readonly kind: string } = Outcome>(
  deps: Dependencies,
  via: Pick<TransactionRow, 'tenant_id' | 'gateway_id'>,
  operation: AttemptOperation,
  prepare: (connector: Connector) => Promise<Request>,
  send: (connector: Connector, request: Request) => Promise<Answer>,
): Promise<Answer | WithoutAnswer> {
  const { outcome, processor } = await call(deps, via, prepare, send);
  // A payment that runs on a card reader has no outcome yet.
  if (outcome.kind !== 'running') deps.countOutcome?.({ processor, operation, outcome: outcome.kind as Outcome['kind'] });
  return outcome;
}

/** Outcome of a request that was not sent, or whose answer is lost. */
type WithoutAnswer = Extract<Outcome, { kind: 'not-sent' | 'unknown' }>;

async function call<Request, Answer>(
  deps: Dependencies,
  via: Pick<TransactionRow, 'tenant_id' | 'gateway_id'>,
  prepare: (connector: Connector) => Promise<Request>,
  send: (connector: Connector, request: Request) => Promise<Answer>,
): Promise<{ readonly outcome: Answer | WithoutAnswer; readonly processor: string | null }> {
  let connector: Connector | undefined;
  let request: Request;
  try {
    connector = await deps.gateways.connectorFor(via.tenant_id, via.gateway_id);
    request = await prepare(connector);
  } catch (cause) {
    if (!(cause instanceof ServiceError)) deps.report('A request to a gateway could not be created', { gatewayId: via.gateway_id, cause });
    const reason = cause instanceof ServiceError ? cause.message : 'The request could not be created.';
    return { outcome: { kind: 'not-sent', reason, retry: 'unavailable' }, processor: connector?.name ?? null };
  }
  try {
    return { outcome: await send(connector, request), processor: connector.name };
  } catch (cause) {
    return { outcome: { kind: 'unknown', cause }, processor: connector.name };
  }
}

/** Returns the parts of an amount for the gateway; undefined if it has none. */
export function gatewayParts(row: PartColumns, currency: string): AmountParts | undefined {
  const parts = partsOf(row);
  if (!hasParts(parts)) return undefined;
  const amountOf = (minor: number) => money(minor, storedCurrency(currency));
  return { tip: amountOf(parts.tip), surcharge: amountOf(parts.surcharge), tax: amountOf(parts.tax) };
}

/** Returns the gateway request of an attempt. */
export function gatewayRequestOf(row: TransactionRow, attempt: AttemptRow): ReferencedRequest {
  return {
    processorRef: attempt.processor_ref,
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    gatewayId: row.gateway_id,
    amount: money(attempt.amount_minor, storedCurrency(attempt.currency)),
    original: { processorRef: row.processor_ref, reference: row.gateway_reference ?? '' },
    ...(attempt.operation === 'capture' ? { parts: gatewayParts(attempt, attempt.currency) } : {}),
  };
}

/** Returns the inquiry about the outcome of an attempt. */
export function inquiryOf(row: TransactionRow, attempt: AttemptRow): StatusInquiry {
  const { operation } = attempt;
  const isNew = operation === 'sale' || operation === 'auth' || operation === 'credit';
  return {
    tenantId: attempt.tenant_id,
    gatewayId: attempt.gateway_id,
    processorRef: attempt.processor_ref,
    sent: {
      operation,
      amount: money(attempt.amount_minor, storedCurrency(attempt.currency)),
      at: attempt.created_at,
      last4: row.last4,
      ...(isNew && row.requested_minor !== null && { allowsPartialApproval: true }),
      ...(isNew ? {} : { original: gatewayRequestOf(row, attempt).original }),
    },
  };
}

/** Returns the payment method that receives a refund. Undefined for a bank account that is no longer stored; the processor then refuses. */
async function refundDestination(
  deps: Dependencies,
  row: TransactionRow,
  { operation }: AttemptRow,
): Promise<ReferencedRequest['paidWith']> {
  if (operation !== 'refund' && operation !== 'void') return undefined;
  if (row.card_brand !== null) return { kind: 'card', last4: row.last4 };
  try {
    return (await deps.vault.open(row.tenant_id, row.token)) as BankSource;
  } catch (cause) {
    if (cause instanceof ServiceError && cause.code === 'NOT_FOUND') return undefined;
    throw cause;
  }
}

/** Returns the card reader of the payment that is voided or refunded; undefined for a payment without one. */
async function readerOf(deps: Dependencies, row: TransactionRow, { operation }: AttemptRow): Promise<ReferencedRequest['reader']> {
  if (row.terminal_id === null || (operation !== 'refund' && operation !== 'void')) return undefined;
  return (await deps.terminals.reachedAt(row.tenant_id, row.terminal_id)) ?? undefined;
}

function operationOf(connector: Connector, operation: AttemptRow['operation']): (request: ReferencedRequest) => Promise<Outcome> {
  switch (operation) {
    case 'capture':
      return (request) => connector.capture(request);
    case 'cancel_capture':
      return (request) => connector.cancelCapture(request);
    case 'adjust':
      return (request) => connector.adjust(request);
    case 'void':
      return (request) => connector.void(request);
    case 'refund':
      return (request) => connector.refund(request);
    default:
      throw new Error(`${operation} is not an operation on an existing transaction`);
  }
}
