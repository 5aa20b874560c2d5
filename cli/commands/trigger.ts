import { type Command, InvalidArgumentError } from 'commander';
import { ALIASES, type EventType, isSecurityName } from '#shared/webhook-events';
import { Connection } from '../connection.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { bodyOf, lineOf, readEvents } from '../history.ts';
import { outputOf } from '../output.ts';
import { FLOWS } from '../triggers/flows.ts';
import { checkFields } from '../triggers/settable-fields.ts';
import { TriggerRun } from '../triggers/trigger-run.ts';

const WAIT_SECONDS = 20;

type Field = readonly [path: string, value: unknown];

const EXAMPLES = `
The command runs the operations that cause the event, such as a sale with a declined card, and prints the event. Some move the test clock. Some
change rules of the account or create a user; they restore the rules and remove the user.

Event types:
  ${Object.keys(FLOWS).join('\n  ')}

Examples:
  $ paydesk trigger transaction.approved
  $ paydesk trigger transaction.declined --set amount=12.13
  $ paydesk trigger transaction.approved --set orderId=order-1001 --set card.number=5555555555554444`;

export function addTrigger(paydesk: Command): void {
  paydesk
    .command('trigger')
    .description('cause an event by the operations that cause it in a shop')
    .argument('<type>', 'event type')
    .option('--set <field=value>', 'set a field of the main request; may be repeated', addField)
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, { set = [] }: { set?: readonly Field[] }, command: Command) => {
      const type = (ALIASES[name] ?? name) as EventType;
      if (!Object.hasOwn(FLOWS, type))
        throw new CommandFailure(EXIT.usage, `There is no event type ${name}. \`paydesk trigger --help\` lists them.`);
      const connection = new Connection(command);
      const office = await connection.asAdministrator();
      if (set.length > 0)
        checkFields(
          type,
          set.map(([path]) => path),
          (await (await fetch(`${connection.url}/openapi.json`)).json()) as object,
        );
      const [newest] = await readEvents(office, '', { limit: 1, types: isSecurityName(type) ? '*,security.*' : '*' });
      await FLOWS[type](new TriggerRun(connection, office, set));
      const at = newest === undefined ? { from: '2000-01-01' } : { after: newest.id, wait: WAIT_SECONDS };
      const [event] = await readEvents(office, '', { types: type, limit: 1, ...at });
      if (event === undefined) throw new CommandFailure(EXIT.timeout, `${type} did not appear within ${WAIT_SECONDS} seconds.`);
      outputOf(command).write(JSON.parse(bodyOf(event)) as object, lineOf(event));
    });
}

/** Adds a field such as `amount=12.13`. A value that is JSON keeps its type, any other one is text. */
export function addField(text: string, fields: readonly Field[] = []): readonly Field[] {
  const [, path, value] = /^([A-Za-z][\w.]*)=(.*)$/s.exec(text) ?? [];
  if (path === undefined || value === undefined) throw new InvalidArgumentError('Use field=value, such as amount=12.13.');
  return [...fields, [path, parsedValue(path, value)]];
}

function parsedValue(path: string, text: string): unknown {
  // Numbers with more digits than an amount are names, such as card numbers.
  if (/^\d{7,}$/.test(text) || /(number|month|year|cvv|zip|id)$/i.test(path)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
