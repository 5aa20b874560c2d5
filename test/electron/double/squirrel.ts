import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { record } from './record.ts';

/** Electron's own updater, which is Squirrel on macOS: told to look, it fetches from the address it was given what electron-updater has on the disk, and says when it has it. */
class Squirrel extends EventEmitter {
  private feed: { url: string; headers: Record<string, string> } | undefined;

  setFeedURL(feed: { url: string; headers: Record<string, string> }): void {
    this.feed = feed;
  }

  checkForUpdates(): void {
    record.steps.push('squirrel looks');
    if (record.squirrel !== 'stalls') void this.fetch().catch((cause: unknown) => this.emit('error', cause));
  }

  /** Ends the application and opens the new one. */
  quitAndInstall(): void {
    record.steps.push('squirrel installs');
    if (record.squirrel === 'refuses') setImmediate(() => this.emit('error', new Error('The command is disabled and cannot be executed')));
    if (record.squirrel !== 'takes') return;
    this.emit('before-quit-for-update');
    setImmediate(() => void app.quit());
  }

  /** The fetched one is there from now on, as after `checkForUpdates` on a Mac that took its time. */
  async fetch(): Promise<void> {
    const { url = '', headers } = this.feed ?? {};
    const found = (await (await fetch(url, { headers })).json()) as { url: string };
    await (await fetch(found.url)).arrayBuffer();
    this.emit('update-downloaded');
  }
}

export const autoUpdater = new Squirrel();
