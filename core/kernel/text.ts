/** Whether both databases can keep the text: no NUL and no lone surrogate (decisions 2). */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed();
}
