import type { Rectangle } from 'electron';

/** Part of the title bar that must be on a screen so that the window can be dragged. */
const GRIP = { width: 120, height: 40 };

/** The bounds as they are when enough of their title bar is on one of the screens; else as much of them as fits, in the middle of the main one. */
export function onScreen(bounds: Rectangle, areas: readonly Rectangle[], main: Rectangle): Rectangle {
  const title = { ...bounds, height: GRIP.height };
  const isInReach = areas.some((area) => {
    const width = Math.min(title.x + title.width, area.x + area.width) - Math.max(title.x, area.x);
    const height = Math.min(title.y + title.height, area.y + area.height) - Math.max(title.y, area.y);
    return width >= GRIP.width && height >= GRIP.height;
  });
  if (isInReach) return bounds;
  const width = Math.min(bounds.width, main.width);
  const height = Math.min(bounds.height, main.height);
  return { width, height, x: main.x + Math.round((main.width - width) / 2), y: main.y + Math.round((main.height - height) / 2) };
}
