/** The part of the bridge that is about the application itself: its settings, its log and its updates (experience 2.0, 2.18). */

/** Behavior of the application on this workstation. */
export interface ApplicationSettings {
  /** Effect of closing the window: true keeps the service running in the tray, false quits, null asks. */
  closeToTray: boolean | null;
  /** Starts with the system's session, in the tray. Null where the system cannot say. */
  startAtLogin: boolean | null;
  /** The port that the service must have; null takes 4801 or the next free one. Holds from the next start. */
  port: number | null;
}

/** One line of the application's log; card numbers and secrets are blotted out. */
export interface LogLine {
  /** ISO 8601, or empty when the line does not say. */
  at: string;
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
  /** The rest of the line as JSON, or empty. */
  detail: string;
}

/** Contents of a diagnostics file, to be read before it is saved. */
export interface Diagnostics {
  /** The name that the file gets, as in "paydesk-diagnostics-20260131-0915.json". */
  name: string;
  /** The whole file, which is JSON. */
  text: string;
}

/** `saved`: the file was written where the person chose; false when they chose nowhere. `problem`: why it could not be written. */
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
  /** The version that runs. */
  version: string;
  /** The newer version, when one is known. */
  next?: string;
  /** Release notes as plain text. */
  notes?: string;
  /** Download progress, 0 to 100. */
  percent?: number;
  problem?: string;
  /** Time of the last check, ISO 8601. */
  checkedAt?: string;
}

/** `restarting`: the application quits, installs and opens again. `problem`: why not now. */
export interface RestartOutcome {
  restarting: boolean;
  problem?: string;
}

/** The calls of `window.paydesk` on the application itself. */
export interface ApplicationBridge {
  readSettings(): Promise<ApplicationSettings>;
  /** Changes the given settings and returns all of them. */
  changeSettings(change: Partial<ApplicationSettings>): Promise<ApplicationSettings>;
  /** The newest lines of the log, the last of them last. `limit` is 1 to 2000. */
  readLog(limit: number): Promise<LogLine[]>;
  openLogFolder(): Promise<void>;
  /** Creates the contents of a diagnostics file. Nothing is saved or sent. */
  makeDiagnostics(): Promise<Diagnostics>;
  /** Saves what `makeDiagnostics` answered last, where the person chooses. */
  saveDiagnostics(): Promise<SaveOutcome>;
  readUpdate(): Promise<UpdateState>;
  /** Checks for a newer version and returns the result; a download continues in the background. */
  checkForUpdate(): Promise<UpdateState>;
  /** Installs a version that is ready and opens it. Refused in words while a payment is being sent. */
  restartToUpdate(): Promise<RestartOutcome>;
  /** Calls `tell` with each change of the update's state until the returned function is called. */
  onUpdate(tell: (state: UpdateState) => void): () => void;
  /** Announces the start or end of a payment on this page: no restart in the meantime. */
  holdRestart(isHeld: boolean): Promise<void>;
}

export const APPLICATION_CHANNELS = {
  readSettings: 'paydesk:read-settings',
  changeSettings: 'paydesk:change-settings',
  readLog: 'paydesk:read-log',
  openLogFolder: 'paydesk:open-log-folder',
  makeDiagnostics: 'paydesk:make-diagnostics',
  saveDiagnostics: 'paydesk:save-diagnostics',
  readUpdate: 'paydesk:read-update',
  checkForUpdate: 'paydesk:check-for-update',
  restartToUpdate: 'paydesk:restart-to-update',
  update: 'paydesk:update',
  holdRestart: 'paydesk:hold-restart',
} as const;
