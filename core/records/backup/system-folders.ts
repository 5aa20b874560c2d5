import { posix, win32 } from 'node:path';

/** Folders of the operating system, with everything in them. Removable disks, shared memory and /usr/local are exceptions. */
const UNIX = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr',
  '/var/run',
  '/Applications',
  '/Library',
  '/System',
  '/private/etc',
];
const UNIX_EXCEPTIONS = ['/dev/shm', '/run/media', '/usr/local'];
const WINDOWS_VARIABLES = ['SystemRoot', 'ProgramFiles', 'ProgramFiles(x86)', 'ProgramW6432'];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns true for a folder of the operating system, where backups would interfere or get lost. `folder` is absolute, without symbolic
 * links.
 */
export function isSystemFolder(folder: string, platform: string = process.platform, environment: Environment = process.env): boolean {
  if (platform === 'win32') return isWindowsFolder(folder, environment);
  const isIn = (parent: string) => folder === parent || folder.startsWith(`${parent}/`);
  return posix.normalize(folder) === '/' || (UNIX.some(isIn) && !UNIX_EXCEPTIONS.some(isIn));
}

function isWindowsFolder(folder: string, environment: Environment): boolean {
  const path = win32.normalize(folder).toLowerCase().replace(/\\+$/, '');
  const named = WINDOWS_VARIABLES.flatMap((name) => environment[name]?.toLowerCase().replace(/\\+$/, '') ?? []);
  const systemDrive = win32
    .parse(environment.SystemRoot ?? 'C:\\')
    .root.toLowerCase()
    .replace(/\\+$/, '');
  return path === systemDrive || named.some((parent) => path === parent || path.startsWith(`${parent}\\`));
}
