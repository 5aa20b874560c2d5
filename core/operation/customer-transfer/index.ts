import type { PageRequest } from '#core/database';
import type { Actor } from '#core/kernel';
import { createCleanUp } from './clean-up.ts';
import type { Dependencies } from './dependencies.ts';
import { createExport, downloadExport, type ExportInput, exportsOf, listedCustomers } from './export.ts';
import { createTransferKey, destroyTransferKey, transferKeys } from './keys.ts';
import { getImport, type ImportFilter, pageOfImports, pageOfLines, reportOf } from './read.ts';
import { type ReceivedFile, receiveImport } from './receive.ts';
import { discardImport, importJob, type RunChoice, runImport, stopImport } from './run.ts';
import { EXPORTS, IMPORT_LINES, IMPORTS, type LineAction, TRANSFER_KEYS } from './schema.ts';

export type { ListedMethod } from './export.ts';
export { MAPPED_FIELDS } from './files/index.ts';
export type { CustomerImport, ImportLine } from './read.ts';

export const TABLES = [IMPORTS, IMPORT_LINES, TRANSFER_KEYS, EXPORTS];

/** Import of customers with their stored cards from other providers, and the export for the next one. */
export function createCustomerTransfer(deps: Dependencies) {
  deps.scheduler.register(importJob(deps));
  return {
    createKey: (actor: Actor, name: string) => createTransferKey(deps, actor, name),
    keys: (actor: Actor) => transferKeys(deps, actor),
    destroyKey: (actor: Actor, transferKeyId: string) => destroyTransferKey(deps, actor, transferKeyId),
    /** Reads a file and stores its dry run. */
    receive: (actor: Actor, file: ReceivedFile) => receiveImport(deps, actor, file),
    run: (actor: Actor, importId: string, choice: RunChoice) => runImport(deps, actor, importId, choice),
    stop: (actor: Actor, importId: string) => stopImport(deps, actor, importId),
    discard: (actor: Actor, importId: string) => discardImport(deps, actor, importId),
    get: (actor: Actor, importId: string) => getImport(deps, actor, importId),
    page: (actor: Actor, filter: ImportFilter, at: PageRequest) => pageOfImports(deps, actor, filter, at),
    lines: (actor: Actor, importId: string, action: LineAction | undefined, at: PageRequest) =>
      pageOfLines(deps, actor, importId, action, at),
    report: (actor: Actor, importId: string) => reportOf(deps, actor, importId),
    createExport: (actor: Actor, input: ExportInput) => createExport(deps, actor, input),
    exports: (actor: Actor) => exportsOf(deps, actor),
    download: (actor: Actor, exportId: string) => downloadExport(deps, actor, exportId),
    listed: (actor: Actor, merchantId: string | undefined) => listedCustomers(deps, actor, merchantId),
    cleanUp: createCleanUp(deps),
  };
}
