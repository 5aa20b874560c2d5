import type { ReaderInput } from '../../../../simulators/simulator-server.ts';
import { openLiveCore } from '../../../support/live-core.ts';
import type { ReaderBench, ReaderStep, WireFault } from './bench.ts';

/** Actions of the steps that the processor sees. The reader itself handles the others, such as a wrong PIN that is entered again. */
const STEPS: Readonly<Partial<Record<Extract<ReaderStep, string>, Omit<ReaderInput, 'deviceId'>>>> = {
  chip: { action: 'approve' },
  chip_signature: { action: 'approve' },
  contactless: { action: 'approve', entryMode: '6' },
  phone: { action: 'approve', entryMode: 'nfc_msd' },
  swipe: { action: 'approve', entryMode: 'swiped' },
  keyed: { action: 'approve', entryMode: 'keyed' },
  declined: { action: 'decline', code: '200' },
  no_funds: { action: 'decline', code: '202' },
  expired: { action: 'decline', code: '223' },
  stolen: { action: 'decline', code: '252' },
  unsupported: { action: 'decline', code: '461' },
  pin_exceeded: { action: 'decline', code: '226' },
  cancel: { action: 'cancel' },
  time_out: { action: 'time_out' },
  part: { action: 'partial' },
  other_amount: { action: 'other_amount' },
  reversed: { action: 'reverse' },
  unplug: { action: 'unplug' },
  connect: { action: 'connect' },
  lost_answer: { action: 'authorize' },
};
const CODES = { valid: 'A1B2C3', expired: 'OLD123', wrong: 'WRONG1', taken: 'A1B2C3' } as const;

/** Readers in NMI's cloud, against its simulator. */
export async function openNmiBench(kind: 'sqlite' | 'postgres'): Promise<ReaderBench> {
  const live = await openLiveCore(kind);
  const simulator = await live.addSimulator('nmi');
  const { core, actor } = live;
  const chosenTips = new Map<string, number>();
  const deviceOf = (terminalId: string) => core.terminals.deviceOf(actor, terminalId);

  const WIRE: Readonly<Partial<Record<WireFault, () => void>>> = {
    start_lost: () => simulator.faults([{ do: 'drop-answer', on: ['reader-start'], nth: 1 }]),
    status_lost: () => simulator.faults([{ do: 'drop-answer', on: ['reader-status'] }]),
    half_status: () => simulator.faults([{ do: 'half-answer', on: ['reader-status'] }]),
    odd_state: () => simulator.quirks(['odd-state']),
    other_names: () => simulator.quirks(['other-names']),
    no_transaction: () => simulator.quirks(['no-transaction']),
    other_order: () => simulator.quirks(['other-order']),
    updating: () => simulator.quirks(['updating']),
    none() {
      simulator.faults();
      simulator.quirks();
    },
  };
  return {
    core,
    actor,
    async pair(code = 'valid') {
      if (code === 'taken') simulator.quirks(['taken']);
      try {
        return (await core.terminals.pair(actor, { code: CODES[code], name: 'Reader' })).terminalId;
      } finally {
        simulator.quirks();
      }
    },
    async act(terminalId, step) {
      const deviceId = await deviceOf(terminalId);
      if (typeof step === 'object') chosenTips.set(deviceId, Math.round(step.tip * 100));
      else if (STEPS[step]) simulator.present({ ...STEPS[step], deviceId, tipMinor: chosenTips.get(deviceId) ?? 0 });
    },
    async occupy(terminalId) {
      const body = new URLSearchParams({
        security_key: simulator.credentials.securityKey ?? '',
        type: 'sale',
        amount: '1.00',
        currency: 'USD',
        orderid: 'OTHERTILL00000000000',
        poi_device_id: await deviceOf(terminalId),
        response_method: 'asynchronous',
      });
      await fetch(`${simulator.origin}/api/transact.php`, { method: 'POST', body });
    },
    fault: (fault) => WIRE[fault]?.(),
    pass: (ms) => live.advance(ms),
    charged: async ({ processorRef }) =>
      simulator.ledger
        .byOurReference(processorRef)
        .filter(({ state }) => state !== 'voided' && state !== 'declined')
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    entries: async ({ processorRef }) => simulator.ledger.byOurReference(processorRef).length,
    close: () => live.close(),
  };
}
