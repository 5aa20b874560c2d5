import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { record } from './record.ts';

/** Electron's updater, which is Squirrel on macOS. A check fetches the downloaded file of electron-updater from the feed URL and emits an event at the end. */
class Squirrel extends EventEmitter {
  private feed: { url: string; headers: Record<string, string> } | undefined;

  setFeedURL(feed: { url: string; headers: Record<string, string> }): void {
    this.feed = feed;
  }

  checkForUpdates(): void {
    record.steps.push('squirrel looks');
    if (record.squirrel !== 'stalls') void this.fetch().catch((cause: unknown) => this.emit('error', cause));
  }

  /** Ends the application; Squirrel would then open the new one. */
  quitAndInstall(): void {
    record.steps.push('squirrel installs');
    if (record.squirrel === 'refuses') setImmediate(() => this.emit('error', new Error('The command is disabled and cannot be executed')));
    if (record.squirrel !== 'takes') return;
    this.emit('before-quit-for-update');
    setImmediate(() => void app.quit());
  }

  /** Fetches the update. A test calls it for a slow Mac, some time after `checkForUpdates`. */
  async fetch(): Promise<void> {
    const { url = '', headers } = this.feed ?? {};
    const found = (await (await fetch(url, { headers })).json()) as { url: string };
    await (await fetch(found.url)).arrayBuffer();
    this.emit('update-downloaded');
  }
}

export const autoUpdater = new Squirrel();
