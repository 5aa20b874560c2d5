/** Returns the number of letters to insert, remove, replace or swap with the next one. */
export function editDistance(one: string, other: string): number {
  const rows = [...Array(one.length + 1).keys()].map((row) => [row, ...Array<number>(other.length).fill(0)]);
  for (let column = 0; column <= other.length; column += 1) (rows[0] as number[])[column] = column;
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row += 1) {
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const cheapest = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + (isSame ? 0 : 1));
      (rows[row] as number[])[column] = isSwapped ? Math.min(cheapest, at(row - 2, column - 2) + 1) : cheapest;
    }
  }
  return at(one.length, other.length);
}
