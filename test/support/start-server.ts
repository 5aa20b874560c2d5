import { join } from 'node:path';
import { takeDocumentScriptFrom } from '#core/platform/received-files';
import { type RunningServer, type ServerOptions, startServer as start } from '#server';

/**
 * The bundled scripts of the threads for backups, integrity checks and received files; loading them takes a third of the processor time of their
 * sources.
 */
const BUNDLED_SCRIPTS = join(import.meta.dirname, '../../out');
takeDocumentScriptFrom(BUNDLED_SCRIPTS);

/** Starts a server in the process of the test. The caller stops it. */
export function startServer(options: ServerOptions): Promise<RunningServer> {
  return start(options, BUNDLED_SCRIPTS);
}
