import { amount, event, object, orNull, SAMPLE_AMOUNT, TRANSACTION_ID, text } from './event-schemas.ts';

const reader = { terminalId: text, name: text, model: text, workstation: orNull(text), connection: text };
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
      transactionId: text,
      terminalId: text,
      name: text,
      amount,
      tipAmount: orNull(amount),
      currency: text,
      state: text,
      canceledBy: orNull(text),
      entryMode: orNull(text),
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
      cardSaveId: text,
      customerId: text,
      terminalId: text,
      name: text,
      state: text,
      canceledBy: orNull(text),
      paymentMethodId: orNull(text),
      brand: orNull(text),
      last4: orNull(text),
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
