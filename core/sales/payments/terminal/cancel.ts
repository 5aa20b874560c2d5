import { type Actor, realNow, ServiceError } from '#core/kernel';
import { checkScope } from '../capture/change.ts';
import type { Dependencies } from '../dependencies.ts';
import { RESOLVE_JOB } from '../outcomes/conclude.ts';
import type { Transaction } from '../records.ts';
import { readTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptRow } from '../schema.ts';
import { factsOf, isAtTerminal } from '../terminal-facts/facts.ts';
import { toTransaction } from '../transaction.ts';
import { inquiryOf } from './run.ts';

/**
 * Asks the card reader to end the dialog of a payment, and returns the payment: canceled, approved if the authorization was faster, or still pending.
 * @throws ServiceError TRANSACTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED; RESOURCE_CONFLICT with `details.reason` `not_on_reader` if the payment does not run
 * on a reader; GATEWAY_TIMEOUT if the processor does not answer.
 */
export async function cancelAtTerminal(
  deps: Dependencies,
  actor: Actor,
  { transactionId }: { readonly transactionId: string },
): Promise<Transaction> {
  const row = await checkScope(deps, actor, transactionId);
  const isRunning = row.status === 'pending' && row.terminal_until_ms !== null && row.terminal_until_ms > realNow();
  if (!isAtTerminal(row) || !isRunning) {
    const message =
      row.terminal_id === null ? 'This payment was not made on a card reader.' : 'This payment no longer runs on its card reader.';
    throw new ServiceError('RESOURCE_CONFLICT', message, { details: { transactionId, reason: 'not_on_reader', status: row.status } });
  }
  const read = deps.database.read(actor.tenantId);
  const attempt = (await read.one(ATTEMPTS, { processor_ref: row.processor_ref })) as AttemptRow;
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) =>
    deps.audit(work, {
      actor,
      action: 'terminal.cancel_requested',
      resource: `transactions/${row.id}`,
      merchantId: row.merchant_id,
      after: { terminalId: row.terminal_id, state: factsOf(row).state },
    }),
  );
  const connector = await deps.gateways.connectorFor(row.tenant_id, row.gateway_id);
  await connector.terminals?.cancel(await inquiryOf(deps, row, attempt));
  await askNow(deps, attempt);
  return toTransaction(await readTransaction(read, transactionId));
}

/** Asks about a payment on a reader immediately, because its reader has reported a change. */
export async function terminalChanged(deps: Dependencies, tenantId: string, processorRef: string): Promise<void> {
  const attempt = await deps.database.read(tenantId).one(ATTEMPTS, { processor_ref: processorRef });
  if (attempt) await askNow(deps, attempt);
}

async function askNow(deps: Dependencies, { tenant_id, id }: AttemptRow): Promise<void> {
  await deps.database.unitOfWork.transaction(tenant_id, (work) => work.update(ATTEMPTS, { id, state: 'waiting' }, { due_ms: realNow() }));
  await deps.runOne(RESOLVE_JOB, tenant_id, id);
}
