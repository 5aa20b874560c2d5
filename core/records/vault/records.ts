import { count, group, id, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { RECOVERY_FILE_NAME } from './recovery.ts';

export const CardToken = record('CardToken', {
  token: id('tok', 'Token of the card or bank account; can be charged again'),
  brand: nullable(text('Brand of the card', 'visa')),
  last4: text('Last four digits', '1111'),
  expiryMonth: nullable(text('Month of expiry, two digits', '12')),
  expiryYear: nullable(text('Year of expiry, four digits', '2031')),
});

/** Public details of a token. */
export const TokenDetails = record('CardTokenDetails', {
  ...CardToken.properties,
  maskedNumber: text('First six and last four digits', '411111******1111'),
  fingerprint: text('Equal for equal card numbers of this tenant', '6e1d3c…'),
  gatewayId: nullable(id('gw', 'Gateway that stores the card and alone can charge it; null if Paydesk has the number')),
});
export interface TokenDetails extends RecordOf<typeof TokenDetails> {
  readonly kind: 'card' | 'ach';
  readonly accountType: string | null;
}

const keyId = text('Identifies the master key without revealing anything about it', '3f9ac1d2e4b57086');

/** Public details of the master key. */
export const KeyState = record('EncryptionKeyState', {
  keyId,
  since: time('Time since which this is so'),
  keptIn: literals(['file', 'keychain', 'passphrase', 'memory'], 'Place where the master key is stored'),
  recoveryFileSavedAt: nullable(time('Time at which a recovery file of this key was confirmed as saved; null if there is none')),
});
export type KeyState = RecordOf<typeof KeyState>;

/** A new recovery file with the master key. */
export const CreatedRecoveryFile = group('The file', {
  keyId,
  fileName: text('Name of the file', RECOVERY_FILE_NAME),
  file: text('Text of the file', '{ "paydesk": "recovery-file", … }'),
  code: nullable(text('Generated code that opens the file, shown once; null if a passphrase was given', null)),
});
export type CreatedRecoveryFile = RecordOf<typeof CreatedRecoveryFile>;

export const RenewedDataKey = group('The data key', { version: count('Version of the data key', 2) });
export type RenewedDataKey = RecordOf<typeof RenewedDataKey>;
