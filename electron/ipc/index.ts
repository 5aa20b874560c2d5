import { type ApplicationParts, answerApplication } from './application.ts';
import { answerOurPage } from './calls.ts';
import { answerNotices } from './notices.ts';
import { answerPrinting } from './printing.ts';

/** What the calls of the bridge reach in the shell. */
interface ShellPort extends ApplicationParts {
  /** The server's address now; undefined while there is none, when nobody is answered. */
  baseUrl(): string | undefined;
}

/** Answers the bridge's calls, each refused unless it comes from the main frame of a page of ours with input of the documented shape. */
export function handleIpc(shell: ShellPort): void {
  const answer = answerOurPage(() => shell.baseUrl());
  answerPrinting(answer);
  answerNotices(answer, (path) => shell.desk.openScreen(path));
  answerApplication(answer, shell);
}
