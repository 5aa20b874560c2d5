import { describe, expect, test } from 'vitest';
import { changelogWith, parseChangeNote, readChangeNotes } from '../../../scripts/change-notes.ts';

const note = (text: string, path = 'changes/split-payments.md') => ({ path, text });

test('every note of the repository follows the form of changes/README.md', () => {
  for (const each of readChangeNotes()) expect(() => parseChangeNote(each)).not.toThrow();
});

describe('a change note', () => {
  test('has an area and one or two sentences, which may be wrapped', () => {
    const text = 'area: Sales\n\nSales are split by 1.5 or\nby half. Each part has its own receipt.\n';
    expect(parseChangeNote(note(text))).toEqual({
      area: 'Sales',
      sentences: 'Sales are split by 1.5 or by half. Each part has its own receipt.',
    });
  });

  test.each([
    ['an unknown area', note('area: Payments\n\nSales are split.\n'), /one of Sales, Front desk/],
    ['no area', note('Sales are split.\n'), /first line must be/],
    ['no sentence', note('area: Sales\n\nSplit sales\n'), /one or two sentences/],
    ['three sentences', note('area: Sales\n\nOne. Two. Three.\n'), /one or two sentences/],
    ['a name in another case', note('area: Sales\n\nSales are split.\n', 'changes/Split_payments.md'), /kebab case/],
  ])('is refused with %s', (_, input, message) => {
    expect(() => parseChangeNote(input)).toThrow(message);
  });
});

describe('a release', () => {
  const changelog = '# Changelog\n\nAll changes.\n\n## 0.1.0 - 2026-11-29\n\nThe first version.\n';

  test('lists the notes by area above the versions before it', () => {
    const notes = [note('area: Items\n\nItems have pictures.\n'), note('area: Sales\n\nSales are split.\n')];
    expect(changelogWith(changelog, '0.2.0', '2027-01-04', notes)).toBe(
      '# Changelog\n\nAll changes.\n\n## 0.2.0 - 2027-01-04\n\n### Sales\n\n- Sales are split.\n\n### Items\n\n- Items have pictures.\n\n## 0.1.0 - 2026-11-29\n\nThe first version.\n',
    );
  });

  test('is refused without a note', () => {
    expect(() => changelogWith(changelog, '0.2.0', '2027-01-04', [])).toThrow('There are no changes to release');
  });
});
