import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the shell remembers of this workstation's choices. */
export interface ShellSettings {
  readonly closeToTray: boolean | null;
  readonly port: number | null;
}

const FILE = 'shell.json';
const FRESH: ShellSettings = { closeToTray: null, port: null };

/** The settings of this workstation's shell, in a file of their own: needed before there is a server, and not worth a database. */
export class SettingsFile {
  private readonly file: string;
  private kept: ShellSettings;

  constructor(folder: string) {
    this.file = join(folder, FILE);
    this.kept = settingsIn(readJson(this.file));
  }

  get current(): ShellSettings {
    return this.kept;
  }

  change(change: Partial<ShellSettings>): void {
    this.kept = { ...this.kept, ...change };
    writeJson(this.file, this.kept);
  }
}

/** Whether the system lets an ordinary program listen on it. */
export function isPort(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1024 && (value as number) <= 65_535;
}

/** What a small file of ours holds; undefined when it is not there or damaged, since it is made anew then. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Replaces a small file of ours as a whole. A full disk costs a preference, never the application. */
export function writeJson(file: string, content: object): void {
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (cause) {
    console.warn(`${file} could not be written.`, cause);
  }
}

function settingsIn(content: unknown): ShellSettings {
  const { closeToTray, port } = (typeof content === 'object' && content !== null ? content : {}) as Record<keyof ShellSettings, unknown>;
  return {
    closeToTray: typeof closeToTray === 'boolean' ? closeToTray : FRESH.closeToTray,
    port: isPort(port) ? port : FRESH.port,
  };
}
