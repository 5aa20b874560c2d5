import { RECEIPT_PRINTS } from './schema.ts';

export const TABLES = [RECEIPT_PRINTS];
