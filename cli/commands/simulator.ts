import { Argument, type Command, Option } from 'commander';
import { type Fault, SIMULATORS, startSimulator } from '../../simulators/index.ts';
import { shareOf, wholeNumber } from '../numbers.ts';
import { outputOf } from '../output.ts';

const PORT_MAX = 65_535;
const MS_MAX = 600_000;
const DELAY_MS = 1_000;

interface SimulatorOptions {
  readonly port: number;
  readonly seed: number;
  readonly delay?: number | true;
  readonly dropAnswer?: number;
  readonly dropRequest?: number;
  readonly visibleAfter: number;
  readonly bom?: boolean;
  readonly quirk?: string[];
}

const EXAMPLES = `
Examples:
  $ paydesk simulator nmi
  $ paydesk simulator nexo --port 4900
  $ paydesk simulator authorizenet --port 4900 --drop-answer 5% --delay 200 --bom`;

export function addSimulator(paydesk: Command): void {
  paydesk
    .command('simulator')
    .description('start a simulator of a payment processor or a card reader, with a readable ledger and faults')
    .addArgument(new Argument('<processor>', 'payment processor').choices(Object.keys(SIMULATORS)))
    .option('--port <number>', 'port; 0 for a free one', wholeNumber(0, PORT_MAX), 0)
    .option('--drop-answer <share>', 'share of responses that are lost, such as 5%', shareOf)
    .option('--drop-request <share>', 'share of requests that are lost', shareOf)
    .addOption(new Option('--delay [ms]', `delay of responses; ${DELAY_MS} without a number`).argParser(wholeNumber(0, MS_MAX)))
    .option('--visible-after <seconds>', 'delay until a payment can be found', wholeNumber(0, MS_MAX), 0)
    .option('--bom', 'begin responses with a byte order mark')
    .option('--quirk <name...>', 'peculiarities of the processor')
    .option('--seed <number>', 'seed of the faults', wholeNumber(0, Number.MAX_SAFE_INTEGER), 1)
    .addHelpText('after', EXAMPLES)
    .action(async (kind: string, options: SimulatorOptions, command: Command) => {
      const output = outputOf(command);
      const simulator = await startSimulator(kind, {
        port: options.port,
        seed: options.seed,
        visibleAfterMs: options.visibleAfter * 1_000,
        quirks: [...(options.bom ? ['bom'] : []), ...(options.quirk ?? [])],
        faults: faultsOf(options),
      });
      const { origin, credentials, device } = simulator;
      output.write(
        { ready: true, kind, origin, device, credentials, ledger: `${origin}/__peer/ledger` },
        [
          `${kind} simulator at ${origin}, ledger at ${origin}/__peer/ledger`,
          `Credentials: ${JSON.stringify(credentials)}`,
          ...usage(kind, origin, device),
          `To close its batch: curl -X POST ${origin}/__peer/close-batch`,
          `To charge a settled payment back: curl -X POST ${origin}/__peer/chargeback -d '{"reference": "…", "code": "13.1"}'`,
          `Likewise: /__peer/reverse-chargeback, and /__peer/return-item for a bank payment. The references are in the ledger.`,
        ].join('\n'),
      );
      const stop = () => void simulator.stop().then(() => process.exit(0));
      process.once('SIGINT', stop).once('SIGTERM', stop);
    });
}

/** Returns how a gateway, or a card reader, of the simulator is set up. */
function usage(kind: string, origin: string, device: { readonly id: string; readonly address: string } | null): string[] {
  if (device === null)
    return [`To use it, add a gateway: type ${kind}, mode test, origin ${origin}, and the credentials above (live accounts only).`];
  return [
    `To use it, add a gateway: type ${kind}, mode test, and the credentials above (live accounts only).`,
    `Then pair the card reader ${device.id} at ${device.address}.`,
    `To present a card: curl -X POST ${origin}/__peer/present -d '{"action": "chip"}'`,
  ];
}

function faultsOf({ dropRequest, dropAnswer, delay }: SimulatorOptions): Fault[] {
  return [
    ...(dropRequest === undefined ? [] : [{ do: 'drop-request' as const, share: dropRequest }]),
    ...(dropAnswer === undefined ? [] : [{ do: 'drop-answer' as const, share: dropAnswer }]),
    ...(delay === undefined ? [] : [{ do: 'delay' as const, ms: delay === true ? DELAY_MS : delay }]),
  ];
}
