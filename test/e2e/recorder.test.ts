import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

test('records sales from any screen, replays the file, and shows the first difference side by side @full', async ({
  signedIn: page,
  service,
}) => {
  const api = await ApiSession.open(service);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Go to anything' })).toBeFocused();
  await page.keyboard.type('replay requests');
  await page.getByRole('option', { name: 'Record or replay requests' }).click();
  const recorder = page.getByRole('dialog', { name: 'Recorder' });
  await expect(recorder.getByLabel('Name of the recording')).toBeFocused();
  await expectAccessible(page, 'recorder');
  await page.keyboard.type('Two sales');
  await page.keyboard.press('Enter');
  await expect(recorder.getByText('Recording Two sales: 0 steps')).toBeVisible();
  await page.keyboard.press('Escape');

  for (const amount of ['81.00', '82.00']) await api.sell({ amount });
  await page.goto('/#/webhooks');
  const running = page.getByRole('button', { name: 'Sandbox, recording 2 steps' });
  await expect(running).toBeVisible();
  await expectAccessible(page, 'running recorder');
  await running.press('Enter');
  await page.getByRole('menuitem', { name: 'Recorder' }).press('Enter');
  await expect(recorder.getByText('Recording Two sales: 2 steps')).toBeVisible();
  await recorder.getByRole('button', { name: 'Stop recording' }).press('Enter');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    recorder.getByRole('button', { name: 'Download Two sales' }).press('Enter'),
  ]);
  expect(download.suggestedFilename()).toBe('Two sales.jsonl');
  const recording = await readFile(await download.path(), 'utf8');

  await recorder.getByRole('button', { name: 'Replay file' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Replay a recording' });
  const replay = async (content: string) => {
    const file = { name: 'two-sales.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(content) };
    await dialog.getByLabel('Recording file').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Replay', exact: true }).press('Enter');
  };
  await replay(recording);
  await expect(dialog.getByRole('alert')).toHaveText('As recorded: 2 of 2 steps.');
  await replay(recording.replaceAll('"status":"approved"', '"status":"declined"'));
  await expect(dialog.getByRole('alert')).toContainText('Step 1, POST /api/v1/transactions');
  await expect(dialog.getByLabel('Recorded')).toHaveText('"declined"');
  await expect(dialog.getByLabel('Replayed')).toHaveText('"approved"');
  await expectAccessible(page, 'replay');
});
