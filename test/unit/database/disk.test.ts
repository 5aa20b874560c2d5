import { describe, expect, test } from 'vitest';
import { MeasuredDisk } from '../../../core/database/disk.ts';

describe('the speed of a disk', () => {
  /** A disk whose flushes take the given time. */
  const diskWith = ({ flushMs }: { flushMs: number }) => {
    let nowMs = 0;
    return new MeasuredDisk(
      async () => {
        nowMs += flushMs;
      },
      () => nowMs,
    );
  };
  const commits = (disk: MeasuredDisk, ...durations: number[]) => {
    for (const ms of durations) disk.commitTook(ms);
  };
  const SEVEN_SLOW = Array.from({ length: 7 }, () => 9);

  test('is slow after eight slow commits in a row', () => {
    const disk = diskWith({ flushMs: 9 });
    commits(disk, ...SEVEN_SLOW);
    expect(disk.isSlow).toBe(false);
    commits(disk, 9);
    expect(disk.isSlow).toBe(true);
  });

  test('is not slow if a fast commit is among slow ones, which may have been large', () => {
    const disk = diskWith({ flushMs: 9 });
    commits(disk, ...SEVEN_SLOW, 1, ...SEVEN_SLOW);
    expect(disk.isSlow).toBe(false);
  });

  test('stays slow while its flushes are slow, and is fast after a fast one', async () => {
    const slow = diskWith({ flushMs: 9 });
    commits(slow, ...SEVEN_SLOW, 9);
    await slow.flush(3);
    expect(slow.isSlow).toBe(true);
    const fast = diskWith({ flushMs: 1 });
    commits(fast, ...SEVEN_SLOW, 9);
    await fast.flush(3);
    expect(fast.isSlow).toBe(false);
  });

  test('reports a failed flush', async () => {
    const disk = new MeasuredDisk(() => Promise.reject(new Error('EIO')));
    await expect(disk.flush(3)).rejects.toThrow('EIO');
  });
});
