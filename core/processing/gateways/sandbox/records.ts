import { amount, currencyCode, flag, group, list, literals, nullable, type RecordOf, record, text } from '#core/platform/fields';
import { CANCELERS } from '#shared/terminals';
import { DIALOG_STATES, READER_NOTES } from './ledger.ts';

/** Screen of a simulated reader, with its power and network. */
export const ReaderScreen = record('SandboxReader', {
  isPlugged: flag('True if the simulated reader has power', true),
  isConnected: flag('True if the simulated reader has a network', true),
  dialog: nullable(
    group('Payment that runs on the reader, or the last one; null if there was none', {
      operation: literals(
        ['sale', 'auth', 'credit', 'verification'],
        'Operation; `credit` pays money to the card, and `verification` stores it without a charge',
      ),
      processorRef: text('Reference of the payment at the processor', 'K3V7Q2M9T4X8B6N1C5D0'),
      amount: amount('Amount with the tip and the surcharge', 49.99),
      tipChoices: nullable(list(amount('Suggested tip', 7.5), 'Suggested tips while the customer is asked for one; null otherwise')),
      tipAmount: nullable(amount('Tip that the customer chose; null before a choice, or without the question', 7.5)),
      surchargeAmount: nullable(amount('Surcharge that the reader added; null before the card was read', 0.75)),
      currency: currencyCode(),
      state: literals(DIALOG_STATES, 'State of the dialog. `lost`: the reader lost its power or the answer'),
      note: nullable(literals(READER_NOTES, 'Reason why the reader still waits after an action', null)),
      canceledBy: nullable(literals(CANCELERS, 'Who ended the dialog before the card was charged', null)),
      isApproved: nullable(flag('Result of the processor; null unless the reader knows it', true)),
    }),
  ),
});
export type ReaderScreen = RecordOf<typeof ReaderScreen>;
