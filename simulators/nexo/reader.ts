// A simulated nexo card reader: one dialog at a time, the results of earlier ones, and the actions of a person at it.
import { centsOf, type Entry, textOfCents } from '../ledger.ts';
import type { ReaderInput, SimulatorContext } from '../simulator-server.ts';
import { checkNames, type OpenedRequest, type Values } from './envelope.ts';

const SERVICE_ID = /^[0-9A-Za-z]{1,10}$/;
/** Largest difference of a clock that the reader accepts. */
const CLOCK_MS = 600_000;
const TENDER_OPTIONS = ['ReceiptHandler', 'AskGratuity', 'AllowPartialAuthorisation'];
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const CONDITIONS: Readonly<Record<string, string>> = {
  'out-of-order': 'DeviceOut',
  'low-battery': 'UnavailableDevice',
  'logged-out': 'LoggedOut',
  'no-network': 'UnreachableHost',
  'card-inside': 'InsertedCard',
  'odd-condition': 'Rebooting',
};
export const READER_QUIRKS = [...Object.keys(CONDITIONS), 'tip', 'no-amount', 'other-payment', 'shared-name'];

/** Entry mode and verification of each way to present a card. */
const WAYS: Readonly<Record<string, readonly [entryMode: string, verification: string]>> = {
  approve: ['ICC', 'OnlinePIN'],
  chip: ['ICC', 'OnlinePIN'],
  chip_signature: ['ICC', 'PaperSignature'],
  contactless: ['Contactless', 'Bypass'],
  phone: ['Mobile', 'Bypass'],
  swipe: ['MagStripe', 'PaperSignature'],
  keyed: ['Keyed', 'Bypass'],
  partial: ['ICC', 'OnlinePIN'],
  authorize: ['ICC', 'OnlinePIN'],
  other_amount: ['ICC', 'OnlinePIN'],
  unplug_after_approval: ['ICC', 'OnlinePIN'],
};
const FAILURES: Readonly<Record<string, readonly [condition: string, reason?: string]>> = {
  decline: ['Refusal', '210 Not enough balance'],
  chip_refuses: ['Refusal', '214 Declined by the chip'],
  wrong_pin: ['WrongPIN'],
  unreadable: ['InvalidCard'],
  restricted: ['PaymentRestriction'],
  cancel: ['Cancel'],
  time_out: ['Cancel'],
};

interface Dialog {
  readonly header: OpenedRequest['header'];
  readonly operation: 'sale' | 'credit';
  readonly reference: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly options: ReadonlySet<string>;
  readonly sale: Values;
  respond: (body: Values | null) => void;
}

export interface Reader {
  readonly id: string;
  isPlugged: boolean;
  isConnected: boolean;
  dialog: Dialog | null;
  /** Results by till and service ID. */
  readonly results: Map<string, { readonly header: Values; readonly body: Values }>;
  readonly serviceIds: Set<string>;
}

export const newReader = (id: string): Reader => ({
  id,
  isPlugged: true,
  isConnected: true,
  dialog: null,
  results: new Map(),
  serviceIds: new Set(),
});

const failure = (condition: string, reason?: string): Values => ({
  Response: {
    Result: 'Failure',
    ErrorCondition: condition,
    ...(reason !== undefined && { AdditionalResponse: `refusalReason=${encodeURIComponent(reason)}` }),
  },
});
const SUCCESS = { Response: { Result: 'Success' } };
const keyOf = (saleId: unknown, serviceId: unknown) => `${saleId}/${serviceId}`;

export const responseHeaderOf = (header: Values): Values => ({ ...header, MessageType: 'Response' });

/** Returns the body of a response, null for an empty one; undefined if the reader loses its power or network in the meantime. */
export async function respond(reader: Reader, request: OpenedRequest, context: SimulatorContext): Promise<Values | null | undefined> {
  const { header, category, body } = request;
  const { ServiceID: serviceId = '', SaleID: saleId, POIID, ProtocolVersion, MessageClass, MessageType } = header;
  const isOurs = ProtocolVersion === '3.0' && MessageClass === 'Service' && MessageType === 'Request' && POIID === reader.id;
  if (!isOurs || !SERVICE_ID.test(serviceId) || reader.serviceIds.has(keyOf(saleId, serviceId)))
    return named(category, failure('MessageFormat', 'Wrong header, or a ServiceID that was used before'));
  reader.serviceIds.add(keyOf(saleId, serviceId));
  try {
    switch (category) {
      case 'Diagnosis':
        checkNames(body, ['HostDiagnosisFlag']);
        return named(category, { ...SUCCESS, POIStatus: { GlobalStatus: reader.dialog ? 'Busy' : 'OK' } });
      case 'Payment':
        return await pay(reader, request, context);
      case 'TransactionStatus':
        return named(category, statusOf(reader, body, context));
      case 'Abort':
        abort(reader, body);
        return null;
      case 'Reversal':
        return named(category, reverse(body, context));
      default:
        return named(category, failure('NotAllowed'));
    }
  } catch (error) {
    return named(category, failure('MessageFormat', (error as Error).message));
  }
}

const named = (category: string, body: Values): Values => ({ [`${category}Response`]: body });

async function pay(reader: Reader, { header, body }: OpenedRequest, { quirks, now }: SimulatorContext): Promise<Values | undefined> {
  const { SaleData, PaymentTransaction, PaymentData } = checkNames(body, ['SaleData', 'PaymentTransaction', 'PaymentData']);
  const { SaleTransactionID, SaleToAcquirerData } = checkNames(SaleData, ['SaleTransactionID', 'SaleToAcquirerData']);
  const sale = checkNames(SaleTransactionID, ['TransactionID', 'TimeStamp']);
  const options = new Set((new URLSearchParams(String(SaleToAcquirerData)).get('tenderOption') ?? '').split(','));
  const unknown = [...options].find((each) => !TENDER_OPTIONS.includes(each));
  // A reader without a printer fails if the till does not print.
  if (unknown !== undefined || !options.has('ReceiptHandler')) throw new Error('SaleToAcquirerData');
  const amounts = checkNames(checkNames(PaymentTransaction, ['AmountsReq']).AmountsReq, ['Currency', 'RequestedAmount']);
  const { PaymentType: type } = checkNames(PaymentData, ['PaymentType']);
  if (type !== 'Normal' && type !== 'Refund') throw new Error('PaymentType');
  const at = String(sale.TimeStamp);
  if (!TIME.test(at) || Math.abs(Date.parse(at) - now()) > CLOCK_MS) throw new Error('TimeStamp');
  if (typeof amounts.RequestedAmount !== 'number' || !/^[A-Z]{3}$/.test(String(amounts.Currency))) throw new Error('AmountsReq');
  const amountMinor = centsOf(amounts.RequestedAmount.toFixed(2));
  if (amountMinor === undefined || amountMinor === 0) throw new Error('RequestedAmount');
  const condition = [...quirks].map((quirk) => CONDITIONS[quirk]).find((each) => each !== undefined);
  if (condition !== undefined) return named('Payment', failure(condition));
  if (reader.dialog) return named('Payment', failure('Busy', `ServiceID ${reader.dialog.header.ServiceID}`));
  const response = await new Promise<Values | null>((resolve) => {
    const { TransactionID: reference } = sale;
    const currency = String(amounts.Currency);
    const operation = type === 'Refund' ? 'credit' : 'sale';
    reader.dialog = { header, operation, reference: String(reference), currency, amountMinor, options, sale, respond: resolve };
  });
  return response === null ? undefined : named('Payment', response);
}

function referenceIn(body: Values): string {
  const reference = checkNames(body.MessageReference, ['MessageCategory', 'SaleID', 'ServiceID']);
  if (reference.MessageCategory !== 'Payment') throw new Error('MessageCategory');
  return keyOf(reference.SaleID, reference.ServiceID);
}

const keyOfDialog = ({ header }: Dialog) => keyOf(header.SaleID, header.ServiceID);

function statusOf({ dialog, results }: Reader, body: Values, { quirks }: SimulatorContext): Values {
  const key = referenceIn(checkNames(body, ['MessageReference', 'ReceiptReprintFlag', 'DocumentQualifier']));
  if (dialog && keyOfDialog(dialog) === key) return failure('InProgress');
  const known = quirks.has('other-payment') ? [...results.values()].find((each) => results.get(key) !== each) : results.get(key);
  if (!known) return failure('NotFound');
  const repeated = { MessageHeader: known.header, RepeatedResponseMessageBody: { PaymentResponse: known.body } };
  return { ...SUCCESS, MessageReference: body.MessageReference, RepeatedMessageResponse: repeated };
}

/** A late abort is ignored. */
function abort(reader: Reader, body: Values): void {
  const key = referenceIn(checkNames(body, ['AbortReason', 'MessageReference']));
  if (reader.dialog && keyOfDialog(reader.dialog) === key) end(reader, failure('Aborted'));
}

/** Confirms that the reversal was received, and executes it. */
function reverse(body: Values, { ledger }: SimulatorContext): Values {
  const { OriginalPOITransaction, ReversalReason, ReversedAmount } = checkNames(
    body,
    ['OriginalPOITransaction', 'ReversalReason'],
    ['ReversedAmount'],
  );
  const original = checkNames(checkNames(OriginalPOITransaction, ['POITransactionID']).POITransactionID, ['TransactionID', 'TimeStamp']);
  if (ReversalReason !== 'MerchantCancel' || !TIME.test(String(original.TimeStamp))) throw new Error('ReversalReason');
  const entry = ledger.find(String(original.TransactionID).split('.P')[1] ?? '');
  if (entry?.state !== 'captured') return failure('NotAllowed', 'Unknown transaction');
  if (ReversedAmount === undefined) ledger.void(entry);
  else {
    const amountMinor = centsOf(Number(ReversedAmount).toFixed(2)) ?? 0;
    if (amountMinor > entry.movedMinor) return failure('NotAllowed', 'Amount exceeds the payment');
    const { method, last4, reference } = entry;
    ledger.add({ ourReference: '', operation: 'refund', state: 'captured', amountMinor, method, last4, original: reference });
  }
  return SUCCESS;
}

/** Ends the dialog with a result that the reader keeps, and sends it unless the connection is lost. */
function end(reader: Reader, body: Values, isSent = true): void {
  const { dialog } = reader;
  if (!dialog) return;
  reader.dialog = null;
  reader.results.set(keyOfDialog(dialog), { header: responseHeaderOf(dialog.header), body });
  dialog.respond(isSent ? body : null);
}

/** Acts at a reader as a person does. */
export function presentAt(reader: Reader, context: SimulatorContext, { action, tipMinor, code }: ReaderInput): boolean {
  if (action === 'connect') {
    Object.assign(reader, { isPlugged: true, isConnected: true });
    return true;
  }
  if (action === 'disconnect') {
    reader.isConnected = false;
    // The customer can go on.
    reader.dialog?.respond(null);
    return true;
  }
  if (action === 'unplug') {
    reader.isPlugged = false;
    reader.dialog?.respond(null);
    reader.dialog = null;
    return true;
  }
  const { dialog } = reader;
  if (!dialog || !reader.isPlugged) return false;
  const failed = FAILURES[action];
  if (failed) end(reader, { ...failure(failed[0], code ?? failed[1]), SaleData: { SaleTransactionID: dialog.sale } }, reader.isConnected);
  else if (!WAYS[action]) return false;
  else {
    const body = approval(reader.id, dialog, action, context, tipMinor ?? 0);
    if (action === 'unplug_after_approval') {
      // It loses its power before it stores the result.
      Object.assign(reader, { isPlugged: false, dialog: null });
      dialog.respond(null);
    } else end(reader, body, reader.isConnected && action !== 'authorize');
  }
  return true;
}

/** Charges the card and returns the response. */
function approval(id: string, dialog: Dialog, action: string, { ledger, quirks, now }: SimulatorContext, chosenMinor: number): Values {
  const { operation, reference, currency, amountMinor, options, sale } = dialog;
  const [entryMode = '', verification = ''] = WAYS[action] ?? [];
  // With the quirk `tip` the reader asks for a tip although the till did not.
  const tipMinor = quirks.has('tip') ? Math.round(amountMinor / 5) : options.has('AskGratuity') ? chosenMinor : 0;
  const part = action === 'partial' ? Math.trunc(amountMinor / 2) : action === 'other_amount' ? amountMinor + 100 : amountMinor;
  const chargedMinor = part + tipMinor;
  const entry: Entry = ledger.add({
    ourReference: reference,
    operation,
    state: 'captured',
    amountMinor: chargedMinor,
    method: 'card',
    last4: '1111',
    details: { auth: '042042', requested: textOfCents(amountMinor) },
  });
  const poi = { TransactionID: `T00042.P${entry.reference}`, TimeStamp: new Date(now()).toISOString() };
  const text = (key: string, value: string) => ({ Text: new URLSearchParams({ name: key, value, key }).toString() });
  const amounts = { Currency: currency, AuthorizedAmount: chargedMinor / 100, ...(tipMinor > 0 && { TipAmount: tipMinor / 100 }) };
  return {
    Response: { Result: action === 'partial' ? 'Partial' : 'Success' },
    SaleData: { SaleTransactionID: sale },
    POIData: { POITransactionID: poi },
    PaymentResult: {
      OnlineFlag: true,
      AuthenticationMethod: [verification],
      ...(!quirks.has('no-amount') && { AmountsResp: amounts }),
      PaymentAcquirerData: { AcquirerPOIID: id, MerchantID: 'SIMMERCHANT', ApprovalCode: '042042' },
      PaymentInstrumentData: {
        PaymentInstrumentType: 'Card',
        CardData: { PaymentBrand: 'visa', MaskedPan: '411111 **** 1111', EntryMode: [entryMode] },
      },
    },
    PaymentReceipt: [
      {
        DocumentQualifier: 'CashierReceipt',
        RequiredSignatureFlag: verification === 'PaperSignature',
        OutputContent: {
          OutputFormat: 'Text',
          OutputText: [text('aid', 'A0000000031010'), text('preferredName', 'Visa Credit'), text('authCode', '042042')],
        },
      },
    ],
  };
}
