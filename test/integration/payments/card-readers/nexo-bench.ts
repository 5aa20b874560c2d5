import { createHttpClient } from '#core/processing/gateways';
import { nexo } from '../../../../core/processing/gateways/nexo/index.ts';
import { nexoReader } from '../../../../simulators/nexo/index.ts';
import { type ReaderInput, type Simulator, serveSimulator } from '../../../../simulators/simulator-server.ts';
import { openLiveCore } from '../../../support/live-core.ts';
import { until } from '../../../support/until.ts';
import type { ReaderBench, ReaderStep, WireFault } from './bench.ts';

/** Actions of the steps that Paydesk sees. The reader itself handles the others, such as a wrong PIN that is entered again. */
const STEPS: Readonly<Partial<Record<Extract<ReaderStep, string>, Omit<ReaderInput, 'deviceId'>>>> = {
  chip: { action: 'chip' },
  chip_signature: { action: 'chip_signature' },
  contactless: { action: 'contactless' },
  phone: { action: 'phone' },
  swipe: { action: 'swipe' },
  keyed: { action: 'keyed' },
  declined: { action: 'decline', code: '214 Declined online' },
  no_funds: { action: 'decline', code: '210 Not enough balance' },
  expired: { action: 'decline', code: '206 Expired card' },
  stolen: { action: 'decline', code: '199 Stolen card' },
  unsupported: { action: 'restricted' },
  pin_exceeded: { action: 'wrong_pin' },
  cancel: { action: 'cancel' },
  time_out: { action: 'time_out' },
  part: { action: 'partial' },
  other_amount: { action: 'other_amount' },
  reversed: { action: 'chip_refuses' },
  unplug: { action: 'unplug' },
  connect: { action: 'connect' },
  disconnect: { action: 'disconnect' },
  lost_answer: { action: 'authorize' },
};
const QUIRKS: Readonly<Partial<Record<WireFault, string>>> = {
  odd_state: 'malformed',
  other_order: 'other-payment',
  wrong_hmac: 'wrong-hmac',
  wrong_key_version: 'wrong-key-version',
  wrong_header: 'wrong-outer-header',
  wrong_padding: 'wrong-padding',
  replay: 'replay',
};

/** Readers in the local network, each with a simulator of its own. */
export async function openNexoBench(kind: 'sqlite' | 'postgres'): Promise<ReaderBench> {
  const live = await openLiveCore(kind);
  const { core, actor, merchantId } = live;
  const { credentials } = nexoReader('');
  await core.merchants.gateways.add(actor, merchantId, { type: 'nexo', name: 'nexo', mode: 'test', credentials });
  const httpClient = createHttpClient();
  const readers = new Map<string, Simulator>();
  const simulators: Simulator[] = [];
  const chosenTips = new Map<string, number>();
  const readerOf = (terminalId: string) => readers.get(terminalId) as Simulator;
  const last = () => simulators.at(-1) as Simulator;

  return {
    core,
    actor,
    async pair(code = 'valid') {
      const id = `SIM-${String(simulators.length + 1).padStart(6, '0')}`;
      const options = code === 'taken' ? { credentials: { ...credentials, passphrase: 'of another merchant' } } : {};
      const simulator = await serveSimulator(nexoReader(id), options);
      simulators.push(simulator);
      const given = { valid: id, taken: id, wrong: 'SIM-999999', expired: 'OLD123' }[code];
      const paired = await core.terminals.pair(actor, { code: given, address: simulator.device?.address ?? '', name: 'Reader' });
      readers.set(paired.terminalId, simulator);
      return paired.terminalId;
    },
    async act(terminalId, step) {
      const simulator = readerOf(terminalId);
      if (typeof step === 'object') chosenTips.set(terminalId, Math.round(step.tip * 100));
      else if (STEPS[step] && simulator.present({ ...STEPS[step], tipMinor: chosenTips.get(terminalId) ?? 0 }))
        await until('Paydesk has the response', () => simulator.isIdle());
    },
    async occupy(terminalId) {
      const account = { tenantId: actor.tenantId, gatewayId: 'gw_other', credentials, mode: 'test', timezone: 'UTC' } as const;
      const { id = '', address = '' } = readerOf(terminalId).device ?? {};
      const { amount } = { amount: { minor: 100, currency: 'USD' } as never };
      const owner = { tenantId: actor.tenantId, gatewayId: 'gw_other', merchantId };
      const other = nexo.open({ ...account, currency: 'USD' as never }, httpClient);
      await other.terminals?.start({ ...owner, deviceId: id, address, operation: 'sale', processorRef: 'OTHERTILL00000000000', amount });
    },
    fault(fault) {
      const simulator = last();
      simulator.faults();
      simulator.quirks();
      if (fault === 'none') return;
      if (fault === 'start_lost') return simulator.faults([{ do: 'drop-answer', on: ['Payment'] }]);
      if (fault === 'updating') return simulator.quirks(['low-battery']);
      // The reader is asked only after the connection of the payment was lost.
      simulator.present({ action: 'disconnect' });
      simulator.present({ action: 'connect' });
      if (fault === 'status_lost') simulator.faults([{ do: 'drop-answer', on: ['TransactionStatus'] }]);
      if (fault === 'half_status') simulator.faults([{ do: 'half-answer', on: ['TransactionStatus'] }]);
      simulator.quirks([QUIRKS[fault] ?? []].flat());
    },
    pass: (ms) => live.advance(ms),
    charged: async ({ processorRef }) =>
      simulators
        .flatMap(({ ledger }) => ledger.byOurReference(processorRef))
        .filter(({ state }) => state !== 'voided' && state !== 'declined')
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    entries: async ({ processorRef }) => simulators.flatMap(({ ledger }) => ledger.byOurReference(processorRef)).length,
    async close() {
      await httpClient.close();
      await live.close();
      await Promise.all(simulators.map((simulator) => simulator.stop()));
    },
  };
}
