import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, firefox, webkit } from '@playwright/test';

/** A browser of another kind than Chromium, in which the pages of payers and the most important screens are tested. */
interface OtherBrowser {
  readonly name: string;
  readonly launch: () => Promise<Browser>;
  /** Reason why it cannot be started; undefined if it is present. */
  readonly reason: string | undefined;
}

/** The first Firefox with the commands of WebDriver BiDi that Playwright uses. */
const FIREFOX_MIN = 143;

/** Mozilla's Firefox, named by PAYDESK_TEST_FIREFOX or on the PATH, or Playwright's own. */
function findFirefox(): OtherBrowser {
  const programs = [process.env.PAYDESK_TEST_FIREFOX, 'firefox', 'firefox-esr'].filter((program) => program !== undefined);
  const executablePath = programs.find((program) => versionOf(program) >= FIREFOX_MIN);
  const isPresent = executablePath !== undefined || existsSync(firefox.executablePath());
  return {
    name: 'Firefox',
    launch: () => firefox.launch(executablePath === undefined ? {} : { channel: 'moz-firefox', executablePath }),
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
    launch: () => webkit.launch({ executablePath }),
    reason: existsSync(executablePath) ? undefined : "Playwright's WebKit is missing",
  };
}

export const OTHER_BROWSERS: readonly OtherBrowser[] = [findFirefox(), findWebKit()];
