import { basename } from 'node:path';
import { type Session, shell } from 'electron';
import { showNotice } from './notices.ts';

/** Tells of a file that was saved, or was not, while nobody looked; a click shows where it is. */
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
