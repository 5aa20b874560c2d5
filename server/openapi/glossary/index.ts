import { BASICS } from './basics.ts';
import type { Glossary } from './entry.ts';
import { PAYMENTS } from './payments.ts';
import { SETTINGS } from './settings.ts';

export { EXAMPLE_TIME } from './entry.ts';

/**
 * Descriptions of fields by name (decision record 47). One name means the same on every route; where a record uses it in a narrower sense, the
 * entry has the name of the record's schema, or of the operation, before a dot. The SDK's `TransactionId` is described as `transactionId`.
 */
export const FIELD_GLOSSARY: Glossary = { ...BASICS, ...PAYMENTS, ...SETTINGS };
