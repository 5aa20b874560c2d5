import { describe, expect, test } from 'vitest';
import { readerOfWorkstation } from '../../../renderer/shared/card-readers/reader-of-workstation.ts';

const READERS = [
  { terminalId: 'trm_1', workstation: null },
  { terminalId: 'trm_2', workstation: 'Drawer 1' },
];

describe('the card reader of a workstation', () => {
  test.each([
    ['the chosen one', { cardReader: 'trm_1', drawer: 'Drawer 1' }, 'trm_1'],
    ['the one that is assigned to its drawer if none was chosen', { cardReader: null, drawer: 'Drawer 1' }, 'trm_2'],
    ['the one that is assigned to its drawer if the chosen one was removed', { cardReader: 'trm_9', drawer: 'Drawer 1' }, 'trm_2'],
    ['none if nothing is assigned', { cardReader: null, drawer: 'Drawer 2' }, undefined],
    ['none if the workstation wants none', { cardReader: 'none', drawer: 'Drawer 1' }, undefined],
  ])('is %s', (_, workstation, expected) => {
    expect(readerOfWorkstation(READERS, workstation)?.terminalId).toBe(expected);
  });
});
