import { type Glossary, id } from './entry.ts';

const lines = (what: string): readonly [string, number] => [`Number of lines ${what}`, 12];

/** IDs of imports and exports of customers in paths, and the fields of their events. */
export const TRANSFERS: Glossary = {
  'CustomerImport.importId': id('cim', 'import'),
  exportId: id('cex', 'export'),
  transferKeyId: id('tky', 'transfer key'),
  publicKey: ['OpenPGP public key in ASCII armor', '-----BEGIN PGP PUBLIC KEY BLOCK-----'],
  lines: ['Number of payment methods and customers in the file', 120],
  create: lines('with a new customer'),
  update: lines('that add or renew a payment method of an existing customer'),
  duplicate: lines('that are known already'),
  shared: lines('with a card that another customer has'),
  rejected: lines('that cannot be imported'),
  layout: ['Layout of the file: paydesk or stripe', 'paydesk'],
  recipientFingerprint: ['Fingerprint of the OpenPGP key of the recipient', '4d154765013d00d94d154765013d00d94d154765'],
  customerCount: ['Number of customers in the file', 100],
  paymentMethodCount: ['Number of payment methods in the file', 112],
  leftOutCount: ['Number of cards that are stored at a gateway only, so the file has no number of them', 0],
};
