import { type ApplicationSettings, CHANNELS } from '../bridge/index.ts';
import type { DiagnosticsFile } from '../log/diagnostics.ts';
import type { LogFile } from '../log/log-file.ts';
import { showLogFolder } from '../log/log-folder.ts';
import { startAtLogin, startsAtLogin } from '../login-item.ts';
import { isPort, type SettingsFile, type ShellSettings } from '../shell-settings.ts';
import type { Updates } from '../updates/updates.ts';
import type { Desk } from '../window/main-window.ts';
import { type Answer, requireThat } from './calls.ts';

const LINES_MAX = 2_000;

/** Dependencies of the calls on the application. */
export interface ApplicationParts {
  readonly settings: SettingsFile;
  readonly log: LogFile;
  readonly diagnostics: DiagnosticsFile;
  readonly updates: Updates;
  readonly desk: Desk;
  /** Called when the page starts or ends sending a payment. */
  readonly hold: (isHeld: boolean) => void;
}

/** Handles the bridge's calls on the application itself. */
export function answerApplication(answer: Answer, { settings, log, diagnostics, updates, desk, hold }: ApplicationParts): void {
  const read = (): ApplicationSettings => ({ ...settings.current, startAtLogin: startsAtLogin() });
  /** A call that takes nothing. */
  const plain = (channel: string, run: () => unknown) =>
    answer(channel, (input) => {
      requireThat(input.length === 0, 'this call takes nothing');
      return run();
    });
  plain(CHANNELS.readSettings, read);
  answer(CHANNELS.changeSettings, (input) => {
    const { startAtLogin: atLogin, ...change } = changeIn(input);
    if (Object.keys(change).length > 0) settings.change(change);
    if (atLogin !== undefined) startAtLogin(atLogin);
    return read();
  });
  answer(CHANNELS.readLog, (input) => {
    const [limit] = input;
    requireThat(
      input.length === 1 && Number.isInteger(limit) && (limit as number) >= 1 && (limit as number) <= LINES_MAX,
      'limit is 1 to 2000',
    );
    return log.lines(limit as number);
  });
  plain(CHANNELS.openLogFolder, () => showLogFolder(log));
  plain(CHANNELS.makeDiagnostics, () => diagnostics.make());
  plain(CHANNELS.saveDiagnostics, () => diagnostics.save(desk.current));
  plain(CHANNELS.readUpdate, () => updates.state);
  plain(CHANNELS.checkForUpdate, () => updates.check());
  plain(CHANNELS.restartToUpdate, () => updates.restart());
  answer(CHANNELS.holdRestart, (input) => {
    const [isHeld] = input;
    requireThat(input.length === 1 && typeof isHeld === 'boolean', 'isHeld is true or false');
    hold(isHeld);
  });
}

/** The change from its known members alone. */
function changeIn(input: unknown[]): Partial<ShellSettings> & { startAtLogin?: boolean } {
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
