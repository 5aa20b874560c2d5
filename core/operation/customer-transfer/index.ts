import { bind } from '#core/kernel';
import { createCleanUp } from './clean-up.ts';
import type { Dependencies } from './dependencies.ts';
import { createExport, downloadExport, exportsOf, listedCustomers } from './export.ts';
import { createTransferKey, destroyTransferKey, transferKeys } from './keys.ts';
import { getImport, pageOfImports, pageOfLines, reportOf } from './read.ts';
import { receiveImport } from './receive.ts';
import { discardImport, importJob, runImport, stopImport } from './run.ts';
import { EXPORTS, IMPORT_LINES, IMPORTS, TRANSFER_KEYS } from './schema.ts';

export { forgetImported } from './discard.ts';
export type { ListedMethod } from './export.ts';
export { MAPPED_FIELDS } from './files/index.ts';
export type { ImportLine } from './read.ts';
export {
  CustomerExport,
  CustomerImport,
  CustomerImportLine,
  IMPORT_STATUSES,
  LAYOUTS,
  LINE_ACTIONS,
  SharedCards,
  TransferKey,
  UnreadableCards,
} from './records.ts';

export const TABLES = [IMPORTS, IMPORT_LINES, TRANSFER_KEYS, EXPORTS];

/** Import of customers with their stored cards from other providers, and the export for the next one. */
export function createCustomerTransfer(deps: Dependencies) {
  deps.scheduler.register(importJob(deps));
  return {
    ...bind(deps, { createKey: createTransferKey, keys: transferKeys, destroyKey: destroyTransferKey }),
    ...bind(deps, { receive: receiveImport }),
    ...bind(deps, { run: runImport, stop: stopImport, discard: discardImport, get: getImport, page: pageOfImports, lines: pageOfLines }),
    ...bind(deps, { report: reportOf, createExport, exports: exportsOf, download: downloadExport, listed: listedCustomers }),
    cleanUp: createCleanUp(deps),
  };
}
