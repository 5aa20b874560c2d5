import { app } from 'electron';
import { linkIn, screenOf } from './deep-link.ts';
import type { Desk } from './window/main-window.ts';

/**
 * Handles further starts of the application and `paydesk://` links, including the one that started this process, and keeps the last link
 * until the window exists. Returns a function that takes the window: from then on each start brings it to the front, and a link opens its
 * screen.
 */
export function catchArrivals(): (desk: Desk) => void {
  let desk: Desk | undefined;
  let waiting = linkIn(process.argv);
  const arrive = (link: string | undefined) => {
    if (desk === undefined) {
      waiting = link ?? waiting;
      return;
    }
    const screen = link === undefined ? undefined : screenOf(link);
    if (screen === undefined) desk.open();
    else desk.openScreen(screen);
  };
  app.on('second-instance', (_event, argv) => arrive(linkIn(argv)));
  // macOS: the application is chosen in the dock.
  app.on('activate', () => arrive(undefined));
  // macOS sends the link as an event, for the first start even before we are ready.
  app.on('open-url', (event, link) => {
    event.preventDefault();
    arrive(link);
  });
  return (opened) => {
    desk = opened;
    if (waiting !== undefined) arrive(waiting);
  };
}
