import { shell } from 'electron';
import { LANGUAGE_CODES, type Language } from '#shared/languages';
import { type ApplicationSettings, CHANNELS } from '../bridge/index.ts';
import type { DiagnosticsFile } from '../log/diagnostics.ts';
import type { LogFile } from '../log/log-file.ts';
import { showLogFolder } from '../log/log-folder.ts';
import { startAtLogin, startsAtLogin } from '../login-item.ts';
import { isPort, type SettingsFile, type ShellSettings } from '../shell-settings.ts';
import { isProviderAddress } from '../trusted-url.ts';
import type { Updates } from '../updates/updates.ts';
import type { MainWindow } from '../window/main-window.ts';
import { type RegisterHandler, requireThat } from './handler-registry.ts';

const LINES_MAX = 2_000;

/** Dependencies of the handlers for application calls. */
export interface ApplicationDependencies {
  readonly settings: SettingsFile;
  readonly log: LogFile;
  readonly diagnostics: DiagnosticsFile;
  readonly updates: Updates;
  readonly mainWindow: MainWindow;
  /** Called with the language of a page that has loaded. */
  readonly changeLanguage: (language: Language) => Promise<void>;
  /** Called when the page starts or ends sending a payment. */
  readonly holdRestart: (isHeld: boolean) => void;
}

/** Registers the handlers of the application calls: settings, log, diagnostics and updates. */
export function registerApplicationHandlers(
  register: RegisterHandler,
  { settings, log, diagnostics, updates, mainWindow, changeLanguage, holdRestart }: ApplicationDependencies,
): void {
  const readSettings = (): ApplicationSettings => {
    const { closeToTray, port } = settings.current;
    return { closeToTray, startAtLogin: startsAtLogin(), port };
  };
  /** Registers a call without arguments. */
  const registerWithoutInput = (channel: string, run: () => unknown) =>
    register(channel, (input) => {
      requireThat(input.length === 0, 'this call takes no arguments');
      return run();
    });
  register(CHANNELS.setLanguage, (input) => {
    const language = LANGUAGE_CODES.find((known) => known === input[0]);
    requireThat(input.length === 1 && language !== undefined, `language is one of ${LANGUAGE_CODES.join(', ')}`);
    return changeLanguage(language);
  });
  registerWithoutInput(CHANNELS.readSettings, readSettings);
  register(CHANNELS.changeSettings, (input) => {
    const { startAtLogin: atLogin, ...change } = parseChange(input);
    if (Object.keys(change).length > 0) settings.change(change);
    if (atLogin !== undefined) startAtLogin(atLogin);
    return readSettings();
  });
  register(CHANNELS.readLog, (input) => {
    const [limit] = input;
    requireThat(
      input.length === 1 && Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= LINES_MAX,
      'limit is 1 to 2000',
    );
    return log.lines(limit as number);
  });
  register(CHANNELS.openProvider, (input) => {
    const [address] = input;
    requireThat(input.length === 1 && typeof address === 'string' && isProviderAddress(address), 'address is that of a provider');
    return shell.openExternal(address as string);
  });
  registerWithoutInput(CHANNELS.openLogFolder, () => showLogFolder(log));
  registerWithoutInput(CHANNELS.makeDiagnostics, () => diagnostics.create());
  registerWithoutInput(CHANNELS.saveDiagnostics, () => diagnostics.save(mainWindow.current));
  registerWithoutInput(CHANNELS.readUpdate, () => updates.state);
  registerWithoutInput(CHANNELS.checkForUpdate, () => updates.check());
  registerWithoutInput(CHANNELS.restartToUpdate, () => updates.restart());
  register(CHANNELS.holdRestart, (input) => {
    const [isHeld] = input;
    requireThat(input.length === 1 && typeof isHeld === 'boolean', 'isHeld is true or false');
    holdRestart(isHeld);
  });
}

/** Returns the valid settings of a change and ignores unknown members. */
function parseChange(input: unknown[]): Partial<ShellSettings> & { startAtLogin?: boolean } {
  const [change] = input;
  requireThat(input.length === 1 && typeof change === 'object' && change !== null, 'a change of settings is an object');
  const { closeToTray, startAtLogin: atLogin, port } = change as Record<keyof ApplicationSettings, unknown>;
  requireThat(closeToTray === undefined || closeToTray === null || typeof closeToTray === 'boolean', 'closeToTray is true, false or null');
  requireThat(atLogin === undefined || typeof atLogin === 'boolean', 'startAtLogin is true or false');
  requireThat(port === undefined || port === null || isPort(port), 'port is 1024 to 65535, or null');
  return {
    ...(closeToTray === undefined ? {} : { closeToTray }),
    ...(atLogin === undefined ? {} : { startAtLogin: atLogin }),
    ...(port === undefined ? {} : { port }),
  };
}
