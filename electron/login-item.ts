import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';

/** Command-line switch that starts the application without a window. */
export const HIDDEN_FLAG = 'hidden';

/** Returns true if the application starts when the user signs in; null if that is unknown. */
export function startsAtLogin(): boolean | null {
  if (process.platform === 'linux') return existsSync(autostartFile());
  if (process.platform === 'win32') return app.getLoginItemSettings({ args: [`--${HIDDEN_FLAG}`] }).openAtLogin;
  return process.platform === 'darwin' ? app.getLoginItemSettings().openAtLogin : null;
}

/** Sets whether the application starts in the tray when the user signs in. */
export function startAtLogin(isEnabled: boolean): void {
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: isEnabled, args: [`--${HIDDEN_FLAG}`] });
    return;
  }
  const file = autostartFile();
  rmSync(file, { force: true });
  if (!isEnabled) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, autostartEntry());
}

/** Returns true if the application was started without a window, in the tray. */
export function isHiddenStart(): boolean {
  return app.commandLine.hasSwitch(HIDDEN_FLAG) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
}

function autostartFile(): string {
  return join(app.getPath('appData'), 'autostart/paydesk.desktop');
}

/** Returns the autostart entry. An AppImage runs from a temporary mount, so its own file is read from the environment. */
function autostartEntry(): string {
  const program = process.env.APPIMAGE ?? process.execPath;
  const command = [program, ...(app.isPackaged ? [] : [app.getAppPath()]), `--${HIDDEN_FLAG}`].map(quoteExecArgument).join(' ');
  return `[Desktop Entry]\nType=Application\nName=${app.getName()}\nExec=${command}\nTerminal=false\nX-GNOME-Autostart-enabled=true\n`;
}

/** Quotes an argument by the Desktop Entry Specification: reserved characters are escaped twice, percent signs doubled. */
function quoteExecArgument(argument: string): string {
  const escaped = argument
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
  return `"${escaped}"`;
}
