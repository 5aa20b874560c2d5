import { vi } from 'vitest';
import type { Database } from '#core/database';
import { DIALOGS, LEDGER, READERS } from '../../../../core/processing/gateways/sandbox/ledger.ts';
import { openTestCore } from '../../../support/core.ts';
import { CARDS } from '../../../support/sales.ts';
import type { ReaderBench, ReaderStep } from './bench.ts';

type Action = Parameters<ReaderBench['core']['sandbox']['presentToReader']>[2];

const CODES = { valid: 'SIM123', expired: 'SIM000', wrong: 'SIM777', taken: 'SIM999' } as const;
/** Actions of the steps that have another name, or a card. */
const STEPS: Readonly<Partial<Record<Extract<ReaderStep, string>, Action>>> = {
  declined: { action: 'chip', cardNumber: '4000000000000002' },
  no_funds: { action: 'chip', cardNumber: CARDS.noFunds },
  expired: { action: 'chip', cardNumber: '4000000000000069' },
  stolen: { action: 'chip', cardNumber: '4000000000009987' },
  unsupported: { action: 'chip', cardNumber: '4000000000000416' },
  removed: { action: 'remove_card' },
  reversed: { action: 'chip_refuses' },
  lost_answer: { action: 'chip', cardNumber: CARDS.answerLost },
};

/** Simulated readers of the sandbox. They have no wire: the simulator runs in the process. */
export async function openSandboxBench(kind: 'sqlite' | 'postgres'): Promise<ReaderBench> {
  let books: Database | undefined;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-18T17:00:00.000Z') });
  const behind = (ledger: Database) => {
    books = ledger;
    return ledger;
  };
  const { core, actor, close } = await openTestCore(behind, kind, { sandboxTimeoutMs: 1, sandboxSlowMs: 1 });
  const { tenantId } = actor;
  const ledger = books as unknown as Database;
  const deviceOf = (terminalId: string) => core.terminals.deviceOf(actor, terminalId);
  const entriesOf = (processorRef: string) => ledger.read(tenantId).find(LEDGER, { processor_ref: processorRef });
  return {
    core,
    actor,
    pair: async (code = 'valid') => (await core.terminals.pair(actor, { code: CODES[code], name: 'Reader' })).terminalId,
    async act(terminalId, step) {
      if (typeof step === 'object') await core.sandbox.presentToReader(actor, terminalId, { action: 'tip', tipAmount: step.tip });
      else if (step === 'pin_exceeded')
        for (let tries = 0; tries < 3; tries += 1) await core.sandbox.presentToReader(actor, terminalId, { action: 'wrong_pin' });
      else await core.sandbox.presentToReader(actor, terminalId, STEPS[step] ?? ({ action: step } as Action));
    },
    async occupy(terminalId) {
      const device = await deviceOf(terminalId);
      const row = {
        tenant_id: tenantId,
        reader_id: device,
        merchant_id: 'mer_other',
        gateway_id: null,
        operation: 'sale',
        state: 'waiting',
      } as const;
      const none = { canceled_by: null, note: null, card: null, changes: null, tip_minor: null, surcharge_minor: null };
      await ledger.unitOfWork.transaction(tenantId, async (work) => {
        const dialog = `OTHER${device.slice(-15)}`;
        work.insert(DIALOGS, {
          ...row,
          ...none,
          processor_ref: dialog,
          amount_minor: 100,
          currency: 'USD',
          wrong_pins: 0,
          started_ms: Date.now(),
        });
        await work.update(READERS, { id: device }, { dialog });
      });
    },
    fault: null,
    async pass(ms) {
      vi.setSystemTime(Date.now() + ms);
      await core.payments.resolveUnconfirmed(tenantId, ms);
    },
    async charged({ processorRef }) {
      const voids = await ledger.read(tenantId).find(LEDGER, { original_ref: processorRef, operation: 'void' });
      if (voids.length > 0) return 0;
      return (await entriesOf(processorRef)).reduce((sum, row) => sum + (row.approved === 1 ? row.amount_minor : 0), 0);
    },
    entries: async ({ processorRef }) => (await entriesOf(processorRef)).length,
    async close() {
      await close();
      vi.useRealTimers();
    },
  };
}
