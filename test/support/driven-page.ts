import { until } from './until.ts';

/** Names that WebDriver gives to keys without a character. */
export const KEYS = { Enter: '\uE007', Tab: '\uE004' } as const;

/** A page of a browser that Playwright cannot drive. */
export abstract class DrivenPage {
  abstract open(url: string): Promise<unknown>;
  /** Runs the body of a function in the page and returns its result. */
  abstract run<Result>(script: string): Promise<Result>;
  /** Sends actions of the keyboard. */
  protected abstract act(actions: readonly object[]): Promise<unknown>;
  abstract stop(): Promise<void>;

  /** Waits until an expression of the page is true. */
  async waitFor(what: string, expression: string): Promise<void> {
    await until(what, () => this.run<boolean>(`return Boolean(${expression})`));
  }

  /** Presses keys one after another, where the focus is. */
  async type(text: string): Promise<void> {
    await this.act([...text].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))));
  }
}
