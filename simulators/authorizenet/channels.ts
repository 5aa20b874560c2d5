// Rules about market types, device types and eCheck types. They are written down independently of the connector.
import type { SimulatorContext } from '../simulator-server.ts';
import type { TransactionRequest } from './request.ts';

/** Device types that a market type accepts. */
const DEVICES: Readonly<Record<string, readonly string[]>> = {
  0: ['8'],
  1: ['10'],
  2: ['1', '2', '3', '4', '5', '6', '7', '9'],
};
const NAMES: Readonly<Record<string, string>> = { eCommerce: '0', MOTO: '1', Retail: '2' };

/** Reason code and text of a refusal. */
export type Fault = readonly [reason: string, message: string];

const INVALID_MARKET: Fault = ['87', 'Transactions of this market type cannot be processed on this system.'];
const INVALID_DEVICE: Fault = ['87', 'The device type does not fit the market type.'];

/** Returns the market types of the account by name: without a quirk those of a card-not-present account. */
export function marketsOf({ quirks }: SimulatorContext): string[] {
  if (quirks.has('retail')) return ['Retail'];
  return quirks.has('moto-only') ? ['MOTO'] : ['eCommerce', 'MOTO'];
}

const settingOf = ({ transactionSettings }: TransactionRequest, name: string) =>
  transactionSettings?.setting.find(({ settingName }) => settingName === name)?.settingValue;

/** Returns true for a charge under an agreement, without the customer. */
function isStanding(request: TransactionRequest): boolean {
  return settingOf(request, 'recurringBilling') === 'true' || isSet(request, 'isSubsequentAuth') || isSet(request, 'isFirstSubsequentAuth');
}

const isSet = ({ processingOptions }: TransactionRequest, name: string) => processingOptions?.[name] === 'true';

/** Returns the fault in the market of a card payment; null if there is none. */
export function marketFault(request: TransactionRequest, context: SimulatorContext): Fault | null {
  const { retail } = request;
  const markets = marketsOf(context).map((name) => NAMES[name]);
  if (retail === undefined) return isStanding(request) && (markets.includes('0') || markets.includes('1')) ? null : INVALID_MARKET;
  if (!markets.includes(retail.marketType)) return INVALID_MARKET;
  return DEVICES[retail.marketType]?.includes(retail.deviceType) ? null : INVALID_DEVICE;
}

/** Returns the fault in the eCheck type of a bank payment; null if there is none. */
export function echeckFault(request: TransactionRequest): Fault | null {
  const { transactionType, payment, retail } = request;
  const { echeckType, accountType } = payment?.bankAccount ?? {};
  if (echeckType === undefined) return ['246', 'The eCheck.Net type is missing.'];
  if (retail !== undefined) return ['87', 'A bank payment has no market type.'];
  if (transactionType === 'refundTransaction' && echeckType !== 'PPD' && echeckType !== 'CCD')
    return ['246', 'This eCheck.Net type is not allowed.'];
  if ((echeckType === 'CCD') !== (accountType === 'businessChecking'))
    return ['244', 'This eCheck.Net type is not allowed for this Bank Account Type.'];
  if (echeckType === 'TEL' && (settingOf(request, 'recurringBilling') === 'true' || isSet(request, 'isSubsequentAuth')))
    return ['243', 'Recurring billing is not allowed for this eCheck.Net type.'];
  return null;
}

/** Channel of a request as the ledger shows it. */
export function channelDetails({ retail, payment, processingOptions }: TransactionRequest): Record<string, string> {
  const { echeckType, accountType } = payment?.bankAccount ?? {};
  return {
    retail: retail ? `${retail.marketType}/${retail.deviceType}` : '',
    echeck: echeckType ? `${echeckType} ${accountType}` : '',
    processing: Object.keys(processingOptions ?? {}).join(','),
  };
}
