import { describe, expect, test } from 'vitest';
import { isSystemFolder } from '../../../core/records/backup/system-folders.ts';

const WINDOWS = { SystemRoot: 'C:\\Windows', ProgramFiles: 'C:\\Program Files' };

describe('isSystemFolder', () => {
  test.each(['/', '/etc', '/etc/paydesk', '/usr/share/x', '/dev/disk', '/proc/1', '/System/Volumes', '/run/user/1000'])(
    'returns true for %s on Linux and macOS',
    (folder) => expect(isSystemFolder(folder, 'linux', {})).toBe(true),
  );

  test.each([
    '/var/backups/paydesk',
    '/etcetera',
    '/srv/shop/etc',
    '/mnt/usb',
    '/run/media/shop/usb',
    '/Volumes/usb/Library',
    '/usr/local/backups',
  ])('returns false for %s on Linux and macOS', (folder) => expect(isSystemFolder(folder, 'darwin', {})).toBe(false));

  test.each(['C:\\', 'c:\\windows\\temp', 'C:\\Program Files\\Paydesk'])('returns true for %s on Windows', (folder) =>
    expect(isSystemFolder(folder, 'win32', WINDOWS)).toBe(true),
  );

  test.each(['D:\\', 'C:\\Backups', 'C:\\Program Files of the shop', '\\\\server\\share'])('returns false for %s on Windows', (folder) =>
    expect(isSystemFolder(folder, 'win32', WINDOWS)).toBe(false),
  );
});
