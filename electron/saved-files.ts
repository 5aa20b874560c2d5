import { basename } from 'node:path';
import { type Session, shell } from 'electron';
import { showNotice } from './notices.ts';

/** Shows a notice about a file that was saved, or failed, in the background; a click shows the file. */
export function tellOfSavedFiles(session: Session, isLookedAt: () => boolean): void {
  session.on('will-download', (_event, item) => {
    item.once('done', (_done, state) => {
      if (isLookedAt() || state === 'cancelled') return;
      const path = item.getSavePath();
      const body = basename(path) || item.getFilename();
      if (state === 'completed') showNotice({ title: 'Export saved', body }, () => shell.showItemInFolder(path));
      else showNotice({ title: 'An export was not saved', body }, () => undefined);
    });
  });
}
