import { Type } from 'typebox';
import { READER_ACTIONS, TERMINAL_WAIT_MAX_SECONDS } from '#shared/terminals';
import { CardNumberIn, Maybe, Text } from './fields.ts';

const literals = <Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number]>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { description },
    ),
  );

/** Card reader of a new payment. */
export const TerminalIdIn = Text(60, 'card reader on which the customer pays, with the payment method `terminal`');
/** Seconds for which a new payment on a card reader waits for its outcome. */
export const TerminalWaitIn = Type.Integer({
  minimum: 0,
  maximum: TERMINAL_WAIT_MAX_SECONDS,
  description: `seconds for which the request waits for the outcome on the card reader, 0 (default) to ${TERMINAL_WAIT_MAX_SECONDS}; after them the response is 202 with the pending transaction`,
  examples: [30],
});

const NameIn = Text(60, 'name of the card reader');
const WorkstationIn = Type.Optional(Maybe(Text(40, 'workstation whose Sell screen uses the reader first: the name of its drawer')));

export const NewTerminalBody = Type.Object({
  code: Text(40, 'code that the reader shows'),
  name: NameIn,
  workstation: WorkstationIn,
  merchantId: Type.Optional(Text(60)),
  gatewayId: Type.Optional(Text(60, 'gateway whose account the reader belongs to; by default the first one with card readers')),
});
export const TerminalBody = Type.Object({ name: Type.Optional(NameIn), workstation: WorkstationIn });

/** Returns true for a payment that still runs on its card reader, so that its request is answered with 202. */
export const runsOnTerminal = ({ status, terminal }: { readonly status: string; readonly terminal: unknown }): boolean =>
  status === 'pending' && terminal !== null;

export const ReaderActionBody = Type.Object({
  action: literals(
    READER_ACTIONS,
    '`chip` to `keyed` present a card; `chip_refuses` one whose chip refuses the approval; `unplug_after_approval` presents a chip whose approval the reader loses; `connect` gives it power and network again',
  ),
  cardNumber: Type.Optional(CardNumberIn),
});
