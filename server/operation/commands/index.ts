export { backUp, restoreBackup } from './backup.ts';
export { checkLedger } from './check-ledger.ts';
export { exchangeKey } from './exchange-key.ts';
export { recoverKey } from './recover-key.ts';
