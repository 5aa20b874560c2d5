/** Detects damaged SQLite files, stops writes to them, and states how to restore the data; copies their logs and reads them in threads. */

export { type FileFault, findFaults, findStructureFault, loadSqlite, quickCheck } from './check.ts';
export { installationOfMark, leaveCleanStopMark, takeCleanStopMark } from './clean-stop.ts';
export { LogCopy } from './copy-log.ts';
export { DamagedDatabase } from './damaged-database.ts';
export { Integrity } from './integrity.ts';
export { LostInstallation, MixedInstallation } from './mixed-installation.ts';
export { SqliteReader } from './reader.ts';
export { isDamage, startError } from './sqlite-errors.ts';
