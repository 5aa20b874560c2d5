import { common, commonOrNull, event, object, orNull, SAMPLE_AMOUNT, TRANSACTION_ID, text } from './event-schemas.ts';

const reader = {
  ...common('terminalId', 'name'),
  model: text('Model of the card reader'),
  workstation: orNull(text('Workstation whose Sell screen uses the card reader first: the name of its drawer; null for none')),
  connection: text('Connection of the card reader, online or offline'),
};
const READER = {
  terminalId: 'trm_00000000000000000000000000',
  name: 'Counter 1',
  model: 'Simulated reader',
  workstation: 'Drawer 1',
  connection: 'online',
};

const readerEvent = (connection = 'online') => event('Card readers', object(reader), () => ({ ...READER, connection }));

/** Events of card readers. */
export const TERMINAL_EVENTS = {
  'terminal.paired': readerEvent(),
  'terminal.connection_changed': readerEvent('offline'),
  'terminal.removed': readerEvent(),
  'terminal.payment_updated': event(
    'Card readers',
    object({
      ...common('transactionId', 'terminalId', 'name', 'amount'),
      ...commonOrNull('tipAmount'),
      ...common('currency', 'state'),
      ...commonOrNull('canceledBy'),
      entryMode: orNull(text('How the card reader read the card: chip, contactless, swipe or keyed; null before it did')),
    }),
    () => ({
      transactionId: TRANSACTION_ID,
      terminalId: READER.terminalId,
      name: READER.name,
      amount: SAMPLE_AMOUNT,
      tipAmount: null,
      currency: 'USD',
      state: 'approved',
      canceledBy: null,
      entryMode: 'chip',
    }),
  ),
  'terminal.card_save_updated': event(
    'Card readers',
    object({
      cardSaveId: text('ID of the request to store a card by a card reader'),
      ...common('customerId', 'terminalId', 'name', 'state'),
      ...commonOrNull('canceledBy', 'paymentMethodId', 'brand', 'last4'),
    }),
    () => ({
      cardSaveId: 'csv_00000000000000000000000000',
      customerId: 'cus_00000000000000000000000000',
      terminalId: READER.terminalId,
      name: READER.name,
      state: 'saved',
      canceledBy: null,
      paymentMethodId: 'pm_00000000000000000000000000',
      brand: 'visa',
      last4: '1111',
    }),
  ),
} as const;
