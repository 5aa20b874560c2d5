import type { Language } from '#shared/languages';

/** Application part of the bridge: settings, log, diagnostics and updates. */

/** Behavior of the application on this workstation. */
export interface ApplicationSettings {
  /** Effect of closing the window: true keeps the service running in the tray, false quits, null asks. */
  closeToTray: boolean | null;
  /** True if the application starts in the tray when the user signs in; null if the system does not report it. */
  startAtLogin: boolean | null;
  /** Port of the service; null takes 4801 or the next free one. A change takes effect at the next start. */
  port: number | null;
}

/** One line of the application's log, with card numbers and secrets redacted. */
export interface LogLine {
  /** Time of the line, ISO 8601; empty if the line has none. */
  at: string;
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
  /** Other fields of the line as JSON; empty if there are none. */
  detail: string;
}

/** Contents of a diagnostics file, to be read before it is saved. */
export interface Diagnostics {
  /** File name, such as "paydesk-diagnostics-20260131-0915.json". */
  name: string;
  /** Content of the file, as JSON. */
  text: string;
}

/** Result of saving a file. `saved` is false if the person canceled the dialog, or if `problem` gives the reason of a failure. */
export interface SaveOutcome {
  saved: boolean;
  problem?: string;
}

/**
 * State of updates. `off`: no update address is built in. `failed`: the running version stays, `problem` gives the reason. `ready`: the
 * update is installed when the application quits.
 */
export interface UpdateState {
  status: 'off' | 'none' | 'checking' | 'downloading' | 'ready' | 'failed';
  /** Version that is running. */
  version: string;
  /** Newer version, if one is known. */
  next?: string;
  /** Release notes as plain text. */
  notes?: string;
  /** Download progress, 0 to 100. */
  percent?: number;
  problem?: string;
  /** Time of the last check, ISO 8601. */
  checkedAt?: string;
}

/** Result of a restart request. `restarting`: the application quits, installs the update and opens again. `problem`: why it cannot now. */
export interface RestartOutcome {
  restarting: boolean;
  problem?: string;
}

/** Application calls of `window.paydesk`. */
export interface ApplicationBridge {
  /** Sets the language of the application's own texts, such as its menus. It is stored for the next start. */
  setLanguage(language: Language): Promise<void>;
  readSettings(): Promise<ApplicationSettings>;
  /** Changes the given settings and returns all of them. */
  changeSettings(change: Partial<ApplicationSettings>): Promise<ApplicationSettings>;
  /** Returns the newest lines of the log, oldest first. `limit` is 1 to 2000. */
  readLog(limit: number): Promise<LogLine[]>;
  openLogFolder(): Promise<void>;
  /** Opens the sign-in page of the company's provider in the browser of the system. Only https addresses, and those of this computer, are opened. */
  openProvider(address: string): Promise<void>;
  /** Creates the contents of a diagnostics file. Nothing is saved or sent. */
  makeDiagnostics(): Promise<Diagnostics>;
  /** Saves the contents that `makeDiagnostics` returned last, to a file that the person chooses. */
  saveDiagnostics(): Promise<SaveOutcome>;
  readUpdate(): Promise<UpdateState>;
  /** Checks for a newer version and returns the result; a download continues in the background. */
  checkForUpdate(): Promise<UpdateState>;
  /** Installs a version that is ready and opens it. Refused with a `problem` while a payment is being sent. */
  restartToUpdate(): Promise<RestartOutcome>;
  /** Calls `listener` with each new state of the update, until the returned function is called. */
  onUpdate(listener: (state: UpdateState) => void): () => void;
  /** Prevents or allows a restart: called when this page starts and ends sending a payment. */
  holdRestart(isHeld: boolean): Promise<void>;
}

export const APPLICATION_CHANNELS = {
  setLanguage: 'paydesk:set-language',
  readSettings: 'paydesk:read-settings',
  changeSettings: 'paydesk:change-settings',
  readLog: 'paydesk:read-log',
  openLogFolder: 'paydesk:open-log-folder',
  openProvider: 'paydesk:open-provider',
  makeDiagnostics: 'paydesk:make-diagnostics',
  saveDiagnostics: 'paydesk:save-diagnostics',
  readUpdate: 'paydesk:read-update',
  checkForUpdate: 'paydesk:check-for-update',
  restartToUpdate: 'paydesk:restart-to-update',
  update: 'paydesk:update',
  holdRestart: 'paydesk:hold-restart',
} as const;
