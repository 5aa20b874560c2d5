import { expect, type Locator, type Page } from '@playwright/test';
import type { Peer } from '../../../simulators/index.ts';

/** The gateways of a merchant, and the dialog that edits one. */
export class GatewaysPage {
  readonly page: Page;
  readonly add: Locator;
  readonly dialog: Locator;
  readonly list: Locator;
  readonly save: Locator;

  constructor(page: Page) {
    this.page = page;
    this.add = page.getByRole('button', { name: 'Add gateway' });
    this.dialog = page.getByRole('dialog');
    this.list = page.getByRole('list', { name: 'Gateways' });
    this.save = this.dialog.getByRole('button', { name: 'Check and save' });
  }

  async open(): Promise<void> {
    await this.page.goto('/#/settings/gateways');
    await expect(this.add).toBeEnabled();
  }

  /** The list entry of a gateway, by name. */
  entry(name: string): Locator {
    return this.page.getByRole('listitem', { name, exact: true });
  }

  /** The buttons of a gateway, by their verb. */
  act(verb: 'Edit' | 'Disable' | 'Enable' | 'Remove' | 'Check', name: string): Locator {
    return this.page.getByRole('button', { name: verb === 'Check' ? `Check again: ${name}` : `${verb} ${name}`, exact: true });
  }

  field(name: string): Locator {
    return this.dialog.getByRole('textbox', { name, exact: true });
  }

  /** A masked field, which has no role. */
  secret(name: string): Locator {
    return this.dialog.getByLabel(name, { exact: true });
  }

  /** Fills in an NMI account that a simulator on this computer provides. */
  async fillNmi(simulator: Pick<Peer, 'origin'>, securityKey: string, name?: string): Promise<void> {
    await this.dialog.getByRole('radio', { name: /^NMI/ }).check();
    await this.secret('Security key').fill(securityKey);
    await this.dialog.getByRole('radio', { name: /^Test/ }).check();
    await this.field('Simulator or reseller host (optional)').fill(simulator.origin);
    if (name !== undefined) await this.field('Name').fill(name);
  }
}
