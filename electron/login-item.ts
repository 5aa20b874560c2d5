import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app } from 'electron';

/** The flag of a start at which no window is wanted. */
export const HIDDEN_FLAG = 'hidden';

/** Returns true if the application starts when the user signs in; null if that is unknown. */
export function startsAtLogin(): boolean | null {
  if (process.platform === 'linux') return existsSync(autostartFile());
  if (process.platform === 'win32') return app.getLoginItemSettings({ args: [`--${HIDDEN_FLAG}`] }).openAtLogin;
  return process.platform === 'darwin' ? app.getLoginItemSettings().openAtLogin : null;
}

/** Makes the application start in the tray when the user signs in, or stops that. */
export function startAtLogin(isWanted: boolean): void {
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ openAtLogin: isWanted, args: [`--${HIDDEN_FLAG}`] });
    return;
  }
  const file = autostartFile();
  rmSync(file, { force: true });
  if (!isWanted) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, autostartEntry());
}

/** Returns true if this start is for the tray only. */
export function isHiddenStart(): boolean {
  return app.commandLine.hasSwitch(HIDDEN_FLAG) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
}

function autostartFile(): string {
  return join(app.getPath('appData'), 'autostart/paydesk.desktop');
}

/** Returns the autostart entry. An AppImage runs from a mount that exists only while it runs, and names its own file in the environment. */
function autostartEntry(): string {
  const program = process.env.APPIMAGE ?? process.execPath;
  const command = [program, ...(app.isPackaged ? [] : [app.getAppPath()]), `--${HIDDEN_FLAG}`].map(quoted).join(' ');
  return `[Desktop Entry]\nType=Application\nName=${app.getName()}\nExec=${command}\nTerminal=false\nX-GNOME-Autostart-enabled=true\n`;
}

/** An argument as the Desktop Entry Specification wants it: its reserved characters escaped twice, per cent signs doubled. */
function quoted(argument: string): string {
  const escaped = argument
    .replace(/["`$\\]/g, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
  return `"${escaped}"`;
}
