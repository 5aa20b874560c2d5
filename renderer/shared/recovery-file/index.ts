export { expectFirstSale, reportFirstSale } from './first-sale-note.ts';
export { MasterKey } from './master-key.tsx';
export { RecoveryReminder } from './recovery-reminder.tsx';

export { keysQuery } from './requests.ts';
export { SavedNote } from './saved-note.tsx';
export { useRecoveryFile } from './use-recovery-file.ts';
