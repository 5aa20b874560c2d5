import { readFile } from 'node:fs/promises';
import { expectAccessible } from './accessibility.ts';
import { ApiSession } from './api-session.ts';
import { expect, test } from './fixtures.ts';

test('records sales, downloads the recording, replays it, and shows the first difference of a changed file', async ({
  signedIn,
  service,
}) => {
  const api = await ApiSession.open(service);
  await signedIn.goto('/#/webhooks');
  const recorder = signedIn.getByRole('region', { name: 'Recorder' });
  await recorder.getByRole('textbox', { name: 'Name of the recording' }).fill('Two sales');
  await recorder.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(recorder.getByText('Recording Two sales: 0 steps')).toBeVisible();
  for (const amount of ['81.00', '82.00']) await api.sell({ amount });
  await expect(recorder.getByText('Recording Two sales: 2 steps')).toBeVisible();
  await recorder.getByRole('button', { name: 'Stop recording' }).click();
  const [download] = await Promise.all([
    signedIn.waitForEvent('download'),
    recorder.getByRole('button', { name: 'Download Two sales' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Two sales.jsonl');
  const recording = await readFile(await download.path(), 'utf8');

  await recorder.getByRole('button', { name: 'Replay file' }).click();
  const dialog = signedIn.getByRole('dialog', { name: 'Replay a recording' });
  const replay = async (content: string) => {
    const file = { name: 'two-sales.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(content) };
    await dialog.getByLabel('Recording file').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click();
  };
  await replay(recording);
  await expect(dialog.getByRole('alert')).toHaveText('As recorded: 2 of 2 steps.');
  await replay(recording.replaceAll('"status":"approved"', '"status":"declined"'));
  await expect(dialog.getByRole('alert')).toContainText('Step 1, POST /api/v1/transactions');
  await expect(dialog.getByLabel('Recorded')).toHaveText('"declined"');
  await expect(dialog.getByLabel('Replayed')).toHaveText('"approved"');
  await expectAccessible(signedIn, 'replay');
});
