import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium, firefox, webkit } from '@playwright/test';
import { installedChromium, programPath, QUIET_FLAGS } from './browser.ts';
import { BROWSER_NAMES, type BrowserName, isAskedFor } from './browser-choice.ts';

/** A browser other than the packaged one, in which the pages of payers and the most important screens are tested. */
interface OtherBrowser {
  readonly name: string;
  readonly launch: () => Promise<Browser>;
  /** Reason why it cannot be started; undefined if it is present. */
  readonly reason: string | undefined;
}

/** The first Firefox with the commands of WebDriver BiDi that Playwright uses. */
const FIREFOX_MIN = 143;

/** Path of Mozilla's Firefox, named by PAYDESK_TEST_FIREFOX or on the PATH; undefined if there is none. */
export function firefoxPath(): string | undefined {
  const programs = [process.env.PAYDESK_TEST_FIREFOX ?? '', 'firefox', 'firefox-esr'].map(programPath);
  return programs.find((program) => program !== undefined && versionOf(program) >= FIREFOX_MIN);
}

/** Mozilla's Firefox, or Playwright's own. */
function findFirefox(): OtherBrowser {
  const executablePath = firefoxPath();
  const isPresent = executablePath !== undefined || existsSync(firefox.executablePath());
  return {
    name: 'Firefox',
    // The options of the packaged Chromium would apply to what is left out.
    launch: () =>
      firefox.launch({
        args: [],
        ...(executablePath === undefined ? { executablePath: firefox.executablePath() } : { channel: 'moz-firefox', executablePath }),
      }),
    reason: isPresent ? undefined : `there is no Firefox ${FIREFOX_MIN} or later`,
  };
}

function versionOf(program: string): number {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return Number(/Firefox (\d+)/.exec(stdout ?? '')?.[1] ?? 0);
}

/** Playwright's WebKit, or the one named by PAYDESK_TEST_WEBKIT. */
function findWebKit(): OtherBrowser {
  const executablePath = process.env.PAYDESK_TEST_WEBKIT ?? webkit.executablePath();
  return {
    name: 'WebKit',
    launch: () => webkit.launch({ executablePath, args: [] }),
    reason: existsSync(executablePath) ? undefined : "Playwright's WebKit is missing",
  };
}

function findInstalled(): OtherBrowser {
  const executablePath = installedChromium();
  return {
    name: 'the installed Chromium',
    launch: () => chromium.launch({ executablePath, args: QUIET_FLAGS }),
    reason: executablePath === undefined ? 'there is no Chromium or Chrome' : undefined,
  };
}

const FIND: Readonly<Record<BrowserName, () => OtherBrowser>> = { firefox: findFirefox, webkit: findWebKit, installed: findInstalled };

/** The browsers that tests shall use. */
export const OTHER_BROWSERS: readonly OtherBrowser[] = BROWSER_NAMES.filter(isAskedFor).map((name) => FIND[name]());
