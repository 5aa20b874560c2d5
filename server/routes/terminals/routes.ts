import { Type } from 'typebox';
import { flag, record } from '#core/platform/fields';
import { Terminal } from '#core/processing/terminals';
import { Transaction } from '#core/sales/payments';
import { Outcome, Paginated, type Route, route, Success } from '#server/http';
import {
  CREDIT_ERRORS,
  NewTerminalBody,
  PageQuery,
  Params,
  pageFrom,
  runsOnTerminal,
  TerminalBody,
  TerminalCreditBody,
  Text,
} from '#server/schemas';
import { CREDIT_CHANGE } from '../payments/transaction-actions.ts';

const SCOPE = ['MERCHANT_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;
const MISSING = ['NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED'] as const;

/** Declares the routes of card readers, which are the same on the Public and the Admin surface. */
export function terminalRoutes(surface: 'admin' | 'public'): Route[] {
  const shared = { surface, tag: surface === 'admin' ? 'Card readers' : 'Public API', scope: 'merchant' } as const;
  const read = { ...shared, method: 'GET', permission: 'terminals:read' } as const;
  const write = { ...shared, permission: 'terminals:write' } as const;
  const params = Params('id');
  return [
    route({
      ...write,
      method: 'POST',
      path: '/terminals',
      id: `${surface}.pairTerminal`,
      summary: 'Pair a card reader',
      description:
        'Registers the reader that shows `code` at the processor of the gateway. A wrong or expired code is VALIDATION_ERROR, and nothing is stored. If the gateway pairs readers by `address` (`GET /gateway-types`), Paydesk connects to the reader in the local network and verifies its certificate and its key. On a sandbox account the code `SIM123` pairs a new simulated reader.',
      created: true,
      body: NewTerminalBody,
      response: Success(Terminal),
      errors: [...SCOPE, 'REQUIRED_FIELD_MISSING', 'RESOURCE_CONFLICT', 'GATEWAY_UNAVAILABLE'],
      run: ({ core, actor, body }) => core.terminals.pair(actor, body),
    }),
    route({
      ...read,
      path: '/terminals',
      id: `${surface}.listTerminals`,
      summary: 'Card readers, oldest first',
      description: '`state` is `busy` while a payment runs on the reader; `payment` then names it and the person who made it.',
      query: Type.Object({ ...PageQuery, merchantId: Type.Optional(Text(60, 'one merchant; all merchants if absent')) }),
      response: Paginated(Terminal),
      errors: SCOPE,
      run: ({ core, actor, query: { merchantId, ...query } }) =>
        core.terminals.page(actor, merchantId === undefined ? {} : { merchantId }, pageFrom(query)),
    }),
    route({
      ...read,
      path: '/terminals/:id',
      id: `${surface}.getTerminal`,
      summary: 'One card reader',
      description: 'Returns its state as of the last payment or check.',
      params,
      response: Success(Terminal),
      errors: MISSING,
      run: ({ core, actor, params: { id } }) => core.terminals.get(actor, id),
    }),
    route({
      ...write,
      method: 'POST',
      path: '/terminals/:id/check',
      id: `${surface}.checkTerminal`,
      summary: 'Ask whether a card reader is connected',
      description: 'Asks the processor, and returns the reader with its present state. If the processor does not answer, the state stays.',
      params,
      response: Success(Terminal),
      errors: MISSING,
      run: ({ core, actor, params: { id } }) => core.terminals.check(actor, id),
    }),
    route({
      ...write,
      method: 'PUT',
      path: '/terminals/:id',
      id: `${surface}.updateTerminal`,
      summary: 'Change the name, the workstation or the address of a card reader',
      description: 'Absent fields stay. `workstation` null assigns it to none. At a new `address` the same reader must answer.',
      params,
      body: TerminalBody,
      response: Success(Terminal),
      errors: [...MISSING, 'REQUIRED_FIELD_MISSING', 'GATEWAY_UNAVAILABLE'],
      run: ({ core, actor, params: { id }, body }) => core.terminals.update(actor, id, body),
    }),
    route({
      ...write,
      method: 'DELETE',
      path: '/terminals/:id',
      id: `${surface}.removeTerminal`,
      summary: 'Remove a card reader',
      description: 'Removes its registration at the processor too. RESOURCE_CONFLICT while a payment runs on it.',
      params,
      response: Success(record('RemovedTerminal', { removed: flag('True: the card reader was removed') })),
      errors: [...MISSING, 'RESOURCE_CONFLICT'],
      run: async ({ core, actor, params: { id } }) => {
        await core.terminals.remove(actor, id);
        return { removed: true };
      },
    }),
    route({
      ...shared,
      method: 'POST',
      permission: 'transactions:write',
      path: '/transactions/:id/cancel-terminal',
      id: `${surface}.cancelOnTerminal`,
      summary: 'Cancel a payment on its card reader',
      description:
        "Asks the reader to end the dialog, and returns the payment. The payment's own outcome decides: `failed` with `terminal.state` `canceled`, or `approved` if the authorization was faster; then void it. RESOURCE_CONFLICT with the reason `not_on_reader` if the payment does not run on a reader.",
      params,
      response: Success(Transaction),
      errors: ['TRANSACTION_NOT_FOUND', 'MERCHANT_NOT_AUTHORIZED', 'RESOURCE_CONFLICT', 'GATEWAY_UNAVAILABLE'],
      run: ({ core, actor, params: { id } }) => core.payments.cancelAtTerminal(actor, { transactionId: id }),
    }),
    route({
      ...shared,
      ...CREDIT_CHANGE,
      path: '/terminals/:id/credit',
      id: `${surface}.creditOnTerminal`,
      idempotent: true,
      // A person with the PIN of a manager could pay money to any card.
      byPin: false,
      takesDrawer: true,
      approvable: true,
      summary: 'Pay money to the card that the customer presents',
      description:
        'An unlinked credit, with the limits and approvals of one: the refund of a payment needs no card. A session by PIN cannot use it. The response is 202 with the pending transaction of type credit; with `wait`, it may have its outcome.',
      params,
      body: TerminalCreditBody,
      response: Outcome(Transaction),
      errors: ['NOT_FOUND', 'INVALID_CURRENCY', ...CREDIT_ERRORS],
      run: ({ core, actor, params: { id }, body: { wait, ...body } }) =>
        core.payments.createCreditOnTerminal(actor, { terminalId: id, waitSeconds: wait, ...body }),
      acceptedIf: runsOnTerminal,
    }),
  ];
}
