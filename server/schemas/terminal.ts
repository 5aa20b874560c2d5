import { type Static, Type } from 'typebox';
import { ServiceError } from '#core/kernel';
import { EXAMPLE_ID, literals } from '#core/platform/fields';
import type { TerminalMethodInput } from '#core/sales/payments';
import { READER_ACTIONS, TERMINAL_WAIT_MAX_SECONDS } from '#shared/terminals';
import { ConsentText } from './customer.ts';
import { AmountIn, CardNumberIn, CurrencyIn, Maybe, MerchantIn, OwnFieldsIn, Text, TipIn } from './fields.ts';
import { inPascal } from './sale.ts';

/** Card reader of a new payment. */
const TerminalIdIn = Text(60, 'card reader on which the customer pays, with the payment method `terminal`');
/** Seconds for which a new payment on a card reader waits for its outcome. */
const TerminalWaitIn = Type.Integer({
  minimum: 0,
  maximum: TERMINAL_WAIT_MAX_SECONDS,
  description: `seconds for which the request waits for the outcome on the card reader, 0 (default) to ${TERMINAL_WAIT_MAX_SECONDS}; after them the response is 202 with the pending transaction`,
  examples: [30],
});

const AskTipIn = Type.Boolean({
  description: 'true if the card reader asks for a tip, false if it does not; by default its setting decides',
});
const AddSurchargeIn = Type.Boolean({
  description: "true if the card reader adds the surcharge of the merchant's rule, which it does for credit cards only",
});

/** Fields of a new payment on a card reader. */
export const TerminalFieldsIn = {
  terminalId: Type.Optional(TerminalIdIn),
  wait: Type.Optional(TerminalWaitIn),
  askTip: Type.Optional(AskTipIn),
  addSurcharge: Type.Optional(AddSurchargeIn),
};
/** The same on the Public and the SDK surface. */
export const TERMINAL = inPascal(TerminalFieldsIn);

/** Fields of a payment on a card reader as the core names them. */
type TerminalFields = Partial<Record<keyof typeof TerminalFieldsIn, unknown>>;

/** Returns the payment method of a payment on a card reader. */
export function terminalMethod(
  terminalId: string,
  fields: Omit<Static<Type.TObject<typeof TerminalFieldsIn>>, 'terminalId'>,
): TerminalMethodInput {
  const { wait, askTip, addSurcharge } = fields;
  return {
    kind: 'terminal',
    terminalId,
    waitSeconds: wait,
    asksTip: askTip,
    addsSurcharge: addSurcharge,
  };
}

/** @throws VALIDATION_ERROR for a field of card readers in a payment with another method. */
export function refuseTerminalFields(body: TerminalFields, ofTerminal = '`paymentMethod` terminal'): void {
  const names = Object.keys(TerminalFieldsIn) as (keyof TerminalFields)[];
  const field = names.find((name) => body[name] !== undefined);
  if (field === undefined) return;
  throw new ServiceError('VALIDATION_ERROR', `\`${field}\` belongs to a payment on a card reader. Send it with ${ofTerminal}.`, { field });
}

const NameIn = Text(60, 'name of the card reader', 'Counter 1');
const AsksTipIn = Type.Optional(Type.Boolean({ description: 'true if the reader asks for a tip, unless a payment says otherwise' }));
const WorkstationIn = Type.Optional(Maybe(Text(40, 'workstation whose Sell screen uses the reader first: the name of its drawer')));

const AddressIn = Type.Optional(Text(260, 'address of a reader in the local network, such as 192.168.1.50'));

export const NewTerminalBody = Type.Object({
  code: Text(40, 'code that the reader shows; for a reader in the local network its ID, such as V400m-123456789', 'SIM123'),
  address: AddressIn,
  name: NameIn,
  workstation: WorkstationIn,
  asksTip: AsksTipIn,
  merchantId: MerchantIn,
  gatewayId: Type.Optional(Text(60, 'gateway whose account the reader belongs to; by default the first one with card readers')),
});
export const TerminalBody = Type.Object({
  name: Type.Optional(NameIn),
  workstation: WorkstationIn,
  asksTip: AsksTipIn,
  address: AddressIn,
});

export const TerminalCreditBody = Type.Object({
  amount: AmountIn,
  currency: Type.Optional(CurrencyIn),
  orderId: OwnFieldsIn.orderId,
  description: OwnFieldsIn.description,
  wait: Type.Optional(TerminalWaitIn),
});

export const CardSaveBody = Type.Object({
  terminalId: Text(60, 'card reader that reads the card', `trm_${EXAMPLE_ID}`),
  consentText: ConsentText,
  wait: Type.Optional(TerminalWaitIn),
});

/** Returns true for a payment that still runs on its card reader, so that its request is answered with 202. */
export const runsOnTerminal = ({ status, terminal }: { readonly status: string; readonly terminal: unknown }): boolean =>
  status === 'pending' && terminal !== null;

export const ReaderActionBody = Type.Object({
  action: literals(
    READER_ACTIONS,
    '`tip` and `no_tip` answer the question for a tip; `chip` to `keyed` present a card; `chip_refuses` one whose chip refuses the approval; `part` and `other_amount` one of which a part or another amount is charged; `unplug_after_approval` presents a chip whose approval the reader loses; `connect` gives it power and network again',
  ),
  cardNumber: Type.Optional(CardNumberIn),
  tipAmount: Type.Optional(TipIn),
});
