import type { Rectangle } from 'electron';

/** Part of the title bar that must be on a screen so that the window can be dragged. */
const GRIP_SIZE = { width: 120, height: 40 };

/** Returns the bounds unchanged if enough of the title bar is on a screen; otherwise centers them on the primary screen, reduced to its size. */
export function fitToScreens(bounds: Rectangle, workAreas: readonly Rectangle[], primaryArea: Rectangle): Rectangle {
  const titleBar = { ...bounds, height: GRIP_SIZE.height };
  const isReachable = workAreas.some((area) => {
    const width = Math.min(titleBar.x + titleBar.width, area.x + area.width) - Math.max(titleBar.x, area.x);
    const height = Math.min(titleBar.y + titleBar.height, area.y + area.height) - Math.max(titleBar.y, area.y);
    return width >= GRIP_SIZE.width && height >= GRIP_SIZE.height;
  });
  if (isReachable) return bounds;
  const width = Math.min(bounds.width, primaryArea.width);
  const height = Math.min(bounds.height, primaryArea.height);
  return {
    width,
    height,
    x: primaryArea.x + Math.round((primaryArea.width - width) / 2),
    y: primaryArea.y + Math.round((primaryArea.height - height) / 2),
  };
}
