import { basename } from 'node:path';
import { type Session, shell } from 'electron';
import { t } from './language/index.ts';
import { showNotification } from './notifications.ts';

/** Shows a notification about a file that was saved, or was not, while the window had no focus. A click shows the saved file in its folder. */
export function notifyOfDownloads(session: Session, isWindowFocused: () => boolean): void {
  session.on('will-download', (_event, item) => {
    item.once('done', (_done, state) => {
      if (isWindowFocused() || state === 'cancelled') return;
      const path = item.getSavePath();
      const body = basename(path) || item.getFilename();
      if (state === 'completed') showNotification({ title: t('Export saved'), body }, () => shell.showItemInFolder(path));
      else showNotification({ title: t('Export not saved'), body }, () => undefined);
    });
  });
}
