import { describe, expect, test, vi } from 'vitest';
import { moveOf } from '../../../cli/commands/clock.ts';
import { addField } from '../../../cli/commands/trigger.ts';
import { withValues } from '../../../cli/env-file.ts';
import { program } from '../../../cli/main.ts';
import { shareOf, wholeNumber } from '../../../cli/numbers.ts';
import manifest from '../../../package.json' with { type: 'json' };

describe('the target of the clock', () => {
  test.each([
    ['+31d', { advanceSeconds: 2_678_400 }],
    ['+5m', { advanceSeconds: 300 }],
    ['2w', { advanceSeconds: 1_209_600 }],
    ['2027-01-31T12:00:00Z', { now: '2027-01-31T12:00:00Z' }],
  ])('%s is understood', (text, move) => {
    expect(moveOf(text)).toEqual(move);
  });

  test.each(['', '31', '+31x', '-1d', 'tomorrow', '2027-01-31'])('%j is refused with the exit code of wrong usage', (text) => {
    expect(() => moveOf(text)).toThrowError(expect.objectContaining({ exitCode: 2 }));
  });
});

describe('a field of --set', () => {
  test.each([
    ['amount=12.13', ['amount', 12.13]],
    ['metadata.vip=true', ['metadata.vip', true]],
    ['orderId=1001', ['orderId', '1001']],
    ['card.number=5555555555554444', ['card.number', '5555555555554444']],
    ['card.expiryMonth=01', ['card.expiryMonth', '01']],
    ['description=two=words, one field', ['description', 'two=words, one field']],
  ])('%s', (text, field) => {
    expect(addField(text, [])).toEqual([field]);
  });

  test.each(['amount', '=5', '1a=5'])('%s is refused', (text) => {
    expect(() => addField(text, [])).toThrow('field=value');
  });
});

test('numbers and shares are checked', () => {
  expect([wholeNumber(0, 9)('7'), shareOf('5%'), shareOf('0.05')]).toEqual([7, 0.05, 0.05]);
  for (const text of ['-1', '1.5', '10', 'x', '']) expect(() => wholeNumber(0, 9)(text)).toThrow('whole number from 0 to 9');
  for (const text of ['101%', '-1%', 'x', '']) expect(() => shareOf(text)).toThrow('5% or 0.05');
});

test('writes settings into an environment file and keeps its other lines', () => {
  const text = withValues('SHOP=1\nPAYDESK_URL=old\n', { PAYDESK_URL: 'new', PAYDESK_API_KEY: 'key' });
  expect(text).toBe('SHOP=1\nPAYDESK_URL=new\nPAYDESK_API_KEY=key\n');
  expect(withValues(text, { PAYDESK_URL: 'new', PAYDESK_API_KEY: 'key' })).toBe(text);
});

test.each(['bash', 'zsh', 'fish'])('the completion for %s contains every command and option', async (shell) => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await program().parseAsync(['completion', shell], { from: 'user' });
  const script = String(written.mock.calls[0]?.[0]);
  written.mockRestore();
  for (const command of program().commands) {
    const words = [...command.commands.map((nested) => nested.name()), ...command.options.map(({ long }) => long ?? '')];
    const line = script.split('\n').findLast((each) => each.includes(command.name()) && words.every((word) => each.includes(word)));
    expect(line, command.name()).toBeDefined();
  }
});

test('--version prints the version of the package', async () => {
  const printed: string[] = [];
  const paydesk = program().configureOutput({ writeOut: (text) => void printed.push(text) });
  await expect(paydesk.parseAsync(['--version'], { from: 'user' })).rejects.toMatchObject({ exitCode: 0 });
  expect(printed).toEqual([`${manifest.version}\n`]);
});

test('every command has examples that name it', () => {
  for (const command of program().commands) {
    const help: string[] = [];
    command.configureOutput({ writeOut: (text) => void help.push(text) }).outputHelp();
    expect(help.join(''), command.name()).toMatch(new RegExp(`Examples:\\n[^]*paydesk ${command.name()}\\b`));
  }
});
