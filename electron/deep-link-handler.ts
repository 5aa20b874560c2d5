import { app } from 'electron';
import { findDeepLink, screenPathOf } from './deep-link.ts';
import type { MainWindow } from './window/main-window.ts';

/**
 * Handles further starts of the application and `paydesk://` links, including the one that started this process, and keeps the last link
 * until the window exists. Returns a function that takes the window: from then on each start brings it to the front, and a link opens its
 * screen.
 */
export function handleDeepLinks(): (mainWindow: MainWindow) => void {
  let mainWindow: MainWindow | undefined;
  let pendingLink = findDeepLink(process.argv);
  const handleStart = (link: string | undefined) => {
    if (mainWindow === undefined) {
      pendingLink = link ?? pendingLink;
      return;
    }
    const screen = link === undefined ? undefined : screenPathOf(link);
    if (screen === undefined) mainWindow.open();
    else mainWindow.openScreen(screen);
  };
  app.on('second-instance', (_event, argv) => handleStart(findDeepLink(argv)));
  // macOS emits it when the user clicks the application in the dock.
  app.on('activate', () => handleStart(undefined));
  // macOS sends the link as an event, at the first start even before the application is ready.
  app.on('open-url', (event, link) => {
    event.preventDefault();
    handleStart(link);
  });
  return (created) => {
    mainWindow = created;
    if (pendingLink !== undefined) handleStart(pendingLink);
  };
}
