import { type Page, type PageRequest, pageOf, type Work } from '#core/database';
import type { Actor } from '#core/kernel';
import {
  type Connection,
  checkTerminal,
  connectionSeen,
  pairTerminal,
  removeTerminal,
  type TerminalChange,
  type TerminalInput,
  updateTerminal,
} from './change.ts';
import type { Dependencies } from './dependencies.ts';
import type { Terminal } from './records.ts';
import { TERMINALS, type TerminalRow } from './schema.ts';
import { noTerminal, terminalBusy, toTerminal } from './terminal.ts';

export type { TerminalUse } from './dependencies.ts';
export { Terminal } from './records.ts';
export { checkTerminalMerchant } from './terminal.ts';
export { checkedWait, waitForEnd } from './wait.ts';

export const TABLES = [TERMINALS];

/** A card reader on which a payment can be started. */
export type PairedTerminal = Pick<TerminalRow, 'id' | 'merchant_id' | 'gateway_id' | 'gateway' | 'device_id' | 'name' | 'asks_tip'>;

export type Terminals = ReturnType<typeof createTerminals>;

/** Card readers: pairing, names, workstations and connections. Payments on them belong to the payments capability. */
export function createTerminals(deps: Dependencies) {
  async function shown(tenantId: string, rows: readonly TerminalRow[]): Promise<Terminal[]> {
    const uses = await deps.usesOf(
      deps.database.read(tenantId),
      rows.map(({ id }) => id),
    );
    return rows.map((row) =>
      toTerminal(
        row,
        uses.find(({ terminalId }) => terminalId === row.id),
      ),
    );
  }

  /** Returns a reader of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
  async function find(actor: Actor, terminalId: string, field?: string): Promise<TerminalRow> {
    const row = await deps.database.read(actor.tenantId).one(TERMINALS, { id: terminalId });
    if (!row || row.removed_at !== null) throw noTerminal(terminalId, field);
    await deps.merchants.merchantFor(actor, row.merchant_id);
    return row;
  }

  const one = async (tenantId: string, row: TerminalRow): Promise<Terminal> => (await shown(tenantId, [row]))[0] as Terminal;

  return {
    async page(actor: Actor, filter: { readonly merchantId?: string }, request: PageRequest): Promise<Page<Terminal>> {
      const merchantId = filter.merchantId ?? actor.merchantId;
      if (merchantId !== null) await deps.merchants.merchantFor(actor, merchantId);
      const where = { removed_at: null, ...(merchantId === null ? {} : { merchant_id: merchantId }) };
      const rows = await deps.database.read(actor.tenantId).find(TERMINALS, where, { orderBy: [['id', 'asc']] });
      return pageOf(await shown(actor.tenantId, rows), request, ({ terminalId }) => terminalId);
    },
    get: async (actor: Actor, terminalId: string) => one(actor.tenantId, await find(actor, terminalId)),
    pair: async (actor: Actor, input: TerminalInput) => one(actor.tenantId, await pairTerminal(deps, actor, input)),
    update: async (actor: Actor, terminalId: string, input: TerminalChange) =>
      one(actor.tenantId, await updateTerminal(deps, actor, await find(actor, terminalId), input)),
    /** Asks the processor whether a reader is connected, and returns the reader. */
    check: async (actor: Actor, terminalId: string) => one(actor.tenantId, await checkTerminal(deps, await find(actor, terminalId))),
    /** Removes a reader. @throws ServiceError RESOURCE_CONFLICT while a payment runs on it. */
    remove: async (actor: Actor, terminalId: string) => removeTerminal(deps, actor, await find(actor, terminalId)),
    /** Returns a reader for a payment of a caller. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
    forPayment: (actor: Actor, terminalId: string): Promise<PairedTerminal> => find(actor, terminalId, 'terminalId'),
    /**
     * Locks a reader until the end of the unit of work, and checks that nothing runs on it, so that one request at a time claims it. @throws ServiceError
     * NOT_FOUND if it was removed; RESOURCE_CONFLICT with what runs on it.
     */
    async claim(work: Work, terminalId: string): Promise<void> {
      const row = await work.lockOne(TERMINALS, { id: terminalId });
      if (!row || row.removed_at !== null) throw noTerminal(terminalId, 'terminalId');
      const [use] = await deps.usesOf(work, [terminalId]);
      if (use) throw terminalBusy(row, use);
    },
    /** Returns the ID and the present address of the reader of a payment, also of a removed one. */
    async reachedAt(tenantId: string, terminalId: string): Promise<{ readonly deviceId: string; readonly address: string | null } | null> {
      const row = await deps.database.read(tenantId).one(TERMINALS, { id: terminalId });
      return row && { deviceId: row.device_id, address: row.address };
    },
    /** Records the connection of a reader, as a payment on it showed it. */
    async connectionSeen(tenantId: string, terminalId: string, connection: Connection): Promise<void> {
      const row = await deps.database.read(tenantId).one(TERMINALS, { id: terminalId });
      if (row) await connectionSeen(deps, row, connection);
    },
    /** Asks the processor for the connection of a reader that did not answer. */
    async recheck(tenantId: string, terminalId: string): Promise<void> {
      const row = await deps.database.read(tenantId).one(TERMINALS, { id: terminalId });
      if (row) await checkTerminal(deps, row);
    },
    /** Returns the processor's ID of a reader of the caller. */
    deviceOf: async (actor: Actor, terminalId: string): Promise<string> => (await find(actor, terminalId)).device_id,
  };
}
