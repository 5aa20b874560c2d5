import { type Actor, atLeastOneUnit, currencyOfPayment, parseMoney, ServiceError } from '#core/kernel';
import { checkOpen } from '#core/processing/merchants';
import { checkedWait } from '#core/processing/terminals';
import type { Dependencies } from '../dependencies.ts';
import { NO_PARTS } from '../parts/parts.ts';
import type { Transaction } from '../records.ts';
import { sourceAtTerminal } from '../terminal-facts/input.ts';
import { submitPayment } from './submit-payment.ts';

export interface TerminalCreditInput {
  readonly terminalId: string;
  readonly amount: string | number;
  readonly currency?: string;
  readonly waitSeconds?: number;
  readonly orderId?: string;
  readonly description?: string;
}

/**
 * Pays money to the card that the customer presents to a card reader: an unlinked credit, with the same limits and approvals as one to a stored card.
 * @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED; VALIDATION_ERROR if the reader cannot pay money out; the codes of a credit.
 */
export async function createCreditOnTerminal(deps: Dependencies, actor: Actor, input: TerminalCreditInput): Promise<Transaction> {
  checkedWait(input.waitSeconds);
  const terminal = await deps.terminals.forPayment(actor, input.terminalId);
  const merchant = checkOpen(await deps.merchantFor(actor, terminal.merchant_id));
  const { terminals } = await deps.gateways.connectorFor(actor.tenantId, terminal.gateway_id);
  if (!terminals?.features?.has('credit'))
    throw new ServiceError('VALIDATION_ERROR', `${terminal.name} cannot pay money to a card.`, { field: 'terminalId' });
  const amount = atLeastOneUnit(parseMoney(input.amount, currencyOfPayment(input.currency, merchant)));
  return submitPayment(deps, actor, {
    type: 'credit',
    method: 'card',
    amount,
    parts: NO_PARTS,
    merchant,
    sameGatewayAs: { gateway: terminal.gateway, gateway_id: terminal.gateway_id },
    ...sourceAtTerminal(terminal, input, {}),
    channel: 'counter',
    details: { order_id: input.orderId ?? null, description: input.description ?? null, source: 'terminal' },
  });
}
