import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGE_CODES, type Language } from '#shared/languages';

/**
 * Settings of the desktop application on this workstation. `closeToTray` null asks; `port` null takes 4801 or the next free port; `language`
 * null is that of the operating system.
 */
export interface ShellSettings {
  readonly closeToTray: boolean | null;
  readonly port: number | null;
  readonly language: Language | null;
}

const FILE = 'shell.json';
const DEFAULTS: ShellSettings = { closeToTray: null, port: null, language: null };

/** File with the settings of the desktop application: needed before the server runs, and too small for a database. */
export class SettingsFile {
  private readonly file: string;
  private settings: ShellSettings;

  constructor(folder: string) {
    this.file = join(folder, FILE);
    this.settings = parseSettings(readJson(this.file));
  }

  get current(): ShellSettings {
    return this.settings;
  }

  change(change: Partial<ShellSettings>): void {
    this.settings = { ...this.settings, ...change };
    writeJson(this.file, this.settings);
  }
}

/** Returns true if an ordinary program may listen on the port. */
export function isPort(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1024 && (value as number) <= 65_535;
}

/** Returns the content of a small file; undefined if it is missing or damaged, because it is then written again. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Replaces a small file atomically. On a full disk the change is lost with a warning, because a preference must not stop the application. */
export function writeJson(file: string, content: object): void {
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (cause) {
    console.warn(`${file} could not be written.`, cause);
  }
}

function parseSettings(content: unknown): ShellSettings {
  const { closeToTray, port, language } = (typeof content === 'object' && content !== null ? content : {}) as Record<
    keyof ShellSettings,
    unknown
  >;
  return {
    closeToTray: typeof closeToTray === 'boolean' ? closeToTray : DEFAULTS.closeToTray,
    port: isPort(port) ? port : DEFAULTS.port,
    language: LANGUAGE_CODES.find((known) => known === language) ?? DEFAULTS.language,
  };
}
