import { queriesOn, type Read, TENANT, type Work } from '#core/database';
import { realNow } from '#core/kernel';
import type { PairedTerminal, TerminalUse } from '#core/processing/terminals';
import type { Dependencies } from '../dependencies.ts';
import { TRANSACTIONS } from '../schema.ts';

const queries = queriesOn(TRANSACTIONS);

const occupying = (terminalIds: readonly string[]) =>
  queries
    .selectFrom('transactions')
    .select(['id', 'terminal_id', 'terminal_until_ms', 'created_by'])
    .where('tenant_id', '=', TENANT)
    .where('terminal_id', 'in', terminalIds)
    .where('terminal_until_ms', 'is not', null);

/**
 * Claims a card reader for a payment, in the unit of work of its intent. A claim ends with its payment, or after the time in which a reader answers.
 * @throws ServiceError RESOURCE_CONFLICT with the payment that uses the reader.
 */
export async function claimTerminal(deps: Dependencies, work: Work, terminal: PairedTerminal): Promise<void> {
  await deps.terminals.claim(work, terminal.id);
  for (const { id } of await work.rows(occupying([terminal.id]))) await work.update(TRANSACTIONS, { id }, { terminal_until_ms: null });
}

/** Returns the payments that run on card readers. */
export async function runningPayments(read: Read, terminalIds: readonly string[]): Promise<TerminalUse[]> {
  if (terminalIds.length === 0) return [];
  return (await read.rows(occupying(terminalIds)))
    .filter(({ terminal_until_ms }) => Number(terminal_until_ms) > realNow())
    .map(({ id, terminal_id, created_by }) => ({ terminalId: terminal_id ?? '', transactionId: id, usedBy: created_by }));
}
