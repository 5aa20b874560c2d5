import { type ApplicationParts, answerApplication } from './application.ts';
import { answerOurPage } from './calls.ts';
import { answerNotices } from './notices.ts';
import { answerPrinting } from './printing.ts';

/** Parts of the desktop application that calls of the bridge use. */
interface ShellPort extends ApplicationParts {
  /** Present address of the server; undefined while there is none, when calls are refused. */
  baseUrl(): string | undefined;
}

/**
 * Handles the bridge's calls. Each is refused unless it comes from the main frame of one of our pages, with input of the documented shape.
 */
export function handleIpc(shell: ShellPort): void {
  const answer = answerOurPage(() => shell.baseUrl());
  answerPrinting(answer);
  answerNotices(answer, (path) => shell.desk.openScreen(path));
  answerApplication(answer, shell);
}
