import { setTimeout as pause } from 'node:timers/promises';
import { type Actor, ServiceError, type StoredResponse, serviceActor } from '#core/kernel';
import type { IdempotencyKeys } from '#core/platform/idempotency';
import type { Payments } from '#core/sales/payments';

/** Number of registers that sell at the same time, and the pause of each after a sale. */
const REGISTERS = 4;
const PAUSE_MS = 400;
const RETRY_MS = 100;
const UNAVAILABLE = 503;
/** Amounts in cents, from 10.16 on: the sandbox has special cases for the endings 13 to 15. */
const FIRST_CENTS = 1_016;
const AMOUNTS = 80;
const TEST_CARD = { kind: 'card', number: '4111111111111111', expiryMonth: '12', expiryYear: '2045' } as const;

/** A sale that the service acknowledged as approved. */
export interface AcknowledgedSale {
  /** Order ID of the sale, which begins with the ID of the rehearsal. */
  readonly mark: string;
  readonly transactionId: string;
  readonly atMs: number;
}

export interface SalesStream {
  readonly acknowledged: readonly AcknowledgedSale[];
  /** Starts no further sales, and resolves when each has its final response. Sales without one stay unconfirmed. */
  finish(): Promise<void>;
  /** Abandons the sales in progress. */
  abandon(): void;
}

interface Dependencies {
  readonly payments: Pick<Payments, 'createPayment'>;
  readonly idempotencyKeys: Pick<IdempotencyKeys, 'find'>;
}

interface Sale {
  readonly mark: string;
  readonly amount: number;
  readonly actor: Actor;
}

/**
 * Sells at several registers at once. Each sale has an idempotency key and is repeated with it until it is answered, like a register whose
 * service is unavailable. If the first copy of a request is still running, the register makes another sale in the meantime. Only approved
 * sales count as acknowledged.
 */
export function startSales(deps: Dependencies, tenantId: string, rehearsalId: string): SalesStream {
  const acknowledged: AcknowledgedSale[] = [];
  /** Sales whose request is still running at a server. */
  let waiting: Sale[] = [];
  let count = 0;
  let isOver = false;
  let isAbandoned = false;

  function newSale(): Sale {
    count += 1;
    const mark = `${rehearsalId}/${count}`;
    return { mark, amount: (FIRST_CENTS + (count % AMOUNTS)) / 100, actor: actorOf(tenantId, mark) };
  }

  async function attempt({ mark, amount, actor }: Sale): Promise<'answered' | 'running' | 'unavailable'> {
    try {
      const known = await deps.idempotencyKeys.find(actor);
      if (known.kind === 'running') return 'running';
      const input = { type: 'sale', amount, method: TEST_CARD, orderId: mark, source: 'api' } as const;
      const sale = known.kind === 'done' ? saleOf(known.response) : await deps.payments.createPayment(actor, input);
      if (sale?.status === 'approved') acknowledged.push({ mark, transactionId: sale.transactionId, atMs: performance.now() });
      return 'answered';
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.details?.retryAfter !== undefined) return 'running';
      return error.status === UNAVAILABLE ? 'unavailable' : 'answered';
    }
  }

  async function sell(sale: Sale): Promise<void> {
    let result = await attempt(sale);
    for (; result === 'unavailable' && !isAbandoned; result = await attempt(sale)) await pause(RETRY_MS);
    if (result === 'running') waiting.push(sale);
  }

  async function runRegister(index: number): Promise<void> {
    await pause((index * PAUSE_MS) / REGISTERS);
    for (; !isOver && !isAbandoned; await pause(PAUSE_MS)) await sell(newSale());
  }

  async function repeatWaiting(): Promise<void> {
    const due = waiting;
    waiting = [];
    await Promise.all(due.map(sell));
  }

  const registers = Promise.all(Array.from({ length: REGISTERS }, (_, index) => runRegister(index)));
  // `finish` rejects with a failure; before that it is not an unhandled rejection.
  registers.catch(() => {});
  return {
    acknowledged,
    async finish() {
      isOver = true;
      await registers;
      for (; waiting.length > 0 && !isAbandoned; await pause(RETRY_MS)) await repeatWaiting();
    },
    abandon() {
      isAbandoned = true;
    },
  };
}

function actorOf(tenantId: string, mark: string): Actor {
  const actor = serviceActor(tenantId);
  return {
    ...actor,
    idempotencyKey: { key: mark, credentialId: actor.credentialId, route: 'public.createTransaction', fingerprint: mark },
  };
}

/** Returns the sale of a stored response; null if the response is an error. */
function saleOf({ status, body }: StoredResponse): { readonly transactionId: string; readonly status: string } | null {
  return status === 200 ? (JSON.parse(body) as { data: { transactionId: string; status: string } }).data : null;
}
