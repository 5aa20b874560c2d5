import type { GridColDef } from '@mui/x-data-grid';

/** Width of the grid for a column that names none. */
const MIN_WIDTH_PX = 50;

type Column = Pick<GridColDef, 'field' | 'width' | 'minWidth' | 'flex'>;

/** Returns the first of `candidates` whose absence lets the other columns fit into a width. */
export function leftOut(visible: readonly Column[], candidates: readonly string[], widthPx: number): string[] {
  const leastOf = ({ flex, width, minWidth = MIN_WIDTH_PX }: Column) => (flex === undefined ? (width ?? minWidth) : minWidth);
  let missingPx = visible.reduce((sum, column) => sum + leastOf(column), 0) - widthPx;
  const out: string[] = [];
  for (const field of candidates) {
    const column = visible.find((each) => each.field === field);
    if (missingPx <= 0) break;
    if (column === undefined || out.includes(field)) continue;
    out.push(field);
    missingPx -= leastOf(column);
  }
  return out;
}
